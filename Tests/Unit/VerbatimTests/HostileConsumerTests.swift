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
  @Test func `before its first start handles every event from its own start`() async throws {
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
  @Test func `after an operator ended it ends, although the user's began at the same time`() async throws {
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
}
