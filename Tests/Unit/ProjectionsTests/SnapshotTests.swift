// Threat: snapshots that are incomplete and still used, that accumulate, or that are gone when they are needed.
import EventLog
import EventLogLMDB
import Foundation
import SeededRandom
import Testing
import ProjectionWorker

@testable import Projections

@Suite struct `Retained snapshots` {
  @Test func `retained snapshots are the newest and the oldest of each doubling`() {
    #expect(SnapshotRetention.kept([]) == [])
    #expect(SnapshotRetention.kept([5]) == [5])
    #expect(SnapshotRetention.kept([4, 5]) == [4, 5])
    // Distances 1, 2, 3, 4, 7, 8: those of 2 and 3 share a doubling, and those of 4 and 7.
    #expect(SnapshotRetention.kept([92, 93, 96, 97, 98, 99, 100]) == [92, 93, 97, 99, 100])
    #expect(SnapshotRetention.kept([0, .max]) == [0, .max])
  }

  @Test func `retained snapshots are few and near any position`() {
    var random = SeededRandom.printingSeed()
    for step in [1, 1_000, 100_000] {
      var kept: Set<UInt64> = []
      var newest: UInt64 = 0
      for count in 1...3_000 {
        newest += UInt64(1 + random.below(step))
        kept = SnapshotRetention.kept(kept.union([newest]))
        #expect(kept.contains(newest))
        #expect(kept.count <= 2 + (64 - newest.leadingZeroBitCount))
        #expect(SnapshotRetention.kept(kept) == kept)
        guard count % 100 == 0 else { continue }
        // A read of an earlier position folds at most twice its distance, or, near the end, one step.
        for _ in 0..<20 {
          let distance = random.next() % newest
          let nearest = kept.filter { $0 <= newest - distance }.max() ?? 0
          #expect(newest - distance - nearest < 7 * (distance + 2 * UInt64(step)))
        }
      }
    }
  }
}

@Suite struct Snapshots {
  private let scratch: Scratch
  private let store: EventStore
  private let history: [RecordedEvent]

  init() throws {
    scratch = try Scratch()
    store = try scratch.log()
    var random = SeededRandom.printingSeed()
    let projections = try ProjectionStore(of: store, [Counts.self], at: scratch.path + "/projections")
    // At positions whose distances from the last do not share a doubling.
    for count in [100, 400, 500] as [UInt64] {
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
    #expect(projections.snapshots.count == 3)
    #expect(projections.snapshots.last == history.last?.position)
    #expect(projections.checkSnapshots().map(\.damage) == [nil, nil, nil])
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

  @Test func `snapshots that are not worth their space are removed`() throws {
    var random = SeededRandom.printingSeed()
    let projections = try projections()
    var expected = Set(projections.snapshots.map(\.rawValue))
    for _ in 0..<12 {
      try store.appendNow(random.events(1 + random.below(5)))
      let position = try #require(try projections.takeSnapshot())
      expected = SnapshotRetention.kept(expected.union([position.rawValue]))
      #expect(Set(projections.snapshots.map(\.rawValue)) == expected)
    }
    #expect(expected.count < 12)
  }

  @Test func `an unfinished snapshot is not listed and blocks nothing`() throws {
    var random = SeededRandom.printingSeed()
    let projections = try projections()
    let making = "\(scratch.path)/projections/snapshots/\(projections.fingerprint)/making"
    try FileManager.default.createDirectory(atPath: making, withIntermediateDirectories: false)
    try Data([1, 2, 3]).write(to: URL(filePath: making + "/data.mdb"))
    #expect(projections.snapshots.count == 3)
    try store.appendNow(random.events(3))
    #expect(try projections.takeSnapshot() == Position(rawValue: UInt64(history.count) + 3))
    #expect(!FileManager.default.fileExists(atPath: making))
    #expect(projections.checkSnapshots().count { $0.damage != nil } == 0)
  }

  @Test(arguments: ["cut", "zeros", "empty", "noise", "renamed", "other log"])
  func `a damaged snapshot is reported and the next older is used`(damage: String) throws {
    let positions = try projections().snapshots
    let newest = try path(projections(), positions[2])
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
    #expect(reports.map { $0.damage == nil } == [true, true, false])
    #expect(reports[2].description.contains(newest) && reports[2].description.hasSuffix("take a new one."))
    let replay = try ProjectionReplay(
      [Counts.self], of: store.log, in: scratch.path + "/replay",
      beginningWith: .snapshot(in: projections.directory, upTo: history[history.count - 1].position))
    #expect(replay.snapshot == positions[1])
    replay.close()
  }

  // What broke: a check of snapshots during a concurrent take reported those that were pruned as damaged.
  @Test func `a snapshot removed after it was listed is gone and not damaged`() throws {
    let projections = try projections()
    let positions = projections.snapshots
    let replay = try ProjectionReplay([Counts.self], of: store.log, in: scratch.path + "/replay")
    defer { replay.close() }
    _ = try replay.fold(through: positions[1])
    let directory = scratch.path + "/projections"
    #expect(try replay.mismatchedRows(inSnapshotOf: directory, limit: 9) == .rows([]))
    try FileManager.default.removeItem(atPath: path(projections, positions[1]))
    #expect(try replay.mismatchedRows(inSnapshotOf: directory, limit: 9) == .gone)
    #expect(projections.copies.check(positions[1]) == nil)
    #expect(projections.checkSnapshots().map(\.position) == [positions[0], positions[2]])
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
