// What a store tells of itself: how far it came, how quickly, how large it is.
public import EventLog
internal import Locks
internal import Tables

/// Figures of a store at one moment.
public struct ProjectionStatistics: Sendable {
  /// Up to where this process has folded.
  public let applied: Position
  /// Up to where the tables are written, by whatever process.
  public let written: Position
  /// How many events this process has folded since it opened them; one that was folded twice counts twice.
  public let foldedEvents: Int
  /// How long that took, without reading the log and writing the tables.
  public let foldingTime: Duration
  /// The bytes that the file of the tables has used so far, those included that are free to be used again.
  public let usedByteCount: Int
  /// The bytes that the file of the tables takes on the disk.
  public let fileByteCount: Int
  /// How many places for readers are taken, by any process.
  public let readersUsed: Int
  /// How many places for readers there are.
  public let readersMax: Int
  /// How many transactions the oldest reader is behind the last; 0 when nobody reads.
  public let readerLag: Int
  /// Where these views in this form were last testified, by whatever process; nil when they were not.
  public let lastCheckpoint: Position?
  /// Where the last snapshot of these views in this form stands; nil when there is none.
  public let lastSnapshot: Position?
  /// Why the last snapshot that was to be taken by itself was not; nil when it was, and before the first.
  public let snapshotFailure: ProjectionError?
}

extension ProjectionStore {
  /// Figures of this moment; nobody is waited for, not even who folds or writes in this process.
  public func statistics() throws(ProjectionError) -> ProjectionStatistics {
    let counts = engine.counts
    let file = engine.tableStore.statistics()
    let written: Position
    do throws(TablesError) {
      written = Position(rawValue: try engine.tableStore.anchor()?.position ?? 0)
    } catch {
      throw .tables(error)
    }
    return ProjectionStatistics(
      applied: counts.applied.position, written: written, foldedEvents: counts.events, foldingTime: counts.time,
      usedByteCount: file.usedByteCount, fileByteCount: file.fileByteCount, readersUsed: file.readersUsed,
      readersMax: file.readersMax, readerLag: file.readerLag,
      lastCheckpoint: try checkpointLog.lastPosition(of: fingerprint), lastSnapshot: snapshots.last,
      snapshotFailure: lastSnapshotFailure)
  }

  /// The bytes that the file of the tables has used so far.
  package var usedByteCount: Int { engine.tableStore.statistics().usedByteCount }
}

/// What is counted of the folding of some views.
internal struct FoldCounters {
  /// The end of what has been folded.
  var applied: Head
  /// How many events were folded.
  var events = 0
  /// How long it took.
  var time = Duration.zero

  init(applied: Head) { self.applied = applied }

  mutating func move(from position: Position, to head: Head) {
    events += Int(head.position.rawValue - position.rawValue)
    applied = head
  }
}
