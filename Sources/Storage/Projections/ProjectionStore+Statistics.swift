// Statistics of a projection store: its position, speed and size.
public import EventLog
internal import Errors
internal import Locks
internal import Tables

/// Statistics of a projection store at one moment.
public struct ProjectionStatistics: Sendable {
  /// The position that this process has folded.
  public let applied: Position
  /// The position of the written tables, by any process.
  public let written: Position
  /// The number of events that this process has folded since opening; an event folded twice counts twice.
  public let foldedEvents: Int
  /// The time spent folding, without reading the log and writing the tables.
  public let foldingTime: Duration
  /// The number of bytes that the tables' file has used so far, including those that can be reused.
  public let usedByteCount: Int
  /// The disk space of the tables' file in bytes.
  public let fileByteCount: Int
  /// The number of reader slots in use, by any process.
  public let readersUsed: Int
  /// The number of reader slots.
  public let readersMax: Int
  /// The number of transactions by which the oldest reader is behind the last; 0 without readers.
  public let readerLag: Int
  /// The position of the last checkpoint of these projections at their revisions, by any process; nil without one.
  public let lastCheckpoint: Position?
  /// The position of the last snapshot of these projections at their revisions; nil when there is none.
  public let lastSnapshot: Position?
  /// The error of the last automatic snapshot; nil when it succeeded, and before the first.
  public let snapshotFailure: ProjectionError?
}

extension ProjectionStore {
  /// Returns the current statistics without blocking, not even for a fold or a write in this process.
  public func statistics() throws(ProjectionError) -> ProjectionStatistics {
    let counts = engine.counts
    let file = engine.tableStore.statistics()
    let logPoint = try rethrow(engine.tableStore.logPoint(), as: ProjectionError.tables)
    let written = Position(rawValue: logPoint?.position ?? 0)
    return ProjectionStatistics(
      applied: counts.applied.position, written: written, foldedEvents: counts.events, foldingTime: counts.time,
      usedByteCount: file.usedByteCount, fileByteCount: file.fileByteCount, readersUsed: file.readersUsed,
      readersMax: file.readersMax, readerLag: file.readerLag,
      lastCheckpoint: try checkpointLog.lastPosition(of: fingerprint), lastSnapshot: snapshots.last,
      snapshotFailure: lastSnapshotFailure)
  }

  /// The number of bytes that the tables' file has used so far.
  package var usedByteCount: Int { engine.tableStore.statistics().usedByteCount }
}

/// The counters of a fold.
internal struct FoldCounters {
  /// The head that has been folded.
  var applied: Head
  /// The number of folded events.
  var events = 0
  /// The time spent folding.
  var time = Duration.zero

  init(applied: Head) { self.applied = applied }

  mutating func move(from position: Position, to head: Head) {
    events += Int(head.position.rawValue - position.rawValue)
    applied = head
  }
}
