// The check that projections are deterministic.
internal import EventLog
public import Projections
internal import Tables
internal import Verbatim

extension TestWorkspace {
  /// Expects that projections fold the events of the workspace to the same rows each time; throws ``TestFailure`` with
  /// the first event and the rows that differ.
  ///
  /// The log is folded `times` times in one piece, with dictionaries and sets at other addresses each time, and once
  /// event by event, with no state but the rows. A projection that stops before an event fails, too. What differs only
  /// between two processes, such as the locale, is found by `verbatim verify`.
  public func expectDeterministic(_ projections: any Projection.Type..., times: Int = 8) throws {
    let end = try workspace.head()
    let whole = try replay(projections)
    defer { whole.close() }
    if let report = try whole.fold(through: end, times: max(2, times)) { throw TestFailure(report, of: whole) }
    if let stop = whole.stops.first { throw TestFailure("\(stop)") }
    let single = try replay(projections)
    defer { single.close() }
    var position = Position.zero
    while position < end {
      position = position.next
      if let report = try single.fold(through: position, times: 2, isForgetful: true) {
        throw TestFailure(report, of: single)
      }
    }
    let (one, other) = (try whole.checkpoint(), try single.checkpoint())
    for (digest, again) in zip(one.digests, other.digests) where digest != again {
      throw TestFailure(
        "The rows of the table \(digest.table) depend on where the fold was interrupted: keep no state in the "
          + "projection that does not follow from its rows.")
    }
  }

  private func replay(_ projections: [any Projection.Type]) throws -> ProjectionReplay {
    try ProjectionReplay(projections, of: workspace.store, in: path + "/../replay")
  }
}

extension TestFailure {
  fileprivate init(_ report: NondeterminismReport, of replay: ProjectionReplay) {
    let subject = report.position.map { "The event \($0)" } ?? "The events \(report.stretch)"
    let rows = report.rows.prefix(3).map { row in
      func text(_ value: [UInt8]?) -> String {
        guard let value else { return "no row" }
        let fields = replay.fields(of: value, key: row.key, in: row.table) ?? []
        return fields.map { "\($0.name) \($0.text)" }.joined(separator: ", ")
      }
      return "\(row.table): \(text(row.one)) in one fold, \(text(row.other)) in another"
    }
    self.init(
      "\(subject) gave different rows when folded again (\(rows.joined(separator: "; "))): find what the projection "
        + "reads besides the events.")
  }
}
