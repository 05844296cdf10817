// Threat: a broken connection, a killed server or a failover loses, skips or doubles an acknowledged event.
import EventLog
import EventLogPostgres
import Foundation
import Locks
import LogContract
import PostgresServer
import SeededRandom
import Synchronization
import Testing
import TestThreads

/// `Tools/faults` repeats the tests with more appends.
@Suite(.waitsForProcesses, .serialized) struct LostConnectionTests {
  /// The rounds of each test that appends under faults.
  private static let rounds = ProcessInfo.processInfo.environment["VERBATIM_FAULT_ROUNDS"].flatMap { Int($0) } ?? 1

  @Test func `appends through connections that are cut are made once`() async throws {
    for _ in 0..<Self.rounds { try await appendThroughCutConnections() }
  }

  private func appendThroughCutConnections() async throws {
    var random = SeededRandom.printingSeed()
    let server = try PostgresServer.shared()
    let log = Self.newLog()
    let proxy = try CuttingProxy(to: server.directory, cutting: 0, seed: random.next())
    defer { proxy.close() }
    let writers = try Writers(
      at: "postgres:///postgres?host=\(proxy.directory)&user=verbatim&log=\(log)", machines: 2)
    proxy.cut(at: 0.03)
    // Chance decides how often it cuts: more rounds, in which those with ids are repeated, until it did often enough.
    for _ in 0..<10 where proxy.counts.requests <= 5 || proxy.counts.answers <= 5 { try await writers.append(60) }
    proxy.cut(at: 0)
    try writers.expectEachOnce(at: server.address(ofLog: log))
    let counts = proxy.counts
    #expect(counts.requests > 5 && counts.answers > 5, "\(counts)")
  }

  /// Returns a name for a log that no other round has.
  private static func newLog() -> String { "log-\(UInt64.random(in: 0 ... .max))" }

  @Test func `appends while the server ends their backends are made once`() async throws {
    // All backends of the server are ended: those of other tests have another one.
    let server = try PostgresServer()
    for _ in 0..<Self.rounds { try await appendWhileBackendsEnd(of: server) }
  }

  private func appendWhileBackendsEnd(of server: PostgresServer) async throws {
    let log = server.address(ofLog: Self.newLog())
    let writers = try Writers(at: log, machines: 2)
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
    try writers.expectEachOnce(at: log)
  }

  @Test func `appends while the server crashes and restarts are made once`() async throws {
    let server = try PostgresServer()
    defer { server.stop() }
    for _ in 0..<Self.rounds { try await appendWhileCrashing(server) }
  }

  private func appendWhileCrashing(_ server: PostgresServer) async throws {
    let log = server.address(ofLog: Self.newLog())
    let writers = try Writers(at: log, machines: 2)
    let crashes = Task.detached {
      for goal in [100, 300, 700, 1000] {
        while writers.count < goal { await Task.yield() }
        try server.crash()
      }
    }
    try await writers.append(200)
    try await crashes.value
    try writers.expectEachOnce(at: log)
  }

  @Test func `a promoted synchronous standby has every acknowledged append, and writers go on there`() async throws {
    for _ in 0..<Self.rounds { try await appendWhileAStandbyIsPromoted() }
  }

  private func appendWhileAStandbyIsPromoted() async throws {
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

  @Test(.enabled(if: TransactionPooler.isInstalled, "there is no PgBouncer"))
  func `appends through a pooler of transactions are made once`() async throws {
    let server = try PostgresServer()
    let pooler = try TransactionPooler(to: server, connections: 3)
    for _ in 0..<Self.rounds {
      let log = Self.newLog()
      let writers = try Writers(at: pooler.address(ofLog: log), machines: 2)
      let ends = Task.detached {
        while !Task.isCancelled {
          try server.query(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
              + "WHERE application_name = 'verbatim' AND random() < 0.1")
        }
      }
      try await writers.append(60)
      ends.cancel()
      try await ends.value
      try writers.expectEachOnce(at: server.address(ofLog: log))
    }
  }

  @Test func `appends of machines whose clocks step are made once, and recorded times never decrease`() async throws {
    let server = try PostgresServer.shared()
    for _ in 0..<Self.rounds {
      let log = server.address(ofLog: Self.newLog())
      let seed = SeededRandom.printingSeed().seed
      let clock = SteppingClock(seed: seed)
      let writers = try Writers(at: log, machines: 2, clock: { clock.now() })
      try await writers.append(60)
      try writers.expectEachOnce(at: log)
      let recorded = try allEvents(Machine().open(log)).map(\.recorded)
      #expect(zip(recorded, recorded.dropFirst()).allSatisfy { $0 <= $1 })
    }
  }

  @Test(.enabled(if: SmallDisk.isPossible, "only root can mount a disk that is filled"))
  func `appends while the server's disk is full are refused or made once, and go on when there is room`() async throws {
    for _ in 0..<Self.rounds { try await appendWhileDiskIsFull() }
  }

  private func appendWhileDiskIsFull() async throws {
    let disk = try SmallDisk(byteCount: 256 << 20)
    let server = try PostgresServer(settings: ["min_wal_size=32MB", "max_wal_size=32MB"], on: disk)
    defer { server.stop() }
    let log = server.address(ofLog: "full")
    let writers = try Writers(at: log, machines: 2)
    let filling = Task.detached {
      for goal in [100, 400] {
        while writers.count < goal { await Task.yield() }
        let refused = writers.refusedCount
        try disk.fill()
        // An append finds the disk full and is refused, or the server does, and stops or accepts no connections; or all
        // were made before.
        while writers.refusedCount == refused, writers.count < 800, server.isAnswering { await Task.yield() }
        try disk.makeRoom()
        if !server.isAnswering { try server.crash() }
      }
    }
    // An append may be refused after an attempt that was cut off by a crash.
    try await writers.append(100, bytes: 20_000, allWithIDs: true)
    try await filling.value
    try writers.expectEachOnce(at: log)
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
    private let receipts = Locked<[AppendID: Receipt]>([:])
    let refused = Atomic<Int>(0)

    func add(_ receipt: Receipt) { receipts.withLock { $0[receipt.id] = receipt } }
    var all: [AppendID: Receipt] { receipts.withLock { $0 } }
  }

  init(
    at address: String, machines count: Int, clock: (@Sendable () -> Timestamp)? = nil
  ) throws {
    var configuration = EventStore.Configuration()
    if let clock { configuration.clock = clock }
    machines = try (0..<count).map { number in
      let machine = Machine()
      let address = try #require(PostgresAddress(address))
      return (
        machine, try machine.open(address, creates: number == 0 ? .new() : nil, configuration: configuration)
      )
    }
  }

  /// The number of acknowledged appends.
  var count: Int { ids.all.count }
  /// The number of appends that were refused for a full disk.
  var refusedCount: Int { ids.refused.load(ordering: .relaxed) }

  /// Appends from several tasks on each machine; every other append has no id, unless all have one.
  func append(_ count: Int, bytes byteCount: Int = 0, allWithIDs: Bool = false) async throws {
    let padding = String(repeating: "x", count: byteCount)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (machine, (_, store)) in machines.enumerated() {
        for writer in 0..<Self.writersPerMachine {
          group.addTask { [ids] in
            for number in 0..<count {
              // An append without an id of its own cannot be repeated by its caller, only by the log.
              let isRepeatable = allWithIDs || number % 2 == 0
              let id = isRepeatable ? AppendID(high: UInt64(machine << 8 | writer), low: UInt64(number)) : nil
              let text = "\(writer).\(number)" + padding
              let events = [event(Name(stringLiteral: "machine/\(machine)"), text), event("all", text)]
              while true {
                do throws(AppendError) {
                  ids.add(try await store.append(events, id: id))
                  break
                } catch .log(.noSpace) {
                  // Nothing was appended.
                  ids.refused.add(1, ordering: .relaxed)
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

/// A clock that is set forward and back.
private final class SteppingClock: Sendable {
  private let random: Locked<SeededRandom>

  init(seed: UInt64) { random = Locked(SeededRandom(seed: seed)) }

  func now() -> Timestamp {
    Timestamp(rawValue: 1_700_000_000_000_000 + Int64(random.withLock { $0.below(7_200_000_000) }))
  }
}
