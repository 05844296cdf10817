// Measures the log on PostgreSQL against a bare loop on libpq, SQLite and UmaDB, on servers of its own.
import CPQ
import Dispatch
import EventLog
import EventLogPostgres
import Foundation

/// The benchmarks of the log on PostgreSQL.
final class PostgresBench {
  private let options: Options
  private let disk: Disk
  private let server: BenchServer
  private let vocabulary = Vocabulary()

  init(options: Options, disk: Disk) throws {
    (self.options, self.disk) = (options, disk)
    server = try BenchServer(in: disk.makeDirectory())
  }

  func run() throws -> [Grid] {
    let grids = [try append(), try together(), try visibility()]
    return options.preload > 0 ? grids + [try grown(to: options.preload)] : grids
  }

  // MARK: One writer

  private func append() throws -> Grid {
    let columns = try [1, 10, 100, 1_000].map { count in
      let contestants: [Contestant] = [
        { [self] in ["bare": try bare(count)] },
        { [self] in ["sqlite": try sqlite(count)] },
        { [self] in [PythonPeer.umadb.row: try PythonPeer.umadb.append(count, options.limit, disk)] },
        { [self] in ["ours": try ours(count)] },
      ]
      return ("\(count) a block", try inTurn(contestants, rounds: options.rounds, unit: .perSecond))
    }
    return Grid(
      "postgres append", "One writer on PostgreSQL, events/s", columns: columns,
      rows: ["bare", "sqlite", PythonPeer.umadb.row, "ours"],
      ratios: [
        Ratio("ours", to: "bare"), Ratio("ours", to: "sqlite"), Ratio("ours", to: PythonPeer.umadb.row),
      ])
  }

  /// The statement of an append with its parameters and nothing else, in a table of its own.
  private func bare(_ count: Int) throws -> Double {
    let blocks = try Blocks(of: vocabulary, seed: 1, perCommit: count)
    let connection = PQconnectdb("host=\(server.directory) user=verbatim dbname=postgres")
    defer { PQfinish(connection) }
    func execute(_ text: String) throws {
      let result = PQexec(connection, text)
      defer { PQclear(result) }
      guard [PGRES_COMMAND_OK, PGRES_TUPLES_OK].contains(PQresultStatus(result)) else {
        throw Usage(message: String(cString: PQerrorMessage(connection)))
      }
    }
    try execute(
      """
      DROP TABLE IF EXISTS bare_logs, bare_blocks;
      CREATE TABLE bare_logs (id integer PRIMARY KEY, position bigint) WITH (fillfactor = 10);
      CREATE TABLE bare_blocks (log integer, last bigint, block bytea, PRIMARY KEY (log, last));
      ALTER TABLE bare_blocks ALTER COLUMN block SET STORAGE EXTERNAL; INSERT INTO bare_logs VALUES (1, 0);
      PREPARE bare AS WITH head AS (
        UPDATE bare_logs SET position = $2 WHERE id = 1 AND position = $1 RETURNING id)
      INSERT INTO bare_blocks SELECT id, $2, $3 FROM head
      """)
    return try blocks.withValues { values in
      let values = values.pointee
      let start = ContinuousClock.now
      var (position, elapsed, block) = (Int64(0), 0.0, 0)
      repeat {
        var numbers = (position.bigEndian, (position + Int64(count)).bigEndian)
        let bytes = values.bytes + values.offsets[block]
        let length = values.offsets[block + 1] - values.offsets[block]
        let isDone = withUnsafeBytes(of: &numbers) { numbers in
          let start = numbers.baseAddress!.assumingMemoryBound(to: CChar.self)
          let parts: [UnsafePointer<CChar>?] = [
            start, start + 8, UnsafeRawPointer(bytes).assumingMemoryBound(to: CChar.self),
          ]
          let result = PQexecPrepared(connection, "bare", 3, parts, [8, 8, Int32(length)], [1, 1, 1], 1)
          defer { PQclear(result) }
          return String(cString: PQcmdTuples(result)) == "1"
        }
        guard isDone else { throw Usage(message: String(cString: PQerrorMessage(connection))) }
        position += Int64(count)
        block = (block + 1) % values.count
        elapsed = secondsSince(start)
      } while elapsed < options.limit.seconds && position < options.limit.events
      return Double(position) / elapsed
    }
  }

  private func sqlite(_ count: Int) throws -> Double {
    try disk.withDirectory { directory in
      let log = try SQLiteLog(path: directory + "/sqlite", vocabulary)
      return try options.limit.rate(count, seed: 1) { try log.append($0) }
    }
  }

  private func ours(_ count: Int, in log: String? = nil, seed: UInt64 = 1) throws -> Double {
    let store = try server.machine(0, log: log)
    defer { store.close() }
    var draws = Draws(seed: seed)
    return try AppendRun(store, &draws, vocabulary, perCommit: count, options.limit).durable
  }

  // MARK: A long log

  /// Appends many events in blocks of 1,000, and then single ones to that log and to new ones.
  private func grown(to count: Int) throws -> Grid {
    let log = server.newName()
    let tenths = try fill(log, count)
    let (new, long) = ("new log, 1 a block", "log of \(count) events, 1 a block")
    var round: UInt64 = 0
    let contestants: [Contestant] = [
      { ["first tenth, 1000 a block": tenths[0], "last tenth, 1000 a block": tenths[9]] },
      { [self] in [new: try ours(1)] },
      { [self] in
        round += 1
        return [long: try ours(1, in: log, seed: 1_000 + round)]
      },
    ]
    let figures = try inTurn(contestants, rounds: options.rounds, unit: .perSecond)
    let (first, last) = ("first tenth, 1000 a block", "last tenth, 1000 a block")
    return Grid(
      "postgres grown", "One writer on a log of \(count) events, events/s", columns: [("", figures)],
      rows: [first, last, new, long], ratios: [Ratio(last, to: first), Ratio(long, to: new)])
  }

  /// Appends events in blocks of 1,000; returns the events per second of each tenth.
  private func fill(_ log: String, _ count: Int) throws -> [Double] {
    let store = try server.machine(0, log: log)
    defer { store.close() }
    var draws = Draws(seed: 7)
    let blocks = max(1, count / 10_000)
    return try (0..<10).map { _ in
      let start = ContinuousClock.now
      for _ in 0..<blocks { _ = try store.appendBlocking(draws.proposals(1_000, vocabulary)) }
      return Double(blocks * 1_000) / secondsSince(start)
    }
  }

  // MARK: Many writers

  private func together() throws -> Grid {
    let contestants: [Contestant] = [
      { [self] in ["1 machine, 64 tasks": try tasks(64, machines: 1)] },
      { [self] in ["4 machines, 16 tasks each": try tasks(16, machines: 4)] },
      { [self] in ["1 machine, 1 task": try tasks(1, machines: 1)] },
      { [self] in ["4 machines, 1 task each": try tasks(1, machines: 4)] },
    ]
    let figures = try inTurn(contestants, rounds: options.rounds, unit: .perSecond)
    return Grid(
      "postgres together", "Tasks that append one event each at a time, events/s", columns: [("", figures)],
      rows: [
        "1 machine, 64 tasks", "4 machines, 16 tasks each", "1 machine, 1 task", "4 machines, 1 task each",
      ],
      ratios: [
        Ratio("4 machines, 16 tasks each", to: "1 machine, 64 tasks"),
        Ratio("4 machines, 1 task each", to: "1 machine, 1 task"),
      ])
  }

  private func tasks(_ writers: Int, machines: Int) throws -> Double {
    let name = server.newName()
    let stores = try (0..<machines).map { try server.machine($0, log: name) }
    defer { for store in stores { store.close() } }
    let vocabulary = vocabulary
    let start = ContinuousClock.now
    let deadline = start + .seconds(options.limit.seconds)
    let events = try waiting {
      try await withThrowingTaskGroup(of: Int.self) { group in
        for (machine, store) in stores.enumerated() {
          for writer in 0..<writers {
            group.addTask {
              try await appendInTask(store, seed: UInt64(machine << 8 | writer), vocabulary, until: deadline)
            }
          }
        }
        return try await group.reduce(0, +)
      }
    }
    return Double(events) / secondsSince(start)
  }

  // MARK: Visibility

  private func visibility() throws -> Grid {
    let contestants: [Contestant] = [{ [self] in try delays() }]
    let figures = try inTurn(contestants, rounds: options.rounds, unit: .milliseconds)
    return Grid(
      "postgres visibility", "From an acknowledged append to its sight on another machine, ms",
      columns: [("", figures)], rows: ["p50", "p99"])
  }

  private func delays() throws -> [String: Double] {
    let name = server.newName()
    let (writer, reader) = (try server.machine(0, log: name), try server.machine(1, log: name))
    defer {
      writer.close()
      reader.close()
    }
    let sights = Sights()
    let count = options.isQuick ? 100 : 500
    let follower = Thread {
      var last = Position.zero
      while last.rawValue < UInt64(count) {
        guard let isThere = try? reader.log.wait(beyond: last, until: .now + .seconds(10)), isThere,
          let head = try? reader.head()
        else { return sights.end() }
        let now = ContinuousClock.now
        for position in last.rawValue + 1...head.position.rawValue { sights.see(position, at: now) }
        last = head.position
      }
      sights.end()
    }
    follower.start()
    var draws = Draws(seed: 3)
    for _ in 0..<count {
      let receipt = try writer.appendBlocking(draws.proposals(1, vocabulary))
      sights.acknowledge(receipt.positions.upperBound.rawValue, at: .now)
      Thread.sleep(forTimeInterval: 0.002)
    }
    sights.wait()
    let delays = sights.delays.sorted()
    return ["p50": delays[delays.count / 2], "p99": delays[delays.count * 99 / 100]]
  }
}

/// The times of appends and of their sight elsewhere.
// Safe because every access is within the lock.
private final class Sights: @unchecked Sendable {
  private let lock = NSLock()
  private let ended = DispatchSemaphore(value: 0)
  private var acknowledged: [UInt64: ContinuousClock.Instant] = [:]
  private var seen: [UInt64: ContinuousClock.Instant] = [:]

  func acknowledge(_ position: UInt64, at time: ContinuousClock.Instant) {
    lock.withLock { acknowledged[position] = time }
  }

  func see(_ position: UInt64, at time: ContinuousClock.Instant) { lock.withLock { seen[position] = time } }
  func end() { ended.signal() }
  func wait() { ended.wait() }

  /// The delays in milliseconds; an event that was seen before its append returned has none.
  var delays: [Double] {
    lock.withLock {
      acknowledged.map { position, time in
        seen[position].map { max(0, time.duration(to: $0) / .milliseconds(1)) } ?? .infinity
      }
    }
  }
}

/// A PostgreSQL server in a directory on the measured disk.
private final class BenchServer {
  let directory = "/tmp/verbatim-bench-\(UInt64.random(in: 0 ... .max))"
  private let process = Process()
  private let input = Pipe()
  private var names = 0

  init(in data: String) throws {
    let versions = try FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql").compactMap { Int($0) }
    let binaries = "/usr/lib/postgresql/\(versions.max() ?? 15)/bin"
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    let script = """
      set -e
      if [ "$(id -u)" = 0 ]; then
        chown postgres "$1" "$2"
        run() { setpriv --reuid=postgres --regid=postgres --clear-groups "$@"; }
      else
        run() { "$@"; }
      fi
      run "$3/initdb" -D "$1/data" -U verbatim --auth=trust --encoding=UTF8 --locale=C >/dev/null
      options="-c listen_addresses= -c unix_socket_directories=$2"
      run "$3/pg_ctl" -D "$1/data" -w -l "$1/log" -o "$options" start >/dev/null
      echo ready
      cat >/dev/null
      run "$3/pg_ctl" -D "$1/data" -m immediate stop >/dev/null
      rm -rf "$2"
      """
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    let path = FileManager.default.currentDirectoryPath
    process.arguments = ["-c", script, "bench", data.hasPrefix("/") ? data : path + "/" + data, directory, binaries]
    let output = Pipe()
    (process.standardInput, process.standardOutput) = (input, output)
    try process.run()
    guard output.fileHandleForReading.availableData == Data("ready\n".utf8) else {
      throw Usage(message: "PostgreSQL did not start: install it with Tools/setup --checks")
    }
  }

  deinit {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  func newName() -> String {
    names += 1
    return "log\(names)"
  }

  /// Opens a log as a machine with a number; a new log for nil.
  func machine(_ number: Int, log: String?) throws -> EventStore {
    var options = PostgresLog.Options(creates: true)
    options.cacheDirectory = directory + "/machine\(number)"
    let text = "postgres:///postgres?host=\(directory)&user=verbatim&log=\(log ?? newName())"
    guard let address = PostgresAddress(text) else { throw Usage(message: text) }
    return try EventStore.open(at: address, options: options)
  }
}
