// The tables of a history at one of its points, and at positions past it.
internal import Errors
internal import Locks

/// Tables at a position in the past: those of a point of a ``RowHistory``, overridden by rows in memory.
///
/// It can go to other positions; reads that began before keep theirs.
public final class PastTables: TablesSource {
  private let history: RowHistory
  private let state: Locked<State>

  private struct State {
    /// The point; nil for empty tables.
    var point: LogPoint?
    /// The rows that changed since, of each table; nil when there are none.
    var rows: [ChangedRows]?
    var logPoint: LogPoint?
  }

  /// Creates the tables at a point of a history; empty ones for nil.
  public init(of history: RowHistory, at point: LogPoint?) {
    self.history = history
    state = Locked(State(point: point, rows: nil, logPoint: point))
  }

  /// The names of the tables; a table's index here is its number.
  public var tableNames: [String] { history.tableNames }

  /// The log point of the tables; nil for that of empty ones.
  public func logPoint() -> LogPoint? { state.withLock { $0.logPoint } }

  /// Goes to a point of the history and overrides its rows with those of each table, which lead to a log point.
  package func move(to point: LogPoint?, overriddenBy rows: [ChangedRows]?, logPoint: LogPoint?) {
    state.withLock { $0 = State(point: point, rows: rows, logPoint: logPoint) }
  }

  /// Overrides the tables with further rows, which lead to a log point.
  package func override(with rows: [ChangedRows], logPoint: LogPoint) {
    state.withLock { state in
      state.rows = state.rows.overridden(by: rows)
      state.logPoint = logPoint
    }
  }

  /// Runs the closure on one state of the tables; throws ``TablesError/ahead(_:)`` when it is past a position.
  public func lend<R>(
    upTo position: UInt64 = .max, _ body: (TableStoreReader) throws(TablesError) -> R
  ) throws(TablesError) -> R {
    let state = state.withLock { $0 }
    if let logPoint = state.logPoint, logPoint.position > position { throw .ahead(logPoint) }
    return try history.store.lend(
      as: PastState(point: state.point?.position ?? 0, rows: state.rows, versions: history.versions),
      at: state.logPoint, body)
  }
}

/// The state that distinguishes a read of past tables from one of the table store of their history.
internal struct PastState: Sendable {
  /// The point whose rows are read; 0 for none.
  let point: UInt64
  /// The rows that override those of the point.
  let rows: [ChangedRows]?
  /// The number of the table with the earlier states of rows.
  let versions: Int
}

extension [ChangedRows]? {
  /// Returns these rows of each table, overridden by newer ones.
  package func overridden(by newer: [ChangedRows]) -> [ChangedRows] {
    guard let self else { return newer }
    return zip(self, newer).map { $0.overridden(by: $1) }
  }
}
