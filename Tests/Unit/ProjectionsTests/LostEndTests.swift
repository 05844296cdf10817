// Threat: a log lost its last events, and only the data derived from them shows it.
import Digests
import EventLog
import EventLogLMDB
import Foundation
import SeededRandom
import Tables
import Testing
import ProjectionWorker

@testable import Projections

/// What broke: tables ahead of the log were dropped when they were opened, and rebuilt from the shorter log;
/// checkpoints and snapshots ahead of it were skipped. Nothing remained that showed that events were missing.
@Suite struct `A log that ends before tables derived from it` {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// Creates a log of 300 events and restores the file of its first 200; the projections have folded all.
  private func loseEnd(_ leaving: (ProjectionStore) throws -> Void) throws -> (store: EventStore, end: Position) {
    var random = SeededRandom.printingSeed()
    var store = try scratch.log()
    try store.appendNow(random.events(200))
    let end = try store.head().position
    store.close()
    let manager = FileManager.default
    let log = "\(scratch.path)/log"
    try manager.copyItem(atPath: log, toPath: log + "-before")
    store = try scratch.log()
    try store.appendNow(random.events(100))
    let projections = try ProjectionStore(of: store, [Counts.self], at: scratch.path + "/projections")
    try projections.catchUp()
    try leaving(projections)
    projections.close()
    store.close()
    try manager.removeItem(atPath: log)
    try manager.moveItem(atPath: log + "-before", toPath: log)
    return (try scratch.log(), end)
  }

  private func expectRefusal(_ lost: (store: EventStore, end: Position), naming name: String) throws {
    for _ in 0..<2 {
      var found: MissingTail?
      do throws(ProjectionError) {
        _ = try ProjectionStore(of: lost.store, [Counts.self], at: scratch.path + "/projections")
      } catch {
        if case .log(.tailMissing(let missing)) = error { found = missing }
      }
      let missing = try #require(found)
      #expect(missing.end == lost.end && missing.position > lost.end && missing.path.contains(name), "\(missing)")
    }
    let directory = scratch.path + "/projections"
    let isTables = name == Fingerprint(of: [Counts.self]).text
    let tails = try ProjectionStore.missingTails(in: directory, of: lost.store.log)
    #expect(tails.count == (isTables ? 0 : 1))
    #expect(tails.allSatisfy { $0.end == lost.end && $0.position > lost.end && $0.path.contains(name) }, "\(tails)")
    // Where the shorter log is intended, data ahead of it is discarded.
    #expect(try ProjectionStore.discard(notOf: lost.store.log, at: scratch.path + "/projections"))
    let projections = try ProjectionStore(of: lost.store, [Counts.self], at: scratch.path + "/projections")
    try projections.catchUp()
    #expect(projections.applied.position == lost.end)
    projections.close()
    lost.store.close()
  }

  @Test func `tables ahead of the log are refused and not rebuilt`() throws {
    try expectRefusal(try loseEnd { _ in }, naming: Fingerprint(of: [Counts.self]).text)
  }

  @Test func `a checkpoint ahead of the log is refused`() throws {
    let lost = try loseEnd { _ = try $0.checkpoint() }
    try scratch.remove("projections/\(Fingerprint(of: [Counts.self]))")
    try expectRefusal(lost, naming: "checkpoints")
  }

  @Test func `a snapshot ahead of the log is refused`() throws {
    let lost = try loseEnd { _ = try $0.takeSnapshot() }
    try scratch.remove("projections/\(Fingerprint(of: [Counts.self]))")
    try expectRefusal(lost, naming: "snapshots")
  }
}
