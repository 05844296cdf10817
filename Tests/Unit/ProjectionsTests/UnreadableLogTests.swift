// Threat: a log that cannot be read for a moment is taken for another log.
import EventIndex
import EventLog
import Foundation
import ProjectionWorker
import SeededRandom
import Tables
import Testing

@testable import Projections

// What broke: a failed read of the log was taken for the proof that tables, an index or a checkpoint are of another
// log. The tables and the index were dropped and made anew, and the checkpoint refused the log for good.
@Suite struct `A log that cannot be read for a moment` {
  private let scratch: Scratch
  private let log = ObservedLog(InMemoryLog())
  private let store: EventStore
  private var directory: String { scratch.path + "/projections" }

  init() throws {
    scratch = try Scratch()
    store = EventStore(log: log, index: InMemoryIndex(genesis: log.genesis))
    var random = SeededRandom.printingSeed()
    for _ in 0..<5 { try store.appendNow(random.events(20)) }
  }

  private func projections() throws(ProjectionError) -> ProjectionStore {
    var options = ProjectionStore.Options()
    options.historyDistance = 10
    return try ProjectionStore(of: store, [Counts.self], at: directory, options: options)
  }

  /// Expects that a closure fails because the log cannot be read.
  private func expectUnread<R>(_ body: () throws(ProjectionError) -> R) {
    log.whileFailing {
      do throws(ProjectionError) {
        _ = try body()
        Issue.record("the log was not read")
      } catch {
        if case .log(.storage) = error {} else { Issue.record("\(error)") }
      }
    }
  }

  @Test func `leaves the tables as they are`() throws {
    let before = try projections()
    try before.catchUp()
    before.close()
    expectUnread { () throws(ProjectionError) in try projections() }
    let after = try projections()
    #expect(try after.applied == store.head())
    after.close()
  }

  @Test func `leaves the history as it is`() throws {
    let before = try projections()
    try before.at(Position(rawValue: 50)).close()
    before.close()
    let after = try projections()
    expectUnread { () throws(ProjectionError) in try after.history() }
    #expect(try after.history().rows.point()?.position == 50)
    after.close()
  }

  @Test func `leaves a snapshot for the next opening`() throws {
    let before = try projections()
    try before.catchUp()
    try before.takeSnapshot()
    let report = log.whileFailing { before.checkSnapshots() }
    #expect(report.map(\.damage) == [nil] && report.allSatisfy { $0.denial?.contains("with the log") == true })
    #expect(before.checkSnapshots().allSatisfy { $0.damage == nil && $0.denial == nil })
    before.close()
  }

  @Test func `is not refused for its checkpoints`() throws {
    let before = try projections()
    _ = try before.checkpoint()
    before.close()
    try scratch.remove("projections/\(before.fingerprint)")
    let after = try projections()
    expectUnread { () throws(ProjectionError) in try after.catchUp() }
    try after.catchUp()
    #expect(try after.applied == store.head())
    after.close()
  }

  @Test func `leaves the index as it is`() throws {
    let path = scratch.path + "/index"
    let index = try StoredIndex(of: log, at: path)
    try log.blocks(from: .first, .forward, checks: .full) { block throws(LogError) in
      try index.fold(block)
      return .next
    }
    index.close()
    log.whileFailing { #expect(throws: LogError.self) { try StoredIndex(of: log, at: path) } }
    let again = try StoredIndex(of: log, at: path)
    #expect(try again.applied == store.head())
    again.close()
  }
}
