// Snapshots that are taken by themselves: behind those who fold, one at a time.
internal import Dispatch
internal import EventLog
internal import Locks
internal import Tables

/// Takes snapshots when it is told that tables came past a place, on a queue of its own.
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

  /// Why the last attempt came to nothing; nil when it did not.
  var lastFailure: ProjectionError? { state.withLock { $0.failure } }

  /// Sees to it that a snapshot is taken at a position or behind, and returns at once.
  func takeOne(past position: Position) {
    let mustBegin = state.withLock { state in
      // One that waits for its turn will stand further than this, too.
      if state.isWaiting || state.isClosed { return false }
      state.isWaiting = true
      return true
    }
    if mustBegin { queue.async { self.take(past: position) } }
  }

  /// Waits for what is under way, and begins nothing more.
  func close() {
    state.withLock { $0.isClosed = true }
    wait()
  }

  /// Waits for what is under way.
  func wait() { queue.sync {} }

  private func take(past position: Position) {
    let isClosed = state.withLock { state in
      state.isWaiting = false
      return state.isClosed
    }
    // Another process that folds the same may have taken it.
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
