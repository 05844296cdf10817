// Threat: a user takes the name of a consumer, or of its next message, and the consumer handles nothing more.
import Chat
import ChildProcess
import EventLog
import Testing
import Verbatim

@Suite struct `A consumer whose names a user takes` {
  private let folder = WorkspaceFolder()

  /// Replies “re: …” to each message of a user, and not to replies.
  @Sendable private static func reply(_ change: Change, _ effects: inout Effects) {
    guard case .message(let key, .sent(let content)) = change.event.change, change.event.origin.actor.user != nil
    else { return }
    effects.send(UserText("re: " + content.text.string), in: key.channel)
  }

  // What broke: the app ran its consumer on the row that a user had begun, at the user's position.
  @Test func `before its first start begins anew, and handles every event`() async throws {
    let workspace = try folder.open()
    try await workspace.populate()
    try await workspace.submit(.consumer("push", .begin(after: .max)), by: .user("ben"))
    let sent = try await workspace.send("one", "m1").position
    let running = Task { try await workspace.consume(as: "push", Self.reply) }
    try await until { try await workspace.texts() == ["one", "re: one"] }
    let consumer = try #require(try await workspace.consumers().first?.consumer)
    #expect(consumer.owner == nil && consumer.handled >= sent.rawValue)
    await expectRefusal(.notAdministrator) {
      try await workspace.submit(.consumer("push", .skip(through: .max)), by: .user("ben"))
    }
    running.cancel()
    try await running.value
    await workspace.close()
  }

  // What broke: a consumer was recognised by the time of its beginning alone, which another can have by the same clock.
  @Test func `while it runs ends, even if the user's begins at the same time`() async throws {
    let clock = SetClock(1_700_000_000_000_000)
    let workspace = try folder.open { $0.clock = { clock.now } }
    try await workspace.populate()
    let running = Task { try await workspace.consume(as: "bot", Self.reply) }
    try await until { try await workspace.consumers().first?.lag == 0 }
    try await workspace.submit(.consumer("bot", .end), by: .system)
    try await workspace.submit(.consumer("bot", .begin(after: 0)), by: .user("ben"))
    try await workspace.send("one", "m1")
    await #expect {
      try await within("the end of the consumer") { try await running.value }
    } throws: {
      if case ConsumerError.ended("bot") = $0 { true } else { false }
    }
    #expect(try await workspace.texts() == ["one"])
    #expect(try await workspace.consumers().map(\.consumer.owner) == ["ben"])
    await workspace.close()
  }

  // MARK: Names of messages

  /// The error at the message “end”.
  private struct End: Error {}

  /// Replies to “one” and “two” with two messages, the second of which quotes the first.
  private static func replies(with word: String) -> @Sendable (Change, inout Effects) throws -> Void {
    { change, effects in
      guard case .message(let key, .sent(let content)) = change.event.change else { return }
      switch content.text.string {
      case "one", "two":
        let first = effects.send(UserText(word + content.text.string), in: key.channel)
        effects.send(Message.Content("more", quoted: first.id), in: key.channel)
      case "end": throw End()
      default: return
      }
    }
  }

  /// Runs the consumer until the message “end”.
  private func run(
    _ workspace: Workspace, _ handle: @escaping @Sendable (Change, inout Effects) throws -> Void
  ) async throws {
    await #expect {
      try await workspace.consume(as: "bot", handle)
    } throws: {
      if case ConsumerError.notHandled("bot", at: _, is End) = $0 { true } else { false }
    }
  }

  private func messages(of workspace: Workspace) async throws -> [Message] {
    try await workspace.read { try $0.chat.messages(in: "general", .latest, limit: 50).messages }
  }

  private func message(_ text: UserText, _ id: Message.ID) -> ChatIntent {
    .message(Message.Key("general", id), .send(Message.Content(text)))
  }

  // What broke: the name of a message without an id is made of the consumer, the position and the append, all of which
  // a user can know; a message of the user with that name ended the consumer at its event, at each start.
  @Test(arguments: [0, 1])
  func `sends its messages under other names, and handles what follows`(taken: Int) async throws {
    let (append, folderOfNames) = (AppendID(high: 7, low: 7), WorkspaceFolder())
    let rehearsal = try folderOfNames.open()
    try await rehearsal.populate()
    try await rehearsal.submit([message("one", "m1"), message("end", "m3")], by: .user("ada"), id: append)
    try await run(rehearsal, Self.replies(with: "re: "))
    let name = try await messages(of: rehearsal)[2 + taken].key.id
    await rehearsal.close()

    let workspace = try folder.open()
    try await workspace.populate()
    try await workspace.submit([message("one", "m1"), message("taken", name)], by: .user("ada"), id: append)
    try await workspace.submit([message("two", "m2"), message("end", "m3")], by: .user("ada"))
    try await run(workspace, Self.replies(with: "re: "))
    let sent = try await messages(of: workspace)
    try #require(
      sent.map(\.content.text.string)
        == ["one", "taken", "two", "end", "re: one", "more", "re: two", "more"])
    #expect(sent.suffix(4).map(\.author) == [nil, nil, nil, nil])
    #expect(sent[5].content.quoted == sent[4].key.id && sent[7].content.quoted == sent[6].key.id)

    // Handled again, the event gives the same names, and other words under them are refused.
    try await workspace.submit(.consumer("bot", .end), by: .system)
    try await run(workspace, Self.replies(with: "re: "))
    #expect(try await messages(of: workspace) == sent)
    try await workspace.submit(.consumer("bot", .end), by: .system)
    await #expect {
      try await workspace.consume(as: "bot", Self.replies(with: "other: "))
    } throws: {
      if case ConsumerError.refused("bot", at: _, .messageExists(sent[4].key), intent: 0) = $0 { true } else { false }
    }
    await workspace.close()
  }
}
