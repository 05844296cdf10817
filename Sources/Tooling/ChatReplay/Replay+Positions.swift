// Finds the rows that changed between two positions of a log.
public import EventLog
internal import ChatProjections
internal import Errors
internal import Projections

extension Replay {
  /// Returns the rows that differ between an earlier and a later position, in the order of tables and keys.
  public func rows(changedFrom start: Position, to end: Position) throws(ReplayError) -> [ExplainedRow] {
    try rethrow(changedRows(start, end), as: ReplayError.init)
  }

  private func changedRows(_ start: Position, _ end: Position) throws(ProjectionError) -> [ExplainedRow] {
    let directory = ProjectionSets.directory(ofWorkspaceAt: path)
    var rows: [ExplainedRow] = []
    for types in options.projections.all {
      let beginning = options.beginning(in: directory, upTo: start)
      let projections = try ProjectionReplay(types, of: store, in: directory + "/past", beginningWith: beginning)
      defer { projections.close() }
      while projections.applied.position < start {
        _ = try projections.fold(
          through: min(start, projections.applied.position.advanced(by: Int(clamping: options.batch))))
      }
      rows += try projections.changes(through: end).map { projections.explain($0) }
    }
    return rows
  }
}

extension ReplayOptions {
  /// Returns the beginning of projections that are folded up to a position: a snapshot before the first event that is
  /// reported on.
  internal func beginning(in directory: String, upTo end: Position) -> ProjectionReplay.Beginning {
    guard usesSnapshots else { return .nothing }
    let first = [explained, toldEvents?.lowerBound].compactMap(\.self).min()
    let last = first.map { Position(rawValue: max(1, $0.rawValue) - 1) } ?? end
    return .snapshot(in: directory, upTo: min(end, last))
  }
}
