// Compares the tables and snapshots stored in a workspace with folded rows.
internal import Errors
internal import EventLog
internal import Projections
internal import Tables

/// The tables stored in a workspace, or a snapshot of them.
internal struct StoredTables {
  /// The position at which they are compared: that of the tables, or the end of the replay when they are past it.
  let position: Position
  /// The fingerprint of their projections.
  let fingerprint: Fingerprint
  /// A short description for messages.
  let name: String
  private let isSnapshot: Bool

  fileprivate init(snapshotAt position: Position, of fingerprint: Fingerprint) {
    (self.position, self.fingerprint, isSnapshot) = (position, fingerprint, true)
    name = "the snapshot at position \(position)"
  }

  fileprivate init(tablesAt position: Position, of fingerprint: Fingerprint, comparedAt end: Position) {
    (self.position, self.fingerprint, isSnapshot) = (end, fingerprint, false)
    name = "the tables \(fingerprint) at position \(position)"
  }

  /// Returns the differences from projections folded to the same position; nil when the tables were removed
  /// concurrently, as expired snapshots are.
  func held(against projections: ProjectionReplay, in directory: String) throws(ProjectionError)
    -> [ExplainedDifference]?
  {
    let found: [MismatchedRows]
    let comparison =
      isSnapshot
      ? try projections.mismatchedRows(inSnapshotOf: directory, limit: ExplainedDifference.rowsMax)
      : try projections.mismatchedRows(inTablesOf: directory, limit: ExplainedDifference.rowsMax)
    switch comparison {
    case .rows(let rows): found = rows
    case .damaged(let reason):
      return [difference("\(name) \(isSnapshot ? "is not whole" : "cannot be read") (\(reason))", [])]
    case .gone: return nil
    }
    return found.isEmpty
      ? []
      : [
        difference(
          "\(name) \(isSnapshot ? "differs" : "differ") from the fold of the events", projections.explain(found))
      ]
  }

  private func difference(_ what: String, _ rows: [ExplainedRow]) -> ExplainedDifference {
    ExplainedDifference(what: what, position: nil, stretch: position...position, rows: rows)
  }
}

/// All tables and snapshots that a workspace stores of the projections of a replay.
internal struct StoredTablesList {
  /// The tables and snapshots to compare with the folded rows.
  private(set) var comparable: [StoredTables] = []
  /// The tables that are damaged, and the tables and snapshots that contradict the log.
  private(set) var mismatched: [ExplainedDifference] = []
  /// The tables and snapshots that are not compared, each a sentence with the reason.
  private(set) var skipped: [String] = []

  /// Lists nothing.
  init() {}

  /// Lists the tables and snapshots of projections that are about to be folded up to a position.
  init(
    of sets: [ProjectionReplay], in directory: String, _ log: any Log, upTo end: Position
  ) throws(ProjectionError) {
    let stored = try ProjectionStore.storedTables(in: directory, of: log)
    // Snapshots are first: the comparison with tables may fold further.
    for set in sets {
      let snapshots = set.snapshots(in: directory)
      // The head is read after the positions, since the log may grow.
      let head = try rethrow(log.head().position, as: ProjectionError.log)
      for position in snapshots { add(snapshotAt: position, of: set, upTo: end, head) }
    }
    for set in sets {
      for tables in stored where tables.fingerprint == set.fingerprint.text {
        try add(tables, of: set, in: directory, upTo: end)
      }
    }
  }

  private mutating func add(
    _ tables: TablesOnDisk, of set: ProjectionReplay, in directory: String, upTo end: Position
  ) throws(ProjectionError) {
    switch tables.status {
    case .sound:
      // Nothing was written to tables without a position.
      guard let position = tables.position else { return }
      let start = set.applied.position
      guard position > start else {
        return skip("The set of tables \(tables)", at: position, since: "begins at \(start)")
      }
      comparable.append(StoredTables(tablesAt: position, of: set.fingerprint, comparedAt: min(position, end)))
    case .stale:
      skipped.append(
        "The tables \(tables) were in use at the last system crash, and were not compared: the next opening rebuilds "
          + "them.")
    case .unreadable(let reason): throw .tables(.failed(path: "\(directory)/\(tables.fingerprint)", reason: reason))
    case .damaged(let defect), .offChain(let defect): mismatch("the tables \(tables) \(defect)")
    }
  }

  private mutating func add(
    snapshotAt position: Position, of set: ProjectionReplay, upTo end: Position, _ head: Position
  ) {
    let start = set.applied.position
    if position > head {
      mismatch("the snapshot at position \(position) is past the end of the log at position \(head)")
    } else if position <= start {
      skip("The snapshot", at: position, since: "begins at \(start)")
    } else if position > end {
      skip("The snapshot", at: position, since: "ends at \(end)")
    } else {
      comparable.append(StoredTables(snapshotAt: position, of: set.fingerprint))
    }
  }

  private mutating func skip(_ what: String, at position: Position, since reason: String) {
    skipped.append("\(what) at position \(position) was not compared: the replay \(reason).")
  }

  /// Adds a difference that no event causes.
  private mutating func mismatch(_ what: String) {
    mismatched.append(ExplainedDifference(what: what, position: nil, stretch: .zero ... .zero, rows: []))
  }
}
