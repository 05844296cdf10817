// Threat: past projections differ from the original ones, or leave files behind.
import ChildProcess
import EventLog
import EventLogLMDB
import Foundation
import SeededRandom
import Synchronization
import Testing
import ProjectionWorker

@testable import Projections

@Suite struct `Past projections` {
  private let scratch: Scratch
  private let store: EventStore
  private let projections: ProjectionStore
  private let history: [RecordedEvent]
  private static let poisoned = 700

  init() throws {
    scratch = try Scratch()
    store = try scratch.log()
    projections = try ProjectionStore(of: store, [Counts.self, Fragile.self], at: scratch.path + "/projections")
    var random = SeededRandom.printingSeed()
    var count = 0
    while count < 2_000 {
      var events = random.events(1 + random.below(60))
      if (count..<count + events.count).contains(Self.poisoned - 1) {
        events[Self.poisoned - 1 - count] = ProposedEvent(stream: "a", type: "b", payload: Array("poison".utf8))
      }
      try store.appendNow(events)
      count += events.count
      // One early snapshot for every seed: most positions are after it.
      let isEarly = (300...).contains(count) && projections.snapshots.isEmpty
      if isEarly || random.below(8) == 0 { try projections.takeSnapshot() }
    }
    history = try store.events(limit: .max)
  }

  private var pastFolders: [String] {
    let names = try? FileManager.default.contentsOfDirectory(atPath: scratch.path + "/projections/past")
    return (names ?? []).filter { $0 != "gate" }.sorted()
  }

  private func expectTruth(_ past: PastProjections, at position: UInt64) throws {
    #expect(past.position.rawValue == position)
    try past.read { reading throws(ProjectionError) in
      #expect(reading.position.rawValue == position)
      #expect(try Counted(reading) == Counted(Array(history.prefix(Int(position)))), "at \(position)")
      let seen = min(position, UInt64(Self.poisoned) - 1)
      let rows = try reading.rows(of: Fragile.seen)
      #expect(rows == (seen == 0 ? [:] : [Array("all".utf8): CountRow(events: seen, bytes: seen)]), "at \(position)")
    }
    let stop = ProjectionStop(
      projection: "fragile", position: Position(rawValue: UInt64(Self.poisoned)), reason: "it is poison")
    #expect(past.stops == (position < Self.poisoned ? [] : [stop]))
  }

  @Test func `past projections at any position match a count of the events`() throws {
    var random = SeededRandom.printingSeed()
    var folded = 0
    let edges = [0, 1, Self.poisoned - 1, Self.poisoned, Self.poisoned + 1, history.count]
    for position in edges + (0..<200).map({ _ in random.below(history.count + 1) }) {
      let past = try projections.at(Position(rawValue: UInt64(position)))
      #expect(past.passedOver.isEmpty)
      if past.snapshot != nil { folded += 1 }
      try expectTruth(past, at: UInt64(position))
    }
    #expect(folded > 50)
    #expect(pastFolders.isEmpty)
  }

  @Test func `past projections are the same without snapshots and during appends`() throws {
    var random = SeededRandom.printingSeed()
    try scratch.remove("projections/snapshots")
    for _ in 0..<10 {
      let position = UInt64(random.below(history.count + 1))
      let past = try projections.at(Position(rawValue: position))
      #expect(past.snapshot == nil)
      try store.appendNow(random.events(5))
      try projections.catchUp()
      try expectTruth(past, at: position)
    }
  }

  @Test func `past projections that move match a count of the events at every position`() throws {
    var random = SeededRandom.printingSeed()
    let past = try projections.at(Position(rawValue: UInt64(random.below(history.count + 1))))
    var position = Int(past.position.rawValue)
    func move(to next: Int) throws {
      position = min(max(0, next), history.count)
      try past.move(to: Position(rawValue: UInt64(position)))
      try expectTruth(past, at: UInt64(position))
    }
    for edge in [Self.poisoned, Self.poisoned - 1, Self.poisoned + 1, 0, history.count, history.count - 1, 0] {
      try move(to: edge)
    }
    for _ in 0..<200 {
      switch random.below(4) {
      case 0: try move(to: random.below(history.count + 1))
      case 1: try move(to: position + random.below(8))
      case 2: try move(to: position - random.below(8))
      default: try move(to: position + random.below(900) - 450)
      }
    }
    #expect(pastFolders == ["1"])
    past.close()
    #expect(pastFolders.isEmpty)
  }

  /// Steps are only useful if they are used: a fold for each move would have the same results.
  @Test func `steps that were made once are undone and made again without folding`() throws {
    let log = CountingLog(store.log)
    let projections = try ProjectionStore(
      of: EventStore(log: log, index: InMemoryIndex(genesis: log.genesis)), [Counts.self, Fragile.self],
      at: scratch.path + "/counted")
    let past = try projections.at(.zero)
    try past.move(to: Position(rawValue: 1_900))
    let before = log.blocks.load(ordering: .relaxed)
    for position in [1_792, 1_024, 1_536, 256, 0, 1_792] as [UInt64] {
      try past.move(to: Position(rawValue: position))
      try expectTruth(past, at: position)
    }
    #expect(log.blocks.load(ordering: .relaxed) == before, "all of them are multiples of the stride")
    // Within a step the rest of it is folded again, and only that.
    try past.move(to: Position(rawValue: 700))
    try expectTruth(past, at: 700)
    let some = log.blocks.load(ordering: .relaxed)
    #expect(some > before)
    try past.move(to: Position(rawValue: 1_000))
    try expectTruth(past, at: 1_000)
    try past.move(to: Position(rawValue: 256))
    try past.move(to: Position(rawValue: 1_000))
    try expectTruth(past, at: 1_000)
    try past.move(to: Position(rawValue: 1_024))
    let rest = log.blocks.load(ordering: .relaxed)
    try past.move(to: Position(rawValue: 1_792))
    try expectTruth(past, at: 1_792)
    #expect(log.blocks.load(ordering: .relaxed) == rest, "the steps behind one that was cut are made again")
  }

  @Test func `a distant move starts from the nearest snapshot, or folds on, and has the same result`() throws {
    var random = SeededRandom.printingSeed()
    let scratch = try Scratch()
    let log = InMemoryLog()
    let store = EventStore(log: log, index: InMemoryIndex(genesis: log.genesis))
    let projections = try ProjectionStore(of: store, [Counts.self], at: scratch.path + "/projections")
    for block in 0..<60 {
      try store.appendNow(random.events(1_000))
      if block == 29 { try projections.takeSnapshot() }
    }
    let history = try store.events(limit: .max)
    let past = try projections.at(.zero)
    func move(to position: Int, from snapshot: UInt64?) throws {
      try past.move(to: Position(rawValue: UInt64(position)))
      try past.read { reading throws(ProjectionError) in
        #expect(reading.position.rawValue == UInt64(position))
        #expect(try Counted(reading) == Counted(Array(history.prefix(position))), "at \(position)")
      }
      #expect(past.snapshot?.rawValue == snapshot, "at \(position)")
    }
    // Without a snapshot on the way it folds on; with one at least a window before the position it starts there.
    try move(to: 29_000, from: nil)
    try move(to: 20_000, from: nil)
    try move(to: 46_000, from: nil)
    try move(to: 50_000, from: nil)
    try move(to: 12_000, from: nil)
    try move(to: 46_500, from: 30_000)
    try move(to: 31_000, from: 30_000)
    try move(to: 59_999, from: 30_000)
    try move(to: 100, from: nil)
    try move(to: 59_999, from: 30_000)
    for _ in 0..<10 {
      let position = random.below(60_001)
      try past.move(to: Position(rawValue: UInt64(position)))
      try past.read { reading throws(ProjectionError) in
        #expect(try Counted(reading) == Counted(Array(history.prefix(position))), "at \(position)")
      }
    }
  }

  @Test func `a move past the end of the log throws and leaves the projections where they were`() throws {
    let past = try projections.at(Position(rawValue: 40))
    let beyond = Position(rawValue: UInt64(history.count) + 1)
    #expect(throws: ProjectionError.self) { try past.move(to: beyond) }
    try expectTruth(past, at: 40)
    past.close()
    let error = #expect(throws: ProjectionError.self) { try past.move(to: Position(rawValue: 41)) }
    guard case .closed(let position)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(position.rawValue == 40)
  }

  @Test func `a read during a move is at the position before it`() throws {
    let past = try projections.at(Position(rawValue: 900))
    try past.read { reading throws(ProjectionError) in
      try past.move(to: Position(rawValue: 100))
      #expect(reading.position.rawValue == 900)
      #expect(try Counted(reading) == Counted(Array(history.prefix(900))))
    }
    try expectTruth(past, at: 100)
  }

  @Test func `several past projections can be open and each has a scratch directory`() throws {
    let first = try projections.at(Position(rawValue: 100))
    var second: PastProjections? = try projections.at(Position(rawValue: 1_000))
    #expect(pastFolders == ["1", "2"])
    try expectTruth(first, at: 100)
    if let second { try expectTruth(second, at: 1_000) }
    second = nil
    #expect(pastFolders == ["1"])
    first.close()
    #expect(pastFolders.isEmpty)
    let third = try projections.at(Position(rawValue: 100))
    // A directory that reuses a name is not removed with the earlier one.
    first.close()
    #expect(pastFolders == ["1"])
    #expect(throws: ProjectionError.self) { try first.read { _ in } }
    try expectTruth(third, at: 100)
  }

  @Test func `a position past the end of the log throws with both positions`() throws {
    let end = history.count
    let error = #expect(throws: ProjectionError.self) { try projections.at(Position(rawValue: UInt64(end) + 1)) }
    guard case .beyondEnd(let position, let last)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(position.rawValue == UInt64(end) + 1 && last.rawValue == UInt64(end))
    #expect(pastFolders.isEmpty)
  }

  @Test func `scratch directories of a killed process are removed and those of a live one are kept`() throws {
    func start() throws -> Child {
      let child = try Child([
        Child.path(ofWorker: "ProjectionWorker"), "stand", scratch.path + "/log", scratch.path + "/projections",
        "counts,fragile", "900",
      ])
      #expect(try child.expect("standing") == ["900"])
      return child
    }
    let (killed, living) = (try start(), try start())
    #expect(pastFolders == ["1", "2"])
    #expect(killed.end() == .signal(SIGKILL))
    #expect(pastFolders == ["1", "2"])
    let past = try projections.at(Position(rawValue: 900))
    #expect(pastFolders == ["1", "2"])
    try expectTruth(past, at: 900)
    past.close()
    #expect(pastFolders == ["2"])
    living.send()
    try living.expect("gone")
    #expect(pastFolders.isEmpty)
  }
}

@Suite struct `Past projections at an instant` {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  @Test func `past projections at an instant are after the last event recorded by then`() throws {
    var random = SeededRandom.printingSeed()
    let clock = Atomic<Int64>(1_000)
    var configuration = EventStore.Configuration()
    configuration.clock = { Timestamp(rawValue: clock.load(ordering: .relaxed)) }
    let log = CountingLog(InMemoryLog())
    let store = EventStore(log: log, index: InMemoryIndex(genesis: log.genesis), configuration: configuration)
    for _ in 0..<500 {
      // Several blocks often have the same instant.
      clock.add(Int64(random.below(3) * random.below(4)), ordering: .relaxed)
      try store.appendNow(random.events(1 + random.below(9)))
    }
    let history = try store.events(limit: .max)
    let projections = try ProjectionStore(of: store, [Counts.self], at: scratch.path + "/projections")
    let last = try #require(history.last).recorded.rawValue
    for number in 0..<300 {
      let instant = Timestamp(rawValue: 990 + Int64(random.below(Int(last) - 970)))
      let expected = history.last { $0.recorded <= instant }?.position ?? .zero
      log.blocks.store(0, ordering: .relaxed)
      #expect(try store.last(recordedBy: instant) == expected, "\(instant)")
      #expect(log.blocks.load(ordering: .relaxed) <= 13)
      if number % 30 == 0 { #expect(try projections.at(instant).position == expected) }
    }
  }
}

/// An in-memory log that counts the blocks it yields.
private final class CountingLog: Log {
  private let log: any Log
  let blocks = Atomic<Int>(0)

  init(_ log: any Log) { self.log = log }

  var genesis: Genesis { log.genesis }
  func head() throws(LogError) -> Head { try log.head() }
  func append(_ block: BlockView, after head: Head) throws(LogError) { try log.append(block, after: head) }

  func blocks(
    from position: Position, _ direction: Direction, checks: Checks, _ body: (BlockView) throws(LogError) -> Step
  ) throws(LogError) {
    try log.blocks(from: position, direction, checks: checks) { block throws(LogError) in
      blocks.add(1, ordering: .relaxed)
      return try body(block)
    }
  }

  func wait(beyond position: Position, until deadline: ContinuousClock.Instant) throws(LogError) -> Bool {
    try log.wait(beyond: position, until: deadline)
  }

  func withWriterLock(_ body: () -> Void) throws(LogError) { try log.withWriterLock(body) }
  func close() { log.close() }
}
