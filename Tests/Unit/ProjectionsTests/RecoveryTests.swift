// Threat: lost tables are rebuilt from the first event, or recovered from an unsuitable snapshot.
import ChildProcess
import EventLog
import EventLogLMDB
import Foundation
import SeededRandom
import Tables
import Testing
import ProjectionWorker
import TestThreads

@testable import Projections

@Suite struct `Lost tables` {
  private let scratch: Scratch
  private let store: EventStore
  private let digests: [Checkpoint.Digest]

  init() throws {
    scratch = try Scratch()
    store = try scratch.log()
    var random = SeededRandom.printingSeed()
    let projections = try ProjectionStore(of: store, [Counts.self], at: scratch.path + "/projections")
    for count in [400, 500] as [UInt64] {
      while try store.head().position.rawValue < count { try store.appendNow(random.events(20)) }
      try projections.takeSnapshot()
    }
    try store.appendNow(random.events(50))
    projections.close()
    let fresh = try ProjectionStore(of: store, [Counts.self], at: scratch.path + "/fresh")
    digests = try #require(try fresh.checkpoint()).digests
  }

  private func projections() throws -> ProjectionStore {
    try ProjectionStore(of: store, [Counts.self], at: scratch.path + "/projections")
  }

  private func expectRecovery(from position: Position?, _ location: SourceLocation = #_sourceLocation) throws {
    let projections = try projections()
    let (recovered, applied, wasComplete) = (
      projections.recoveredFrom, projections.applied.position, projections.isComplete
    )
    #expect(recovered == position && applied == position ?? .zero, sourceLocation: location)
    #expect(!wasComplete, sourceLocation: location)
    #expect(try projections.checkpoint()?.digests == digests, sourceLocation: location)
    let isComplete = projections.isComplete
    #expect(isComplete, sourceLocation: location)
    projections.close()
    let again = try self.projections()
    let (recoveredAgain, appliedAgain) = (again.recoveredFrom, again.applied.position)
    #expect(recoveredAgain == nil && appliedAgain == Position(rawValue: 550), sourceLocation: location)
  }

  @Test(arguments: ["folder", "file", "power loss", "other log", "damage"])
  func `lost tables are recovered from the newest snapshot`(loss: String) throws {
    let folder = "projections/\(try projections().fingerprint)"
    switch loss {
    case "folder": try scratch.remove(folder)
    case "file": try scratch.remove(folder + "/data.mdb")
    case "power loss": try Data("another boot\n".utf8).write(to: URL(filePath: "\(scratch.path)/\(folder)/dirty"))
    case "damage": try Data(count: 8192).write(to: URL(filePath: "\(scratch.path)/\(folder)/data.mdb"))
    default:
      var random = SeededRandom.printingSeed()
      let other = EventStore.inMemory()
      try other.appendNow(random.events(500))
      let foreign = try ProjectionStore(of: other, [Counts.self], at: scratch.path + "/other")
      try foreign.catchUp()
      foreign.close()
      try scratch.remove(folder)
      try FileManager.default.moveItem(
        atPath: "\(scratch.path)/other/\(foreign.fingerprint)", toPath: "\(scratch.path)/\(folder)")
    }
    try expectRecovery(from: Position(rawValue: 500))
  }

  @Test func `lost tables are recovered from the older snapshot when the newer is damaged, else from the log`() throws {
    let fingerprint = try projections().fingerprint
    let snapshots = "projections/snapshots/\(fingerprint)"
    for (damaged, expected) in [(500, 400), (400, nil)] as [(Int, UInt64?)] {
      let file = URL(filePath: "\(scratch.path)/\(snapshots)/\(damaged)/data.mdb")
      try (damaged == 400 ? snapshotOfOtherLog() : Data(count: 8192)).write(to: file)
      try scratch.remove("projections/\(fingerprint)")
      try expectRecovery(from: expected.map { Position(rawValue: $0) })
      let reports = try projections().checkSnapshots()
      #expect(reports.filter { $0.damage != nil }.map(\.position.rawValue).min() == UInt64(damaged))
    }
  }

  /// Creates a snapshot at position 400 of a log with other events.
  private func snapshotOfOtherLog() throws -> Data {
    var random = SeededRandom(seed: 1)
    let other = EventStore.inMemory()
    try other.appendNow(random.events(400))
    let projections = try ProjectionStore(of: other, [Counts.self], at: scratch.path + "/other")
    try projections.takeSnapshot()
    let path = "\(scratch.path)/other/snapshots/\(projections.fingerprint)/400/data.mdb"
    return try Data(contentsOf: URL(filePath: path))
  }

  @Test func `a snapshot that contradicts a checkpoint is not used`() throws {
    let end = try store.head().position
    let changed = try ProjectionStore(of: store, [ForgetfulCounts.self], at: scratch.path + "/projections")
    try changed.takeSnapshot()
    let before = changed.checkSnapshots().map(\.damage)
    #expect(before == [nil])
    changed.close()
    _ = try projections().checkpoint()
    try scratch.remove("projections/\(changed.fingerprint)")
    let again = try ProjectionStore(of: store, [ForgetfulCounts.self], at: scratch.path + "/projections")
    let recovered = again.recoveredFrom
    #expect(recovered == nil)
    let reports = again.checkSnapshots()
    #expect(reports.map(\.position) == [end])
    #expect(reports.first?.damage?.contains("counts.streams") == true)
  }

  @Test func `concurrent openings recover lost tables once`() throws {
    let fingerprint = try projections().fingerprint
    for _ in 0..<5 {
      try scratch.remove("projections/\(fingerprint)")
      let children = try (0..<3).map { _ in
        try Child([
          Child.path(ofWorker: "ProjectionWorker"), "open", scratch.path + "/log", scratch.path + "/projections",
          "counts",
        ])
      }
      var laid: [String] = []
      for child in children {
        try child.expect("ready")
        laid += try child.expect("opened").filter { $0 != "none" }
        #expect(child.wait() == .exit(0))
      }
      #expect(laid == ["500"])
    }
  }
}

@Suite(.waitsForProcesses) struct `A process that recovers from a snapshot` {
  private let scratch: Scratch
  private var directory: String { scratch.path + "/projections" }

  init() throws { scratch = try Scratch() }

  @Test func `recovery is correct after a kill at any moment`() throws {
    var random = SeededRandom.printingSeed()
    let store = try scratch.log()
    for _ in 0..<20 {
      try store.appendNow((0..<500).map { _ in ProposedEvent(stream: "a", type: "b", payload: random.noise(400)) })
    }
    var projections = try ProjectionStore(of: store, [Hoard.self], at: directory)
    let snapshot = try #require(try projections.takeSnapshot())
    try store.appendNow(random.events(100))
    let recorded = try #require(try projections.checkpoint()).digests
    projections.close()
    var (laid, interrupted) = (0, 0)
    for round in 0..<(Choice.isLong ? 300 : 30) {
      try scratch.remove("projections/\(projections.fingerprint)")
      let children = try (0..<1 + random.below(2)).map { _ in
        try Child([Child.path(ofWorker: "ProjectionWorker"), "open", scratch.path + "/log", directory, "hoard"])
      }
      for child in children {
        try child.expect("ready")
        // The sleep waits for nothing: it only varies the moment of the kill.
        usleep(UInt32(random.below(30_000)))
        child.end()
      }
      let folder = "\(directory)/\(projections.fingerprint)"
      if FileManager.default.fileExists(atPath: folder + "/beginning") { interrupted += 1 }
      projections = try ProjectionStore(of: store, [Hoard.self], at: directory)
      let (recovered, applied) = (projections.recoveredFrom, projections.applied.position)
      #expect(applied == snapshot, "round \(round)")
      if recovered != nil { laid += 1 }
      let isLeft = FileManager.default.fileExists(atPath: folder + "/beginning")
      #expect(!isLeft)
      #expect(try projections.checkpoint()?.digests == recorded, "round \(round)")
      let isSame = try projections.engine.tableStore.lend { reading throws(TablesError) in
        try reading.recountedDigests() == reading.digests()
      }
      #expect(isSame, "round \(round)")
      projections.close()
    }
    print("\(interrupted) were killed while they laid the snapshot; \(laid) times it was laid again.")
  }
}

/// ``Counts`` after a change without a new revision; it has one table more, and so another table store.
private struct ForgetfulCounts: Projection {
  static let name = Counts.name
  static let revision = Counts.revision
  static let tableNames = Counts.tableNames + ["more"]

  private let streams: LiveTable<CountRow>

  init(_ tables: ProjectionTables) { streams = tables(ProjectionTable<ForgetfulCounts, CountRow>("streams")) }

  mutating func fold(_ event: EventView) throws { try streams.change(event.stream.array) { $0.count(7) } }
}
