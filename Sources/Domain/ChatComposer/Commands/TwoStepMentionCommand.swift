// Commands with a target user: first the command is picked, then the user.
public import Chat

/// A command with a target user: the command is picked or typed first, then the user.
///
/// Only the id and ``execute(_:on:in:)`` need an implementation. A picked user is stored in the content as
/// ``ComposerCommand/target``; a typed name, as in `/mute @bo`, is resolved when the message is sent.
public protocol TwoStepMentionCommand: CommandHandler {
  /// The handler that suggests users and defines their symbol; nil for the handler of mentions.
  var people: MentionsCommandHandler? { get }
  /// Executes the command on a user.
  func execute(_ command: ComposerCommand, on user: User.ID, in context: ExecutionContext) async throws
    -> CommandOutcome
}

extension TwoStepMentionCommand {
  /// The default: the handler of mentions.
  public var people: MentionsCommandHandler? { nil }
  /// The default: no message is sent in addition.
  public var replacesMessageSent: Bool { true }

  /// Returns the text between its start and the caret, with or without the symbol, as long as there is no target and no
  /// line break.
  public func canContinueCommand(
    _ command: ComposerCommand, in text: TypedText, caretLocation: UTF16Offset, beside commands: CommandsHandler
  ) -> ComposerCommand? {
    let range = text.clamp(.start..<caretLocation)
    guard command.target == nil, !text.endsLine(in: range) else { return nil }
    let typed = text.userText(of: range).string
    let symbol = people?.mentionsSymbol ?? commands.mentions.mentionsSymbol ?? ""
    var command = command
    command.typingSuggestion = TypingSuggestion(
      UserText(typed.hasPrefix(symbol) ? String(typed.dropFirst(symbol.count)) : typed), at: range)
    return command
  }

  /// Returns users who match the typed text.
  public func suggestions(
    for command: ComposerCommand, in context: SuggestionContext
  ) async throws -> SuggestionInfo {
    let typed = command.typingSuggestion?.text ?? ""
    let people = people ?? context.commands.mentions
    return SuggestionInfo(.mentions, try await people.users(matching: typed, in: context)) {
      Suggestion($0, symbol: people.mentionsSymbol ?? context.commands.mentions.mentionsSymbol)
    }
  }

  /// Sets the picked user as the target and removes the typed name.
  public func handleCommand(
    _ command: ComposerCommand, picked answer: SuggestionValue, in content: inout CommandContent
  ) {
    guard case .chatUser(let user, _) = answer, content.command?.id == id else { return }
    if let range = command.typingSuggestion?.range { content.takeOut(range, withSpaceBehind: true) }
    content.command?.target = user
  }

  /// Whether the command has a target.
  public func canBeExecuted(_ command: ComposerCommand) -> Bool { command.target != nil }

  /// Executes the command on its target.
  public func executeOnMessageSent(
    _ command: ComposerCommand, in context: ExecutionContext
  ) async throws -> CommandOutcome {
    guard let user = command.target else { return CommandOutcome() }
    return try await execute(command, on: user, in: context)
  }
}
