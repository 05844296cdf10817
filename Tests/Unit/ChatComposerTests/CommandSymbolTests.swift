// Tests of the symbols and words of commands: configured once, used in every text.
import Chat
import ChatComposer
import Locks
import Testing

@MainActor
struct `Symbols of commands` {
  @Test func `a configuration's symbols reach lists, syntax, refusals and messages`() async throws {
    let room = try await Room {
      $0.commands = InheritedSymbols(
        mentions: "👤", commands: "⚡️", handlers: [MuteCommandHandler(commandSymbol: "ruhe"), Pay()])
    }
    try room.type("⚡️")
    #expect(await room.suggested() == ["mute", "pay"])
    let items = try #require(room.composer.suggestions?.items)
    #expect(items.map(\.symbol) == ["⚡️", "⚡️"])
    #expect(items.map(\.detail) == ["⚡️ruhe [👤username] [duration]", "⚡️pay [👤username] [amount]"])
    try room.type("ruhe ")
    #expect(room.composer.refusal == .incomplete("mute", format: "⚡️ruhe [👤username] [duration]"))
    #expect(room.composer.refusal?.description.contains("⚡️ruhe [👤username]") == true)
    try room.type("👤bo")
    #expect(await room.suggested() == ["bo"])
    #expect(room.composer.suggestions?.items.map(\.symbol) == ["👤"])
    try room.composer.perform(.clear)
    // The message of a command beside a message is written with both symbols.
    try room.composer.perform(.paste("⚡️pay 👤bo 7"))
    try await room.composer.send()
    #expect(room.said.map(\.text) == ["⚡️pay 👤Bo Diddley 7"])
  }

  @Test(arguments: ["/mute", "mute"]) func `a word is given with or without the symbol`(word: String) async throws {
    let room = try await Room {
      $0.commands = DefaultCommandsConfig(instantCommands: [MuteCommandHandler(commandSymbol: word)])
    }
    try room.type("/mu")
    #expect(await room.suggested() == ["mute"])
    #expect(room.composer.suggestions?.items.first?.detail == "/mute [@username] [duration]")
    try room.type("te @bo")
    #expect(try await room.composer.send() == .command("mute"))
  }

  // Regression: an id with the symbol of commands, as other libraries write it, ended the process.
  @Test func `the id of a command can contain the symbol`() async throws {
    let room = try await Room {
      $0.commands = DefaultCommandsConfig(instantCommands: [MuteCommandHandler(id: "/mute")])
    }
    try room.type("/mute ")
    #expect(room.content.command == ComposedCommand("/mute"))
    try room.type("@bo")
    #expect(try await room.composer.send() == .command("/mute"))
    #expect(room.chat.state[Mute.Key(by: "ada", of: .user("bo"))] != nil)
    // Only commands: the ids of everything else are parts of names and paths.
    let (word, words) = ("/mute", "/mute me")
    #expect(throws: IDError.self) { try Channel.ID(word) }
    #expect(try ComposedCommand.ID(word).text == word)
    #expect(throws: IDError.self) { try ComposedCommand.ID(words) }
  }

  @Test func `a handler's own symbol is used before the configuration's`() async throws {
    let room = try await Room { $0.commands = OwnSymbols() }
    try room.type("!gi")
    #expect(await room.suggested() == ["giphy"])
    #expect(room.composer.suggestions?.items.first?.detail == "!giphy [text]")
    try room.composer.perform(.setText("+cl"))
    #expect(await room.suggested() == ["cleo"])
    try await room.pick()
    #expect(room.text == "+Cleo Moreau ")
  }

  @Test func `the handlers are made for the user, the channel, its configuration and its members`() async throws {
    var config = ChannelConfig()
    config.slowMode = 7
    let seen = Seen()
    let room = try await Room(config) { $0.commands = Noting(seen: seen) }
    let context = try #require(seen.contexts.last)
    #expect((context.user, context.channel, context.composer.device) == ("ada", "general", "phone"))
    #expect(context.config == config)
    #expect(try await context.members().map(\.id) == ["bo", "cleo"])
    #expect(try await context.members(matching: "cl").map(\.id) == ["cleo"])
    // They are made again when the configuration changes.
    config.commands = []
    try await room.configure(config)
    #expect(seen.contexts.last?.config == config)
  }
}

@MainActor
struct `A command that is not instant` {
  private func room() async throws -> Room {
    try await Room { $0.commands = DefaultCommandsConfig(instantCommands: [Pay(isInstant: false)]) }
  }

  @Test func `its word stays in the text, typed, picked or activated`() async throws {
    for isPicked in [true, false] {
      let room = try await room()
      try room.type(isPicked ? "/p" : "/pay ")
      if isPicked { try await room.pick("pay") }
      #expect((room.text, room.content.command) == ("/pay ", nil))
      #expect(room.composer.composer.selection == 5..<5)
      #expect(!room.composer.presentation.input.contains { $0.id == .command })
    }
    let room = try await room()
    try room.type("20 for lunch")
    try room.composer.perform(.activate("pay"))
    #expect(room.text == "/pay 20 for lunch")
    try room.composer.perform(.undo)
    #expect(room.text == "20 for lunch")
  }

  @Test func `it is executed when the text is sent`() async throws {
    let room = try await room()
    try room.type("/pay @bo")
    try await room.pick("bo")
    try room.type("20")
    #expect(room.text == "/pay @Bo Diddley 20")
    try await room.composer.send()
    #expect(room.recorded == [AppEvent("paid", payload: Array("bo 20".utf8))])
    #expect(room.said.map(\.text) == ["/pay @Bo Diddley 20"])
  }

  @Test func `picking it again changes nothing`() async throws {
    let room = try await room()
    try room.composer.perform(.showCommands(true))
    try await room.pick("pay")
    #expect(room.text == "/pay ")
    try room.composer.perform(.showCommands(true))
    try await room.pick("pay")
    #expect(room.text == "/pay ")
  }
}

/// Custom symbols with handlers that inherit them.
private struct InheritedSymbols: CommandsConfig {
  let mentions: String
  let commands: String
  let handlers: [any CommandHandler]

  var mentionsSymbol: String? { mentions }
  var instantCommandsSymbol: String? { commands }

  func makeCommandsHandler(for context: CommandsContext) -> CommandsHandler {
    CommandsHandler(commands: [MentionsCommandHandler(), InstantCommandsHandler(commands: handlers)])
  }
}

/// Handlers with symbols other than the configuration's.
private struct OwnSymbols: CommandsConfig {
  let mentionsSymbol: String? = "@"
  let instantCommandsSymbol: String? = "/"

  func makeCommandsHandler(for context: CommandsContext) -> CommandsHandler {
    CommandsHandler(commands: [
      MentionsCommandHandler(commandSymbol: "+"),
      InstantCommandsHandler(commands: [GiphyCommandHandler()], instantCommandsSymbol: "!"),
    ])
  }
}

/// The contexts for which handlers were made.
private final class Seen: Sendable {
  private let noted = Locked<[CommandsContext]>([])
  var contexts: [CommandsContext] { noted.withLock { $0 } }
  func note(_ context: CommandsContext) { noted.withLock { $0.append(context) } }
}

/// A configuration that records the contexts.
private struct Noting: CommandsConfig {
  let mentionsSymbol: String? = "@"
  let instantCommandsSymbol: String? = "/"
  let seen: Seen

  func makeCommandsHandler(for context: CommandsContext) -> CommandsHandler {
    seen.note(context)
    return CommandsHandler(commands: [])
  }
}

/// A payment to a user beside a message.
private struct Pay: TwoStepMentionCommand {
  let id: ComposedCommand.ID = "pay"
  let replacesMessageSent = false
  var isInstant = true
  var displayInfo: CommandDisplayInfo? {
    CommandDisplayInfo(displayName: "Pay", icon: "coin", arguments: [.username, "amount"], isInstant: isInstant)
  }

  func execute(
    _ command: ComposerCommand, on user: User.ID, in context: ExecutionContext
  ) async throws -> CommandOutcome {
    let paid = AppEvent("paid", payload: Array("\(user) \(command.arguments)".utf8))
    return CommandOutcome([.app(.channel(context.composer.channel), paid)])
  }
}
