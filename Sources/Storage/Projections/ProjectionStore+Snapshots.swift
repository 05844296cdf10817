// Snapshots of a store: taken, checked, forgotten.
public import EventLog
internal import Tables

/// What a check of a snapshot found.
public struct SnapshotReport: Hashable, Sendable {
  /// Where it stands, as its name says.
  public let position: Position
  /// Its directory.
  public let path: String
  /// What is wrong with it; nil when nothing was found.
  public let damage: String?
  /// Why this user cannot read it, so that it was not checked; nil when it was.
  public let denial: String?
}

extension SnapshotReport: CustomStringConvertible {
  /// One sentence: what was found, of what, and, if something is wrong, what to do.
  public var description: String {
    if let denial { return "The snapshot of position \(position) in \(path) was not checked: \(denial)" }
    guard let damage else { return "The snapshot of position \(position) in \(path) is whole." }
    return "The snapshot of position \(position) in \(path) is not used (\(damage)): delete it, and take another."
  }
}

extension ProjectionStore {
  /// Copies the tables as they are at the present end of the log, compacted and durably; answers where they stood, nil
  /// when the log has no event.
  ///
  /// Of older snapshots one is kept for each doubling of the distance from it, and others are deleted. While it is
  /// taken, others go on.
  @discardableResult
  public func takeSnapshot() throws(ProjectionError) -> Position? {
    try catchUp()
    try flush()
    do throws(TablesError) {
      return try copies.take(of: engine.tableStore, until: .now + options.patience)
    } catch {
      throw .tables(error)
    }
  }

  /// Why the last snapshot that was to be taken by itself was not; nil when it was, and before the first.
  ///
  /// One is taken past each multiple of ``Options/snapshotDistance`` that is still worth its space at the end of the
  /// log, behind those who fold and never before they go on.
  public var lastSnapshotFailure: ProjectionError? { schedule.lastFailure }

  /// Waits until no snapshot is being taken by itself.
  package func waitForSnapshots() { schedule.wait() }

  /// Has a snapshot taken if folding came past a multiple of the distance.
  internal func takeSnapshot(between before: UInt64, _ after: Position, _ distance: UInt64) {
    let distance = max(1, distance)
    guard after.rawValue / distance > before / distance else { return }
    let end = (try? head().position) ?? after
    if SnapshotRetention.isWorthTaking(at: after.rawValue, distance: distance, end: end.rawValue) {
      schedule.takeOne(past: after)
    }
  }

  /// Where there are snapshots of these views in this form, from the first on.
  public var snapshots: [Position] { copies.positions }

  /// Checks every snapshot: the structure of its file, its rows against what was counted when they were written, that
  /// it stands on this log, and that nothing else was testified of its tables.
  public func checkSnapshots() -> [SnapshotReport] { copies.check() }
}
