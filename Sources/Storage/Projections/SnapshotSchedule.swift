// Automatic snapshots: taken in the background, one at a time.
internal import Dispatch
internal import EventLog
internal import Locks
internal import Tables

/// A scheduler that takes a snapshot when tables have passed a position, on its own queue.
internal final class SnapshotSchedule: Sendable {
  private let snapshots: Snapshots
  private let engine: ProjectionEngine
  private let patience: Duration
  private let queue = DispatchQueue(label: "verbatim.snapshots", qos: .utility)
  private let state = Locked(State())

  private struct State {
    /// The position past which the waiting snapshot is to be; nil where none is waiting.
    var due: Position?
    var isClosed = false
    var failure: ProjectionError?
  }

  init(of engine: ProjectionEngine, _ snapshots: Snapshots, patience: Duration) {
    (self.engine, self.snapshots, self.patience) = (engine, snapshots, patience)
  }

  /// The error of the last attempt; nil when it succeeded.
  var lastFailure: ProjectionError? { state.withLock { $0.failure } }

  /// Schedules a snapshot at a position or past it, and returns at once.
  func takeOne(past position: Position) {
    let mustBegin = state.withLock { state in
      if state.isClosed { return false }
      // A waiting snapshot will be past this position, too.
      defer { state.due = max(state.due ?? .zero, position) }
      return state.due == nil
    }
    if mustBegin { queue.async { self.takeDue() } }
  }

  /// Blocks until the snapshot in progress is finished, and starts none any more.
  func close() {
    state.withLock { $0.isClosed = true }
    wait()
  }

  /// Blocks until the snapshot in progress is finished.
  func wait() { queue.sync {} }

  private func takeDue() {
    let due = state.withLock { state in
      defer { state.due = nil }
      return state.isClosed ? nil : state.due
    }
    // Another process that folds the same tables may have taken it.
    guard let due, snapshots.positions.last ?? .zero < due else { return }
    var failure: ProjectionError?
    do throws(ProjectionError) {
      try engine.flush(until: .now + patience)
      try take()
    } catch {
      failure = error
    }
    state.withLock { $0.failure = failure }
  }

  private func take() throws(ProjectionError) {
    do throws(TablesError) { _ = try snapshots.take(of: engine.tableStore, until: .now) } catch {
      // Another process is taking one at this moment.
      if case .busy = error { return }
      throw .tables(error)
    }
  }
}
