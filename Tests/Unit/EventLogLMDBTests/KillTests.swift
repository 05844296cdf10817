// Threat: the appending process is killed at any moment.
import ChildProcess
import EventLog
import EventLogLMDB
import Foundation
import LogWorker
import SeededRandom
import Testing
import TestThreads

@Suite(.waitsForProcesses) struct KillTests {
  @Test func `after a writer is killed at any moment, every acknowledged append is complete`() throws {
    var random = SeededRandom()
    print("VERBATIM_SEED=\(random.seed) replays the moments of killing.")
    let directory = TemporaryDirectory()
    try makeEmptyLog(directory)
    let workload = Workload(seed: 11, shape: .mixed)
    var next = 0
    var acknowledgedCount = 0
    let rounds = Choice.isLong ? 200 : 25
    for round in 0..<rounds {
      let tasks = round % 2 == 0 ? 1 : Int.random(in: 2...12, using: &random)
      let acknowledged = try killAppender(directory, workload, from: next, tasks: tasks, &random)
      acknowledgedCount += acknowledged.count

      // Of the unacknowledged appends, at most one per task was begun.
      let begun = next..<max(next, (acknowledged.keys.max() ?? next - 1) + 1) + tasks
      try expectWhole(directory.path)
      let store = try EventStore.open(at: directory.path)
      let isLast = round == rounds - 1
      try expectWholeAppends(store, workload, isLast ? 0..<begun.upperBound : begun, begun, acknowledged)
      try expectRightAnswers(store)
      try repeatUnacknowledged(store, workload, begun, acknowledged)
      store.close()
      next = begun.upperBound
    }
    print("Killed after \(acknowledgedCount) of \(next) appends were acknowledged.")
    try expectWhole(directory.path)
  }

  @Test func `after the creator of a log is killed at any moment, the next opening succeeds`() throws {
    var random = SeededRandom()
    print("VERBATIM_SEED=\(random.seed) replays the moments of killing.")
    var found: [String: Int] = [:]
    for _ in 0..<(Choice.isLong ? 400 : 40) {
      let directory = TemporaryDirectory()
      let child = try Child.worker("create", directory.path)
      // Not a wait for a condition: only so that the kill happens at some moment of the creation.
      usleep(UInt32.random(in: 0...40_000, using: &random))
      child.end()
      let isAcknowledged = try !child.lines().isEmpty
      do {
        try EventStore.open(at: directory.path).close()
        found["whole", default: 0] += 1
      } catch {
        guard case .missing = error else { throw error }
        #expect(!isAcknowledged)
        found["none", default: 0] += 1
      }
      let store = try makeLog(directory)
      try append(Workload(seed: 12, shape: .small), 0..<3, to: store)
      store.close()
      try expectWhole(directory.path)
    }
    print("Of logs whose maker was killed, there was \(found).")
  }

  @Test func `a reader blocks no append, reads one snapshot, and its slot is freed when it is killed`() throws {
    let directory = TemporaryDirectory()
    let workload = Workload(seed: 13, shape: .several)
    let store = try makeLog(directory)
    try append(workload, 0..<20, to: store)
    let readers = try (0..<2).map { _ in try Child.worker("hold-read", directory.path) }
    for reader in readers { try reader.expect("reading") }
    try append(workload, 20..<60, to: store)
    #expect(try slots(store).isSuperset(of: readers.map { Int($0.process) }))
    readers[0].send()
    #expect(try readers[0].expect("read") == ["20"])
    #expect(try readers[0].finish() == .exit(0))
    #expect(readers[1].end() == .signal(SIGKILL))
    // The next process that opens the log frees the slots of dead readers.
    let next = try Child.worker("append", directory.path, "14", "small", "0", "1", "single", "0")
    try next.expect("ready")
    next.send()
    #expect(try next.finish() == .exit(0))
    try append(workload, 60..<80, to: store)
    #expect(try slots(store).isDisjoint(with: readers.map { Int($0.process) }))
    try expectRightAnswers(store)
    store.close()
    try expectWhole(directory.path)
  }

  /// Returns the processes that read a log.
  private func slots(_ store: EventStore) throws -> Set<Int> {
    let log = try #require(store.log as? LMDBLog)
    return Set(try log.statistics().readers.map(\.process))
  }

  /// Kills a process that appends; returns the appends that it acknowledged before.
  private func killAppender(
    _ directory: TemporaryDirectory, _ workload: Workload, from first: Int, tasks: Int, _ random: inout SeededRandom
  ) throws -> [Int: ClosedRange<Position>] {
    let manner = tasks == 1 ? "single" : "tasks:\(tasks)"
    let child = try Child.worker(
      "append", directory.path, "\(workload.seed)", workload.shape.rawValue, "\(first)", "1000000", manner, "0")
    try child.expect("ready")
    child.send()
    var lines: [String] = []
    for _ in 0..<Int.random(in: 0...30, using: &random) { lines.append(try #require(try child.line())) }
    // Not a wait for a condition: only so that the kill does not always coincide with an acknowledgement.
    usleep(UInt32.random(in: 0...4_000, using: &random))
    #expect(child.end() == .signal(SIGKILL))
    lines += try child.lines()
    var acknowledged: [Int: ClosedRange<Position>] = [:]
    for line in lines {
      let words = line.split(separator: " ")
      #expect(words[0] == "ack")
      guard words.count == 5 else { continue }
      acknowledged[Int(words[1])!] = Position(rawValue: UInt64(words[2])!)...Position(rawValue: UInt64(words[3])!)
    }
    return acknowledged
  }

  /// Expects each append to be complete at its acknowledged positions or, if it was not acknowledged, complete or
  /// absent.
  private func expectWholeAppends(
    _ store: EventStore, _ workload: Workload, _ numbers: Range<Int>, _ begun: Range<Int>,
    _ acknowledged: [Int: ClosedRange<Position>]
  ) throws {
    let events = try store.events(limit: .max)
    let positions = events.indices.map { UInt64($0) + 1 }
    #expect(events.map(\.position.rawValue) == positions)
    let stored = Dictionary(grouping: events, by: \.append)
    for number in numbers {
      let events = stored[workload.id(number)] ?? []
      let receipt = try store.receipt(of: workload.id(number))
      #expect((receipt == nil) == events.isEmpty)
      guard let receipt else {
        #expect(begun.contains(number) && acknowledged[number] == nil, "append \(number) is lost")
        continue
      }
      expectSame(events, workload.append(number))
      #expect(receipt.positions == events[0].position...events[events.count - 1].position)
      if let positions = acknowledged[number] { #expect(receipt.positions == positions) }
    }
    #expect(stored.keys.count == (0..<begun.upperBound).count { stored[workload.id($0)] != nil })
  }

  /// Retries appends with unknown outcomes: afterwards each is in the log once.
  private func repeatUnacknowledged(
    _ store: EventStore, _ workload: Workload, _ begun: Range<Int>,
    _ acknowledged: [Int: ClosedRange<Position>]
  ) throws {
    for number in begun where acknowledged[number] == nil {
      let before = try store.receipt(of: workload.id(number))
      let receipt = try store.appendBlocking(workload.append(number))
      if let before { #expect(receipt == before) }
      #expect(try store.appendBlocking(workload.append(number)) == receipt)
    }
  }
}
