// Activating and clearing a command.
internal import Chat

extension ComposerReducer {
  /// Whether a word at the start of the text can activate a command.
  var mayActivate: Bool { content.command == nil && composer.editing == nil && composer.execution == nil }

  /// Applies a change, activates the command whose word starts the text, and removes that word.
  mutating func activate(_ word: CommandWord, by splice: Splice, at instant: Timestamp) -> [Composer.Event] {
    var new = CommandContent(composer)
    new.replace(splice.range, with: splice.text)
    new.takeOut(upTo: word.end)
    new.command = ComposedCommand(word.command)
    return apply(new, at: instant)
  }

  mutating func activate(_ id: ComposedCommand.ID, at instant: Timestamp) throws(ComposerRefusal) -> [Composer.Event] {
    if composer.editing != nil { throw .noCommandInEdit }
    guard let handler = commands.command(id), composerContext.config.has(id), handler.isAvailable(in: composerContext)
    else {
      throw .unknownCommand(UserText(id.text))
    }
    if content.command?.id == id {
      let events: [Composer.Event] = composer.showsCommands ? [.commandsShown(false)] : []
      commit(events, at: instant)
      return events
    }
    var new = CommandContent(composer)
    if let list = commands.listOfWord(id) {
      list.call(id, in: &new, replacing: .start ..< .start)
    } else {
      if let typed = commands.typedWord(of: id, in: new.text) { new.takeOut(upTo: typed) }
      new.command = ComposedCommand(id)
    }
    return apply(new, at: instant)
  }

  mutating func target(_ user: User.ID?, at instant: Timestamp) -> [Composer.Event] {
    var new = CommandContent(composer)
    new.command?.target = user
    return apply(new, at: instant)
  }

  mutating func clearCommand(at instant: Timestamp) -> [Composer.Event] {
    var new = CommandContent(composer)
    new.command = nil
    return apply(new, at: instant)
  }

  /// Removes the active command's target; if it has none, turns the command back into its word.
  mutating func restoreCommandWord(at instant: Timestamp) -> [Composer.Event] {
    guard let command = content.command else { return [] }
    if command.target != nil { return target(nil, at: instant) }
    guard let word = commands.word(of: command.id) else { return clearCommand(at: instant) }
    var new = CommandContent(composer)
    let startsWithSpace = new.text.units.first.map { TypedText.isWhiteSpace($0) } ?? true
    new.replace(.start ..< .start, with: UserText(word + (startsWithSpace ? "" : " ")))
    let caret = UTF16Offset(rawValue: word.utf16.count)
    (new.command, new.selection) = (nil, caret..<caret)
    return apply(new, at: instant)
  }
}

/// A command's word at the start of a text.
struct CommandWord {
  /// The command.
  let command: ComposedCommand.ID
  /// The offset after the word and the white space that ends it, if included.
  let end: UTF16Offset
}
