// Threat: checkpoints that are lost, doubled, overwritten, or not compared with a fold.
import Digests
import EventLog
import EventLogLMDB
import Foundation
import SeededRandom
import Tables
import Testing
import ProjectionWorker

@testable import Projections

@Suite struct Checkpoints {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func projections(
    _ store: EventStore, _ types: [any Projection.Type] = [Counts.self], at folder: String = "projections",
    every distance: UInt64
  ) throws -> ProjectionStore {
    var options = ProjectionStore.Options()
    options.checkpointDistance = distance
    return try ProjectionStore(of: store, types, at: scratch.path + "/" + folder, options: options)
  }

  private func filledLog(_ count: Int) throws -> EventStore {
    var random = SeededRandom.printingSeed()
    let store = try scratch.log()
    while try store.head().position.rawValue < count { try store.appendNow(random.events(1 + random.below(20))) }
    return store
  }

  @Test func `checkpoints are taken at the first block end past each multiple and are equal in every store`() throws {
    var random = SeededRandom.printingSeed()
    let store = try scratch.log()
    let live = try projections(store, at: "live", every: 50)
    while try store.head().position < Position(rawValue: 1_000) {
      try store.appendNow(random.events(1 + random.below(70)))
      if random.below(3) == 0 { try live.catchUp() }
    }
    try live.catchUp()
    let fresh = try projections(store, at: "fresh", every: 50)
    try fresh.catchUp()
    let checkpoints = try live.checkpoints()
    #expect(checkpoints.count >= 10)
    #expect(try fresh.checkpoints() == checkpoints)
    #expect(Set(checkpoints.map { $0.position.rawValue / 50 }).count == checkpoints.count)
  }

  @Test func `checkpoints outlive the tables and are not recorded twice`() throws {
    let store = try filledLog(1)
    let projections = try projections(store, every: 100)
    let checkpoint = try projections.checkpoint()
    #expect(try projections.checkpoint() == checkpoint)
    projections.close()
    try scratch.remove("projections/" + projections.fingerprint.text)
    let again = try self.projections(store, every: 100)
    #expect(try again.checkpoints() == [checkpoint])
    #expect(try again.checkpoint() == checkpoint)
    #expect(try again.checkpoints() == [checkpoint])
  }

  @Test func `a checkpoint names the projection and revision of each table`() throws {
    let projections = try projections(filledLog(1), [Fragile.self, Counts.self], every: 100)
    let digests = try #require(try projections.checkpoint()).digests
    #expect(digests.map(\.table) == ["fragile.seen", "counts.streams", "counts.types"])
    #expect(digests.map(\.projection) == ["fragile", "counts", "counts"])
    #expect(digests.map(\.revision) == ["1", "1", "1"])
  }

  @Test func `a table has the same digest in every set of projections`() throws {
    let store = try filledLog(300)
    let sets: [[any Projection.Type]] = [[Counts.self], [Fragile.self, Counts.self], [Counts.self, Fragile.self]]
    for types in sets { try projections(store, types, every: 50).catchUp() }
    let checkpoints = try projections(store, every: 50).checkpoints()
    #expect(Set(checkpoints.map(\.fingerprint)).count == 3)
    for same in Dictionary(grouping: checkpoints, by: \.position).values {
      #expect(same.count == 3)
      let digests = same.map { checkpoint in checkpoint.digests.filter { $0.projection == "counts" } }
      #expect(Set(digests).count == 1)
    }
  }

  @Test func `a contradicting checkpoint is a permanent error and is not overwritten`() throws {
    let store = try filledLog(120)
    try projections(store, every: 50).catchUp()
    let before = try projections(store, every: 50).checkpoints()
    for folding in 0..<3 {
      let changed = try projections(store, [ChangedCounts.self], every: 50)
      // Reopening finds the tables at the position where they differ; without them they are rebuilt.
      if folding == 2 { try scratch.remove("projections/" + changed.fingerprint.text) }
      for _ in 0..<2 {
        let error = #expect(throws: ProjectionError.self) { try changed.read { _ in } }
        guard case .differs("counts.streams", let position, let recorded, let found)? = error else {
          Issue.record("\(String(describing: error))")
          continue
        }
        #expect(position == before[0].position)
        #expect(recorded == before[0].digests[0].digest && recorded != found)
        #expect("\(error!)".contains("\(position)") && "\(error!)".contains("\(found)"))
      }
      #expect(try changed.checkpoints() == before)
      changed.close()
    }
  }

  @Test func `a checkpoint of another revision does not contradict`() throws {
    let store = try filledLog(120)
    try projections(store, every: 50).catchUp()
    try projections(store, [NewCounts.self], every: 50).catchUp()
    let digests = try projections(store, every: 50).checkpoints().flatMap(\.digests).filter { $0.name == "streams" }
    #expect(Set(digests.map(\.revision)) == ["1", "2"])
    #expect(Set(digests.map(\.digest)).count == digests.count)
  }

  @Test func `a requested checkpoint is compared with recorded ones`() throws {
    let store = try filledLog(30)
    let changed = try projections(store, [ChangedCounts.self], every: 1_000)
    try changed.catchUp()
    _ = try projections(store, every: 1_000).checkpoint()
    try changed.catchUp()
    #expect(throws: ProjectionError.self) { try changed.checkpoint() }
    #expect(throws: ProjectionError.self) { try changed.catchUp() }
  }

  @Test func `a checkpoint of another log is an error`() throws {
    var random = SeededRandom.printingSeed()
    for _ in 0..<2 {
      let store = EventStore.inMemory()
      try store.appendNow(random.events(10))
      let projections = try projections(store, every: 1_000)
      guard try !projections.checkpoints().isEmpty else {
        _ = try projections.checkpoint()
        projections.close()
        continue
      }
      let error = #expect(throws: ProjectionError.self) { try projections.checkpoint() }
      guard case .otherLog(Position(rawValue: 10))? = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
    }
  }
}

@Suite struct `The file of checkpoints` {
  private let scratch: Scratch
  private var path: String { scratch.path + "/checkpoints" }
  private let samples = (1...4).map { number in
    Checkpoint(
      position: Position(rawValue: UInt64(number)), hash: .sample, fingerprint: "print",
      digests: [.init(projection: "a", revision: "1", name: "b", digest: TableDigest(sum: UInt128(number)))])
  }

  init() throws { scratch = try Scratch() }

  @Test func `a file truncated at any byte keeps the records before it and is appended to`() throws {
    for sample in samples.prefix(3) { try CheckpointLog(in: scratch.path).add(sample) }
    let whole = try Data(contentsOf: URL(filePath: path))
    let size = whole.count / 3
    for count in 0...whole.count {
      try whole.prefix(count).write(to: URL(filePath: path))
      let kept = Array(samples[..<(count / size)])
      #expect(try CheckpointLog(in: scratch.path).all() == kept, "cut after \(count) bytes")
      try CheckpointLog(in: scratch.path).add(samples[3])
      #expect(try CheckpointLog(in: scratch.path).all() == kept + [samples[3]], "cut after \(count) bytes")
      #expect(try Data(contentsOf: URL(filePath: path)).count == (kept.count + 1) * size)
    }
  }

  @Test func `a damaged byte loses at most one record`() throws {
    for sample in samples.prefix(3) { try CheckpointLog(in: scratch.path).add(sample) }
    let whole = try Data(contentsOf: URL(filePath: path))
    let size = whole.count / 3
    for place in whole.indices {
      var damaged = whole
      damaged[place] ^= 0x55
      try damaged.write(to: URL(filePath: path))
      var kept = Array(samples[..<3])
      kept.remove(at: place / size)
      #expect(try CheckpointLog(in: scratch.path).all() == kept, "byte \(place)")
      try CheckpointLog(in: scratch.path).add(samples[3])
      #expect(try CheckpointLog(in: scratch.path).all() == kept + [samples[3]], "byte \(place)")
    }
  }

  @Test func `a stored checkpoint is byte for byte the example of the page`() throws {
    let digest = Checkpoint.Digest(projection: "counts", revision: "1", name: "types", digest: TableDigest())
    let checkpoint = Checkpoint(
      position: .first, hash: .sample, fingerprint: "0123456789abcdef0123456789abcdef", digests: [digest])
    try CheckpointLog(in: scratch.path).add(checkpoint)
    #expect(try Array(Data(contentsOf: URL(filePath: path))) == exampleOfPage())
  }

  /// Returns the bytes of the page's example, ignoring the explanation after them in a line.
  private func exampleOfPage() throws -> [UInt8] {
    let page = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Sources/Storage/Projections/Projections.docc/ProjectionsOnDisk.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    let lines = text.split(separator: "\n").drop { !$0.hasPrefix("56 42 52 31") }.prefix { !$0.hasPrefix("```") }
    return lines.flatMap { line in
      line.split(separator: " ").prefix { $0.count == 2 && UInt8($0, radix: 16) != nil }
        .compactMap { UInt8($0, radix: 16) }
    }
  }
}

extension ChainHash {
  fileprivate static let sample = (0..<32).map { UInt8($0) }.withUnsafeBytes { ChainHash(bytes: $0)! }
}

/// ``Counts`` after a change without a new revision; it has one table more, and so another table store.
private struct ChangedCounts: Projection {
  static let name = Counts.name
  static let revision = Counts.revision
  static let tableNames = Counts.tableNames + ["more"]

  private let streams: LiveTable<CountRow>

  init(_ tables: ProjectionTables) { streams = tables(ProjectionTable<ChangedCounts, CountRow>("streams")) }

  mutating func fold(_ event: EventView) throws { try streams.change(event.stream.array) { $0.count(7) } }
}

/// ``Counts`` after a change with a new revision.
private struct NewCounts: Projection {
  static let name = Counts.name
  static let revision = "2"
  static let tableNames = Counts.tableNames

  private let streams: LiveTable<CountRow>

  init(_ tables: ProjectionTables) { streams = tables(ProjectionTable<NewCounts, CountRow>("streams")) }

  mutating func fold(_ event: EventView) throws { try streams.change(event.stream.array) { $0.count(8) } }
}
