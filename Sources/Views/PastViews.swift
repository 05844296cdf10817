// Views as they stood: folded up to a position in a folder that goes when they are closed.
public import EventLog
internal import Locks
internal import Tables

/// Views as they stood when the log ended at a position, which need not be the end of a block.
///
/// They are folded from the newest whole snapshot at or before it, or from nothing, in a folder of their own that is
/// removed when they are closed or go away; when the process dies, by the next that stands in the past.
public final class PastViews: Sendable {
  /// Up to where they are folded: everything up to here is in them, and nothing behind.
  public let position: Position
  /// Views that could not fold an event up to here.
  public let stops: [ViewStop]
  /// Snapshots that would have been nearer and are not whole.
  public let passedOver: [SnapshotReport]
  /// The snapshot that they were folded from; nil when they were folded from nothing.
  public let snapshot: Position?
  private let place: TemporaryFolder
  private let views: Guarded<FoldedViews?>

  /// Views of a store at a position that the log has.
  internal init(of store: ViewStore, at position: Position) throws(ViewError) {
    let log = store.store.log
    self.position = position
    let views: FoldedViews
    do throws(TablesError) {
      place = try .make(in: store.directory + "/past", until: .now + store.options.patience)
      passedOver = store.copies.lay(upTo: position, into: place.path).passedOver
      let folder = try FoldedViews.folder(for: store.types, of: log, at: place.path)
      var limits = WriteBehindLimits()
      limits.unwrittenMax = 100_000
      views = try FoldedViews(store.types, of: log, in: folder, limits: limits)
    } catch {
      throw .tables(error)
    }
    snapshot = views.applied.position == .zero ? nil : views.applied.position
    do throws(LogError) {
      let folding = PastFolding(views, through: position)
      try log.bringToEnd(folding, through: position, triesMax: 8 + 2 * store.types.count)
    } catch {
      throw ViewError(error)
    }
    try views.flush(until: .now + store.options.patience)
    stops = views.stops
    self.views = Guarded(views)
  }

  deinit { close() }

  /// Lends the tables as they stood; throws ``ViewError/closed(_:)`` when they were closed.
  public func read<R>(_ body: (ViewReading) throws(ViewError) -> R) throws(ViewError) -> R {
    guard let views = views.withLock({ $0 }) else { throw .closed(position) }
    return try views.lend(body)
  }

  /// The folder of the tables, while they are not closed.
  internal var folder: Folder? { views.withLock { $0?.folder } }

  /// Ends their use and removes their folder. It may be called again.
  public func close() {
    // Not the folder's own closing: it would sync what is removed.
    views.withLock { $0 = nil }
    place.remove()
  }
}

/// Folds up to a position and no further.
private final class PastFolding: BlockFolding {
  private let views: FoldedViews
  private let last: Position

  init(_ views: FoldedViews, through last: Position) { (self.views, self.last) = (views, last) }

  var applied: Head { views.applied }

  func fold(_ block: BlockView) throws(LogError) {
    do throws(ViewError) { try views.fold(block, through: last) } catch { throw error.asLogError }
  }
}

extension ViewStore {
  /// The views as they stood when the log ended at a position; throws ``ViewError/beyondEnd(_:end:)`` when it does not
  /// reach so far.
  public func at(_ position: Position) throws(ViewError) -> PastViews {
    let head = try head()
    guard position <= head.position else { throw .beyondEnd(position, end: head.position) }
    return try PastViews(of: self, at: position)
  }

  /// The views as they stood at an instant: after the last event that was recorded then or before.
  public func at(_ instant: Timestamp) throws(ViewError) -> PastViews {
    let position: Position
    do throws(LogError) { position = try store.last(recordedBy: instant) } catch { throw ViewError(error) }
    return try PastViews(of: self, at: position)
  }
}
