// Threat: two processes append to one log at once, while others read it.
import ChildProcess
import EventLog
import EventLogLMDB
import LogWorker
import Testing
import TestThreads

@Suite(.waitsForProcesses) struct TwoProcessesTests {
  private static let appendCount = Choice.isLong ? 10_000 : 2_000

  @Test func `two processes append concurrently, and all readers see one order`() throws {
    let directory = TemporaryDirectory()
    try makeEmptyLog(directory)
    let count = Self.appendCount
    let workloads = [Workload(seed: 1, shape: .small), Workload(seed: 2, shape: .several)]
    let total = workloads.reduce(0) { $0 + $1.eventCount(ofFirst: count) }
    let appenders = try workloads.map { workload in
      try Child.worker(
        "append", directory.path, "\(workload.seed)", workload.shape.rawValue, "0", "\(count)", "single", "\(total)")
    }
    let reader = try Child.worker("follow", directory.path, "\(total)")
    for child in appenders + [reader] { try child.expect("ready") }
    for child in appenders { child.send() }
    // All pipes are read alternately, so that no child blocks on a full pipe.
    var acknowledged = [[Int: ClosedRange<Position>]](repeating: [:], count: 2)
    for _ in 0..<count {
      for (index, child) in appenders.enumerated() {
        let (number, positions) = try acknowledgement(of: child)
        acknowledged[index][number] = positions
        for _ in positions.lowerBound.rawValue...positions.upperBound.rawValue { try reader.expect("at") }
      }
    }
    let followed = try (appenders + [reader]).map { try $0.expect("followed").joined(separator: " ") }
    for child in appenders + [reader] { #expect(try child.finish() == .exit(0)) }

    let store = try EventStore.open(at: directory.path)
    defer { store.close() }
    try expectAppends(workloads, acknowledged, in: store, total: total)
    var fingerprint = Fingerprint()
    try store.events(limit: .max).forEach { fingerprint.add($0) }
    #expect(followed == Array(repeating: "\(total) \(fingerprint.text)", count: 3))
    try expectAlternation(store, atLeast: count / 5)
    try expectRightAnswers(store)
    try expectWhole(directory.path)
  }

  @Test func `two processes with group commits lose and repeat no append`() throws {
    let directory = TemporaryDirectory()
    try makeEmptyLog(directory)
    let count = Self.appendCount
    let workloads = [Workload(seed: 3, shape: .several), Workload(seed: 4, shape: .several)]
    let appenders = try workloads.map { workload in
      try Child.worker(
        "append", directory.path, "\(workload.seed)", "several", "0", "\(count)", "tasks:16", "0")
    }
    for child in appenders { try child.expect("ready") }
    for child in appenders { child.send() }
    var acknowledged = [[Int: ClosedRange<Position>]](repeating: [:], count: 2)
    for _ in 0..<count {
      for (index, child) in appenders.enumerated() {
        let (number, positions) = try acknowledgement(of: child)
        acknowledged[index][number] = positions
      }
    }
    for child in appenders { #expect(try child.finish() == .exit(0)) }
    let store = try EventStore.open(at: directory.path)
    defer { store.close() }
    try expectAppends(
      workloads, acknowledged, in: store, total: workloads.reduce(0) { $0 + $1.eventCount(ofFirst: count) })
    try expectWhole(directory.path)
  }

  @Test func `a follower is woken by appends of another process`() throws {
    let directory = TemporaryDirectory()
    try makeEmptyLog(directory)
    let count = Choice.isLong ? 1_000 : 200
    let appender = try Child.worker("append", directory.path, "5", "small", "0", "\(count)", "stepped", "0")
    let reader = try Child.worker("follow", directory.path, "\(count)")
    for child in [appender, reader] { try child.expect("ready") }
    var delays: [Double] = []
    for _ in 0..<count {
      appender.send()
      let committed = try appender.expect("ack").compactMap { Int64($0) }
      let seen = try reader.expect("at").compactMap { Int64($0) }
      #expect(seen[0] == committed[1])
      delays.append(Double(seen[1] - committed[3]) / 1_000_000)
    }
    delays.sort()
    print(
      "Wake-up from process to process, in ms: p50 \(delays[count / 2]), p99 \(delays[count * 99 / 100]), "
        + "largest \(delays[count - 1]).")
  }

  private func acknowledgement(of child: Child) throws -> (number: Int, positions: ClosedRange<Position>) {
    let words = try child.expect("ack").compactMap { UInt64($0) }
    return (Int(words[0]), Position(rawValue: words[1])...Position(rawValue: words[2]))
  }

  /// Expects the log to hold exactly the acknowledged appends, at their acknowledged positions.
  private func expectAppends(
    _ workloads: [Workload], _ acknowledged: [[Int: ClosedRange<Position>]], in store: EventStore, total: Int
  ) throws {
    let events = try store.events(limit: .max)
    #expect(events.map(\.position.rawValue) == (1...UInt64(total)).map { $0 })
    for (workload, ranges) in zip(workloads, acknowledged) {
      #expect(ranges.count == Self.appendCount)
      for (number, positions) in ranges {
        let indices = Int(positions.lowerBound.rawValue) - 1...Int(positions.upperBound.rawValue) - 1
        expectSame(events[indices], workload.append(number))
      }
    }
  }

  /// Expects blocks of the two writers to alternate.
  private func expectAlternation(_ store: EventStore, atLeast expected: Int) throws {
    var changes = 0
    var blocks = 0
    var last: Name?
    try store.log.blocks(from: .first, .forward, checks: .full) { block in
      let actor = block.events(0..<1)[0].actor
      if blocks > 0, actor != last { changes += 1 }
      last = actor
      blocks += 1
      return .next
    }
    print("Of \(blocks) blocks by two processes, \(changes) followed one by the other.")
    #expect(changes > expected)
  }
}
