// Tests of custom commands: selection, order, display and execution.
import Chat
import ChatComposer
import Testing

@MainActor
struct CustomisingCommands {
  @Test func `a custom config defines the commands, their order and their words`() async throws {
    let room = try await Room { $0.commands = Rearranged() }
    try room.type("!")
    #expect(await room.suggested() == ["unmute", "quiet", "gif"])
    #expect(room.composer.suggestions?.items.map(\.title) == ["Unmute", "Mute", "Moving picture"])
    try room.composer.perform(.setText("!ban @bo"))
    #expect(try await room.composer.send() == .message("id2"))
    #expect(room.said.map(\.text) == ["!ban @bo"])
  }

  @Test func `a command with another id and word keeps its behavior`() async throws {
    let room = try await Room { $0.commands = Rearranged() }
    try room.composer.perform(.paste("!hush @bo 2d"))
    #expect(room.content.command == ComposedCommand("quiet"))
    try await room.composer.send()
    #expect(room.chat.state[Mute.Key(by: "ada", of: .user("bo"))]?.term.end == room.chat.now + .seconds(172_800))
  }

  @Test func `an app's command replaces a built-in one`() async throws {
    let room = try await Room { $0.commands = DefaultCommandsConfig(instantCommands: [LoudMute()]) }
    try room.composer.perform(.paste("/mute @cleo"))
    #expect(try await room.composer.send() == .command("mute"))
    #expect(room.chat.state[Mute.Key(by: "ada", of: .user("cleo"))] == nil)
    #expect(room.recorded == [AppEvent("asked.to.be.quiet", payload: Array("cleo".utf8))])
  }

  @Test(arguments: [true, false]) func `a custom pay command works typed or picked`(isPicked: Bool) async throws {
    let room = try await Room { $0.commands = DefaultCommandsConfig(instantCommands: [Pay()]) }
    try room.type(isPicked ? "/p" : "/pay ")
    if isPicked { try await room.pick("pay") }
    #expect(room.content.command?.id == "pay")
    #expect(room.composer.refusal == .incomplete("pay", format: "/pay [@username] [amount]"))
    try room.type("@di")
    try await room.pick()
    #expect(!room.composer.canSend)
    try room.type("20")
    #expect(room.composer.canSend)
    try await room.composer.send()
    #expect(room.recorded == [AppEvent("paid", payload: Array("bo 20".utf8))])
    #expect(room.said.map(\.text) == ["/pay @Bo Diddley 20"])
    #expect(room.said.first?.mentions == [Mention("bo", at: 5..<16)])
    #expect(room.content == Composition())
  }

  @Test func `a payment and its message are committed together or not at all`() async throws {
    let room = try await Room { $0.commands = DefaultCommandsConfig(instantCommands: [Pay()]) }
    try room.composer.perform(.paste("/pay @"))
    try await room.pick("bo")
    try room.type("7")
    // The channel is frozen between the check and the send.
    try room.chat.submit([.channel("general", .freeze)], by: .user("ada"))
    await #expect(throws: ComposerError.self) { try await room.composer.send() }
    #expect(room.recorded.isEmpty && room.said.isEmpty)
    #expect(room.text == "@Bo Diddley 7")
  }

  @Test(arguments: [true, false]) func `a custom two-step command takes a user first`(isPicked: Bool) async throws {
    let room = try await Room { $0.commands = DefaultCommandsConfig(instantCommands: [Wave()]) }
    if isPicked {
      try room.composer.perform(.showCommands(true))
      try await room.pick("wave")
      #expect(await room.suggested() == ["bo", "cleo"])
      try await room.pick("cleo")
      #expect(room.content.command == ComposedCommand("wave", target: "cleo"))
    } else {
      try room.composer.perform(.paste("/wave @Cleo Moreau"))
    }
    #expect(try await room.composer.send() == .command("wave"))
    #expect(room.recorded == [AppEvent("waved", payload: Array("cleo".utf8))])
    #expect(room.said.isEmpty)
  }

  @Test(arguments: [true, false]) func `a command beside a message sends both`(isPicked: Bool) async throws {
    let room = try await Room {
      $0.commands = DefaultCommandsConfig(instantCommands: [Wave(replacesMessageSent: false)])
    }
    if isPicked {
      try room.composer.perform(.activate("wave"))
      try await room.pick("bo")
      try room.type("over there")
    } else {
      try room.composer.perform(.paste("/wave @Bo Diddley over there"))
    }
    guard case .message = try await room.composer.send() else { return #expect(Bool(false), "no message was sent") }
    #expect(room.recorded == [AppEvent("waved", payload: Array("bo".utf8))])
    #expect(room.said.map(\.text) == ["/wave @Bo Diddley over there"])
    #expect(room.said.first?.mentions == [Mention("bo", at: 6..<17)])
  }

  @Test func `display info of a command is the app's, in the list and on the chip`() async throws {
    let info = CommandDisplayInfo(
      displayName: "Still sein", icon: "moon", format: "/mute [@Name] [Dauer]", isInstant: true)
    let room = try await Room {
      $0.commands = DefaultCommandsConfig(instantCommands: [MuteCommandHandler(displayInfo: info), Hidden()])
    }
    try room.type("/")
    #expect(await room.suggested() == ["mute"])
    let item = try #require(room.composer.suggestions?.items.first)
    #expect((item.title, item.detail, item.icon) == ("Still sein", "/mute [@Name] [Dauer]", "moon"))
    try await room.pick()
    let chip = try #require(room.composer.presentation.input.first { $0.id == .command })
    #expect((chip.label, chip.icon) == ("Still sein", "moon"))
  }

  @Test func `a command without display info can be typed`() async throws {
    let room = try await Room { $0.commands = DefaultCommandsConfig(instantCommands: [Hidden()]) }
    #expect(room.composer.presentation.leading.map(\.id) == [.attachments])
    try room.type("/hidden")
    #expect(await room.suggested() == [])
    #expect(try await room.composer.send() == .command("hidden"))
  }
}

// MARK: Commands of the app's

/// A configuration with custom symbols, order, words and names, without bans and flags.
private struct Rearranged: CommandsConfig {
  let mentionsSymbol: String? = "@"
  let instantCommandsSymbol: String? = "!"

  func makeCommandsHandler(for context: CommandsContext) -> CommandsHandler {
    let picture = CommandDisplayInfo(displayName: "Moving picture", icon: "film", format: "!gif", isInstant: true)
    let commands: [any CommandHandler] = [
      UnmuteCommandHandler(), MuteCommandHandler(commandSymbol: "hush", id: "quiet"),
      GiphyCommandHandler(id: "gif", displayInfo: picture),
    ]
    return CommandsHandler(commands: [
      MentionsCommandHandler(),
      InstantCommandsHandler(commands: commands),
    ])
  }
}

/// A payment to a user: an event of the app, and a message about it.
private struct Pay: CommandHandler {
  let id: ComposedCommand.ID = "pay"
  let displayInfo: CommandDisplayInfo? = CommandDisplayInfo(
    displayName: "Pay", icon: "coin", format: "/pay [@username] [amount]")

  func canBeExecuted(_ command: ComposerCommand) -> Bool { payment(command) != nil }

  func executeOnMessageSent(
    _ command: ComposerCommand, in context: ExecutionContext
  ) async throws -> CommandOutcome {
    guard let (user, amount) = payment(command) else { throw Failure("to whom, and how much?") }
    let paid = AppEvent("paid", payload: Array("\(user) \(amount)".utf8))
    return CommandOutcome([.app(.channel(context.composer.channel), paid)])
  }

  private func payment(_ command: ComposerCommand) -> (user: User.ID, amount: Int)? {
    guard let mention = command.mentions.first else { return nil }
    let rest = TypedText(command.arguments).userText(of: mention.range.upperBound..<TypedText(command.arguments).end)
    return Int(rest.trimmed.text.string).map { (mention.user, $0) }
  }
}

/// A command that greets a user.
private struct Wave: TwoStepMentionCommand {
  let id: ComposedCommand.ID = "wave"
  let displayInfo: CommandDisplayInfo? = CommandDisplayInfo(
    displayName: "Wave", icon: "hand", format: "/wave [@username]", isInstant: true)
  var replacesMessageSent = true

  func execute(
    _ command: ComposerCommand, on user: User.ID, in context: ExecutionContext
  ) async throws -> CommandOutcome {
    CommandOutcome([.app(.user(context.composer.user), AppEvent("waved", payload: Array(user.text.utf8)))])
  }
}

/// A command that asks a user to be quiet, with the id of a built-in command.
private struct LoudMute: TwoStepMentionCommand {
  let id: ComposedCommand.ID = "mute"

  func execute(
    _ command: ComposerCommand, on user: User.ID, in context: ExecutionContext
  ) async throws -> CommandOutcome {
    CommandOutcome([.app(.app("quiet"), AppEvent("asked.to.be.quiet", payload: Array(user.text.utf8)))])
  }
}

/// A hidden command without display info.
private struct Hidden: CommandHandler {
  let id: ComposedCommand.ID = "hidden"
  var replacesMessageSent: Bool { true }
}
