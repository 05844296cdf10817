// A custom command that a scenario defines: its word, its arguments, and its result.
internal import Chat
internal import ChatComposer
internal import JSONLines

/// A custom command that a scenario defines.
///
/// Executing it waits while it is held, and appends an event of the app with the target user and the arguments.
struct OwnCommand: Sendable {
  let id: ComposedCommand.ID
  let word: String
  let format: UserText?
  let takesUser: Bool
  let replacesMessage: Bool?

  init(_ reader: inout ObjectReader) throws(InputDefect) {
    id = try reader.required("id", try reader.id("id"))
    word = try reader.text("word") ?? id.text
    format = try reader.userText("format")
    takesUser = try reader.bool("takesUser") ?? false
    replacesMessage = try reader.bool("replacesMessage")
    try reader.finish()
  }

  func handler(on stage: Stage) -> any CommandHandler {
    takesUser ? UserCommand(own: self, stage: stage) : PlainCommand(own: self, stage: stage)
  }

  fileprivate var displayInfo: CommandDisplayInfo? {
    format.map {
      CommandDisplayInfo(displayName: UserText(id.text), icon: UserText(id.text), format: $0, isInstant: true)
    }
  }

  fileprivate func execute(_ command: ComposerCommand, on stage: Stage, in context: ExecutionContext) async throws
    -> CommandOutcome
  {
    try await stage.pass(id.text)
    let words = [command.target?.text, command.arguments.string].compactMap(\.self).joined(separator: " ")
    let event = AppEvent(AppEvent.Name(stringLiteral: id.text), payload: Array(words.utf8))
    return CommandOutcome([.app(.channel(context.composer.channel), event)])
  }
}

/// A command that takes a text, or nothing.
private struct PlainCommand: CommandHandler {
  let own: OwnCommand
  let stage: Stage

  var id: ComposedCommand.ID { own.id }
  var commandSymbol: String { own.word }
  var displayInfo: CommandDisplayInfo? { own.displayInfo }
  var replacesMessageSent: Bool { own.replacesMessage ?? false }

  func executeOnMessageSent(
    _ command: ComposerCommand, in context: ExecutionContext
  ) async throws -> CommandOutcome {
    try await own.execute(command, on: stage, in: context)
  }
}

/// A command that takes a user first.
private struct UserCommand: TwoStepMentionCommand {
  let own: OwnCommand
  let stage: Stage

  var id: ComposedCommand.ID { own.id }
  var commandSymbol: String { own.word }
  var displayInfo: CommandDisplayInfo? { own.displayInfo }
  var replacesMessageSent: Bool { own.replacesMessage ?? true }

  func execute(
    _ command: ComposerCommand, on user: User.ID, in context: ExecutionContext
  ) async throws -> CommandOutcome {
    try await own.execute(command, on: stage, in: context)
  }
}
