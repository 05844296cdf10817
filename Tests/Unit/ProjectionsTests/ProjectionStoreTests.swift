// Threat: a projection that differs from a fold of the log, or is read at another position than it reports.
import EventLog
import EventLogLMDB
import SeededRandom
import Tables
import Testing
import ProjectionWorker
import Projections

@Suite struct `Projections of a log` {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func projections(
    _ store: EventStore, _ types: [any Projection.Type] = [Counts.self], every distance: UInt64 = 100_000
  )
    throws -> ProjectionStore
  {
    var options = ProjectionStore.Options()
    options.checkpointDistance = distance
    return try ProjectionStore(of: store, types, at: scratch.path + "/projections", options: options)
  }

  @Test func `projections of an empty log are empty`() throws {
    let projections = try projections(.inMemory())
    try projections.read { reading throws(ProjectionError) in
      #expect(reading.position == .zero)
      #expect(try Counted(reading) == Counted())
    }
  }

  @Test func `a read catches up with the log and reports its position`() throws {
    var random = SeededRandom.printingSeed()
    let store = try scratch.log()
    let projections = try projections(store)
    for _ in 0..<60 {
      try store.appendNow(random.events(1 + random.below(40)))
      let all = try store.events(limit: .max)
      try projections.read { reading throws(ProjectionError) in
        #expect(reading.position == all.last?.position)
        #expect(try Counted(reading) == Counted(all))
      }
    }
  }

  @Test func `projections are the same reopened and unclosed and rebuilt`() throws {
    var random = SeededRandom.printingSeed()
    let store = try scratch.log()
    var digests: [[Checkpoint.Digest]] = []
    try store.appendNow(random.events(500))
    for way in 0..<3 {
      let projections = try projections(store)
      digests.append(try #require(try projections.checkpoint()).digests)
      if way == 0 { projections.close() }
    }
    #expect(Set(digests).count == 1)
  }

  @Test func `two stores of one table store see the folds of each other`() throws {
    var random = SeededRandom.printingSeed()
    let store = try scratch.log()
    let (one, other) = (try projections(store), try projections(store))
    for step in 0..<200 {
      try store.appendNow(random.events(1 + random.below(3)))
      let reader = random.below(2) == 0 ? one : other
      let all = try store.events(limit: .max)
      try reader.read { reading throws(ProjectionError) in
        #expect(reading.position == all.last?.position, "step \(step)")
        #expect(try Counted(reading) == Counted(all), "step \(step)")
      }
    }
  }

  @Test func `reached blocks until a position is appended`() async throws {
    var random = SeededRandom.printingSeed()
    let store = try scratch.log()
    let projections = try projections(store)
    #expect(try projections.reached(.zero, until: .now))
    #expect(try !projections.reached(.first, until: .now))
    try store.appendNow(random.events(3))
    #expect(try projections.reached(Position(rawValue: 3), until: .now + .seconds(60)))
    #expect(projections.applied.position == Position(rawValue: 3))
  }
}

@Suite struct `A projection that cannot fold an event` {
  private let scratch: Scratch
  private let store: EventStore

  init() throws {
    scratch = try Scratch()
    store = try scratch.log()
    var random = SeededRandom.printingSeed()
    try store.appendNow(random.events(10))
    try store.appendNow([ProposedEvent(stream: "a", type: "b", payload: Array("poison".utf8))] + random.events(5))
    try store.appendNow(random.events(10))
  }

  private let stop = ProjectionStop(projection: "fragile", position: Position(rawValue: 11), reason: "it is poison")

  @Test func `a projection stops before the event and the others continue`() throws {
    let projections = try ProjectionStore(of: store, [Fragile.self, Counts.self], at: scratch.path + "/projections")
    let all = try store.events(limit: .max)
    try projections.read { reading throws(ProjectionError) in
      #expect(try Counted(reading) == Counted(all))
      #expect(try reading.rows(of: Fragile.seen) == [Array("all".utf8): CountRow(events: 10, bytes: 10)])
    }
    #expect(projections.stops == [stop])
  }

  @Test func `a stopped projection stays stopped after reopening`() throws {
    for _ in 0..<2 {
      let projections = try ProjectionStore(of: store, [Counts.self, Fragile.self], at: scratch.path + "/projections")
      try projections.catchUp()
      #expect(projections.stops == [stop])
      projections.close()
    }
  }
}
