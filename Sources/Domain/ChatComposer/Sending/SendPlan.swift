// The effect of sending the content.
public import Chat

/// The effect of sending the content, provided that nothing prevents it.
public enum SendPlan: Hashable, Sendable {
  /// Sends a new message.
  case message(Message.Content)
  /// Edits a sent message.
  case edit(Message.ID, Message.Edits)
  /// Executes a command, and sends a message as well unless the command replaces it.
  case command(ComposerCommand, message: Message.Content?)
}

extension SendPlan {
  /// Returns the part of a content that a send removes: without attachments if a command replaces the message.
  func takes(_ content: Composition) -> Composition {
    guard case .command(_, nil) = self else { return content }
    var content = content
    content.attachments = []
    return content
  }
}

/// The resolved user whose name was typed for the active command.
public struct ResolvedTarget: Hashable, Sendable {
  /// The user id.
  public let user: User.ID
  /// The typed name with its symbol, at the start of the arguments.
  public let typed: UserText

  /// Creates a target from the typed name and its user.
  public init(_ user: User.ID, typed: UserText) { (self.user, self.typed) = (user, typed) }
}

extension ComposerReducer {
  /// Whether there is content to send, regardless of other obstacles.
  public var hasContent: Bool {
    !content.attachments.isEmpty || !content.text.isBlank || (composer.editing == nil && content.command != nil)
  }

  /// Returns the effect of a send.
  public func plan(_ resolved: ResolvedTarget? = nil) -> SendPlan {
    if let editing = composer.editing { return .edit(editing, edits) }
    guard let (command, handler) = command(resolved) else {
      return .message(message(content.text.userText, content.mentions))
    }
    if handler.replacesMessageSent { return .command(command, message: nil) }
    let (text, mentions) = written(command)
    return .command(command, message: message(text, mentions))
  }

  /// Returns the content as a message with trimmed text.
  private func message(_ text: UserText, _ mentions: [Mention]) -> Message.Content {
    let (trimmed, before) = text.trimmed
    return Message.Content(
      trimmed, mentions: mentions.moved(toPartAt: before, length: trimmed.string.utf16.count),
      attachments: content.attachments.map(\.attachment), parent: composer.key.thread,
      showsInChannel: composer.key.thread != nil && content.showsInChannel, quoted: content.quoted,
      isSilent: content.isSilent, extra: content.extra)
  }

  /// The changes of an edit; nil parts stay unchanged.
  private var edits: Message.Edits {
    let text = content.text.userText
    let new = message(text, content.mentions)
    var edits = Message.Edits(
      text: new.text, mentions: new.mentions, attachments: new.attachments, extra: new.extra)
    guard let old = edited?.content else { return edits }
    // A message can be sent with white space around its text, which stays until the text is changed.
    if text == old.text, content.mentions == old.mentions { (edits.text, edits.mentions) = (nil, nil) }
    return edits.without(old)
  }

  // MARK: Commands

  /// Returns the command that a send would execute: the active one, or the one whose word starts the text.
  func command(_ resolved: ResolvedTarget? = nil) -> (ComposerCommand, any CommandHandler)? {
    if let active = content.command, let handler = commands.command(active.id) {
      return (complete(ComposerCommand(active.id, target: active.target), handler, from: 0, resolved), handler)
    }
    guard let word = commands.calledCommand(in: content.text, under: composerContext),
      let handler = commands.command(word.command)
    else { return nil }
    return (complete(ComposerCommand(word.command), handler, from: word.end.rawValue, resolved), handler)
  }

  /// Returns a command with its arguments, and with the user at their start as the target if it needs one.
  private func complete(
    _ command: ComposerCommand, _ handler: any CommandHandler, from start: Int, _ resolved: ResolvedTarget?
  ) -> ComposerCommand {
    var command = command
    let argumentsStart = put(argumentsFrom: start, into: &command)
    guard handler is any TwoStepMentionCommand, command.target == nil else { return command }
    let arguments = command.arguments.string
    if let first = command.mentions.first, first.range.lowerBound == .start {
      command.target = first.user
      put(argumentsFrom: argumentsStart + first.range.upperBound.rawValue, into: &command)
    } else if let resolved, arguments.utf8.starts(with: resolved.typed.string.utf8) {
      let rest = arguments.utf16.dropFirst(resolved.typed.string.utf16.count)
      guard rest.first.map({ TypedText.isWhiteSpace($0) }) ?? true else { return command }
      command.target = resolved.user
      put(argumentsFrom: argumentsStart + resolved.typed.string.utf16.count, into: &command)
    }
    return command
  }

  /// Sets the text from an offset on as the arguments of a command; returns the offset at which they start.
  @discardableResult
  private func put(argumentsFrom start: Int, into command: inout ComposerCommand) -> Int {
    let (text, before) = content.text.userText(of: UTF16Offset(rawValue: start)..<content.text.end).trimmed
    command.arguments = text
    command.mentions = content.mentions.moved(toPartAt: start + before, length: text.string.utf16.count)
    return start + before
  }

  /// Returns a command as text: its word, target and arguments.
  private func written(_ command: ComposerCommand) -> (UserText, [Mention]) {
    var text = commands.word(of: command.id) ?? ""
    var mentions: [Mention] = []
    func add(_ part: String) { text += text.isEmpty || part.isEmpty ? part : " " + part }
    if let target = command.target {
      let symbol = commands.mentions.mentionsSymbol ?? ""
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
