// Threat: an append waits for ever for a fence that the server no longer has, or is acknowledged before it is durable.
import ChildProcess
import EventLog
import PostgresServer
import Testing
import TestThreads

@Suite(.waitsForProcesses) struct `The fence of a log` {
  private let server: PostgresServer
  private let name = "fence\(UInt32.random(in: 0 ... .max))"
  private let store: EventStore
  private let events = [ProposedEvent(stream: "s", type: "t", payload: [1])]

  init() throws {
    server = try PostgresServer.shared()
    store = try Machine().open(server.address(ofLog: name), creates: .new())
  }

  private func fence() throws -> Int {
    try #require(Int(server.query("SELECT fence FROM verbatim.logs WHERE name = '\(name)'")[0]))
  }

  /// A standby that is promoted without the last change of the fence has an earlier one, and the same head.
  @Test func `that is earlier than the one seen before is accepted`() async throws {
    try store.log.completeInterruptedCommit()
    #expect(try fence() == 1)
    try server.query("UPDATE verbatim.logs SET fence = 0 WHERE name = '\(name)'")
    let (store, events) = (store, events)
    let receipt = try blocking("an append", within: 120, orElse: store.close) { try store.appendBlocking(events) }
    #expect(receipt.positions == .first ... .first)
    store.close()
  }

  /// The wait of the first append for a standby may have been cut short: the commit of the new fence waits for it.
  @Test func `is incremented before the receipt of an earlier append is returned`() throws {
    let id = AppendID(high: 1, low: 1)
    let receipt = try store.appendBlocking(events, id: id)
    #expect(try fence() == 0)
    #expect(try store.appendBlocking(events, id: id) == receipt)
    #expect(try fence() == 1)
    let append = Append(events, id: id)
    #expect(try store.outcome(ofEarlier: append, id)?.get() == receipt)
    #expect(try fence() == 2)
    // Another proposal under the id is refused, and an append makes everything before it durable.
    #expect(throws: AppendError.self) { try store.appendBlocking(events + events, id: id) }
    _ = try store.appendBlocking(events)
    #expect(try fence() == 2)
    store.close()
  }
}
