// Measures the events per second that one core folds from a log into the tables of a chat.
import Chat
import ChatCodec
import ChatProjections
import EventLog
import Foundation
import Projections

/// The benchmarks of folding.
struct FoldBench {
  let options: Options
  let disk: Disk

  func run() throws -> Grid {

    let columns = try [10, 100, 1000].map { perBlock -> (name: String, figures: [String: Figure]) in
      let directory = try disk.makeDirectory()
      let store = try openStore(directory)
      defer { store.close() }
      let count = try fill(store, perBlock)
      let contestants: [Contestant] = [
        { ["read": try perSecond(count) { try Self.scan(store) }] },
        { ["read and decode": try perSecond(count) { try Self.decode(store) }] },
        { ["into dictionaries": try perSecond(count) { try intoDictionaries(store) }] },
        { try intoTables(store, count, FoldWorkload.projections, "into tables") },
        { try intoTables(store, count, FoldWorkload.projections + [ChatSearch.self], "with search") },
      ]
      let figures = try inTurn(contestants, rounds: options.rounds, unit: .perSecond)
      return ("\(perBlock) in a block", figures)
    }
    return Grid(
      "fold", "A day's events folded from a log, events per second of processor time", columns: columns,
      rows: [
        "read", "read and decode", "into dictionaries", "into tables", "into tables, by the clock", "with search",
        "with search, by the clock",
      ])
  }

  private func fill(_ store: EventStore, _ perBlock: Int) throws -> Int {
    var workload = FoldWorkload(seed: 7)
    let count = (options.isQuick ? 60_000 : 1_200_000) / (perBlock < 100 ? 10 : 1)
    for _ in 0..<count / perBlock { _ = try store.appendBlocking(workload.next(perBlock)) }
    return count
  }

  static func scan(_ store: EventStore) throws {
    var sum = 0
    try forEachEvent(of: store) { sum &+= $0.payload.byteCount }
    keep(sum)
  }

  static func decode(_ store: EventStore) throws {
    var decoder = EventDecoder()
    try forEachEvent(of: store) { keep(try decoder.decode($0)) }
  }

  private func intoDictionaries(_ store: EventStore) throws {
    var decoder = EventDecoder()
    var state = InMemoryChatState()
    try Self.forEachEvent(of: store) { fold(try decoder.decode($0), into: &state) }
    keep(state)
  }

  /// Folds into a new table store, including the final write of all rows.
  private func intoTables(
    _ store: EventStore, _ count: Int, _ projections: [any Projection.Type], _ name: String
  ) throws -> [String: Double] {
    try disk.withDirectory { directory in
      var ofClock = 0.0
      let ofProcessor = try perSecond(count) {
        ofClock = Double(count) / (try seconds { try foldAll(store, into: projections, directory) })
      }
      return [name: ofProcessor, name + ", by the clock": ofClock]
    }
  }

  private func foldAll(_ store: EventStore, into types: [any Projection.Type], _ directory: String) throws {
    let projections = try ProjectionStore(of: store, types, at: directory + "/projections")
    guard try projections.checkpoint()?.position == store.head().position, projections.stops.isEmpty else {
      throw Usage(message: "the state stopped: \(projections.stops)")
    }
    projections.close()
  }

  private static func forEachEvent(of store: EventStore, _ body: (EventView) throws -> Void) throws {
    var failure: (any Error)?
    try store.log.blocks(from: .first, .forward, checks: .full) { block in
      do {
        for index in 0..<block.count { try body(block.event(at: index)) }
        return .next
      } catch {
        failure = error
        return .stop
      }
    }
    if let failure { throw failure }
  }

  /// Returns the events per second of processor time, of all threads together.
  private func perSecond(_ count: Int, _ body: () throws -> Void) rethrows -> Double {
    let start = clock()
    try body()
    return Double(count) * Double(CLOCKS_PER_SEC) / Double(clock() - start)
  }
}
