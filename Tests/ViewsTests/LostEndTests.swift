// Threat: a log lost its last events, and only what was derived from them still knows of them.
import Digests
import EventLog
import EventLogLMDB
import Foundation
import SeededRandom
import Tables
import Testing
import ViewWorker

@testable import Views

/// What broke: tables that were ahead of the log were dropped when they were opened, and folded again from the shorter
/// log; checkpoints and snapshots ahead of it were passed over. Nothing was left that said that events were missing.
@Suite struct `A log that ends before what was derived from it` {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// Makes a log of 300 events and puts the file of its first 200 back; the views have seen all.
  private func loseEnd(_ leaving: (ViewStore) throws -> Void) throws -> (store: EventStore, end: Position) {
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
    let views = try ViewStore(of: store, [Counts.self], at: scratch.path + "/views")
    try views.bringToEnd()
    try leaving(views)
    views.close()
    store.close()
    try manager.removeItem(atPath: log)
    try manager.moveItem(atPath: log + "-before", toPath: log)
    return (try scratch.log(), end)
  }

  private func expectRefusal(_ lost: (store: EventStore, end: Position), naming name: String) throws {
    for _ in 0..<2 {
      var found: MissingEnd?
      do throws(ViewError) {
        _ = try ViewStore(of: lost.store, [Counts.self], at: scratch.path + "/views")
      } catch {
        if case .log(.endMissing(let missing)) = error { found = missing }
      }
      let missing = try #require(found)
      #expect(missing.end == lost.end && missing.position > lost.end && missing.path.contains(name), "\(missing)")
    }
    // Where the shorter log is wanted, what is ahead is discarded.
    #expect(try ViewStore.discard(behind: lost.end, at: scratch.path + "/views"))
    let views = try ViewStore(of: lost.store, [Counts.self], at: scratch.path + "/views")
    try views.bringToEnd()
    #expect(views.applied.position == lost.end)
    views.close()
    lost.store.close()
  }

  @Test func `is not folded over the tables that are ahead`() throws {
    try expectRefusal(try loseEnd { _ in }, naming: Fingerprint(of: [Counts.self]).text)
  }

  @Test func `is refused for a checkpoint that is ahead`() throws {
    let lost = try loseEnd { _ = try $0.checkpoint() }
    try scratch.remove("views/\(Fingerprint(of: [Counts.self]))")
    try expectRefusal(lost, naming: "checkpoints")
  }

  @Test func `is refused for a snapshot that is ahead`() throws {
    let lost = try loseEnd { _ = try $0.takeSnapshot() }
    try scratch.remove("views/\(Fingerprint(of: [Counts.self]))")
    try expectRefusal(lost, naming: "snapshots")
  }
}
