// Commands registered on an open workspace, and the queries of commands.
import Chat
import Foundation
import Testing
import Verbatim
import VerbatimUI

@MainActor
struct `Registered commands` {
  let folder = WorkspaceFolder()

  private func composer(in workspace: Workspace, of user: User.ID = "ada") async throws -> LiveComposer {
    try await workspace.client(user: user, device: "phone").channel("general").composer()
  }

  private func listed(in composer: LiveComposer) async throws -> [String] {
    try composer.perform(.setText("/"))
    await until { composer.suggestions?.isLoading == false }
    return composer.suggestions?.items.map(\.id.string) ?? []
  }

  @Test func `a command is added to open composers and to later ones, until it is removed`() async throws {
    let workspace = try folder.open()
    try await workspace.populate()
    let open = try await composer(in: workspace)
    #expect(try await listed(in: open).contains("count") == false)
    try workspace.register(CountCommand())
    #expect(workspace.registeredCommands.map(\.id) == ["count"])
    // The list on the screen changes, too.
    await until { open.suggestions?.items.last?.id == "count" }
    let later = try await composer(in: workspace, of: "ben")
    #expect(try await listed(in: later).last == "count")
    #expect(throws: CommandRegistrationError.alreadyRegistered("count")) { try workspace.register(CountCommand()) }
    #expect(workspace.unregister(command: "count"))
    #expect(!workspace.unregister(command: "count"))
    #expect(try await listed(in: open).contains("count") == false)
    #expect(try await listed(in: later).contains("count") == false)
    await workspace.close()
  }

  @Test func `a registration belongs to its workspace`() async throws {
    let (first, otherFolder) = (try folder.open(), WorkspaceFolder())
    let second = try otherFolder.open()
    for workspace in [first, second] { try await workspace.populate() }
    try first.register(CountCommand())
    let composer = try await composer(in: second)
    #expect(try await listed(in: composer).contains("count") == false)
    await first.close()
    await second.close()
  }

  @Test func `a command queries the conversation as its user, at one position`() async throws {
    let workspace = try folder.open()
    try await workspace.populate()
    try workspace.register(CountCommand())
    let ben = workspace.client(user: "ben", device: "desk")
    for text in ["one", "two", "three"] { try await ben.channel("general").send(text) }
    let composer = try await composer(in: workspace)
    try composer.perform(.setText("/count b"))
    await until { composer.suggestions?.isLoading == false && composer.suggestions?.items.isEmpty == false }
    #expect(composer.suggestions?.items.map(\.title) == ["ben has written 3"])
    try composer.perform(.setText("/count"))
    try await composer.send()
    #expect(try await workspace.texts().last == "3 messages by 1 of 2 members")
    await workspace.close()
  }

  @Test func `a query of a composer without a workspace is an error`() async throws {
    let context = ExecutionContext(
      composer: Composer.Key(of: "ada", on: "phone", in: "general"), at: Timestamp(rawValue: 0), content: Composition(),
      gifs: GIFCatalogue(), newID: { "m1" })
    await #expect(throws: ContextReadError.self) { try await context.read { $0.position } }
  }
}

/// `/count`: sends the numbers of messages and members; its suggestions are the authors.
private struct CountCommand: CommandHandler {
  let id: ComposedCommand.ID = "count"
  let displayInfo: CommandDisplayInfo? = CommandDisplayInfo(displayName: "Count", icon: "number")
  let replacesMessageSent = true
  let speaks = true

  func canContinueCommand(
    _ command: ComposerCommand, in text: TypedText, caretLocation: UTF16Offset, beside commands: CommandsHandler
  ) -> ComposerCommand? {
    ComposerCommand(id, typing: TypingSuggestion(text.userText, at: .start..<caretLocation))
  }

  func suggestions(for command: ComposerCommand, in context: SuggestionContext) async throws -> SuggestionInfo {
    let (channel, typed) = (context.composer.channel, command.typingSuggestion?.text.string ?? "")
    let found = try await context.read { reading in
      let messages = try reading.messages(in: channel, limit: 100).messages
      let authors = Set(messages.compactMap(\.author).map(\.text)).filter { $0.hasPrefix(typed) }.sorted()
      return authors.map { author in (author, messages.count { $0.author?.text == author }) }
    }
    return SuggestionInfo(
      "authors", found.map { Suggestion(UserText($0.0), title: UserText("\($0.0) has written \($0.1)")) })
  }

  func executeOnMessageSent(
    _ command: ComposerCommand, in context: ExecutionContext
  ) async throws -> CommandOutcome {
    let channel = context.composer.channel
    let text = try await context.read { reading in
      let messages = try reading.messages(in: channel, limit: 100).messages
      let members = try reading.members(of: channel, limit: 100).members
      return "\(messages.count) messages by \(Set(messages.map(\.author)).count) of \(members.count) members"
    }
    return CommandOutcome([.message(context.newMessage(), .send(Message.Content(UserText(text))))])
  }
}
