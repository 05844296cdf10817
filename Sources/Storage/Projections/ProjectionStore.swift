// The views of a log: folded, kept in a folder, read.
public import EventLog
internal import Locks
package import Tables

/// The tables that views fold from a log, kept in a folder of their own, and as new as the log whenever they are read.
///
/// Any number of processes may have them open; each folds what it has not seen before it reads. A folder belongs to one
/// set of views in one form, by its ``Fingerprint``: programs with other forms have others beside it.
public final class ProjectionStore: Sendable {
  /// What they are folded from.
  public let store: EventStore
  /// Names these views in their form.
  public let fingerprint: Fingerprint
  /// Where their tables lie, and all that is kept beside them.
  public let directory: String
  /// The snapshot that their tables began with when they were opened; nil when they were there, or began with nothing.
  public let recoveredFrom: Position?
  internal let options: Options
  internal let types: [any Projection.Type]
  internal let engine: ProjectionEngine
  internal let checkpointLog: CheckpointLog
  internal let copies: Snapshots
  internal let schedule: SnapshotSchedule
  /// Held by who folds.
  private let foldState: Locked<FoldState>

  /// What is known of the tables by who folds them.
  internal struct FoldState {
    /// Why they are not to be believed, however often one asks.
    var refusal: ProjectionError?
    /// Whether they have reached the end of the log once, and nothing that was testified spoke against them.
    var isComplete: Bool
  }

  /// What their owner may choose.
  public struct Options: Sendable {
    /// How many events lie between two checkpoints that are made by themselves.
    public var checkpointDistance: UInt64 = 100_000
    /// How many events lie between two snapshots that are taken by themselves; with nil, none are.
    public var snapshotDistance: UInt64? = 1_000_000
    /// The directory of views whose snapshots are read, where the tables are kept elsewhere; their own when nil.
    public var snapshotDirectory: String?
    /// How long others may take that write the folder, before what waits for them is an error.
    public var patience: Duration = .seconds(10)
    /// Is told how far it came, by the thread that folds, which must not read the views meanwhile.
    public var progress: (@Sendable (Progress) -> Void)?
    /// How many events lie between two reports of progress.
    public var progressDistance = 50_000

    /// The options as they are where nobody chooses others.
    public init() {}
  }

  /// The views of a log, kept in a directory, which is made if it is not there and must not be a link.
  public init(
    of store: EventStore, _ types: [any Projection.Type], at directory: String, options: Options = Options()
  ) throws(ProjectionError) {
    let directory = TableStore.resolvedDirectory(of: directory)
    self.store = store
    self.directory = directory
    self.options = options
    self.types = types
    fingerprint = Fingerprint(of: types)
    let names = ProjectionFold.tableNames(of: types)
    precondition(Set(names).count == names.count, "two projections have a table of the same name: \(names)")
    checkpointLog = CheckpointLog(in: directory)
    try checkpointLog.makeDirectory()
    try checkpointLog.requireEnd { () throws(ProjectionError) in try Self.end(of: store) }
    let copies = Snapshots(in: options.snapshotDirectory ?? directory, of: types, fingerprint, store.log, checkpointLog)
    self.copies = copies
    try Self.requireEnd(of: store, at: copies.positions.last, copies.path)
    var laid: Position?
    let tableStore: TableStore
    let written: LogPoint?
    do throws(TablesError) {
      tableStore = try ProjectionEngine.tableStore(
        for: types, of: store.log, at: directory + "/" + fingerprint.text,
        beginningWith: { laid = copies.lay(upTo: Position(rawValue: .max), into: $0).position })
      written = try tableStore.anchor()
    } catch {
      throw .tables(error)
    }
    do throws(ProjectionError) {
      try Self.requireEnd(of: store, at: written.map { Position(rawValue: $0.position) }, tableStore.path)
    } catch {
      tableStore.close()
      throw error
    }
    do throws(TablesError) {
      engine = try ProjectionEngine(types, of: store.log, in: tableStore, isBuilding: !tableStore.isComplete)
      foldState = Locked(FoldState(isComplete: tableStore.isComplete))
    } catch {
      throw .tables(error)
    }
    recoveredFrom = laid
    schedule = SnapshotSchedule(of: engine, copies, patience: options.patience)
    // Whoever folded so far may have been told already that something differs.
    let present = try present(ifAt: nil)
    do throws(ProjectionError) { if let present { try checkpointLog.compare(present) } } catch { refuse(for: error) }
  }

  private static func end(of store: EventStore) throws(ProjectionError) -> Position {
    do throws(LogError) { return try store.head().position } catch { throw ProjectionError(error) }
  }

  /// Throws when something was derived from more events than the log has: the log has lost its last events since.
  private static func requireEnd(
    of store: EventStore, at position: Position?, _ path: String
  ) throws(ProjectionError) {
    guard let position else { return }
    let end = try end(of: store)
    if position > end { throw .log(.endMissing(MissingTail(path: path, position: position, end: end))) }
  }

  /// Views that could not fold an event; each stands before it, the others go on.
  public var stops: [ProjectionStop] { engine.stops }

  /// Folds up to the present end of the log.
  public func catchUp() throws(ProjectionError) {
    try foldState.withLock { foldState throws(ProjectionError) in
      if let refusal = foldState.refusal { throw refusal }
      do throws(ProjectionError) { try foldToEnd(&foldState) } catch {
        if error.isLasting { foldState.refusal = error }
        throw error
      }
    }
  }

  /// Folds up to the end of a block and writes it, for tables that reached the end of the log once.
  internal func catchUp(_ position: Position) throws(ProjectionError) {
    try foldState.withLock { foldState throws(ProjectionError) in
      if let refusal = foldState.refusal { throw refusal }
      try fold(through: position)
    }
    try flush()
  }

  /// Whether the tables have reached the end of the log once, and nothing that was testified spoke against them.
  public var isComplete: Bool { foldState.withLock { $0.isComplete } }

  /// Lends the tables as they are at the present end of the log, or further.
  public func read<R>(_ body: (ProjectionReader) throws(ProjectionError) -> R) throws(ProjectionError) -> R {
    try catchUp()
    try flush()
    return try engine.lend(body)
  }

  /// Lends a view as it stands at the present end of the log, or further, while nobody folds; throws
  /// ``ProjectionError/stopped(_:)`` when it stands before.
  ///
  /// When its tables could not be read, because another process has folded further, the body is run again: it changes
  /// nothing but what it answers. The position holds for as long as who asks has the log's turn.
  package func withProjection<Kind: Projection, R>(
    _ kind: Kind.Type, _ body: (Kind, Head) -> Result<R, TablesError>
  ) throws(ProjectionError) -> R {
    while true {
      try catchUp()
      if let result = try engine.withProjection(kind, body) { return result }
    }
  }

  /// Waits until the log reaches a position and the views stand there; answers false when the deadline came first.
  public func reached(_ position: Position, until deadline: ContinuousClock.Instant) throws(ProjectionError) -> Bool {
    if position > .zero {
      do throws(LogError) {
        let before = Position(rawValue: position.rawValue - 1)
        guard try store.log.wait(beyond: before, until: deadline) else { return false }
      } catch {
        throw ProjectionError(error)
      }
    }
    try catchUp()
    return true
  }

  /// Folds no more, and lends nothing more, when an error says that the tables are not to be believed.
  internal func refuse(for error: ProjectionError) {
    if error.isLasting { foldState.withLock { $0.refusal = error } }
  }

  /// Writes what waits to be written.
  internal func flush() throws(ProjectionError) { try engine.flush(until: .now + options.patience) }

  /// Ends the use of the tables; what is not written is folded again. It may be called again.
  ///
  /// A snapshot that is being taken is waited for.
  public func close() {
    schedule.close()
    engine.close()
  }
}

extension ProjectionStore: BlockFold {
  /// The end of what has been folded.
  public var applied: Head { engine.applied }

  /// Adds the block that follows ``applied``; does nothing for a block that does not.
  public func fold(_ block: BlockView) throws(LogError) {
    let before = applied.position.rawValue
    do throws(ProjectionError) {
      try engine.fold(block)
      let after = applied.position
      let distance = max(1, options.checkpointDistance)
      // Where another process has written further, it has taken this checkpoint.
      if after.rawValue / distance > before / distance { try takeCheckpoint(ifAt: after) }
      if let distance = options.snapshotDistance { takeSnapshot(between: before, after, distance) }
    } catch {
      throw error.asLogError
    }
  }
}

extension ProjectionStore {
  /// Adds the block that follows ``applied``, by who appended it; what then speaks against the tables is told to
  /// whoever asks them next.
  package func follow(_ block: BlockView) {
    do throws(LogError) { try fold(block) } catch { refuse(for: ProjectionError(error)) }
  }
}

extension ProjectionError {
  /// Whether the tables are not to be believed, however often one asks.
  fileprivate var isLasting: Bool {
    switch self {
    case .differs, .otherLog: true
    case .tables, .log, .beyondEnd, .noSuchTable, .closed, .stopped: false
    }
  }
}
