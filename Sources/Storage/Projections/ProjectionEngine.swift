// Views folded into a folder, up to some end: what a store is made of.
internal import EventLog
internal import Locks
internal import Tables

/// Views with the folder of their tables, as a log is folded into them.
internal final class ProjectionEngine: Sendable {
  let tableStore: TableStore
  private let log: any Log
  private let fold: WriteBehind<ProjectionFold>
  private let numbers: [String: Int]
  private let building: Locked<Bool>
  private let counted: Locked<FoldCounters>

  /// Whether others may go on meanwhile who need the other processors more: then who folds writes, too.
  var isBuilding: Bool {
    get { building.withLock { $0 } }
    set { building.withLock { $0 = newValue } }
  }

  /// Views as they stand in a folder that was opened for them.
  init(
    _ types: [any Projection.Type], of log: any Log, in tableStore: TableStore, limits: WriteBehindLimits = .ofViews,
    isBuilding: Bool = false
  ) throws(TablesError) {
    self.log = log
    self.tableStore = tableStore
    building = Locked(isBuilding)
    numbers = Dictionary(uniqueKeysWithValues: zip(tableStore.tableNames, tableStore.tableNames.indices))
    var projections = ProjectionFold(types, in: tableStore, of: Head(of: log.genesis))
    try Self.startOver(&projections, tableStore, log)
    counted = Locked(FoldCounters(applied: projections.applied))
    fold = WriteBehind(projections, in: tableStore, limits: limits)
  }

  /// Opens a folder for the tables of views; where there is nothing to go on from, the closure may lay something.
  static func tableStore(
    for types: [any Projection.Type], of log: any Log, at path: String, beginningWith begin: (String) -> Void = { _ in }
  ) throws(TablesError) -> TableStore {
    try TableStore(at: path, tables: ProjectionFold.tableNames(of: types), seededBy: .name, beginningWith: begin) {
      anchor in
      if log.head(at: anchor) != nil { return true }
      // Tables ahead of the log are evidence that it lost its last events: they are kept, and their user refuses them.
      guard let end = try? log.head().position else { return true }
      return anchor.position > end.rawValue
    }
  }

  /// Goes on from where the folder stands, which others may write further at any moment.
  private static func startOver(
    _ fold: inout ProjectionFold, _ tableStore: TableStore, _ log: any Log
  ) throws(TablesError) {
    while true {
      let head = try tableStore.anchor().flatMap { log.head(at: $0) } ?? Head(of: log.genesis)
      do throws(TablesError) { return try fold.startOver(at: head) } catch {
        // An anchor that is not on this log is no place to go on from, however often one looks.
        guard case .ahead(let anchor) = error, log.head(at: anchor) != nil else { throw error }
      }
    }
  }

  /// The end of what has been folded.
  var applied: Head { fold.use { $0.applied } }

  /// What was counted of folding, without a wait for who folds: the block in the making is not in it.
  var counts: FoldCounters { counted.withLock { $0 } }

  var stops: [ProjectionStop] { fold.use { $0.stops.compactMap { $0 } } }

  /// Adds the block that follows ``applied``, or its events up to a position.
  func fold(_ block: BlockView, through last: Position = Position(rawValue: .max)) throws(ProjectionError) {
    var began: ContinuousClock.Instant?
    let ended = try fold.fold(atOnce: isBuilding) { fold throws(ProjectionError) in
      guard block.first == fold.applied.position.next, block.first <= last else { return }
      let before = fold.applied.position
      began = .now
      do throws(FoldFailure) {
        try fold.fold(block, through: last)
        counted.withLock { $0.move(from: before, to: fold.applied) }
      } catch {
        try startOver(&fold, after: error)
      }
    }
    // One look at the clock for a block: when it ended, who writes behind knows anyway.
    if let began { counted.withLock { $0.time += began.duration(to: ended) } }
  }

  /// Lends a view with where it stands, while nobody folds; nil when its tables were written further than they are
  /// here, and now go on from there.
  func withProjection<Kind: Projection, R>(
    _ kind: Kind.Type, _ body: (Kind, Head) -> Result<R, TablesError>
  ) throws(ProjectionError) -> R? {
    try fold.use { fold throws(ProjectionError) in
      if let stop = fold.stop(of: kind) { throw .stopped(stop) }
      do throws(TablesError) { return try fold.withProjection(kind, body).get() } catch {
        try startOver(&fold, after: .tables(error))
        return nil
      }
    }
  }

  /// Goes on from where the folder stands: nothing of a block that was folded in part may be written.
  private func startOver(_ fold: inout ProjectionFold, after fault: FoldFailure) throws(ProjectionError) {
    defer { counted.withLock { $0.applied = fold.applied } }
    do throws(TablesError) {
      try Self.startOver(&fold, tableStore, log)
      // Another process has folded further, or a view is stopped: both are dealt with by folding from there.
      if case .tables(let error) = fault {
        guard case .ahead = error else { throw error }
      }
    } catch {
      throw .tables(error)
    }
  }

  /// Writes what waits to be written; others who write are waited for until the deadline.
  func flush(until deadline: ContinuousClock.Instant) throws(ProjectionError) {
    do throws(TablesError) {
      if try fold.flush(until: deadline) == .busy { throw .busy(path: tableStore.path) }
    } catch {
      throw .tables(error)
    }
  }

  /// Lends the tables as they are written.
  func lend<R>(_ body: (ProjectionReader) throws(ProjectionError) -> R) throws(ProjectionError) -> R {
    let result: Result<R, ProjectionError>
    do throws(TablesError) {
      result = try tableStore.lend { reading in
        do throws(ProjectionError) { return .success(try body(ProjectionReader(reading, numbers))) } catch {
          return .failure(error)
        }
      }
    } catch {
      throw .tables(error)
    }
    return try result.get()
  }

  /// Ends the use of the folder; what is not written is folded again.
  func close() {
    _ = try? fold.flush()
    tableStore.close()
  }
}

extension WriteBehindLimits {
  /// Who folds a whole log writes it in few, large steps.
  static var ofViews: WriteBehindLimits {
    var limits = WriteBehindLimits()
    limits.unwrittenMaxInRush = 100_000
    return limits
  }
}

extension Log {
  /// The head at an anchor, if the anchor lies on this chain.
  internal func head(at anchor: LogPoint) -> Head? {
    guard let head = try? head(at: Position(rawValue: anchor.position)), head.hash == anchor.hash else { return nil }
    return head
  }
}
