// Projections at an earlier position, folded in a scratch directory that is removed when they are closed.
internal import Errors
public import EventLog
internal import Locks
internal import Tables

/// Projections at an earlier position of the log, which need not be the end of a block.
///
/// They are folded from the newest whole snapshot at or before it, or from the first event, in a scratch directory that
/// is removed when they are closed or deallocated; when the process dies, by the next that opens past projections.
public final class PastProjections: Sendable {
  /// The position that they are folded to: they include all events up to it, and none after.
  public let position: Position
  /// The projections that could not fold an event up to the position.
  public let stops: [ProjectionStop]
  /// The nearer snapshots that were skipped as damaged or unreadable.
  public let passedOver: [SnapshotReport]
  /// The snapshot that they were folded from; nil when they were folded from the first event.
  public let snapshot: Position?
  private let scratch: ScratchDirectory
  private let engine: Locked<ProjectionEngine?>

  /// Creates the projections of a store at a position that the log has.
  internal init(of store: ProjectionStore, at position: Position) throws(ProjectionError) {
    let log = store.store.log
    self.position = position
    let engine: ProjectionEngine
    do throws(TablesError) {
      scratch = try .make(in: store.directory + "/past", until: .now + store.options.patience)
      passedOver = store.copies.lay(upTo: position, into: scratch.path).passedOver
      let tableStore = try ProjectionEngine.tableStore(for: store.types, of: log, at: scratch.path)
      var limits = WriteBehindLimits()
      limits.unwrittenMax = 100_000
      engine = try ProjectionEngine(store.types, of: log, in: tableStore, limits: limits)
    } catch {
      throw .tables(error)
    }
    snapshot = engine.applied.position == .zero ? nil : engine.applied.position
    let folding = PastFolding(engine, through: position)
    try log.catchUp(folding, through: position, triesMax: 8 + 2 * store.types.count, as: ProjectionError.log)
    try engine.flush(until: .now + store.options.patience)
    stops = engine.stops
    self.engine = Locked(engine)
  }

  deinit { close() }

  /// Runs the closure on the tables at the position; throws ``ProjectionError/closed(_:)`` when they were closed.
  public func read<R>(_ body: (ProjectionReader) throws(ProjectionError) -> R) throws(ProjectionError) -> R {
    guard let engine = engine.withLock({ $0 }) else { throw .closed(position) }
    return try engine.lend(body)
  }

  /// The table store, until it is closed.
  internal var tableStore: TableStore? { engine.withLock { $0?.tableStore } }

  /// Closes the projections and removes their table store. Further calls are no-ops.
  public func close() {
    // The table store itself is not closed: that would sync files that are then removed.
    engine.withLock { $0 = nil }
    scratch.remove()
  }
}

/// A fold that ends at a position.
private final class PastFolding: BlockFold {
  private let engine: ProjectionEngine
  private let last: Position

  init(_ engine: ProjectionEngine, through last: Position) { (self.engine, self.last) = (engine, last) }

  var applied: Head { engine.applied }

  func fold(_ block: BlockView) throws(ProjectionError) { try engine.fold(block, through: last) }
}

extension ProjectionStore {
  /// Returns the projections at an earlier position; throws ``ProjectionError/beyondEnd(_:end:)`` when the log is
  /// shorter.
  public func at(_ position: Position) throws(ProjectionError) -> PastProjections {
    let head = try head()
    guard position <= head.position else { throw .beyondEnd(position, end: head.position) }
    return try PastProjections(of: self, at: position)
  }

  /// Returns the projections at an instant: after the last event that was recorded then or before.
  public func at(_ instant: Timestamp) throws(ProjectionError) -> PastProjections {
    let position = try rethrow(store.last(recordedBy: instant), as: ProjectionError.log)
    return try PastProjections(of: self, at: position)
  }
}
