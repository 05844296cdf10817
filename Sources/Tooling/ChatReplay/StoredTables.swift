// Compares the tables and snapshots stored in a workspace with folded rows.
internal import EventLog
internal import Projections

/// The tables stored in a workspace, or a snapshot of them.
internal struct StoredTables {
  /// The position of the tables.
  let position: Position
  /// The fingerprint of their projections.
  let fingerprint: Fingerprint
  private let isSnapshot: Bool

  /// A short description for messages.
  var name: String {
    isSnapshot ? "the snapshot at position \(position)" : "the tables \(fingerprint) at position \(position)"
  }

  /// Returns all stored tables and snapshots of a projection set.
  static func all(of projections: ProjectionReplay, in directory: String) throws(ProjectionError) -> [StoredTables] {
    let snapshots = projections.snapshots(in: directory).map {
      StoredTables($0, projections.fingerprint, isSnapshot: true)
    }
    let status = try ProjectionReplay.status(of: projections.fingerprint, in: directory)
    return snapshots + [status].compactMap { $0 }.map { StoredTables($0, projections.fingerprint, isSnapshot: false) }
  }

  private init(_ position: Position, _ fingerprint: Fingerprint, isSnapshot: Bool) {
    (self.position, self.fingerprint, self.isSnapshot) = (position, fingerprint, isSnapshot)
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
