// Threat: automatic snapshots are not taken, block folds, fail unnoticed, or continue after the store is closed.
import EventLog
import EventLogLMDB
import Foundation
import SeededRandom
import Testing
import ProjectionWorker

@testable import Projections

@Suite struct `Automatic snapshots` {
  private let scratch: Scratch
  private let store: EventStore

  init() throws {
    scratch = try Scratch()
    store = try scratch.log()
  }

  private func projections(
    every distance: UInt64?, patience: Duration = .seconds(20), _ types: [any Projection.Type] = [Counts.self]
  ) throws -> ProjectionStore {
    var options = ProjectionStore.Options()
    options.snapshotDistance = distance
    options.patience = patience
    return try ProjectionStore(of: store, types, at: scratch.path + "/projections", options: options)
  }

  @Test func `automatic snapshots are past each multiple of the distance, and two are kept`() throws {
    var random = SeededRandom.printingSeed()
    let projections = try projections(every: 100)
    var expected: [UInt64] = []
    var (last, taken) = (UInt64(0), 0)
    for _ in 0..<60 {
      try store.appendNow(random.events(1 + random.below(40)))
      let end = try store.head().position.rawValue
      try projections.catchUp()
      projections.waitForSnapshots()
      if end / 100 > last / 100 {
        expected = (expected + [end]).suffix(2)
        taken += 1
      }
      last = end
      #expect(projections.snapshots.map(\.rawValue) == expected)
    }
    #expect(taken > 5)
    let failure = projections.lastSnapshotFailure
    #expect(failure == nil)
    #expect(projections.checkSnapshots().allSatisfy { $0.damage == nil })
  }

  @Test func `no automatic snapshots are taken without a distance`() throws {
    var random = SeededRandom.printingSeed()
    try store.appendNow(random.events(1_000))
    let projections = try projections(every: nil)
    try projections.catchUp()
    projections.waitForSnapshots()
    #expect(projections.snapshots.isEmpty)
  }

  @Test func `a rebuild takes only snapshots that are kept at its end`() {
    for end in [1, 7, 14, 1_000, 12_345] as [UInt64] {
      let multiples = (1...end).filter { $0.isMultiple(of: 7) }
      let taken = multiples.filter { Projections.Snapshots.willBeKept(at: $0, distance: 7, end: end) }
      #expect(taken == multiples.suffix(2))
    }
    // Another process may have written tables further than the head that was read.
    #expect(Projections.Snapshots.willBeKept(at: 20, distance: 7, end: 3))
  }

  @Test func `automatic snapshots block neither folds nor appends`() throws {
    var random = SeededRandom.printingSeed()
    let projections = try projections(every: 100)
    try store.appendNow(random.events(90))
    try projections.read { _ in }
    // While another process writes the tables, no snapshot can be taken of the fold.
    let writer = try #require(LockedFile("\(scratch.path)/projections/\(projections.fingerprint)/writer"))
    // Each fold passes a multiple of 100: a snapshot is due past the head, even if one of an earlier position began.
    for _ in 0..<10 {
      try store.appendNow(random.events(100))
      try projections.catchUp()
      let applied = projections.applied.position
      #expect(try store.head().position == applied)
    }
    #expect(projections.snapshots.isEmpty)
    writer.unlock()
    projections.waitForSnapshots()
    let failure = projections.lastSnapshotFailure
    #expect(failure == nil)
    let last = projections.snapshots.last
    #expect(try store.head().position == last)
  }

  @Test func `the failure of an automatic snapshot is reported until one succeeds`() throws {
    var random = SeededRandom.printingSeed()
    let projections = try projections(every: 100)
    try Data().write(to: URL(filePath: scratch.path + "/projections/snapshots"))
    try store.appendNow(random.events(150))
    try projections.catchUp()
    projections.waitForSnapshots()
    let failure = projections.lastSnapshotFailure.map { "\($0)" }
    #expect(failure?.contains("/projections/snapshots") == true)
    try scratch.remove("projections/snapshots")
    try store.appendNow(random.events(30))
    try projections.catchUp()
    projections.waitForSnapshots()
    let stillFailure = projections.lastSnapshotFailure
    #expect(stillFailure != nil)
    try store.appendNow(random.events(50))
    try projections.catchUp()
    projections.waitForSnapshots()
    let noFailure = projections.lastSnapshotFailure
    #expect(noFailure == nil)
    #expect(projections.snapshots.map(\.rawValue) == [230])
  }

  @Test func `automatic snapshots are finished or not started when a store was closed`() throws {
    var random = SeededRandom.printingSeed()
    for _ in 0..<20 {
      try store.appendNow((0..<250).map { _ in ProposedEvent(stream: "a", type: "b", payload: random.noise(400)) })
      let projections = try projections(every: 200, [Hoard.self])
      try projections.catchUp()
      projections.close()
      let directory = "\(scratch.path)/projections/snapshots/\(projections.fingerprint)"
      let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
      #expect(!names.contains("making"))
      let failure = projections.lastSnapshotFailure
      #expect(failure == nil)
      projections.waitForSnapshots()
      #expect(((try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []) == names)
      for report in projections.checkSnapshots() { #expect(report.damage == nil) }
    }
  }
}

/// A file lock as another process would hold it.
private final class LockedFile {
  private let descriptor: CInt

  init?(_ path: String) {
    descriptor = open(path, O_RDWR)
    if descriptor < 0 || flock(descriptor, LOCK_EX) != 0 { return nil }
  }

  deinit { close(descriptor) }

  func unlock() { flock(descriptor, LOCK_UN) }
}
