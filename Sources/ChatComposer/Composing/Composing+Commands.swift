// How a command becomes the active one, and how it ends to be.
internal import Chat

extension Composing {
  /// Whether a word at the start of the text can make a command active.
  var mayActivate: Bool { content.command == nil && composer.editing == nil && composer.execution == nil }

  /// Makes the command active whose word begins a text that the composer comes to have; the word goes.
  mutating func activate(
    _ word: CommandWord, in after: TypedText, caret: UTF16Offset, at instant: Instant
  ) -> [Composer.Event] {
    var rest = after
    rest.apply(Splice(.start..<word.end, to: ""))
    let place = UTF16Offset(rawValue: max(0, caret.rawValue - word.end.rawValue))
    return put(ComposedCommand(word.command), rest, caret: place, at: instant)
  }

  mutating func activate(_ id: ComposedCommand.ID, at instant: Instant) throws(ComposerRefusal) -> [Composer.Event] {
    if composer.editing != nil { throw .noCommandInEdit }
    guard let handler = commands.command(id), surroundings.config.has(id), handler.isAvailable(in: surroundings) else {
      throw .unknownCommand(Wording(id.text))
    }
    if content.command?.id == id {
      let events: [Composer.Event] = composer.showsCommands ? [.commandsShown(false)] : []
      commit(events, at: instant)
      return events
    }
    // What stands of its word goes: the word that was being typed when it was picked.
    guard let typed = commands.typedWord(in: content.text) else {
      return put(ComposedCommand(id), content.text, caret: composer.selection.upperBound, at: instant)
    }
    return activate(
      CommandWord(command: id, end: typed), in: content.text, caret: composer.selection.upperBound, at: instant)
  }

  /// Has a command and this text, and the caret at a place in it.
  private mutating func put(
    _ command: ComposedCommand?, _ text: TypedText, caret: UTF16Offset, at instant: Instant
  ) -> [Composer.Event] {
    var new = CommandContent(composer)
    (new.command, new.text, new.selection) = (command, text, caret..<caret)
    new.mentions = content.text.splice(to: text).map { content.mentions.moved(by: $0) } ?? content.mentions
    return become(new, at: instant)
  }

  mutating func clearCommand(at instant: Instant) -> [Composer.Event] {
    if content.command == nil { return [] }
    return put(nil, content.text, caret: composer.selection.upperBound, at: instant)
  }

  /// Takes the active command's user away; where it has none, makes its word text again.
  mutating func takeBackCommand(at instant: Instant) -> [Composer.Event] {
    guard let command = content.command else { return [] }
    if command.target != nil {
      commit([.commandTargeted(nil)], at: instant)
      return [.commandTargeted(nil)]
    }
    let word = commands.word(of: command.id) ?? ""
    let startsWithSpace = content.text.units.first.map { TypedText.isWhiteSpace($0) } ?? true
    var text = content.text
    text.apply(Splice(.start ..< .start, to: Wording(word + (startsWithSpace ? "" : " "))))
    return put(nil, text, caret: UTF16Offset(rawValue: word.utf16.count), at: instant)
  }
}

/// A command's word at the start of a text.
struct CommandWord {
  /// The command.
  let command: ComposedCommand.ID
  /// Behind the word, and behind the space that ends it.
  let end: UTF16Offset
}
