// Threat: a broken connection, a killed server or a failover loses, skips or doubles an acknowledged event.
import EventLog
import EventLogPostgres
import LogContract
import PostgresServer
import SeededRandom
import Synchronization
import Testing

@Suite(.serialized) struct LostConnectionTests {
  @Test func `appends through connections that are cut are made once`() async throws {
    var random = SeededRandom.printingSeed()
    let server = try PostgresServer.shared()
    let proxy = try CuttingProxy(to: server.directory, cutting: 0, seed: random.next())
    defer { proxy.close() }
    let writers = try Writers(
      at: "postgres:///postgres?host=\(proxy.directory)&user=verbatim&log=cut", machines: 2)
    proxy.cut(at: 0.03)
    try await writers.append(60)
    proxy.cut(at: 0)
    try writers.expectEachOnce(at: server.address(ofLog: "cut"))
    let counts = proxy.counts
    #expect(counts.requests > 5 && counts.answers > 5, "\(counts)")
  }

  @Test func `appends while the server ends their backends are made once`() async throws {
    let server = try PostgresServer.shared()
    let writers = try Writers(at: server.address(ofLog: "ended"), machines: 2)
    let ends = Task.detached {
      var count = 0
      while !Task.isCancelled {
        count += try server.query(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'verbatim'"
        ).count
      }
      return count
    }
    try await writers.append(100)
    ends.cancel()
    #expect(try await ends.value > 0)
    try writers.expectEachOnce(at: server.address(ofLog: "ended"))
  }

  @Test func `appends while the server crashes and restarts are made once`() async throws {
    let server = try PostgresServer()
    defer { server.stop() }
    let writers = try Writers(at: server.address(ofLog: "crashed"), machines: 2)
    let crashes = Task.detached {
      for goal in [100, 300, 700, 1000] {
        while writers.count < goal { await Task.yield() }
        try server.crash()
      }
    }
    try await writers.append(200)
    try await crashes.value
    try writers.expectEachOnce(at: server.address(ofLog: "crashed"))
  }

  @Test func `a promoted synchronous standby has every acknowledged append, and writers go on there`() async throws {
    let primary = try PostgresServer()
    defer { primary.stop() }
    let standby = try PostgresServer(following: primary, name: "second")
    defer { standby.stop() }
    try primary.query("ALTER SYSTEM SET synchronous_standby_names = 'second'")
    try primary.query("SELECT pg_reload_conf()")
    let hosts = "\(primary.directory),\(standby.directory)"
    let writers = try Writers(
      at: "postgres:///postgres?host=\(hosts)&user=verbatim&target_session_attrs=read-write&log=sync", machines: 2)
    let failover = Task.detached {
      while writers.count < 200 { await Task.yield() }
      try primary.kill()
      try standby.promote()
    }
    try await writers.append(100)
    try await failover.value
    try writers.expectEachOnce(at: standby.address(ofLog: "sync"))
  }

  @Test func `expectations and repeated ids are decided on what other machines appended before`() throws {
    let server = try PostgresServer.shared()
    let (one, two) = (Machine(), Machine())
    let first = try one.open(server.address(ofLog: "stale"), creates: .new())
    let second = try two.open(server.address(ofLog: "stale"))
    let id = AppendID(high: 1, low: 1)
    for turn in 1...3 as ClosedRange<UInt64> {
      let receipt = try first.appendBlocking([event("s", "\(turn)")], id: turn == 1 ? id : nil)
      // This store has not seen it: on the head that it knows, the expectation does not hold, and nothing is appended
      // that would prove the head.
      let expected = StreamExpectation("s", .version(StreamVersion(rawValue: turn)))
      _ = try second.appendBlocking([event("other")], expecting: [expected])
      #expect(throws: AppendError.self) {
        _ = try first.appendBlocking([event("s")], expecting: [StreamExpectation("other", .version(.zero))])
      }
      if turn == 1 { #expect(try second.appendBlocking([event("s", "1")], id: id) == receipt) }
    }
    #expect(try second.version(of: "s").rawValue == 3 && first.version(of: "other").rawValue == 3)
  }

  @Test func `a promoted standby without the last acknowledged appends is detected`() throws {
    let primary = try PostgresServer()
    defer { primary.stop() }
    let machine = Machine()
    let first = try machine.open(primary.address(ofLog: "async"), creates: .new())
    let last = try first.appendBlocking([event("s", "copied")]).positions.upperBound
    let standby = try PostgresServer(following: primary, name: "second")
    defer { standby.stop() }
    while try standby.query("SELECT max(position) FROM verbatim.logs") != ["\(last)"] {}
    // From here on nothing is copied.
    try standby.query("ALTER SYSTEM SET primary_conninfo = ''")
    try standby.query("SELECT pg_reload_conf()")
    while try standby.query("SELECT count(*) FROM pg_stat_wal_receiver") != ["0"] {}
    let lost = try first.appendBlocking([event("s", "lost"), event("s", "lost")]).positions.upperBound
    try primary.kill()
    try standby.promote()
    func expectMissing(_ error: any Error) {
      let text = "\(error)"
      #expect(text.contains("position \(lost)") && text.contains("ends at \(last)"), "\(text)")
    }
    do {
      _ = try machine.open(standby.address(ofLog: "async"))
      Issue.record("a server without acknowledged events was opened")
    } catch { expectMissing(error) }
    // Another machine was acknowledged nothing, and cannot know.
    let other = try Machine().open(standby.address(ofLog: "async"))
    #expect(try other.head().position == last)
  }
}

/// Writers on several machines that append with ids, and append again after an unknown outcome.
private struct Writers {
  let machines: [(machine: Machine, store: EventStore)]
  private let ids = Receipts()
  private static let writersPerMachine = 4

  private final class Receipts: Sendable {
    private let receipts = Mutex<[AppendID: Receipt]>([:])

    func add(_ receipt: Receipt) { receipts.withLock { $0[receipt.id] = receipt } }
    var all: [AppendID: Receipt] { receipts.withLock { $0 } }
  }

  init(at address: String, machines count: Int) throws {
    machines = try (0..<count).map { number in
      let machine = Machine()
      return (machine, try machine.open(address, creates: number == 0 ? .new() : nil))
    }
  }

  /// The number of acknowledged appends.
  var count: Int { ids.all.count }

  /// Appends from several tasks on each machine.
  func append(_ count: Int) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (machine, (_, store)) in machines.enumerated() {
        for writer in 0..<Self.writersPerMachine {
          group.addTask { [ids] in
            for number in 0..<count {
              // An append without an id of its own cannot be repeated by its caller, only by the log.
              let isRepeatable = number % 2 == 0
              let id = isRepeatable ? AppendID(high: UInt64(machine << 8 | writer), low: UInt64(number)) : nil
              let text = "\(writer).\(number)"
              let events = [event(Name(stringLiteral: "machine/\(machine)"), text), event("all", text)]
              while true {
                do throws(AppendError) {
                  ids.add(try await store.append(events, id: id))
                  break
                } catch .log(.outcomeUnknown) where isRepeatable, .log(.storage) where isRepeatable {
                  continue
                } catch {
                  throw error
                }
              }
            }
          }
        }
      }
      try await group.waitForAll()
    }
  }

  /// Expects the log to have each acknowledged append once, at the position in its receipt, and nothing else.
  func expectEachOnce(at address: String) throws {
    let store = try Machine().open(address)
    let events = try allEvents(store)
    let receipts = ids.all
    #expect(events.map(\.position.rawValue) == Array(1...UInt64(max(1, 2 * receipts.count))))
    for (id, receipt) in receipts { #expect(try store.receipt(of: id) == receipt) }
    try expectChainIsWhole(store)
    for (_, other) in machines { #expect(try other.head() == store.head()) }
  }
}
