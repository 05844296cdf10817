// Checkpoints of a store: taking, comparing and listing them.
internal import Digests
internal import Errors
public import EventLog
internal import Tables

extension ProjectionStore {
  /// Records, durably, a checkpoint of the tables at the present head of the log; nil when it has no event, and while
  /// the tables are outdated by an erasure.
  ///
  /// Throws ``ProjectionError/differs(table:position:recorded:found:)`` when another digest was recorded for a table.
  public func checkpoint() throws(ProjectionError) -> Checkpoint? {
    try catchUp()
    do throws(ProjectionError) { return try takeCheckpoint(ifAt: nil) } catch {
      refuse(for: error)
      throw error
    }
  }

  /// Returns all recorded checkpoints of all programs, in the order of recording, and then those that only the log
  /// stores, without those of events that its server lost.
  public func checkpoints() throws(ProjectionError) -> [Checkpoint] { try checkpointLog.all() }

  /// Returns all recorded checkpoints in a directory of projections, and those that their log stores, without those of
  /// events that its server lost.
  public static func checkpoints(
    in directory: String, of log: (any Log)? = nil
  ) throws(ProjectionError) -> [Checkpoint] {
    try CheckpointLog(in: TableStore.resolvedDirectory(of: directory), of: log).all()
  }

  /// Returns whether the file of checkpoints in a directory of projections has bytes that are no checkpoint: a damaged
  /// one, or one whose writing was interrupted. Nothing is compared with it.
  public static func hasUnreadableCheckpoints(in directory: String) throws(ProjectionError) -> Bool {
    try CheckpointLog(in: TableStore.resolvedDirectory(of: directory)).hasUnreadable()
  }

  /// Copies the checkpoints that a log stores to a directory of projections, durably; returns whether there are any.
  public static func copyCheckpoints(of log: any Log, to directory: String) throws(ProjectionError) -> Bool {
    let (stored, copies) = (try checkpoints(in: directory, of: log), CheckpointLog(in: directory))
    if stored.isEmpty { return false }
    try copies.makeDirectory()
    for checkpoint in stored { try copies.add(checkpoint) }
    // The directory may have some of events that the server lost.
    try copies.discard(notOf: log)
    return true
  }

  /// Copies the checkpoints of a directory of projections to a log that stores them; returns whether there are any.
  public static func copyCheckpoints(in directory: String, to log: any Log) throws(ProjectionError) -> Bool {
    let checkpoints = try CheckpointLog(in: directory).all()
    guard let log = log as? any CheckpointStore else { return false }
    for checkpoint in checkpoints {
      try rethrow(log.addCheckpoint(checkpoint.stored, at: checkpoint.position), as: ProjectionError.log)
    }
    return !checkpoints.isEmpty
  }

  /// Records a checkpoint of the tables, if they are at a position.
  @discardableResult
  internal func takeCheckpoint(ifAt position: Position?) throws(ProjectionError) -> Checkpoint? {
    try flush()
    guard let checkpoint = try present(ifAt: position) else { return nil }
    // Read after the rows: what was folded since an erasure is of neither state.
    if isKnownOutdated { return nil }
    try checkpointLog.add(checkpoint)
    return checkpoint
  }

  /// Returns a checkpoint of the written tables; nil when nothing was written, or they are not at the given position.
  internal func present(ifAt position: Position?) throws(ProjectionError) -> Checkpoint? {
    try rethrow(
      engine.tableStore.lend { reading throws(TablesError) -> Checkpoint? in
        guard let logPoint = reading.logPoint else { return nil }
        guard position == nil || position?.rawValue == logPoint.position else { return nil }
        return Checkpoint(
          position: Position(rawValue: logPoint.position), hash: logPoint.hash, fingerprint: fingerprint.text,
          digests: Checkpoint.Digest.named(try reading.digests(), of: types, fingerprint))
      }, as: ProjectionError.tables)
  }
}
