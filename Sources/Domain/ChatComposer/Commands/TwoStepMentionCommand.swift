// Commands that take a user: first the command is picked, then the user.
public import Chat

/// A command that does something to a user: it is picked or typed first, and then a user is.
///
/// Everything but the id and ``execute(_:on:in:)`` is there already. The user who was picked stands in what is written,
/// as ``ComposerCommand/target``; a name that was typed, as in `/mute @bo`, is found when the message is sent.
public protocol TwoStepMentionCommand: CommandHandler {
  /// Who suggests users, and by which symbol; nil for whoever suggests them for mentions.
  var people: MentionsCommandHandler? { get }
  /// Does to a user what the command is for.
  func execute(_ command: ComposerCommand, on user: User.ID, in context: ExecutionContext) async throws
    -> CommandOutcome
}

extension TwoStepMentionCommand {
  /// Whoever suggests them for mentions.
  public var people: MentionsCommandHandler? { nil }
  /// Nothing is sent besides.
  public var replacesMessageSent: Bool { true }

  /// What stands between the start of the text and the caret, with or without the symbol, as long as no user is chosen
  /// and no line ends.
  public func canContinueCommand(
    _ command: ComposerCommand, in text: TypedText, caretLocation: UTF16Offset, beside commands: CommandsHandler
  ) -> ComposerCommand? {
    let range = text.clamp(.start..<caretLocation)
    guard command.target == nil, !text.endsLine(in: range) else { return nil }
    let typed = text.userText(of: range).string
    let symbol = (people ?? commands.mentions).symbolOfMentions ?? ""
    var command = command
    command.typingSuggestion = TypingSuggestion(
      UserText(typed.hasPrefix(symbol) ? String(typed.dropFirst(symbol.count)) : typed), at: range)
    return command
  }

  /// Users who match what is typed.
  public func suggestions(
    for command: ComposerCommand, in context: SuggestionContext
  ) async throws -> SuggestionInfo {
    let typed = command.typingSuggestion?.text ?? ""
    let people = people ?? context.commands.mentions
    return SuggestionInfo(.mentions, try await people.users(matching: typed, in: context).map { Suggestion($0) })
  }

  /// The user who was picked is the command's; what was typed of the name goes.
  public func handleCommand(
    _ command: ComposerCommand, picked answer: SuggestionAnswer, in content: inout CommandContent
  ) {
    guard case .chatUser(let user, _) = answer, content.command?.id == id else { return }
    if let range = command.typingSuggestion?.range { content.takeOut(range, withSpaceBehind: true) }
    content.command?.target = user
  }

  /// Once it has a user.
  public func canBeExecuted(_ command: ComposerCommand) -> Bool { command.target != nil }

  /// Does it to the user.
  public func executeOnMessageSent(
    _ command: ComposerCommand, in context: ExecutionContext
  ) async throws -> CommandOutcome {
    guard let user = command.target else { return CommandOutcome() }
    return try await execute(command, on: user, in: context)
  }
}
