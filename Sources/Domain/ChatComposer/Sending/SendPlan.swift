// What a send does with what is written.
public import Chat

/// What a send does with what is written, were nothing in its way.
public enum SendPlan: Hashable, Sendable {
  /// Says something new.
  case message(Message.Content)
  /// Changes what was said.
  case edit(Message.ID, Message.Edits)
  /// Executes a command, and says something besides unless it takes the place of that.
  case command(ComposerCommand, message: Message.Content?)
}

extension SendPlan {
  /// What of a content goes when it is sent: of a command that says nothing, not what is attached.
  func takes(_ content: Composition) -> Composition {
    guard case .command(_, nil) = self else { return content }
    var content = content
    content.attachments = []
    return content
  }
}

/// A user whose name was typed for the active command, and was found.
public struct ResolvedTarget: Hashable, Sendable {
  /// The user.
  public let user: User.ID
  /// What was typed, with the symbol, at the start of the arguments.
  public let typed: UserText

  /// A user who was found for what was typed.
  public init(_ user: User.ID, typed: UserText) { (self.user, self.typed) = (user, typed) }
}

extension ComposerReducer {
  /// Whether there is something to send, whatever else is in its way.
  public var hasContent: Bool {
    !content.attachments.isEmpty || !content.text.isBlank || (composer.editing == nil && content.command != nil)
  }

  /// What a send would do.
  public func plan(_ found: ResolvedTarget? = nil) -> SendPlan {
    if let editing = composer.editing { return .edit(editing, edits) }
    guard let (command, handler) = command(found) else {
      return .message(message(content.text.userText, content.mentions))
    }
    if handler.replacesMessageSent { return .command(command, message: nil) }
    let (text, mentions) = written(command)
    return .command(command, message: message(text, mentions))
  }

  /// What the composer holds as a message, with a text that is trimmed.
  private func message(_ text: UserText, _ mentions: [Mention]) -> Message.Content {
    let (trimmed, before) = text.trimmed
    return Message.Content(
      trimmed, mentions: mentions.moved(toPartAt: before, length: trimmed.string.utf16.count),
      attachments: content.attachments.map(\.attachment), parent: composer.key.thread,
      showsInChannel: composer.key.thread != nil && content.showsInChannel, quoted: content.quoted,
      isSilent: content.isSilent, extra: content.extra)
  }

  /// What an edit changes; nil parts stay.
  private var edits: Message.Edits {
    let new = message(content.text.userText, content.mentions)
    return Message.Edits(
      text: new.text, mentions: new.mentions, attachments: new.attachments, extra: new.extra)
  }

  // MARK: Commands

  /// The command that a send would execute: the active one, or one whose word begins the text.
  func command(_ found: ResolvedTarget? = nil) -> (ComposerCommand, any CommandHandler)? {
    if let active = content.command, let handler = commands.command(active.id) {
      return (complete(ComposerCommand(active.id, target: active.target), handler, from: 0, found), handler)
    }
    guard let word = commands.calledCommand(in: content.text, under: composerContext),
      let handler = commands.command(word.command)
    else { return nil }
    return (complete(ComposerCommand(word.command), handler, from: word.end.rawValue, found), handler)
  }

  /// A command with its arguments, and with the user who stands first in them, if it needs one.
  private func complete(
    _ command: ComposerCommand, _ handler: any CommandHandler, from start: Int, _ found: ResolvedTarget?
  ) -> ComposerCommand {
    var command = command
    let place = put(argumentsFrom: start, into: &command)
    guard handler is any TwoStepMentionCommand, command.target == nil else { return command }
    let arguments = command.arguments.string
    if let first = command.mentions.first, first.range.lowerBound == .start {
      command.target = first.user
      put(argumentsFrom: place + first.range.upperBound.rawValue, into: &command)
    } else if let found, arguments.utf8.starts(with: found.typed.string.utf8) {
      let rest = arguments.utf16.dropFirst(found.typed.string.utf16.count)
      guard rest.first.map({ TypedText.isWhiteSpace($0) }) ?? true else { return command }
      command.target = found.user
      put(argumentsFrom: place + found.typed.string.utf16.count, into: &command)
    }
    return command
  }

  /// Gives a command what stands behind a place as its arguments; answers where they begin.
  @discardableResult
  private func put(argumentsFrom start: Int, into command: inout ComposerCommand) -> Int {
    let (text, before) = content.text.userText(of: UTF16Offset(rawValue: start)..<content.text.end).trimmed
    command.arguments = text
    command.mentions = content.mentions.moved(toPartAt: start + before, length: text.string.utf16.count)
    return start + before
  }

  /// A command as text: its word, its user, its arguments.
  private func written(_ command: ComposerCommand) -> (UserText, [Mention]) {
    var text = commands.word(of: command.id) ?? ""
    var mentions: [Mention] = []
    func add(_ part: String) { text += text.isEmpty || part.isEmpty ? part : " " + part }
    if let target = command.target {
      let symbol = options.commands.mentionsSymbol ?? ""
      let name = symbol + (composerContext.names[target]?.string ?? target.text)
      add(name)
      let end = text.utf16.count
      mentions.append(
        Mention(target, at: UTF16Offset(rawValue: end - name.utf16.count)..<UTF16Offset(rawValue: end)))
    }
    add(command.arguments.string)
    let start = text.utf16.count - command.arguments.string.utf16.count
    mentions += command.mentions.moved(behind: start)
    return (UserText(text), mentions)
  }
}
