// Threat: an append is acknowledged that a failover loses, or a server that lost events is read as if it had not.
import ChildProcess
import Dispatch
import EventLog
import Locks
import PostgresServer
import Testing
import TestThreads

@testable import EventLogPostgres

@Suite(.waitsForProcesses) struct `A server that was replaced or cut off` {
  private let machine = Machine()
  private let name = "failover-\(UInt32.random(in: 0 ... .max))"

  private func append(_ store: EventStore, count: Int = 1) throws {
    for _ in 0..<count {
      _ = try store.appendBlocking([ProposedEvent(stream: "s", type: "t", payload: [1])]) as Receipt
    }
  }

  private func log(of store: EventStore) throws -> PostgresLog { try #require(store.log as? PostgresLog) }

  // What broke: it was found by reading. A head that was further than the known one was taken for its continuation.
  @Test func `is noticed although it has more events by now`() throws {
    let server = try PostgresServer()
    defer { server.stop() }
    let store = try machine.open(server.address(ofLog: name), creates: .new())
    defer { store.close() }
    try append(store, count: 2)
    try server.rememberHead(of: name)
    try append(store)
    try server.lose(of: name, after: 2)
    let other = try Machine().open(server.address(ofLog: name))
    try append(other, count: 2)
    other.close()
    try server.crash()
    let error = try #require(throws: LogError.self) { try store.log.head() }
    #expect("\(error)".contains("replaced while it was open"), "\(error)")
  }

  // What broke: it was found by reading. Blocks that the server lacks were taken for the end of the log: a follower
  // ended as if it had been cancelled, or got the events of another history.
  @Test(arguments: [(0, false), (0, true), (1, true), (2, true)])
  func `is noticed by followers and readers that do not ask for the head`(others: Int, crashes: Bool) async throws {
    let server = try PostgresServer()
    defer { server.stop() }
    let store = try machine.open(server.address(ofLog: name), creates: .new())
    defer { store.close() }
    try append(store, count: 2)
    try server.rememberHead(of: name)
    try append(store)
    try server.lose(of: name, after: 2)
    if others > 0 {
      let other = try Machine().open(server.address(ofLog: name))
      try append(other, count: others)
      other.close()
    }
    if crashes { try server.crash() }
    let text = others > 0 ? "replaced while it was open" : "up to position 3, but the log ends at 2"
    let last = Position(rawValue: 3)
    let events = Elements(of: store.follow(from: last))
    let ended = try await #require(throws: LogError.self) { try await events.next() }
    #expect("\(ended)".contains(text), "\(ended)")
    for (start, direction) in [(Position(rawValue: 2), Direction.forward), (last, .forward), (last, .backward)] {
      let error = try #require(throws: LogError.self) { try store.events(from: start, direction, limit: 9) }
      #expect("\(error)".contains(text), "\(error)")
    }
  }

  // What broke: it was found by reading. A follower ended there as if it had been cancelled, and the search for an
  // instant never did.
  @Test func `has no missing block that is taken for the end of the log`() async throws {
    let server = try PostgresServer.shared()
    let store = try machine.open(server.address(ofLog: name), creates: .new())
    defer { store.close() }
    try append(store, count: 3)
    try server.query(
      "DELETE FROM verbatim.blocks WHERE last = 3 AND log = (SELECT id FROM verbatim.logs WHERE name = '\(name)')")
    let events = Elements(of: store.follow(from: Position(rawValue: 3)))
    let ended = try await #require(throws: LogError.self) { try await events.next() }
    let searched = try #require(throws: LogError.self) {
      try blocking("the search for an instant", within: 120, orElse: store.close) {
        try store.last(recordedBy: Timestamp(rawValue: .max))
      }
    }
    for error in [ended, searched] { #expect("\(error)".contains("position 3 is damaged (it is missing)"), "\(error)") }
  }

  // What broke: a wait that an operator cancelled is a warning, and the append was acknowledged.
  @Test(.timeLimit(.minutes(2))) func `acknowledges no append whose wait for a standby was cancelled`() async throws {
    let server = try PostgresServer()
    defer { server.stop() }
    let store = try machine.open(server.address(ofLog: name), creates: .new())
    try server.query("ALTER SYSTEM SET synchronous_standby_names = 'nobody'")
    try server.query("SELECT pg_reload_conf()")
    let isDone = Locked(false)
    var appended: Task<Receipt, any Error>
    // The server takes up the setting some time later.
    repeat {
      isDone.withLock { $0 = false }
      appended = Task.detached {
        defer { isDone.withLock { $0 = true } }
        return try await store.append([ProposedEvent(stream: "s", type: "t", payload: [1])])
      }
    } while try !waits(for: "INSERT INTO verbatim.blocks", on: server, unless: isDone)
    try server.query("SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
    // The commit of the fence waits now.
    #expect(try waits(for: "fence = fence + 1", on: server, unless: isDone))
    try server.query("ALTER SYSTEM RESET synchronous_standby_names")
    try server.query("SELECT pg_reload_conf()")
    #expect(try await appended.value.positions.upperBound == store.head().position)
    store.close()
  }

  // What broke: it was found by reading. The wait of an append with an id that was found could be cancelled, too.
  @Test(.timeLimit(.minutes(2))) func `returns no receipt of an earlier append whose wait was cancelled`() async throws
  {
    let server = try PostgresServer()
    defer { server.stop() }
    let store = try machine.open(server.address(ofLog: name), creates: .new())
    let id = AppendID(high: 1, low: 1)
    @Sendable func append() async throws -> Receipt {
      try await store.append([ProposedEvent(stream: "s", type: "t", payload: [1])], id: id)
    }
    func fence() throws -> [String] { try server.query("SELECT fence FROM verbatim.logs WHERE name = '\(name)'") }
    let receipt = try await append()
    try server.query("ALTER SYSTEM SET synchronous_standby_names = 'nobody'")
    try server.query("SELECT pg_reload_conf()")
    let isDone = Locked(false)
    var repeated: Task<Receipt, any Error>
    // The server takes up the setting some time later.
    repeat {
      isDone.withLock { $0 = false }
      repeated = Task.detached {
        defer { isDone.withLock { $0 = true } }
        return try await append()
      }
    } while try !waits(for: "fence = fence + 1", on: server, unless: isDone)
    // A change of the fence is seen by others once its commit no longer waits.
    let before = try fence()
    try server.query("SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
    while try fence() == before {}
    #expect(try waits(for: "fence = fence + 1", on: server, unless: isDone))
    try server.query("ALTER SYSTEM RESET synchronous_standby_names")
    try server.query("SELECT pg_reload_conf()")
    #expect(try await repeated.value == receipt)
    store.close()
  }

  /// Returns whether the commit of a statement waits for a standby before an append is done.
  private func waits(
    for statement: String, on server: PostgresServer, unless isDone: Locked<Bool>
  ) throws -> Bool {
    let waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND query LIKE '%\(statement)%'"
    while !isDone.withLock({ $0 }) { if try server.query(waiting) == ["1"] { return true } }
    return false
  }

  // What broke: it was found by reading. The lock was waited for anew for each block, a second each.
  @Test func `whose lock a vanished machine holds is waited for once`() throws {
    let server = try PostgresServer.shared()
    let store = try machine.open(server.address(ofLog: name), creates: .new())
    defer { store.close() }
    let log = try log(of: store)
    let vanished = try Connection(to: log.address)
    try vanished.execute(Schema.lock(log.id))
    let turn = WriterTurn(of: log.id, in: log.pool, timeout: .seconds(10))
    #expect(turn.begin(amongMachines: true) { Issue.record("two have the lock") })
    turn.end()
    _ = try vanished.execute(Schema.unlock, [log.id])
    // It is free, and not tried.
    #expect(turn.begin(amongMachines: true) { Issue.record("the lock was tried") })
    turn.end()
    let other = WriterTurn(of: log.id, in: log.pool, timeout: .seconds(10))
    var isAcquired = false
    #expect(other.begin(amongMachines: true) { isAcquired = true })
    #expect(isAcquired)
    other.end()
    other.close()
  }

  // What broke: an upload was one transaction, which slows down the appends of all machines while it lasts.
  @Test func `has no open transaction while an attachment is uploaded`() throws {
    let (server, database) = (try PostgresServer.shared(), "uploads\(UInt32.random(in: 0 ... .max))")
    try server.query("CREATE DATABASE \(database)")
    let store = try machine.open(server.address(ofLog: name, in: database), creates: .new())
    defer { store.close() }
    let log = try log(of: store)
    let (id, chunks) = (Array("id".utf8), [[1, 2], [3], [4, 5, 6]] as [[UInt8]])
    let open = "SELECT count(*) FROM pg_stat_activity WHERE datname = '\(database)' AND state LIKE 'idle in %'"
    for isInterrupted in [true, false] {
      let error = try log.storeBlob(id) { (number: Int) throws(Interrupted) in
        #expect((try? server.query(open)) == ["0"])
        #expect((try? log.hasBlob(id)) == false)
        if number == 2, isInterrupted { throw Interrupted() }
        return number < chunks.count ? chunks[number] : nil
      }
      #expect((error != nil) == isInterrupted)
    }
    #expect(try log.blobs() == [id])
    #expect(try (0..<4).map { try log.chunk($0, ofBlob: id) } == chunks + [nil])
  }

  // What broke: `verify` read up to the head row, and blocks behind it were found by the next append.
  @Test func `has no block behind the end of the log that verifying does not report`() throws {
    let server = try PostgresServer.shared()
    let store = try machine.open(server.address(ofLog: name), creates: .new())
    defer { store.close() }
    try append(store, count: 3)
    #expect(try log(of: store).verify().holds)
    try server.query(
      """
      INSERT INTO verbatim.blocks SELECT log, 4, block FROM verbatim.blocks
      WHERE last = 3 AND log = (SELECT id FROM verbatim.logs WHERE name = '\(name)')
      """)
    let findings = try log(of: store).verify().findings
    #expect(findings.count == 1 && findings[0].description.contains("ends at position 4, after the end of the log"))
  }

  // What broke: it was found by reading. A machine had one index, and one record of what was acknowledged to it, for a
  // database and for a copy of it that was restored beside it.
  @Test func `has an index of its own on each machine, and one that lacks events is named`() throws {
    let server = try PostgresServer.shared()
    let names = (0..<2).map { "copied\($0)x\(UInt32.random(in: 0 ... .max))" }
    try server.query("CREATE DATABASE \(names[0])")
    let addresses = names.map { server.address(ofLog: name, in: $0) }
    let first = try machine.open(addresses[0], creates: .new())
    try append(first, count: 3)
    first.close()
    // The server refuses to copy a database in which a session has not quite ended.
    try waitForNoSession(in: names[0], of: server)
    try server.query("CREATE DATABASE \(names[1]) TEMPLATE \(names[0])")
    try machine.open(addresses[1]).close()
    // One after the other, with other events at the same positions.
    for count in 1...2 {
      for (address, length) in zip(addresses, [3, 1]) {
        let store = try machine.open(address)
        let before = try store.version(of: "s").rawValue
        try append(store, count: length)
        #expect(try store.version(of: "s").rawValue == before + UInt64(length))
        #expect(try store.head().position.rawValue == UInt64(3 + count * length))
        #expect(try log(of: store).verify().holds)
        store.close()
      }
    }
    // Another machine that has not used the copy before.
    let other = Machine()
    let store = try other.open(addresses[0])
    try append(store)
    store.close()
    let error = try #require(throws: OpenError.self) { try other.open(addresses[1]) }
    #expect("\(error)".contains("gen_random_uuid()") && "\(error)".contains("--discard-ahead"), "\(error)")
    var options = PostgresLog.Options()
    options.cacheDirectory = other.directory
    #expect(try LostBlocks(of: #require(PostgresAddress(addresses[1])), options: options).count == 1)
    try server.query("UPDATE verbatim.logs SET copy = gen_random_uuid()", in: names[1])
    try other.open(addresses[1]).close()
    try other.open(addresses[0]).close()
  }

  // What broke: it was found by reading. Accepting a log without an event recorded nothing: it was refused again.
  @Test func `is accepted for good although it lost all events`() throws {
    let server = try PostgresServer.shared()
    let names = (0..<2).map { "emptied\($0)x\(UInt32.random(in: 0 ... .max))" }
    try server.query("CREATE DATABASE \(names[0])")
    let addresses = names.map { server.address(ofLog: name, in: $0) }
    try machine.open(addresses[0], creates: .new()).close()
    try waitForNoSession(in: names[0], of: server)
    try server.query("CREATE DATABASE \(names[1]) TEMPLATE \(names[0])")
    // Opened while nothing was lost, it is refused later nevertheless.
    try machine.open(addresses[1]).close()
    let losing = try machine.open(addresses[0])
    try append(losing, count: 3)
    losing.close()
    #expect(throws: OpenError.self) { try machine.open(addresses[1]) }

    let address = try #require(PostgresAddress(addresses[1]))
    var options = PostgresLog.Options()
    (options.cacheDirectory, options.acceptsMissingTail) = (machine.directory, true)
    let accepting = try PostgresLog.open(at: address, options: options)
    try accepting.acceptMissingTail()
    accepting.close()
    #expect(try LostBlocks(of: address, options: options).count == 0)
    for length in 1...3 as ClosedRange<UInt64> {
      let store = try machine.open(address)
      try append(store)
      #expect(try store.head().position.rawValue == length)
      store.close()
    }
    try machine.open(addresses[0]).close()
  }

  // What broke: the connection for notifications was opened after the log was closed, and stayed open.
  @Test func `has no session of a log that was closed right after an append`() throws {
    let server = try PostgresServer.shared()
    let name = "closed\(UInt32.random(in: 0 ... .max))"
    try server.query("CREATE DATABASE \(name)")
    let stores = try (0..<12).map { number in
      let store = try machine.open(server.address(ofLog: "log\(number)", in: name), creates: .new())
      try append(store)
      store.close()
      return store
    }
    try waitForNoSession(in: name, of: server)
    withExtendedLifetime(stores) {}
  }

  private func waitForNoSession(in database: String, of server: PostgresServer) throws {
    let deadline = Deadline.fromNow
    while try server.query("SELECT count(*) FROM pg_stat_activity WHERE datname = '\(database)'") != ["0"] {
      if .now() > deadline { throw Overdue("the end of all sessions in \(database)", seconds: Deadline.seconds) }
    }
  }

  private struct Interrupted: Error {}
}
