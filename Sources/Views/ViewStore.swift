// The views of a log: folded, kept in a folder, read.
public import EventLog
internal import Locks
package import Tables

/// The tables that views fold from a log, kept in a folder of their own, and as new as the log whenever they are read.
///
/// Any number of processes may have them open; each folds what it has not seen before it reads. A folder belongs to one
/// set of views in one form, by its ``Fingerprint``: programs with other forms have others beside it.
public final class ViewStore: Sendable {
  /// What they are folded from.
  public let store: EventStore
  /// Names these views in their form.
  public let fingerprint: Fingerprint
  /// Where their tables lie, and all that is kept beside them.
  public let directory: String
  /// The snapshot that their tables began with when they were opened; nil when they were there, or began with nothing.
  public let recoveredFrom: Position?
  internal let options: Options
  internal let types: [any View.Type]
  internal let views: FoldedViews
  internal let testimony: Testimony
  internal let copies: Snapshots
  internal let schedule: SnapshotSchedule
  /// Held by who folds.
  private let turn: Guarded<Turn>

  /// What is known of the tables by who folds them.
  internal struct Turn {
    /// Why they are not to be believed, however often one asks.
    var refusal: ViewError?
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
    of store: EventStore, _ types: [any View.Type], at directory: String, options: Options = Options()
  ) throws(ViewError) {
    let directory = Folder.resolvedDirectory(of: directory)
    self.store = store
    self.directory = directory
    self.options = options
    self.types = types
    fingerprint = Fingerprint(of: types)
    let names = ViewFold.tableNames(of: types)
    precondition(Set(names).count == names.count, "two views have a table of the same name: \(names)")
    testimony = Testimony(in: directory)
    try testimony.makeDirectory()
    try testimony.requireEnd { () throws(ViewError) in try Self.end(of: store) }
    let copies = Snapshots(in: options.snapshotDirectory ?? directory, of: types, fingerprint, store.log, testimony)
    self.copies = copies
    try Self.requireEnd(of: store, at: copies.positions.last, copies.path)
    var laid: Position?
    let folder: Folder
    let written: Anchor?
    do throws(TablesError) {
      folder = try FoldedViews.folder(
        for: types, of: store.log, at: directory + "/" + fingerprint.text,
        beginningWith: { laid = copies.lay(upTo: Position(rawValue: .max), into: $0).position })
      written = try folder.anchor()
    } catch {
      throw .tables(error)
    }
    do throws(ViewError) {
      try Self.requireEnd(of: store, at: written.map { Position(rawValue: $0.position) }, folder.path)
    } catch {
      folder.close()
      throw error
    }
    do throws(TablesError) {
      views = try FoldedViews(types, of: store.log, in: folder, isBuilding: !folder.isComplete)
      turn = Guarded(Turn(isComplete: folder.isComplete))
    } catch {
      throw .tables(error)
    }
    recoveredFrom = laid
    schedule = SnapshotSchedule(of: views, copies, patience: options.patience)
    // Whoever folded so far may have been told already that something differs.
    let present = try present(ifAt: nil)
    do throws(ViewError) { if let present { try testimony.compare(present) } } catch { refuse(for: error) }
  }

  private static func end(of store: EventStore) throws(ViewError) -> Position {
    do throws(LogError) { return try store.head().position } catch { throw ViewError(error) }
  }

  /// Throws when something was derived from more events than the log has: the log has lost its last events since.
  private static func requireEnd(
    of store: EventStore, at position: Position?, _ path: String
  ) throws(ViewError) {
    guard let position else { return }
    let end = try end(of: store)
    if position > end { throw .log(.endMissing(MissingEnd(path: path, position: position, end: end))) }
  }

  /// Views that could not fold an event; each stands before it, the others go on.
  public var stops: [ViewStop] { views.stops }

  /// Folds up to the present end of the log.
  public func bringToEnd() throws(ViewError) {
    try turn.withLock { turn throws(ViewError) in
      if let refusal = turn.refusal { throw refusal }
      do throws(ViewError) { try foldToEnd(&turn) } catch {
        if error.isLasting { turn.refusal = error }
        throw error
      }
    }
  }

  /// Folds up to the end of a block and writes it, for tables that reached the end of the log once.
  internal func bringTo(_ position: Position) throws(ViewError) {
    try turn.withLock { turn throws(ViewError) in
      if let refusal = turn.refusal { throw refusal }
      try fold(through: position)
    }
    try flush()
  }

  /// Whether the tables have reached the end of the log once, and nothing that was testified spoke against them.
  public var isComplete: Bool { turn.withLock { $0.isComplete } }

  /// Lends the tables as they are at the present end of the log, or further.
  public func read<R>(_ body: (ViewReading) throws(ViewError) -> R) throws(ViewError) -> R {
    try bringToEnd()
    try flush()
    return try views.lend(body)
  }

  /// Lends a view as it stands at the present end of the log, or further, while nobody folds; throws
  /// ``ViewError/stopped(_:)`` when it stands before.
  ///
  /// When its tables could not be read, because another process has folded further, the body is run again: it changes
  /// nothing but what it answers. The position holds for as long as who asks has the log's turn.
  package func withView<Kind: View, R>(
    _ kind: Kind.Type, _ body: (Kind, Head) -> Result<R, TablesError>
  ) throws(ViewError) -> R {
    while true {
      try bringToEnd()
      if let result = try views.withView(kind, body) { return result }
    }
  }

  /// Waits until the log reaches a position and the views stand there; answers false when the deadline came first.
  public func reached(_ position: Position, until deadline: ContinuousClock.Instant) throws(ViewError) -> Bool {
    if position > .zero {
      do throws(LogError) {
        let before = Position(rawValue: position.rawValue - 1)
        guard try store.log.wait(beyond: before, until: deadline) else { return false }
      } catch {
        throw ViewError(error)
      }
    }
    try bringToEnd()
    return true
  }

  /// Folds no more, and lends nothing more, when an error says that the tables are not to be believed.
  internal func refuse(for error: ViewError) {
    if error.isLasting { turn.withLock { $0.refusal = error } }
  }

  /// Writes what waits to be written.
  internal func flush() throws(ViewError) { try views.flush(until: .now + options.patience) }

  /// Ends the use of the tables; what is not written is folded again. It may be called again.
  ///
  /// A snapshot that is being taken is waited for.
  public func close() {
    schedule.close()
    views.close()
  }
}

extension ViewStore: BlockFolding {
  /// The end of what has been folded.
  public var applied: Head { views.applied }

  /// Adds the block that follows ``applied``; does nothing for a block that does not.
  public func fold(_ block: BlockView) throws(LogError) {
    let before = applied.position.rawValue
    do throws(ViewError) {
      try views.fold(block)
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

extension ViewStore {
  /// Adds the block that follows ``applied``, by who appended it; what then speaks against the tables is told to
  /// whoever asks them next.
  package func follow(_ block: BlockView) {
    do throws(LogError) { try fold(block) } catch { refuse(for: ViewError(error)) }
  }
}

extension ViewError {
  /// Whether the tables are not to be believed, however often one asks.
  fileprivate var isLasting: Bool {
    switch self {
    case .differs, .otherLog: true
    case .tables, .log, .beyondEnd, .noSuchTable, .closed, .stopped: false
    }
  }
}
