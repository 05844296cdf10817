// Threat: snapshots that are incomplete and still used, that accumulate, or that are gone when they are needed.
import EventLog
import EventLogLMDB
import Foundation
import SeededRandom
import Testing
import ProjectionWorker

@testable import Projections

@Suite struct Snapshots {
  private let scratch: Scratch
  private let store: EventStore
  private let history: [RecordedEvent]

  init() throws {
    scratch = try Scratch()
    store = try scratch.log()
    var random = SeededRandom.printingSeed()
    let projections = try ProjectionStore(of: store, [Counts.self], at: scratch.path + "/projections")
    for count in [400, 500] as [UInt64] {
      while try store.head().position.rawValue < count { try store.appendNow(random.events(20)) }
      try projections.takeSnapshot()
    }
    projections.close()
    history = try store.events(limit: .max)
  }

  private func projections() throws -> ProjectionStore {
    try ProjectionStore(of: store, [Counts.self], at: scratch.path + "/projections")
  }

  private func path(_ projections: ProjectionStore, _ position: Position) -> String {
    "\(scratch.path)/projections/snapshots/\(projections.fingerprint)/\(position)"
  }

  @Test func `a snapshot is a whole copy of the tables and nothing else`() throws {
    let projections = try projections()
    #expect(projections.snapshots.count == 2)
    #expect(projections.snapshots.last == history.last?.position)
    #expect(projections.checkSnapshots().map(\.damage) == [nil, nil])
    #expect(projections.checkSnapshots().map(\.position) == projections.snapshots)
    for position in projections.snapshots {
      #expect(try FileManager.default.contentsOfDirectory(atPath: path(projections, position)) == ["data.mdb"])
      let attributes = try FileManager.default.attributesOfItem(atPath: path(projections, position) + "/data.mdb")
      #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
    for position in projections.snapshots {
      let past = try projections.at(position)
      try past.read { reading throws(ProjectionError) in
        #expect(try Counted(reading) == Counted(history.filter { $0.position <= position }))
      }
    }
  }

  @Test func `a snapshot is retaken at its position and not taken of an empty log`() throws {
    let projections = try projections()
    let before = projections.snapshots
    #expect(try projections.takeSnapshot() == before.last)
    #expect(projections.snapshots == before)
    let empty = try ProjectionStore(of: .inMemory(), [Counts.self], at: scratch.path + "/empty")
    #expect(try empty.takeSnapshot() == nil)
    #expect(empty.snapshots.isEmpty && empty.checkSnapshots().isEmpty)
  }

  @Test func `the newest two snapshots are kept`() throws {
    var random = SeededRandom.printingSeed()
    let projections = try projections()
    var expected = projections.snapshots
    for _ in 0..<12 {
      try store.appendNow(random.events(1 + random.below(5)))
      let position = try #require(try projections.takeSnapshot())
      expected = [expected[1], position]
      #expect(projections.snapshots == expected)
    }
  }

  @Test func `an unfinished snapshot is not listed and blocks nothing`() throws {
    var random = SeededRandom.printingSeed()
    let projections = try projections()
    let making = "\(scratch.path)/projections/snapshots/\(projections.fingerprint)/making"
    try FileManager.default.createDirectory(atPath: making, withIntermediateDirectories: false)
    try Data([1, 2, 3]).write(to: URL(filePath: making + "/data.mdb"))
    #expect(projections.snapshots.count == 2)
    try store.appendNow(random.events(3))
    #expect(try projections.takeSnapshot() == Position(rawValue: UInt64(history.count) + 3))
    #expect(!FileManager.default.fileExists(atPath: making))
    #expect(projections.checkSnapshots().count { $0.damage != nil } == 0)
  }

  @Test(arguments: ["cut", "zeros", "empty", "noise", "renamed", "other log"])
  func `a damaged snapshot is reported and the next older is used`(damage: String) throws {
    let positions = try projections().snapshots
    let newest = try path(projections(), positions[1])
    let file = URL(filePath: newest + "/data.mdb")
    var bytes = try Data(contentsOf: file)
    switch damage {
    case "cut": bytes.removeLast(4096)
    case "zeros": bytes.replaceSubrange(3 * 4096..<4 * 4096, with: Data(count: 4096))
    case "empty": bytes = Data()
    case "noise": for place in bytes.indices { bytes[place] = UInt8(truncatingIfNeeded: place &* 31) }
    case "renamed": bytes = try Data(contentsOf: URL(filePath: path(projections(), positions[0]) + "/data.mdb"))
    default: bytes = try snapshotOfOtherLog(events: history.count)
    }
    try bytes.write(to: file)
    let projections = try projections()
    let reports = projections.checkSnapshots()
    #expect(reports.map { $0.damage == nil } == [true, false])
    #expect(reports[1].description.contains(newest) && reports[1].description.hasSuffix("take a new one."))
    let replay = try ProjectionReplay(
      [Counts.self], of: store, in: scratch.path + "/replay",
      beginningWith: .snapshot(in: projections.directory, upTo: history[history.count - 1].position))
    #expect(replay.snapshot == positions[0])
    replay.close()
  }

  // What broke: a check of snapshots during a concurrent take reported those that were pruned as damaged.
  @Test func `a snapshot removed after it was listed is gone and not damaged`() throws {
    let projections = try projections()
    let positions = projections.snapshots
    let replay = try ProjectionReplay([Counts.self], of: store, in: scratch.path + "/replay")
    defer { replay.close() }
    _ = try replay.fold(through: positions[1])
    let directory = scratch.path + "/projections"
    #expect(try replay.mismatchedRows(inSnapshotOf: directory, limit: 9) == .rows([]))
    try FileManager.default.removeItem(atPath: path(projections, positions[1]))
    #expect(try replay.mismatchedRows(inSnapshotOf: directory, limit: 9) == .gone)
    #expect(projections.copies.check(positions[1]) == nil)
    #expect(projections.checkSnapshots().map(\.position) == [positions[0]])
  }

  @Test func `a snapshot with a flipped bit never gives wrong rows`() throws {
    var random = SeededRandom.printingSeed()
    let position = try #require(try projections().snapshots.last)
    let file = try URL(filePath: path(projections(), position) + "/data.mdb")
    let whole = try Data(contentsOf: file)
    // Most of such a small file is zeros.
    let used = whole.indices.filter { whole[$0] != 0 }
    var found = 0
    for _ in 0..<60 {
      var bytes = whole
      bytes[used[random.below(used.count)]] ^= UInt8(1 << random.below(8))
      try bytes.write(to: file)
      try? FileManager.default.removeItem(atPath: scratch.path + "/recovered")
      let recovered = try recovered()
      if recovered.recoveredFrom != position { found += 1 }
      try recovered.read { reading throws(ProjectionError) in #expect(try Counted(reading) == Counted(history)) }
      recovered.close()
    }
    print("Of 60 flipped bits, \(found) were found, and the others changed nothing that is read.")
    #expect(found > 0)
  }

  /// Opens new tables, which begin with the snapshots of the others.
  private func recovered() throws -> ProjectionStore {
    var options = ProjectionStore.Options()
    options.snapshotDirectory = scratch.path + "/projections"
    return try ProjectionStore(of: store, [Counts.self], at: scratch.path + "/recovered", options: options)
  }

  /// Creates a snapshot at the same position of a log with other events.
  private func snapshotOfOtherLog(events count: Int) throws -> Data {
    var random = SeededRandom(seed: 1)
    let other = EventStore.inMemory()
    try other.appendNow(random.events(count))
    let projections = try ProjectionStore(of: other, [Counts.self], at: scratch.path + "/other")
    let position = try #require(try projections.takeSnapshot())
    let path = "\(scratch.path)/other/snapshots/\(projections.fingerprint)/\(position)/data.mdb"
    return try Data(contentsOf: URL(filePath: path))
  }
}
