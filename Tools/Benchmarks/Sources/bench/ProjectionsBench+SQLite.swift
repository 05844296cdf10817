// Measures folding a log into our tables and into SQLite's.
import Chat
import ChatCodec
import EventLog
import Foundation
import Projections

extension ViewsBench {
  /// Folds the same events, read from the same log and decoded alike, into tables with the same rows and indexes.
  func sqlite() throws -> Grid {
    let store = try openStore(directory)
    defer { store.close() }
    let count = Double(try store.head().position.rawValue)
    let contestants: [Contestant] = [
      { [self] in ["ours": count / (try disk.withDirectory { try fold(store, $0) })] },
      { [self] in ["sqlite": count / (try disk.withDirectory { try foldInto(store, $0) })] },
    ]
    let rounds = options.events > 2_000_000 ? 1 : min(3, options.rounds)
    let figures = try inTurn(contestants, rounds: rounds, unit: .perSecond)
    return Grid(
      "sqlite", "Folding \(options.events) events into tables, events/s by the clock", columns: [("events/s", figures)],
      rows: ["ours", "sqlite"], ratios: [Ratio("ours", to: "sqlite")])
  }

  /// Returns the seconds until all rows are written; nothing is synced, as with SQLite.
  private func fold(_ store: EventStore, _ directory: String) throws -> Double {
    let projections = try ProjectionStore(of: store, FoldWorkload.projections, at: directory + "/projections")
    defer { projections.close() }
    let elapsed = try seconds { _ = try projections.checkpoint() }
    guard projections.stops.isEmpty else { throw Usage(message: "a view stopped: \(projections.stops)") }
    return elapsed
  }

  private func foldInto(_ store: EventStore, _ directory: String) throws -> Double {
    var state = try SQLiteState(path: directory + "/sqlite")
    let index = try SQLiteIndex(in: state.database)
    return try seconds { try fold(store, into: &state, index) }
  }

  /// Folds in transactions of ten thousand events.
  private func fold(_ store: EventStore, into state: inout SQLiteState, _ index: SQLiteIndex) throws {
    var decoder = EventDecoder()
    var failure: (any Error)?
    var waiting = 0
    try state.begin()
    try store.log.blocks(from: .first, .forward, checks: .full) { block in
      do {
        for number in 0..<block.count {
          let event = block.event(at: number)
          state.fold(try decoder.decode(event), at: event.position.rawValue, index)
          waiting += 1
          if waiting == 10_000 {
            try state.commit()
            try state.begin()
            waiting = 0
          }
        }
        return .next
      } catch {
        failure = error
        return .stop
      }
    }
    if let failure { throw failure }
    try state.commit()
  }
}
