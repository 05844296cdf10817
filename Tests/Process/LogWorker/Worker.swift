// A process that appends to a log, reads, follows and checks it, as requested by its arguments.
import ChildProcess
package import EventLog
import EventLogLMDB
import LMDB
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The arguments are the command and the log; each step is reported by a line on standard output.
@main package enum Worker {
  package static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count > 1 else { return complain("say what to do") }
    let path = arguments.count > 2 ? arguments[2] : ""
    let rest = Array(arguments.dropFirst(3))
    switch arguments[1] {
    case "append": try await append(path, rest)
    case "follow": try await follow(path, until: UInt64(rest[0])!)
    case "hold-read": try holdRead(path)
    case "hold-turn": try holdWriterLock(path)
    case "limited": try appendLimited(path, fileByteCountMax: UInt64(rest[0])!)
    case "as-nobody": appendAsNobody(path)
    case "raw": try appendRaw(path, isSynced: rest[0] == "synced", count: Int(rest[1])!)
    case "create": try create(path)
    case "serve": serve()
    default: complain("there is no “\(arguments[1])”")
    }
  }

  private static func complain(_ what: String) {
    say("error \(what)")
    exit(2)
  }
}

/// Waits for a line on standard input; ends the process at the end of the input.
@discardableResult
private func awaitLine() -> String {
  guard let line = readLine() else { exit(0) }
  return line
}

private func nanoseconds() -> UInt64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

// MARK: Appending

extension Worker {
  private static func create(_ path: String) throws {
    let store = try EventStore.open(at: path, options: LMDBLog.Options(creates: true))
    say("ack \(try store.head().position)")
    store.close()
  }

  /// Arguments: seed, shape, number of the first append, count, manner ("single", "stepped", "tasks:8"), and the
  /// position up to which to follow concurrently (0: not at all).
  private static func append(_ path: String, _ arguments: [String]) async throws {
    let workload = Workload(seed: UInt64(arguments[0])!, shape: Workload.Shape(rawValue: arguments[1])!)
    let first = Int(arguments[2])!
    let numbers = first..<first + Int(arguments[3])!
    let manner = arguments[4]
    let until = UInt64(arguments[5])!
    let store = try EventStore.open(at: path)
    let following = until == 0 ? nil : Task { try await follow(store, until: until) }
    say("ready \(getpid())")
    awaitLine()
    if manner.hasPrefix("tasks:") {
      try await appendInGroups(store, workload, numbers, tasks: Int(manner.dropFirst(6))!)
    } else {
      try appendEach(store, workload, numbers, isStepped: manner == "stepped")
    }
    if let following { say("followed \(try await following.value)") }
    say("done")
    awaitLine()
    store.close()
  }

  private static func appendEach(
    _ store: EventStore, _ workload: Workload, _ numbers: Range<Int>, isStepped: Bool
  ) throws {
    for number in numbers {
      let receipt = try store.appendBlocking(workload.append(number))
      acknowledge(receipt, number)
      if isStepped { awaitLine() }
    }
  }

  private static func appendInGroups(
    _ store: EventStore, _ workload: Workload, _ numbers: Range<Int>, tasks: Int
  ) async throws {
    let counter = Counter(numbers.lowerBound)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<tasks {
        group.addTask {
          while true {
            let number = counter.take()
            guard numbers.contains(number) else { return }
            acknowledge(try await store.append(workload.append(number)), number)
          }
        }
      }
      try await group.waitForAll()
    }
  }

  /// Prints "ack", the number of the append, the positions of its events, and when it was known to be durable.
  private static func acknowledge(_ receipt: Receipt, _ number: Int) {
    let now = nanoseconds()
    say("ack \(number) \(receipt.positions.lowerBound) \(receipt.positions.upperBound) \(now)")
  }
}

/// A counter that returns each number once.
private final class Counter: Sendable {
  private let next: Atomic<Int>

  init(_ first: Int) { next = Atomic(first) }

  func take() -> Int { next.add(1, ordering: .relaxed).oldValue }
}

// MARK: Following

extension Worker {
  private static func follow(_ path: String, until: UInt64) async throws {
    let store = try EventStore.open(at: path)
    say("ready \(getpid())")
    say("followed \(try await follow(store, until: until) { say("at \($0) \(nanoseconds())") })")
    awaitLine()
    store.close()
  }

  /// Follows up to a position; returns the number of events and their fingerprint in order.
  private static func follow(
    _ store: EventStore, until: UInt64, _ body: (Position) -> Void = { _ in }
  ) async throws -> String {
    var fingerprint = Fingerprint()
    var count = 0
    for try await event in store.follow() {
      body(event.position)
      count += 1
      fingerprint.add(event)
      if event.position.rawValue >= until { break }
    }
    return "\(count) \(fingerprint.text)"
  }
}

// MARK: Being in the way

extension Worker {
  /// Begins to read, and continues on request.
  private static func holdRead(_ path: String) throws {
    let store = try EventStore.open(at: path)
    var blocks = 0
    try store.log.blocks(from: .first, .forward, checks: .full) { _ in
      blocks += 1
      if blocks == 1 {
        say("reading \(getpid())")
        awaitLine()
      }
      return .next
    }
    say("read \(blocks)")
    awaitLine()
    store.close()
  }

  /// Takes the writer lock and stops itself; continues when it is signalled.
  private static func holdWriterLock(_ path: String) throws {
    let store = try EventStore.open(at: path)
    try store.log.withWriterLock {
      say("turn \(getpid())")
      raise(SIGSTOP)
    }
    say("done")
    awaitLine()
    store.close()
  }

  /// Appends until the file size limit is reached; then, without the limit, opens the log again and continues.
  private static func appendLimited(_ path: String, fileByteCountMax: UInt64) throws {
    signal(SIGXFSZ, SIG_IGN)
    var limit = rlimit()
    getrlimit(fileSizeLimit, &limit)
    limit.rlim_cur = rlim_t(fileByteCountMax)
    setrlimit(fileSizeLimit, &limit)
    let workload = Workload(seed: 1, shape: .mixed)
    var store = try EventStore.open(at: path)
    var number = 0
    while true {
      do {
        acknowledge(try store.appendBlocking(workload.append(number)), number)
        number += 1
      } catch {
        say("refused \(number) \(error)")
        break
      }
    }
    awaitLine()
    limit.rlim_cur = limit.rlim_max
    setrlimit(fileSizeLimit, &limit)
    if (try? store.head()) == nil {
      store.close()
      store = try EventStore.open(at: path)
      say("reopened")
    }
    for number in number..<number + 10 { acknowledge(try store.appendBlocking(workload.append(number)), number) }
    say("done")
    awaitLine()
    store.close()
  }

  /// Opens a log and appends as a user who owns no files.
  private static func appendAsNobody(_ path: String) {
    if geteuid() == 0 {
      setgid(65534)
      setuid(65534)
    }
    do {
      let store = try EventStore.open(at: path)
      _ = try store.appendBlocking(Workload(seed: 9, shape: .small).append(0))
      say("appended")
    } catch {
      say("error \(error)")
    }
  }

  /// Writes entries directly to an LMDB environment.
  private static func appendRaw(_ path: String, isSynced: Bool, count: Int) throws {
    let environment = try Environment(path: path, options: .init(creates: true, isSynced: isSynced))
    let table = try writeTable(environment)
    for number in 0..<count { try writeRaw(environment, table, UInt64(number)) }
  }

  private static func writeTable(_ environment: borrowing Environment) throws -> Table {
    try environment.table(nil)
  }

  private static func writeRaw(_ environment: borrowing Environment, _ table: Table, _ number: UInt64) throws {
    let payload = [UInt8](repeating: 7, count: 100)
    try environment.write { transaction throws(LMDBError) in
      try payload.span.bytes.withUnsafeBytes { bytes throws(LMDBError) in
        try transaction.append(bytes, for: number, in: table)
      }
    }
    say("ack \(number)")
  }
}

#if canImport(Glibc)
  private let fileSizeLimit = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
#else
  private let fileSizeLimit = RLIMIT_FSIZE
#endif

// MARK: Checking and reading whatever there is

extension Worker {
  /// Processes requests, "verify" or "read" and a path, each with one line of output.
  private static func serve() {
    while true {
      let words = awaitLine().split(separator: " ", maxSplits: 1).map(String.init)
      switch words[0] {
      case "verify": verify(words[1])
      case "read": read(words[1])
      default: complain("there is no “\(words[0])”")
      }
    }
  }

  /// Prints "whole" with notes; or "found" and the findings, the positions of damaged blocks first.
  private static func verify(_ path: String) {
    do {
      let report = try LogCheck.verify(logAt: path)
      let blocks = report.findings.compactMap { finding in
        if case .block(let last, _) = finding.location { "\(last)" } else { nil }
      }
      let places = report.findings.contains { $0.location == .index } ? " index" : ""
      say(
        report.holds
          ? "whole \(report.notes.joined(separator: " "))"
          : "found [\(blocks.joined(separator: ","))]\(places) "
            + report.findings.map(\.description).joined(separator: " "))
    } catch {
      say("error \(error)")
    }
  }

  /// Prints "same" and the fingerprint of everything the log returns; or "error".
  private static func read(_ path: String) {
    do {
      let store = try EventStore.open(at: path)
      defer { store.close() }
      say("same \(try fingerprint(of: store))")
    } catch {
      say("error \(error)")
    }
  }

  /// Returns a fingerprint of everything that a log returns.
  package static func fingerprint(of store: EventStore) throws -> String {
    var fingerprint = Fingerprint()
    let head = try store.head()
    fingerprint.add("\(head.position) \(head.blocks) \(head.hash) \(head.recorded)")
    var ids: [AppendID] = []
    for event in try store.events(limit: .max) {
      fingerprint.add(event)
      if ids.last != event.append { ids.append(event.append) }
    }
    for stream in try store.streams(limit: .max) {
      fingerprint.add("\(stream.name) \(stream.version) \(try store.version(of: stream.name))")
      for event in try store.events(of: stream.name, limit: .max) { fingerprint.add("\(event.position)") }
    }
    for id in ids { fingerprint.add(try store.receipt(of: id).map { "\($0)" } ?? "none") }
    return fingerprint.text
  }
}
