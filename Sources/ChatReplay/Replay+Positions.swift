// What changed between two positions of a log.
public import EventLog
internal import ChatViews
internal import Views

extension Replay {
  /// The rows that are others at one position than at an earlier one, in the order of tables and keys.
  public func rows(changedFrom start: Position, to end: Position) throws(ReplayError) -> [ExplainedRow] {
    do throws(ViewError) { return try changedRows(start, end) } catch { throw ReplayError(error) }
  }

  private func changedRows(_ start: Position, _ end: Position) throws(ViewError) -> [ExplainedRow] {
    let directory = ViewSets.directory(ofWorkspaceAt: path)
    var rows: [ExplainedRow] = []
    for types in options.views.all {
      let beginning = options.beginning(in: directory, upTo: start)
      let views = try ViewReplay(types, of: log, in: directory + "/past", beginningWith: beginning)
      defer { views.close() }
      while views.applied.position < start {
        _ = try views.fold(through: min(start, views.applied.position.advanced(by: Int(clamping: options.batch))))
      }
      rows += try views.changes(through: end).map { views.explain($0) }
    }
    return rows
  }
}

extension ReplayOptions {
  /// What views begin with that go up to a position.
  internal func beginning(in directory: String, upTo end: Position) -> ViewReplay.Beginning {
    usesSnapshots ? .snapshot(in: directory, upTo: end) : .nothing
  }
}
