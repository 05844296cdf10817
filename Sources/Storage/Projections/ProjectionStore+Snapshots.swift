// Snapshots of a store: taking and checking them; and checking the history.
public import EventLog
internal import Errors
internal import Tables

/// The result of checking a snapshot.
public struct SnapshotReport: Hashable, Sendable {
  /// The position of the snapshot, which is its name.
  public let position: Position
  /// The directory of the snapshot.
  public let path: String
  /// The damage of the snapshot; nil when none was found.
  public let damage: String?
  /// The reason why this user cannot read the snapshot, so that it was not checked; nil when it was.
  public let denial: String?
}

extension SnapshotReport: CustomStringConvertible {
  /// One sentence: what was found, where, and, if it is damaged, what to do.
  public var description: String {
    if let denial { return "The snapshot of position \(position) in \(path) was not checked: \(denial)" }
    guard let damage else { return "The snapshot of position \(position) in \(path) is undamaged." }
    return "The snapshot of position \(position) in \(path) is not used (\(damage)): delete it, and take a new one."
  }
}

/// The result of checking the history of the rows.
public struct HistoryReport: Hashable, Sendable {
  /// The directory of the history.
  public let path: String
  /// The newest position that it reaches.
  public let position: Position
  /// The damage of the history; nil when none was found.
  public let damage: String?
}

extension HistoryReport: CustomStringConvertible {
  /// One sentence: what was found, where, and, if it is damaged, what to do.
  public var description: String {
    guard let damage else { return "The history up to position \(position) in \(path) is undamaged." }
    return "The history in \(path) is damaged (\(damage)): delete it; the next read of the past writes it again."
  }
}

extension ProjectionStore {
  /// Reads the whole history of the rows and checks it; returns nil when there is none.
  public func checkHistory() throws(ProjectionError) -> HistoryReport? {
    guard ProjectionHistory.exists(fingerprint.text, in: directory) else { return nil }
    let path = ProjectionHistory.path(of: fingerprint.text, in: directory)
    // Opened, it would be removed and be well.
    if case .damaged(let damage) = TableStore.status(at: path) {
      return HistoryReport(path: path, position: .zero, damage: damage)
    }
    let rows = try history().rows
    do throws(TablesError) {
      let position = Position(rawValue: try rows.point()?.position ?? 0)
      return HistoryReport(path: rows.path, position: position, damage: try rows.damage())
    } catch {
      return HistoryReport(path: rows.path, position: .zero, damage: "\(error)")
    }
  }

  /// Takes a snapshot of the tables at the present head of the log, compacted and durable; returns its position, nil
  /// when the log has no event.
  ///
  /// The one before it is kept in case that it is damaged, and older ones are deleted. It does not block other readers
  /// and writers.
  @discardableResult
  public func takeSnapshot() throws(ProjectionError) -> Position? {
    try catchUp()
    try flush()
    return try rethrow(
      copies.take(of: engine.tableStore, until: .now + options.patience), as: ProjectionError.tables)
  }

  /// The error of the last automatic snapshot; nil when it succeeded, and before the first.
  ///
  /// An automatic snapshot is taken past each multiple of ``Options/snapshotDistance`` that will be kept at the end of
  /// the log, in the background, without delaying folds.
  public var lastSnapshotFailure: ProjectionError? { schedule.lastFailure }

  /// Blocks until no automatic snapshot is in progress.
  package func waitForSnapshots() { schedule.wait() }

  /// Schedules a snapshot if folding passed a multiple of the distance, and the snapshot will be kept at the end of the
  /// log: a rebuild of a long log does not copy its tables again and again.
  internal func takeSnapshot(between before: UInt64, _ after: Position, _ distance: UInt64) {
    let distance = max(1, distance)
    guard after.rawValue / distance > before / distance else { return }
    let end = (try? head().position) ?? after
    if Snapshots.willBeKept(at: after.rawValue, distance: distance, end: end.rawValue) {
      schedule.takeOne(past: after)
    }
  }

  /// The positions of the snapshots of these projections at their revisions, in ascending order.
  public var snapshots: [Position] { copies.positions }

  /// Checks every snapshot: the structure of its file, its rows against the recorded summaries, that it is on this
  /// log's chain, and that no checkpoint contradicts its tables.
  public func checkSnapshots() -> [SnapshotReport] { copies.check() }
}
