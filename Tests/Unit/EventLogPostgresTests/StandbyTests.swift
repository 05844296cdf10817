// Threat: events that a standby does not have yet are taken for lost, and the evidence of them is removed.
import EventLog
import PostgresServer
import Testing
import TestThreads

@testable import EventLogPostgres

@Suite(.waitsForProcesses) struct `A standby that is behind` {
  private let primary: PostgresServer
  private let standby: PostgresServer
  private let machine = Machine()

  init() throws {
    primary = try PostgresServer()
    // A log that the standby has.
    try machine.open(primary.address(ofLog: "main"), creates: .new()).close()
    standby = try PostgresServer(following: primary, name: "second")
  }

  /// Keeps the standby from getting further events.
  private func pause() throws {
    try standby.query("SELECT pg_wal_replay_pause()")
    while try standby.query("SELECT pg_get_wal_replay_pause_state()") != ["paused"] {}
  }

  private func resume() throws {
    let end = try primary.query("SELECT pg_current_wal_lsn()")[0]
    try standby.query("SELECT pg_wal_replay_resume()")
    while try standby.query("SELECT pg_last_wal_replay_lsn() >= '\(end)'") != ["t"] {}
  }

  private func append(_ store: EventStore) throws {
    _ = try store.appendBlocking([ProposedEvent(stream: "s", type: "t", payload: [1])])
  }

  private func expectBehind(_ error: any Error) {
    let text = "\(error)"
    #expect(text.contains("is a standby") && text.contains("caught up") && !text.contains("salvage"), "\(text)")
  }

  @Test func `is opened once it has what the machine appended, which is not lost`() throws {
    defer { for server in [standby, primary] { server.stop() } }
    let address = try #require(PostgresAddress(standby.address(ofLog: "main")))
    var options = PostgresLog.Options()
    (options.cacheDirectory, options.acceptsMissingTail) = (machine.directory, true)
    let store = try machine.open(primary.address(ofLog: "main"))
    try pause()
    try append(store)
    expectBehind(try #require(throws: OpenError.self) { try machine.open(address) })
    #expect(throws: OpenError.self) { try LostBlocks(of: address, options: options) }
    let accepting = try PostgresLog.open(at: address, options: options)
    let refusal = try #require(throws: LogError.self) { try accepting.acceptMissingTail() }
    #expect("\(refusal)".contains("give the address of the primary"))
    accepting.close()
    // The evidence is still there.
    expectBehind(try #require(throws: OpenError.self) { try machine.open(address) })
    try resume()
    let other = try machine.open(address)
    #expect(try other.head() == store.head())
    for store in [store, other] { store.close() }
    #expect(try LostBlocks(of: address, options: options).count == 0)
  }

  // What broke: it was found by reading. An index that another machine's events are in was evidence of a loss.
  @Test func `is not taken for one that lost what the index of the machine has`() throws {
    defer { for server in [standby, primary] { server.stop() } }
    try pause()
    let other = try Machine().open(primary.address(ofLog: "main"))
    try append(other)
    other.close()
    let reader = try machine.open(primary.address(ofLog: "main"))
    #expect(try reader.version(of: "s").rawValue == 1)
    // Closing writes the index.
    reader.close()
    expectBehind(try #require(throws: OpenError.self) { try machine.open(standby.address(ofLog: "main")) })
    try resume()
    try machine.open(standby.address(ofLog: "main")).close()
  }

  @Test func `is not taken for one that lost what was read from the primary`() throws {
    defer { for server in [standby, primary] { server.stop() } }
    let hosts = "\(primary.directory),\(standby.directory)"
    let store = try machine.open("postgres:///postgres?host=\(hosts)&user=verbatim&log=main")
    try pause()
    try append(store)
    try primary.kill()
    expectBehind(try #require(throws: LogError.self) { try store.head() })
    store.close()
  }
}
