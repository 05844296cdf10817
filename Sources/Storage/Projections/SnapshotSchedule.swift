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
    var isWaiting = false
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
      // A waiting snapshot will be past this position, too.
      if state.isWaiting || state.isClosed { return false }
      state.isWaiting = true
      return true
    }
    if mustBegin { queue.async { self.take(past: position) } }
  }

  /// Blocks until the snapshot in progress is finished, and starts none any more.
  func close() {
    state.withLock { $0.isClosed = true }
    wait()
  }

  /// Blocks until the snapshot in progress is finished.
  func wait() { queue.sync {} }

  private func take(past position: Position) {
    let isClosed = state.withLock { state in
      state.isWaiting = false
      return state.isClosed
    }
    // Another process that folds the same tables may have taken it.
    if isClosed || snapshots.positions.last ?? .zero >= position { return }
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
