// Threat: a new revision of projections is used before it is verified, blocks others, or removes what they use.
import Bytes
import ChildProcess
import Dispatch
import EventLog
import EventLogLMDB
import Foundation
import Locks
import SeededRandom
import Synchronization
import Tables
import Testing
import ProjectionWorker
import Projections

@Suite struct `Building tables beside other processes` {
  private let scratch: Scratch
  private let store: EventStore

  init() throws {
    scratch = try Scratch()
    store = try scratch.log()
    var random = SeededRandom.printingSeed()
    while try store.head().position.rawValue < 1_000 { try store.appendNow(random.events(1 + random.below(20))) }
  }

  private func projections(_ types: [any Projection.Type], _ change: (inout ProjectionStore.Options) -> Void = { _ in })
    throws
    -> ProjectionStore
  {
    var options = ProjectionStore.Options()
    change(&options)
    return try ProjectionStore(of: store, types, at: scratch.path + "/projections", options: options)
  }

  /// The result is read into a variable: a failed expectation needs copyable values, and a store is not copyable
  /// throughout.
  private func expectComplete(
    _ projections: ProjectionStore, _ expected: Bool, _ location: SourceLocation = #_sourceLocation
  ) {
    let isComplete = projections.isComplete
    #expect(isComplete == expected, sourceLocation: location)
  }

  private func path(_ projections: ProjectionStore) -> String { "projections/\(projections.fingerprint)" }

  @Test func `a rebuild reports progress and appends continue`() throws {
    let end = try store.head().position
    let reports = Locked<[ProjectionStore.Progress]>([])
    let other = try EventStore.open(at: scratch.path + "/log")
    let projections = try projections([Counts.self]) { options in
      options.progressDistance = 100
      options.progress = { progress in
        let appended = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
          _ = try? other.appendBlocking([ProposedEvent(stream: "meanwhile", type: "b", payload: [])])
          appended.signal()
        }
        // The deadline measures nothing: it makes a blocked append fail instead of hang.
        #expect(appended.wait(timeout: .now() + 60) == .success)
        reports.withLock { $0.append(progress) }
      }
    }
    try projections.catchUp()
    let all = reports.withLock { $0 }
    #expect(all.count >= 9)
    #expect(all.map(\.position) == all.map(\.position).sorted() && Set(all.map(\.position)).count == all.count)
    #expect(all.allSatisfy { $0.end == end && $0.eventsPerSecond > 0 })
    #expect(all.last?.position ?? .zero >= end && all.last?.timeLeft == .zero)
    #expect(all.first.map { $0.timeLeft > .zero } == true)
    let history = try store.events(limit: .max)
    #expect(history.count >= Int(end.rawValue) + all.count)
    try projections.read { reading throws(ProjectionError) in #expect(try Counted(reading) == Counted(history)) }
  }

  @Test func `tables are complete after one catch-up until they are dropped`() throws {
    var projections = try projections([Counts.self])
    expectComplete(projections, false)
    try projections.catchUp()
    expectComplete(projections, true)
    for file in ["", "/data.mdb"] {
      projections.close()
      projections = try self.projections([Counts.self])
      expectComplete(projections, true)
      projections.close()
      try scratch.remove(path(projections) + file)
      projections = try self.projections([Counts.self])
      expectComplete(projections, false)
      try projections.catchUp()
    }
  }

  @Test func `tables that contradict a checkpoint of the same revision are refused`() throws {
    let old = try projections([Counts.self])
    let recorded = try #require(try old.checkpoint())
    try store.appendNow([ProposedEvent(stream: "a", type: "b", payload: [])])
    for _ in 0..<2 {
      let new = try projections([HastyCounts.self])
      let error = #expect(throws: ProjectionError.self) { try new.catchUp() }
      guard case .differs("counts.streams", recorded.position, _, _)? = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
      expectComplete(new, false)
      new.close()
    }
    let history = try store.events(limit: .max)
    try old.read { reading throws(ProjectionError) in #expect(try Counted(reading) == Counted(history)) }
    let honest = try projections([Counts.self, Fragile.self])
    try honest.catchUp()
    expectComplete(honest, true)
  }

  @Test func `differences lists the rows that differ at the position of the other revision`() throws {
    let old = try projections([Counts.self])
    _ = try old.checkpoint()
    let position = try store.head().position
    let counted = Counted(try store.events(limit: .max))
    try store.appendNow([ProposedEvent(stream: "later", type: "b", payload: [])])
    let new = try projections([Fragile.self, HastyCounts.self])
    for limit in [0, 5, 1_000] {
      let table = ProjectionTable<HastyCounts, CountRow>("streams")
      let found = try new.differences(in: table, from: old.fingerprint.text, limit: limit)
      #expect(found.position == position)
      let keys = counted.streams.keys.sorted { $0.lexicographicallyPrecedes($1) }
      #expect(found.rows.map(\.key) == Array(keys.prefix(limit)))
      for row in found.rows {
        let there = try #require(counted.streams[row.key])
        #expect(row.there == there.encoded)
        #expect(row.here == CountRow(events: there.events, bytes: 7 * there.events).encoded)
      }
    }
    // Of `types` the changed projection keeps no rows, so they are there and not here; the same table of honest
    // projections is equal.
    let missing = try new.differences(in: ProjectionTable<HastyCounts, CountRow>("types"), from: old.fingerprint.text)
    #expect(missing.rows.count == counted.types.count && missing.rows.allSatisfy { $0.here == nil && $0.there != nil })
    let honest = try projections([Fragile.self, Counts.self])
    #expect(try honest.differences(in: Counts.streams, from: old.fingerprint.text).rows.isEmpty)
    for fingerprint in ["none", honest.fingerprint.text] {
      #expect(throws: ProjectionError.self) {
        try new.differences(in: ProjectionTable<Clock, CountRow>("times"), from: fingerprint)
      }
    }
    #expect(!FileManager.default.fileExists(atPath: scratch.path + "/projections/none"))
  }

  @Test func `two revisions of projections work side by side`() throws {
    var random = SeededRandom.printingSeed()
    let stores = [try projections([Counts.self]), try projections([Fragile.self, Counts.self])]
    #expect(stores[0].fingerprint != stores[1].fingerprint)
    for _ in 0..<60 {
      try store.appendNow(random.events(1 + random.below(5)))
      let history = try store.events(limit: .max)
      let projections = stores[random.below(2)]
      try projections.read { reading throws(ProjectionError) in
        #expect(reading.position == history.last?.position)
        #expect(try Counted(reading) == Counted(history))
      }
    }
    let digests = try stores.map { try #require(try $0.checkpoint()).digests.filter { $0.projection == "counts" } }
    #expect(digests[0] == digests[1])
  }
}

@Suite struct `Unused tables` {
  private let scratch: Scratch
  private let store: EventStore
  private var directory: String { scratch.path + "/projections" }

  init() throws {
    scratch = try Scratch()
    store = try scratch.log()
    var random = SeededRandom.printingSeed()
    try store.appendNow(random.events(100))
  }

  private func used(_ types: [any Projection.Type]) throws -> ProjectionStore {
    let projections = try ProjectionStore(of: store, types, at: directory)
    _ = try projections.checkpoint()
    try projections.takeSnapshot()
    return projections
  }

  @Test func `removeUnused removes tables and snapshots and keeps checkpoints`() throws {
    let (old, new, held) = (try used([Counts.self]), try used([Fragile.self]), try used([Fragile.self, Counts.self]))
    old.close()
    new.close()
    let checkpoints = try held.checkpoints()
    #expect(ProjectionStore.removeUnused(at: directory, keeping: [new.fingerprint]).isEmpty)
    let removed = ProjectionStore.removeUnused(at: directory, keeping: [new.fingerprint], unusedFor: .zero)
    #expect(removed == [old.fingerprint.text])
    let names = try FileManager.default.contentsOfDirectory(atPath: directory)
    let kept = [new.fingerprint.text, held.fingerprint.text]
    #expect(Set(names) == Set(kept + ["checkpoints", "snapshots"]))
    #expect(try Set(FileManager.default.contentsOfDirectory(atPath: directory + "/snapshots")) == Set(kept))
    #expect(try held.checkpoints() == checkpoints)
    let history = try store.events(limit: .max)
    let again = try used([Counts.self])
    try again.read { reading throws(ProjectionError) in #expect(try Counted(reading) == Counted(history)) }
    try held.read { reading throws(ProjectionError) in #expect(try Counted(reading) == Counted(history)) }
  }

  @Test func `unused tables can be removed while other processes open them`() throws {
    let history = try store.events(limit: .max)
    let isDone = Atomic<Bool>(false)
    let stopped = DispatchSemaphore(value: 0)
    Thread.detachNewThread { [directory] in
      while !isDone.load(ordering: .relaxed) {
        ProjectionStore.removeUnused(at: directory, keeping: [], unusedFor: .zero)
      }
      stopped.signal()
    }
    for _ in 0..<100 {
      let projections = try ProjectionStore(of: store, [Counts.self], at: directory)
      try projections.read { reading throws(ProjectionError) in #expect(try Counted(reading) == Counted(history)) }
      projections.close()
    }
    isDone.store(true, ordering: .relaxed)
    try stopped.wait(for: "the end of the thread that removes")
  }
}

extension CountRow {
  fileprivate var encoded: [UInt8] {
    var writer = ByteWriter()
    encode(into: &writer)
    return writer.array()
  }
}

/// ``Counts`` after a change without a new revision; it has one table more, and so another table store.
private struct HastyCounts: Projection {
  static let name = Counts.name
  static let revision = Counts.revision
  static let tableNames = Counts.tableNames + ["more"]

  private let streams: LiveTable<CountRow>

  init(_ tables: ProjectionTables) { streams = tables(ProjectionTable<HastyCounts, CountRow>("streams")) }

  mutating func fold(_ event: EventView) throws { try streams.change(event.stream.array) { $0.count(7) } }
}
