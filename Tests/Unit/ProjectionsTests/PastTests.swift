// Threat: past projections differ from the original ones, or leave files behind.
import ChildProcess
import EventLog
import EventLogLMDB
import Foundation
import Locks
import SeededRandom
import Synchronization
import Tables
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
    var options = ProjectionStore.Options()
    options.historyDistance = 300
    projections = try ProjectionStore(
      of: store, [Counts.self, Fragile.self], at: scratch.path + "/projections", options: options)
    var random = SeededRandom.printingSeed()
    var count = 0
    while count < 2_000 {
      var events = random.events(1 + random.below(60))
      if (count..<count + events.count).contains(Self.poisoned - 1) {
        events[Self.poisoned - 1 - count] = ProposedEvent(stream: "a", type: "b", payload: Array("poison".utf8))
      }
      try store.appendNow(events)
      count += events.count
    }
    history = try store.events(limit: .max)
  }

  /// The positions of the points of the history.
  private func points(of projections: ProjectionStore? = nil) throws -> [UInt64] {
    let rows = try (projections ?? self.projections).history().rows
    var points: [UInt64] = []
    while let next = try rows.point(upTo: points.first.map { $0 - 1 } ?? .max) { points.insert(next.position, at: 0) }
    return points
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
    let edges = [0, 1, Self.poisoned - 1, Self.poisoned, Self.poisoned + 1, history.count]
    for position in edges + (0..<200).map({ _ in random.below(history.count + 1) }) {
      let past = try projections.at(Position(rawValue: UInt64(position)))
      try expectTruth(past, at: UInt64(position))
    }
    let points = try points()
    #expect(zip([0] + points, points).allSatisfy { (300..<360).contains($1 - $0) }, "\(points)")
    #expect(history.count - Int(points.last ?? 0) < 300)
  }

  @Test func `a history begins with the first read of the past and goes as far as that`() throws {
    let path = "\(scratch.path)/projections/history"
    #expect(!FileManager.default.fileExists(atPath: path))
    _ = try projections.at(Position(rawValue: 299))
    #expect(try points() == [])
    _ = try projections.at(Position(rawValue: 1_000))
    let points = try points()
    #expect(points.count == 3 && points.last! < 1_060)
  }

  @Test func `a long extension of the history reports its progress`() throws {
    let reported = Locked<[UInt64]>([])
    var options = ProjectionStore.Options()
    options.historyDistance = 50
    options.progressDistance = 1_000
    options.progress = { progress in reported.withLock { $0.append(progress.position.rawValue) } }
    let projections = try ProjectionStore(of: store, [Counts.self], at: scratch.path + "/reported", options: options)
    _ = try projections.at(Position(rawValue: 999))
    #expect(reported.withLock { $0 } == [])
    _ = try projections.at(Position(rawValue: 2_000))
    let positions = reported.withLock { $0 }
    #expect(positions.first == 1_750 && positions.last == 2_000)
  }

  @Test func `past projections are the same during appends`() throws {
    var random = SeededRandom.printingSeed()
    for _ in 0..<10 {
      let position = UInt64(random.below(history.count + 1))
      let past = try projections.at(Position(rawValue: position))
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
  }

  /// Steps are only useful if they are used: a fold for each move would have the same results.
  @Test func `steps that were folded once are not folded again`() throws {
    let log = ObservedLog(store.log)
    let projections = try ProjectionStore(
      of: EventStore(log: log, index: InMemoryIndex(genesis: log.genesis)), [Counts.self, Fragile.self],
      at: scratch.path + "/counted")
    let past = try projections.at(.zero)
    try past.move(to: Position(rawValue: 1_900))
    past.waitForFoldAhead()
    let before = log.blocks.load(ordering: .relaxed)
    for position in [1_792, 1_024, 1_536, 256, 0, 1_792] as [UInt64] {
      try past.move(to: Position(rawValue: position))
      try expectTruth(past, at: position)
    }
    #expect(log.blocks.load(ordering: .relaxed) == before, "all of them are ends of steps")
    // A position within a step takes a fold of its first part, once.
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
    #expect(log.blocks.load(ordering: .relaxed) == rest, "the steps behind one that was cut are kept")
  }

  @Test func `only the windows that were used last are kept, however small they are`() throws {
    let log = ObservedLog(store.log)
    var options = ProjectionStore.Options()
    options.historyDistance = 1
    let projections = try ProjectionStore(
      of: EventStore(log: log, index: InMemoryIndex(genesis: log.genesis)), [Counts.self],
      at: scratch.path + "/small", options: options)
    // Nothing is folded ahead in the background, which would be counted as well.
    let windows = try PastWindows(of: projections.history(), at: .zero)
    // Each block is a window: positions within them.
    var blocks: [Position] = []
    try store.log.blocks(from: Position(rawValue: 1), .forward, checks: .full) { block in
      if block.count > 1 { blocks.append(block.first) }
      return .next
    }
    try #require(blocks.count > PastWindows.keptWindowsMax)
    for position in blocks { try windows.move(to: position) }
    func foldedBlocks(at position: Position) throws -> Int {
      let before = log.blocks.load(ordering: .relaxed)
      try windows.move(to: position)
      return log.blocks.load(ordering: .relaxed) - before
    }
    let kept = blocks.suffix(PastWindows.keptWindowsMax)
    for position in kept { #expect(try foldedBlocks(at: position) == 0, "at \(position)") }
    #expect(try foldedBlocks(at: blocks[blocks.count - kept.count - 1]) > 0)
    #expect(try foldedBlocks(at: kept[kept.startIndex]) > 0, "it was the one that was not used for longest")
  }

  @Test func `a distant move folds no more than the events after the nearest point`() throws {
    var random = SeededRandom.printingSeed()
    let log = ObservedLog(InMemoryLog())
    let store = EventStore(log: log, index: InMemoryIndex(genesis: log.genesis))
    let projections = try ProjectionStore(of: store, [Counts.self], at: scratch.path + "/distant")
    for _ in 0..<600 { try store.appendNow(random.events(100)) }
    let history = try store.events(limit: .max)
    // Nothing is folded ahead in the background, which would be counted as well.
    let windows = try PastWindows(of: projections.history(), at: Position(rawValue: 60_000))
    for _ in 0..<30 {
      let position = random.below(60_001)
      let before = log.blocks.load(ordering: .relaxed)
      try windows.move(to: Position(rawValue: UInt64(position)))
      // Those that steps share, those that find heads, and those of a step that is cut.
      #expect(log.blocks.load(ordering: .relaxed) - before < 4_200 / 100 * 2)
      try windows.tables.lend(projections.history().numbers) { reading throws(ProjectionError) in
        #expect(reading.position.rawValue == UInt64(position))
        #expect(try Counted(reading) == Counted(Array(history.prefix(position))), "at \(position)")
      }
    }
  }

  // What broke: backward, event by event, each position kept the rows of all events of its step before it.
  @Test func `backward no more rows are kept than a few times those of the events`() throws {
    var random = SeededRandom.printingSeed()
    let log = InMemoryLog()
    let store = EventStore(log: log, index: InMemoryIndex(genesis: log.genesis))
    let projections = try ProjectionStore(of: store, [Counts.self], at: scratch.path + "/backward")
    for _ in 0..<30 { try store.appendNow(random.events(100)) }
    let history = try store.events(limit: .max)
    let windows = try PastWindows(of: projections.history(), at: Position(rawValue: UInt64(history.count)))
    let atOnce = windows.byteCount
    for position in (history.count - 600...history.count).reversed() {
      try windows.move(to: Position(rawValue: UInt64(position)))
      try windows.tables.lend(projections.history().numbers) { reading throws(ProjectionError) in
        #expect(reading.position.rawValue == UInt64(position))
        guard position % 7 == 0 else { return }
        #expect(try Counted(reading) == Counted(Array(history.prefix(position))), "at \(position)")
      }
    }
    print("Kept \(atOnce) bytes at once, and \(windows.byteCount) backward.")
    #expect(windows.byteCount <= 3 * atOnce)
  }

  @Test func `the changes of an event are the rows that differ before and after it`() throws {
    var random = SeededRandom.printingSeed()
    let past = try projections.at(.zero)
    #expect(try past.changesOfEvent().isEmpty)
    for position in [1, history.count, Int(Self.poisoned)] + (0..<60).map({ _ in random.below(history.count) + 1 }) {
      try past.move(to: Position(rawValue: UInt64(position)))
      let changes = try past.changesOfEvent()
      #expect(changes.allSatisfy { $0.change.before != $0.change.after && ($0.before ?? $0.after)?.isEmpty == false })
      let (before, after) = (Counted(Array(history.prefix(position - 1))), Counted(Array(history.prefix(position))))
      for (table, before, after) in [
        (Counts.streams.fullName, before.streams, after.streams), (Counts.types.fullName, before.types, after.types),
      ] {
        let keys = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }
        let found = changes.filter { $0.change.table == table }
        #expect(Set(found.map(\.change.key)) == keys, "at \(position)")
        #expect(found.allSatisfy { ($0.change.before == nil) == (before[$0.change.key] == nil) })
        #expect(found.allSatisfy { ($0.change.after == nil) == (after[$0.change.key] == nil) })
      }
    }
  }

  @Test func `steps ahead of the position are folded when there is time, and change nothing`() throws {
    var random = SeededRandom.printingSeed()
    for _ in 0..<5 {
      let windows = try PastWindows(of: projections.history(), at: Position(rawValue: UInt64(random.below(2_000))))
      let before = windows.tables.logPoint()
      while try windows.foldAhead() { #expect(windows.tables.logPoint() == before) }
      for _ in 0..<20 {
        let position = random.below(history.count + 1)
        try windows.move(to: Position(rawValue: UInt64(position)))
        _ = try windows.foldAhead()
        try windows.tables.lend(projections.history().numbers) { reading throws(ProjectionError) in
          #expect(try Counted(reading) == Counted(Array(history.prefix(position))), "at \(position)")
        }
      }
    }
  }

  @Test func `after a move the events near it are folded in the background, and need no fold then`() throws {
    let log = ObservedLog(store.log)
    var options = ProjectionStore.Options()
    options.historyDistance = 300
    let projections = try ProjectionStore(
      of: EventStore(log: log, index: InMemoryIndex(genesis: log.genesis)), [Counts.self, Fragile.self],
      at: scratch.path + "/counted", options: options)
    let past = try projections.at(Position(rawValue: UInt64(history.count)))
    let points = try points(of: projections)
    // A move to a point folds nothing itself.
    var before = log.blocks.load(ordering: .relaxed)
    try past.move(to: Position(rawValue: points[2]))
    past.waitForFoldAhead()
    #expect(log.blocks.load(ordering: .relaxed) - before > 3 * 300 / 60)
    let windows = try PastWindows(of: projections.history(), at: Position(rawValue: points[2]))
    while try windows.foldAhead() {}
    before = log.blocks.load(ordering: .relaxed)
    // The ends of the first steps.
    for point in points[1...3] { try windows.move(to: Position(rawValue: point + 256)) }
    #expect(log.blocks.load(ordering: .relaxed) == before)
  }

  @Test func `several threads and stores read the past of one log`() async throws {
    let positions = (0..<24).map { _ in UInt64(Int.random(in: 0...history.count)) }
    var options = ProjectionStore.Options()
    options.historyDistance = 100
    let other = try ProjectionStore(
      of: store, [Counts.self, Fragile.self], at: scratch.path + "/projections", options: options)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (number, position) in positions.enumerated() {
        group.addTask {
          let store = number.isMultiple(of: 2) ? other : self.projections
          try self.expectTruth(store.at(Position(rawValue: position)), at: position)
        }
      }
      try await group.waitForAll()
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

  @Test func `several past projections are open at different positions`() throws {
    let first = try projections.at(Position(rawValue: 100))
    let second = try projections.at(Position(rawValue: 1_000))
    try expectTruth(first, at: 100)
    try expectTruth(second, at: 1_000)
    first.close()
    try expectTruth(second, at: 1_000)
    first.close()
    #expect(throws: ProjectionError.self) { try first.read { _ in } }
  }

  @Test func `a position past the end of the log throws with both positions`() throws {
    let end = history.count
    let error = #expect(throws: ProjectionError.self) { try projections.at(Position(rawValue: UInt64(end) + 1)) }
    guard case .beyondEnd(let position, let last)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(position.rawValue == UInt64(end) + 1 && last.rawValue == UInt64(end))
  }

  @Test func `a history outlives a process that was killed while it read the past`() throws {
    func start(at position: Int) throws -> Child {
      let child = try Child([
        Child.path(ofWorker: "ProjectionWorker"), "stand", scratch.path + "/log", scratch.path + "/projections",
        "counts,fragile", "\(position)",
      ])
      #expect(try child.expect("standing") == ["\(position)"])
      return child
    }
    let (killed, living) = (try start(at: 900), try start(at: 1_500))
    #expect(killed.end() == .signal(SIGKILL))
    try expectTruth(projections.at(Position(rawValue: 900)), at: 900)
    living.send()
    try living.expect("gone")
    try expectTruth(projections.at(Position(rawValue: 1_900)), at: 1_900)
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
    let log = ObservedLog(InMemoryLog())
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
