// Rebuilding the tables of a workspace, and snapshots of them.
internal import ChatProjections
public import EventLog
internal import Errors
internal import EventLogLMDB
internal import EventLogPostgres
public import Projections

extension WorkspaceFiles {
  /// The outcome of a rebuild.
  public struct Rebuilt: Hashable, Sendable {
    /// The number of events that were folded.
    public let events: UInt64
    /// The duration of the rebuild.
    public let time: Duration
    /// The number of checkpoints that the tables were compared with; they agree with each.
    public let checkpoints: Int
    /// The projections that stopped before an event they could not fold, as sentences.
    public let stops: [String]
  }

  /// Removes the index, the tables and the snapshots, and rebuilds them from the log, while no other process has it
  /// open; where the log is on a server, no other process of this machine, whose files they are. Tables of other
  /// projections, or of other revisions, that no process has used for a week are removed, too.
  ///
  /// The tables are compared with every checkpoint; ``MaintenanceError/projections(_:)`` reports a difference. The
  /// configuration selects the projections and receives the progress.
  ///
  /// A workspace whose log ends before the position of its tables is not opened, since events may be missing; with
  /// `discardsAhead`, everything derived from the missing events is removed, checkpoints included, and the log is taken
  /// as it is, unless it is on a standby.
  public func rebuild(
    _ configuration: Configuration = Configuration(), discardsAhead: Bool = false
  ) throws(MaintenanceError) -> Rebuilt {
    var configuration = configuration
    configuration.cacheDirectory = configuration.cacheDirectory ?? cacheDirectory
    if discardsAhead { try discardAhead() }
    // Opened once before, so that nothing is removed unless it is a workspace.
    let (path, log) = try open(configuration) { ($0.path, $0.store.log) }
    let directory = ProjectionSets.directory(ofWorkspaceAt: path)
    for set in configuration.projectionSets.all
    where !ProjectionStore.removeTables(of: set, at: directory, of: log) {
      throw .inUse(path: path)
    }
    ProjectionStore.removeUnused(at: directory, keeping: [])
    guard LMDBLog.removeIndex(ofLogAt: path) else { throw .inUse(path: path) }
    let began = ContinuousClock.now
    return try open(configuration) { workspace throws(MaintenanceError) in
      do throws(ProjectionError) {
        let sets = [workspace.projections] + [workspace.others].compactMap { $0 }
        var checkpoints = 0
        for set in sets {
          checkpoints += try set.checkpointCount()
          try set.catchUp()
        }
        return Rebuilt(
          events: try workspace.head().rawValue, time: began.duration(to: .now), checkpoints: checkpoints,
          stops: workspace.stops.map(\.description))
      } catch {
        throw .projections(error)
      }
    }
  }

  private func discardAhead() throws(MaintenanceError) {
    guard let address else {
      let log = try openLog(at: path)
      defer { log.close() }
      return try discardAhead(of: log, at: path)
    }
    let log = try open(address, acceptsMissingTail: true)
    defer { log.close() }
    // What a standby lacks is not lost.
    try rethrow(log.requirePrimary(), as: MaintenanceError.log)
    try discardAhead(of: log, at: log.derivedPath)
    try rethrow(log.acceptMissingTail(), as: MaintenanceError.log)
  }

  /// Removes what is derived, in a directory, from events that a log does not have.
  private func discardAhead(of log: any Log, at path: String) throws(MaintenanceError) {
    let isDiscarded = try rethrow(
      ProjectionStore.discard(notOf: log, at: ProjectionSets.directory(ofWorkspaceAt: path)),
      as: MaintenanceError.projections)
    guard isDiscarded, LMDBLog.removeIndex(ofLogAt: path) else { throw .inUse(path: path) }
  }

  internal func open<R>(
    _ configuration: Configuration, _ body: (Workspace) throws(MaintenanceError) -> R
  ) throws(MaintenanceError) -> R {
    let workspace = try rethrow(
      Workspace.open(at: location, creates: false, configuration: configuration), as: MaintenanceError.opening)
    defer { workspace.closeBlocking() }
    return try body(workspace)
  }
}

extension Workspace {
  /// Takes a durable snapshot of the tables at the head of the log, from which lost tables are recovered; returns its
  /// position, nil if the log is empty. Other readers and writers are not blocked.
  @available(*, noasync, message: "it waits for the disk")
  public func takeSnapshot() throws(ProjectionError) -> Position? {
    let position = try projections.takeSnapshot()
    _ = try others?.takeSnapshot()
    return position
  }

  /// Checks every snapshot: that its file and rows are intact, that it is of this log, and that it agrees with the
  /// checkpoints.
  @available(*, noasync, message: "it reads all of them")
  public func checkSnapshots() -> [SnapshotReport] { projections.checkSnapshots() + (others?.checkSnapshots() ?? []) }

  /// Checks the history of the rows, from which past positions are read: nothing when none was ever read.
  @available(*, noasync, message: "it reads all of it")
  public func checkHistory() throws(ProjectionError) -> [HistoryReport] {
    [try projections.checkHistory(), try others?.checkHistory()].compactMap { $0 }
  }

  /// The positions of the snapshots in ascending order.
  public var snapshots: [Position] { Set(projections.snapshots + (others?.snapshots ?? [])).sorted() }
}
