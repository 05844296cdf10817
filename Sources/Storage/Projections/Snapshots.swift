// The snapshots of a set of views in one form: which are whole, and laid where tables are to begin with one.
internal import Digests
internal import EventLog
internal import Tables

/// Copies of the tables of a set of views, each as it stood at a position.
internal struct Snapshots: Sendable {
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

  /// The directory of all of them.
  var path: String { snapshotDirectory.path }

  /// Where there are any, from the first on.
  var positions: [Position] { snapshotDirectory.positions.map { Position(rawValue: $0) } }

  /// Takes one of a folder, and deletes those that are not worth their space any more; answers where it stands, nil
  /// when nothing was ever written to the folder.
  func take(of tableStore: TableStore, until deadline: ContinuousClock.Instant) throws(TablesError) -> Position? {
    guard let anchor = try snapshotDirectory.take(of: tableStore, until: deadline) else { return nil }
    let positions = snapshotDirectory.positions
    let kept = SnapshotRetention.kept(positions)
    for position in positions where !kept.contains(position) { snapshotDirectory.remove(position) }
    return Position(rawValue: anchor.position)
  }

  /// Checks all of them; one that was removed meanwhile, since a newer one took its place, is left out.
  func check() -> [SnapshotReport] { positions.compactMap { check($0) } }

  /// Checks the one at a position; nil where there is none, or none any more.
  func check(_ position: Position) -> SnapshotReport? {
    switch snapshotDirectory.check(position.rawValue, isOnChain: isOnChain) {
    case .gone: nil
    case .damaged(let damage): report(position, damage)
    case .unreadable(let denial): report(position, nil, denial: denial)
    case .whole(let anchor, let digests): report(position, contradiction(to: anchor, digests))
    }
  }

  /// Lays the newest whole one, at or before a position, into an empty directory; answers where it stands, and which
  /// were passed over, since they are not whole.
  func lay(upTo last: Position, into directory: String) -> (position: Position?, passedOver: [SnapshotReport]) {
    var passedOver: [SnapshotReport] = []
    for position in positions.reversed() where position <= last {
      switch snapshotDirectory.lay(position.rawValue, into: directory, isOnChain: isOnChain) {
      case .gone: continue
      case .damaged(let damage): passedOver.append(report(position, damage))
      case .unreadable(let denial): passedOver.append(report(position, nil, denial: denial))
      case .whole(let anchor, let digests):
        guard let damage = contradiction(to: anchor, digests) else { return (position, passedOver) }
        snapshotDirectory.unlay(from: directory)
        passedOver.append(report(position, damage))
      }
    }
    return (nil, passedOver)
  }

  private func isOnChain(_ anchor: LogPoint) -> Bool { log.head(at: anchor) != nil }

  /// What was testified against tables that stand at an anchor; nil for nothing.
  private func contradiction(to anchor: LogPoint, _ digests: [TableDigest]) -> String? {
    let position = Position(rawValue: anchor.position)
    let found = Checkpoint(
      position: position, hash: anchor.hash, fingerprint: fingerprint.text,
      digests: Checkpoint.Digest.named(digests, of: types))
    do throws(ProjectionError) { try checkpointLog.compare(found) } catch {
      if case .differs(let table, _, _, _) = error { return "its table \(table) is not what was testified there" }
      return "it cannot be held against what was testified: \(error)"
    }
    return nil
  }

  private func report(_ position: Position, _ damage: String?, denial: String? = nil) -> SnapshotReport {
    SnapshotReport(
      position: position, path: snapshotDirectory.path(of: position.rawValue), damage: damage, denial: denial)
  }
}

extension Checkpoint.Digest {
  /// The digests of a folder's tables, with the names of those that belong to views.
  internal static func named(_ digests: [TableDigest], of types: [any Projection.Type]) -> [Checkpoint.Digest] {
    let names = types.flatMap { type in type.tableNames.map { (type, $0) } }
    return zip(names, digests.dropFirst()).map { table, digest in
      Checkpoint.Digest(projection: table.0.name, revision: table.0.revision, name: table.1, digest: digest)
    }
  }
}
