// Threat: a view that is not what the log makes of it, or is read at another position than it says.
import EventLog
import EventLogLMDB
import SeededRandom
import Tables
import Testing
import ProjectionWorker
import Projections

@Suite struct `Views of a log` {
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

  @Test func `hold nothing of an empty log`() throws {
    let projections = try projections(.inMemory())
    try projections.read { reading throws(ProjectionError) in
      #expect(reading.position == .zero)
      #expect(try Counted(reading) == Counted())
    }
  }

  @Test func `hold what the log holds whenever they are read, and say up to where`() throws {
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

  @Test func `are the same after closing, after no closing, and from nothing`() throws {
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

  @Test func `that two hold on one folder see each other's folding`() throws {
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

  @Test func `wait for a position that is appended later`() async throws {
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

@Suite struct `A view that cannot fold an event` {
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

  @Test func `stops before it, and the others go on`() throws {
    let projections = try ProjectionStore(of: store, [Fragile.self, Counts.self], at: scratch.path + "/projections")
    let all = try store.events(limit: .max)
    try projections.read { reading throws(ProjectionError) in
      #expect(try Counted(reading) == Counted(all))
      #expect(try reading.rows(of: Fragile.seen) == [Array("all".utf8): CountRow(events: 10, bytes: 10)])
    }
    #expect(projections.stops == [stop])
  }

  @Test func `stays stopped when the folder is opened again`() throws {
    for _ in 0..<2 {
      let projections = try ProjectionStore(of: store, [Counts.self, Fragile.self], at: scratch.path + "/projections")
      try projections.catchUp()
      #expect(projections.stops == [stop])
      projections.close()
    }
  }
}
