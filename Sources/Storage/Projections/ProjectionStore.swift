// A store of a log's projections: folding, storing and reading them.
internal import Errors
public import EventLog
internal import Locks
internal import Tables

/// The projections of a log, stored in a table store and up to date with the log whenever they are read.
///
/// Any number of processes can have it open; each catches up before it reads. A table store belongs to one set of
/// projections at their revisions, by its ``Fingerprint``: programs with other revisions have their own beside it.
public final class ProjectionStore: Sendable {
  /// The log that they are folded from.
  public let store: EventStore
  /// The fingerprint of these projections at their revisions.
  public let fingerprint: Fingerprint
  /// The directory of their tables, checkpoints and snapshots.
  public let directory: String
  /// The snapshot that the tables were recovered from at opening; nil when they existed, or started empty.
  public let recoveredFrom: Position?
  internal let options: Options
  internal let types: [any Projection.Type]
  internal let engine: ProjectionEngine
  internal let checkpointLog: CheckpointLog
  internal let copies: Snapshots
  internal let schedule: SnapshotSchedule
  /// The history of the rows, from the first read of the past on.
  private let openHistory = Locked<ProjectionHistory?>(nil)
  /// The open projections of the past.
  private let pasts = Locked((isRetired: false, references: [PastReference]()))
  /// The state that the folding thread locks.
  private let foldState: Locked<FoldState>

  /// The state of the tables during a fold.
  internal struct FoldState {
    /// The error for which the tables are refused permanently.
    var refusal: ProjectionError?
    /// Whether they have caught up with the log once, and no checkpoint contradicted them.
    var isComplete: Bool
  }

  /// The options of a projection store.
  public struct Options: Sendable {
    /// The number of events between two automatic checkpoints.
    public var checkpointDistance: UInt64 = 100_000
    /// The number of events between two automatic snapshots; with nil, none are taken.
    public var snapshotDistance: UInt64? = 1_000_000
    /// The number of events between two points of the history that is read for the past.
    package var historyDistance = 4_096
    /// The directory whose snapshots are read, when it is another than the store's own; nil for its own.
    public var snapshotDirectory: String?
    /// The timeout for other processes that write the table store.
    public var patience: Duration = .seconds(10)
    /// A progress callback of long folds and of the first reads of the past, run by the thread that folds; it must not
    /// read the projections.
    public var progress: (@Sendable (Progress) -> Void)?
    /// The number of events between two progress reports.
    public var progressDistance = 50_000

    /// Creates the default options.
    public init() {}
  }

  /// Opens the projections of a log in a directory, which is created if it is missing and must not be a link.
  public init(
    of store: EventStore, _ types: [any Projection.Type], at directory: String, options: Options = Options()
  ) throws(ProjectionError) {
    let directory = TableStore.resolvedDirectory(of: directory)
    self.store = store
    self.directory = directory
    self.options = options
    self.types = types
    fingerprint = Fingerprint(of: types, erasures: store.log.content.erasureCount)
    let names = ProjectionFold.tableNames(of: types)
    precondition(Set(names).count == names.count, "two projections have a table of the same name: \(names)")
    checkpointLog = CheckpointLog(in: directory, of: store.log)
    try checkpointLog.makeDirectory()
    try Self.requireEnd(of: store, at: checkpointLog.lastPosition(), checkpointLog.path)
    let copies = Snapshots(in: options.snapshotDirectory ?? directory, of: types, fingerprint, store.log, checkpointLog)
    self.copies = copies
    try Self.requireEnd(of: store, at: copies.positions.last, copies.path)
    var laid: Position?
    let tableStore = try ProjectionEngine.tableStore(
      for: types, of: store.log, at: directory + "/" + fingerprint.text,
      beginningWith: { laid = copies.lay(upTo: Position(rawValue: .max), into: $0).position })
    let written = try rethrow(tableStore.logPoint(), as: ProjectionError.tables)
    do throws(ProjectionError) {
      try Self.requireEnd(of: store, at: written.map { Position(rawValue: $0.position) }, tableStore.path)
    } catch {
      tableStore.close()
      throw error
    }
    engine = try ProjectionEngine(types, of: store.log, in: tableStore, isBuilding: !tableStore.isComplete)
    foldState = Locked(FoldState(isComplete: tableStore.isComplete))
    recoveredFrom = laid
    schedule = SnapshotSchedule(of: engine, copies, patience: options.patience)
    // A checkpoint can already contradict the tables that an earlier process wrote.
    let present = try present(ifAt: nil)
    do throws(ProjectionError) { if let present { try checkpointLog.compare(present) } } catch { refuse(for: error) }
  }

  private static func end(of store: EventStore) throws(ProjectionError) -> Position {
    try rethrow(store.head().position, as: ProjectionError.log)
  }

  /// Throws when a position is past the head of the log: the log has lost its last events since.
  private static func requireEnd(
    of store: EventStore, at position: Position?, _ path: String
  ) throws(ProjectionError) {
    guard let position else { return }
    let end = try end(of: store)
    if position > end {
      throw .log(store.log.error(of: MissingTail(path: path, position: position, end: end)))
    }
  }

  /// The projections that could not fold an event; each is at the position before it, the others continue.
  public var stops: [ProjectionStop] { engine.stops }

  /// Catches up with the head of the log.
  public func catchUp() throws(ProjectionError) { try catchUp(toLastSeen: false) }

  /// Catches up with the head of the log, or with the newest head that this process has seen, which is enough for an
  /// append and needs no round trip to a server.
  package func catchUp(toLastSeen: Bool) throws(ProjectionError) {
    try foldState.withLock { foldState throws(ProjectionError) in
      if let refusal = foldState.refusal { throw refusal }
      do throws(ProjectionError) { try foldToEnd(&foldState, toLastSeen: toLastSeen) } catch {
        if error.isLasting { foldState.refusal = error }
        throw error
      }
    }
  }

  /// Catches up with a position at the end of a block and flushes, for tables that caught up with the log once.
  internal func catchUp(_ position: Position) throws(ProjectionError) {
    try foldState.withLock { foldState throws(ProjectionError) in
      if let refusal = foldState.refusal { throw refusal }
      try fold(through: position)
    }
    try flush()
  }

  /// Whether the tables have caught up with the log once, and no checkpoint contradicted them.
  public var isComplete: Bool { foldState.withLock { $0.isComplete } }

  /// Catches up and runs the closure on the tables, at the present head of the log or past it.
  public func read<R>(_ body: (ProjectionReader) throws(ProjectionError) -> R) throws(ProjectionError) -> R {
    try catchUp()
    try flush()
    return try engine.lend(body)
  }

  /// Runs the closure with a projection at the present head of the log or past it, with folding locked out; throws
  /// ``ProjectionError/stopped(_:)`` when it stopped before.
  ///
  /// With a head after which something is to be appended, the projection is at that head or past it: the append proves
  /// that it was the end.
  ///
  /// When it throws that its tables could not be read, because another process has folded further, it is retried: it
  /// must have no effect but its result. The position is the head for as long as the caller holds the log's writer
  /// lock.
  package func withProjection<Kind: Projection, R>(
    _ kind: Kind.Type, appendingAfter head: Head? = nil, _ body: (Kind, Head) throws(ProjectionError) -> R
  ) throws(ProjectionError) -> R {
    while true {
      try catchUp(toLastSeen: head != nil)
      // Blocks that were read are not all seen as heads.
      if let head, applied.position < head.position { try catchUp() }
      if let result = try engine.withProjection(kind, body) { return result }
    }
  }

  /// Blocks until the log and the projections have reached a position; returns false when the deadline passed first.
  public func reached(_ position: Position, until deadline: ContinuousClock.Instant) throws(ProjectionError) -> Bool {
    if position > .zero {
      do throws(LogError) {
        let before = Position(rawValue: position.rawValue - 1)
        guard try store.log.wait(beyond: before, until: deadline) else { return false }
      } catch {
        throw .log(error)
      }
    }
    try catchUp()
    return true
  }

  /// Returns the history of the rows, which is created if it is missing.
  internal func history() throws(ProjectionError) -> ProjectionHistory {
    try openHistory.withLock { history throws(ProjectionError) in
      if let history { return history }
      let new = try ProjectionHistory(in: directory, of: self)
      history = new
      return new
    }
  }

  /// Registers projections of the past.
  internal func opened(_ past: PastProjections) {
    let isRetired = pasts.withLock { pasts in
      pasts.references.removeAll { $0.past == nil }
      pasts.references.append(PastReference(past: past))
      return pasts.isRetired
    }
    if isRetired { past.close() }
  }

  /// Closes the projections of the past, since others have taken the place of these, whose tables are closed when
  /// nothing uses them any more.
  package func retire() {
    let open = pasts.withLock { pasts in
      pasts.isRetired = true
      return pasts.references
    }
    for reference in open { reference.past?.close() }
    openHistory.withLock { $0 }?.close()
  }

  /// Refuses all folds and reads from now on when an error means that the tables are wrong.
  internal func refuse(for error: ProjectionError) {
    if error.isLasting { foldState.withLock { $0.refusal = error } }
  }

  /// Writes the waiting changes.
  internal func flush() throws(ProjectionError) { try engine.flush(until: .now + options.patience) }

  /// Closes the store; unwritten changes are folded again later. Further calls are no-ops.
  ///
  /// It blocks until a snapshot in progress is finished.
  public func close() {
    schedule.close()
    openHistory.withLock { $0 }?.close()
    engine.close()
  }
}

extension ProjectionStore: BlockFold {
  /// The head that has been folded.
  public var applied: Head { engine.applied }

  /// Folds the block after ``applied``; any other block is a no-op.
  public func fold(_ block: BlockView) throws(ProjectionError) {
    let before = applied.position.rawValue
    try engine.fold(block)
    let after = applied.position
    let distance = max(1, options.checkpointDistance)
    // When another process has written further, it has taken this checkpoint.
    if after.rawValue / distance > before / distance { try takeCheckpoint(ifAt: after) }
    if let distance = options.snapshotDistance { takeSnapshot(between: before, after, distance) }
  }
}

extension ProjectionStore {
  /// Folds the block after ``applied`` in the process that appended it; an error that makes the tables wrong is thrown
  /// by the next read.
  package func follow(_ block: BlockView) {
    do throws(ProjectionError) { try fold(block) } catch { refuse(for: error) }
  }
}

extension ProjectionError {
  /// Whether the error means that the tables are permanently wrong.
  fileprivate var isLasting: Bool {
    switch self {
    case .differs, .otherLog: true
    case .tables, .log, .beyondEnd, .noSuchTable, .closed, .stopped, .outdated: false
    }
  }
}

/// A weak reference to projections of the past.
private struct PastReference: Sendable {
  weak let past: PastProjections?
}
