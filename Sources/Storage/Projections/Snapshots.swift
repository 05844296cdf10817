// The snapshots of a set of projections at their revisions: which are whole, and copied to recover tables from.
internal import Digests
internal import EventLog
internal import Tables

/// The snapshots of the tables of a set of projections.
internal struct Snapshots: Sendable {
  /// The number of snapshots that are kept: the newest, and the one before, in case that the newest is damaged.
  static let keptMax = 2

  /// Returns whether a snapshot past a multiple of the distance will still be kept at the end of the log.
  static func willBeKept(at position: UInt64, distance: UInt64, end: UInt64) -> Bool {
    max(position, end) / distance - position / distance < keptMax
  }

  private let snapshotDirectory: SnapshotDirectory
  private let log: any Log
  private let types: [any Projection.Type]
  private let fingerprint: Fingerprint
  private let checkpointLog: CheckpointLog

  init(
    in directory: String, of types: [any Projection.Type], _ fingerprint: Fingerprint, _ log: any Log,
    _ said: CheckpointLog
  ) {
    (self.log, self.types, self.fingerprint, checkpointLog) = (log, types, fingerprint, said)
    snapshotDirectory = SnapshotDirectory(
      in: directory + "/snapshots/" + fingerprint.text, tables: ProjectionFold.tableNames(of: types), seededBy: .name)
  }

  /// The directory of the snapshots.
  var path: String { snapshotDirectory.path }

  /// The positions of the snapshots, in ascending order.
  var positions: [Position] { snapshotDirectory.positions.map { Position(rawValue: $0) } }

  /// Takes a snapshot of a table store, and deletes all but the newest two; returns its position, nil when nothing was
  /// ever written to the table store.
  func take(of tableStore: TableStore, until deadline: ContinuousClock.Instant) throws(TablesError) -> Position? {
    guard let logPoint = try snapshotDirectory.take(of: tableStore, until: deadline) else { return nil }
    for position in snapshotDirectory.positions.dropLast(Self.keptMax) { snapshotDirectory.remove(position) }
    return Position(rawValue: logPoint.position)
  }

  /// Checks all snapshots; one that is removed during the check, since a newer one replaced it, is omitted.
  func check() -> [SnapshotReport] { positions.compactMap { check($0) } }

  /// Checks the snapshot at a position; nil when there is none, or none any more.
  func check(_ position: Position) -> SnapshotReport? {
    switch checked({ snapshotDirectory.check(position.rawValue, isOnChain: $0) }) {
    case .gone: nil
    case .damaged(let damage): report(position, damage)
    case .unreadable(let denial): report(position, nil, denial: denial)
    case .whole(let logPoint, let digests): report(position, contradiction(to: logPoint, digests))
    }
  }

  /// Copies the newest whole snapshot, at or before a position, into an empty directory; returns its position, and
  /// reports on those skipped as damaged or unreadable.
  func lay(upTo last: Position, into directory: String) -> (position: Position?, passedOver: [SnapshotReport]) {
    var passedOver: [SnapshotReport] = []
    for position in positions.reversed() where position <= last {
      switch checked({ snapshotDirectory.lay(position.rawValue, into: directory, isOnChain: $0) }) {
      case .gone: continue
      case .damaged(let damage): passedOver.append(report(position, damage))
      case .unreadable(let denial):
        snapshotDirectory.unlay(from: directory)
        passedOver.append(report(position, nil, denial: denial))
      case .whole(let logPoint, let digests):
        guard let damage = contradiction(to: logPoint, digests) else { return (position, passedOver) }
        snapshotDirectory.unlay(from: directory)
        passedOver.append(report(position, damage))
      }
    }
    return (nil, passedOver)
  }

  /// Returns the result of a check whether a snapshot is on the chain; that it is unreadable when the log is.
  private func checked(_ check: ((LogPoint) -> Bool) -> SnapshotCheck) -> SnapshotCheck {
    do throws(ProjectionError) {
      return try openTables(check) { logPoint throws(LogError) in try log.head(at: logPoint) != nil }
    } catch {
      return .unreadable("It cannot be compared with the log: \(error)")
    }
  }

  /// Returns how a checkpoint contradicts tables at a log point; nil when none does.
  private func contradiction(to logPoint: LogPoint, _ digests: [TableDigest]) -> String? {
    let position = Position(rawValue: logPoint.position)
    let found = Checkpoint(
      position: position, hash: logPoint.hash, fingerprint: fingerprint.text,
      digests: Checkpoint.Digest.named(digests, of: types, fingerprint))
    do throws(ProjectionError) { try checkpointLog.compare(found) } catch {
      if case .differs(let table, _, _, _) = error { return "its table \(table) differs from the checkpoint there" }
      return "it cannot be compared with the checkpoint: \(error)"
    }
    return nil
  }

  private func report(_ position: Position, _ damage: String?, denial: String? = nil) -> SnapshotReport {
    SnapshotReport(
      position: position, path: snapshotDirectory.path(of: position.rawValue), damage: damage, denial: denial)
  }
}

extension Checkpoint.Digest {
  /// Returns the digests of a table store's tables, with the names of those that belong to projections.
  internal static func named(
    _ digests: [TableDigest], of types: [any Projection.Type], _ fingerprint: Fingerprint
  ) -> [Checkpoint.Digest] {
    let names = types.flatMap { type in type.tableNames.map { (type, $0) } }
    return zip(names, digests.dropFirst()).map { table, digest in
      Checkpoint.Digest(
        projection: table.0.name, revision: table.0.revision(after: fingerprint.erasures), name: table.1, digest: digest
      )
    }
  }
}
