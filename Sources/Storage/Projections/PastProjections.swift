// Projections at an earlier position, folded in a scratch directory that is removed when they are closed.
internal import Errors
public import EventLog
internal import Locks
internal import Tables

/// Projections at an earlier position of the log, which need not be the end of a block, and which can move to others.
///
/// They are folded from the newest whole snapshot at or before it, or from the first event, in a scratch directory that
/// is removed when they are closed or deallocated; when the process dies, by the next that opens past projections.
///
/// A move over a short distance, in either direction, costs about as much as the rows that change: see
/// <doc:Projections>.
public final class PastProjections: Sendable {
  private let store: ProjectionStore
  private let state: Locked<State>
  private let numbers: [String: Int]

  private struct State {
    var position: Position
    var stops: [ProjectionStop]
    /// Nil when they were closed.
    var tables: PastTables?
  }

  /// Creates the projections of a store at a position that the log has.
  internal init(of store: ProjectionStore, at position: Position) throws(ProjectionError) {
    self.store = store
    let names = ProjectionFold.tableNames(of: store.types)
    numbers = Dictionary(uniqueKeysWithValues: zip(names, names.indices))
    let tables = try PastTables(of: store, at: position)
    state = Locked(State(position: position, stops: try tables.stops, tables: tables))
  }

  /// The position that they are folded to: they include all events up to it, and none after.
  public var position: Position { state.withLock { $0.position } }
  /// The projections that could not fold an event up to the position.
  public var stops: [ProjectionStop] { state.withLock { $0.stops } }
  /// The nearer snapshots that were skipped as damaged or unreadable; none when they were closed.
  public var passedOver: [SnapshotReport] { state.withLock { $0.tables?.passedOver ?? [] } }
  /// The snapshot that they were folded from; nil when they were folded from the first event, or closed.
  public var snapshot: Position? { state.withLock { $0.tables?.snapshot } }

  /// Moves to another position; throws ``ProjectionError/beyondEnd(_:end:)`` when the log is shorter.
  ///
  /// Reads that began before still read the earlier position; later ones wait for the move. When a move fails
  /// otherwise, the projections are closed.
  public func move(to position: Position) throws(ProjectionError) {
    let end = try store.head().position
    guard position <= end else { throw .beyondEnd(position, end: end) }
    try state.withLock { state throws(ProjectionError) in
      var tables = state.tables
      if tables == nil { throw .closed(state.position) }
      state.tables = nil
      // The directory of tables that are too far away is removed before another is filled.
      if tables?.reaches(position) == false { tables = nil }
      let moved =
        if let tables { tables } else { try PastTables(of: store, at: PastTables.start(of: position) ?? .zero) }
      try moved.move(to: position)
      state = State(position: position, stops: try moved.stops, tables: moved)
    }
  }

  /// Runs the closure on the tables at the position; throws ``ProjectionError/closed(_:)`` when they were closed.
  public func read<R>(_ body: (ProjectionReader) throws(ProjectionError) -> R) throws(ProjectionError) -> R {
    let (tables, position) = state.withLock { ($0.tables?.tableStore, $0.position) }
    guard let tables else { throw .closed(position) }
    return try tables.lend(numbers, body)
  }

  /// Returns the table store with all rows written to it; nil when it was closed.
  internal func writtenTables() throws(ProjectionError) -> TableStore? {
    try state.withLock { state throws(ProjectionError) in
      try state.tables?.writeOverrides()
      return state.tables?.tableStore
    }
  }

  /// Closes the projections and removes their table store. Further calls are no-ops.
  public func close() {
    // The table store itself is not closed: that would sync files that are then removed.
    state.withLock { $0.tables = nil }
  }
}

extension ProjectionStore {
  /// Returns the projections at an earlier position; throws ``ProjectionError/beyondEnd(_:end:)`` when the log is
  /// shorter.
  public func at(_ position: Position) throws(ProjectionError) -> PastProjections {
    let head = try head()
    guard position <= head.position else { throw .beyondEnd(position, end: head.position) }
    return try PastProjections(of: self, at: position)
  }

  /// Returns the projections at an instant: after the last event that was recorded then or before.
  public func at(_ instant: Timestamp) throws(ProjectionError) -> PastProjections {
    let position = try rethrow(store.last(recordedBy: instant), as: ProjectionError.log)
    return try PastProjections(of: self, at: position)
  }
}
