// Folding the tables of a workspace anew, and copies of them.
internal import ChatProjections
public import EventLog
internal import EventLogLMDB
public import Projections

extension WorkspaceFiles {
  /// What came of folding anew.
  public struct Rebuilt: Hashable, Sendable {
    /// How many events were folded.
    public let events: UInt64
    /// How long it took.
    public let time: Duration
    /// How many checkpoints the tables were held against, each of which they agree with.
    public let checkpoints: Int
    /// Views that could not fold an event, in words.
    public let stops: [String]
  }

  /// Removes index, tables and snapshots, and folds all of the log anew, while nobody else has it open.
  ///
  /// The tables are compared with every checkpoint; ``MaintenanceError/projections(_:)`` says where they differ.
  /// The configuration says which views there are, and is told how far it came.
  ///
  /// A workspace whose log ends before what was derived from it is not opened, since events may be missing; with
  /// `discardsAhead`, everything that was derived from them is removed, checkpoints included, and the log taken as
  /// it is.
  public func rebuild(
    _ configuration: Configuration = Configuration(), discardsAhead: Bool = false
  ) throws(MaintenanceError) -> Rebuilt {
    let directory = ProjectionSets.directory(ofWorkspaceAt: path)
    if discardsAhead { try discardAhead(directory) }
    // Opened once before, so that nothing is removed of what is no workspace.
    try open(configuration) { _ in }
    for set in configuration.projectionSets.all where !ProjectionStore.removeTables(of: set, at: directory) {
      throw .inUse(path: path)
    }
    guard LMDBLog.removeIndex(ofLogAt: path) else { throw .inUse(path: path) }
    let began = ContinuousClock.now
    return try open(configuration) { workspace throws(MaintenanceError) in
      do throws(ProjectionError) {
        let sets = [workspace.projections] + [workspace.others].compactMap { $0 }
        var checkpoints = 0
        for set in sets {
          checkpoints += try set.countOfTestimony()
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

  private func discardAhead(_ directory: String) throws(MaintenanceError) {
    let log = try openLog(at: path)
    defer { log.close() }
    let end: Position
    do throws(LogError) { end = try log.head().position } catch { throw .log(error) }
    let isDiscarded: Bool
    do throws(ProjectionError) { isDiscarded = try ProjectionStore.discard(behind: end, at: directory) } catch {
      throw .projections(error)
    }
    guard isDiscarded, LMDBLog.removeIndex(ofLogAt: path) else { throw .inUse(path: path) }
  }

  private func open<R>(
    _ configuration: Configuration, _ body: (Workspace) throws(MaintenanceError) -> R
  ) throws(MaintenanceError) -> R {
    let workspace: Workspace
    do throws(WorkspaceError) {
      workspace = try Workspace.open(at: path, creates: false, configuration: configuration)
    } catch {
      throw .opening(error)
    }
    defer { workspace.closeBlocking() }
    return try body(workspace)
  }
}

extension Workspace {
  /// Copies the tables as they are at the present end of the log, durably, so that the past is reached from there;
  /// answers where they stood, nil when the log has no event. Others go on meanwhile.
  @available(*, noasync, message: "it waits for the disk")
  public func takeSnapshot() throws(ProjectionError) -> Position? {
    let position = try projections.takeSnapshot()
    _ = try others?.takeSnapshot()
    return position
  }

  /// Checks every snapshot: that its file and its rows are whole, that it is of this log, and that nothing else was
  /// testified of its tables.
  @available(*, noasync, message: "it reads all of them")
  public func checkSnapshots() -> [SnapshotReport] { projections.checkSnapshots() + (others?.checkSnapshots() ?? []) }

  /// Where there are snapshots of the tables, from the first on.
  public var snapshots: [Position] { Set(projections.snapshots + (others?.snapshots ?? [])).sorted() }
}
