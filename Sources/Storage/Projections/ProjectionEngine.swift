// The engine of a projection store: projections folded into a table store.
internal import Errors
internal import EventLog
internal import Locks
internal import Tables

/// A set of projections with their table store, into which a log is folded.
internal final class ProjectionEngine: Sendable {
  let tableStore: TableStore
  private let log: any Log
  private let fold: WriteBehind<ProjectionFold>
  private let numbers: [String: Int]
  private let building: Locked<Bool>
  private let counted: Locked<FoldCounters>

  /// Whether the tables are being built while other processes need the processors more: folding then writes, too,
  /// instead of a second thread.
  var isBuilding: Bool {
    get { building.withLock { $0 } }
    set { building.withLock { $0 = newValue } }
  }

  /// Creates projections in the state of an opened table store.
  init(
    _ types: [any Projection.Type], of log: any Log, in tableStore: TableStore, limits: WriteBehindLimits = .ofViews,
    isBuilding: Bool = false
  ) throws(ProjectionError) {
    self.log = log
    self.tableStore = tableStore
    building = Locked(isBuilding)
    numbers = Dictionary(uniqueKeysWithValues: zip(tableStore.tableNames, tableStore.tableNames.indices))
    var projections = ProjectionFold(types, in: tableStore, of: log)
    try Self.startOver(&projections, tableStore, log)
    counted = Locked(FoldCounters(applied: projections.applied))
    fold = WriteBehind(projections, in: tableStore, limits: limits)
  }

  /// Opens a table store for the tables of projections; without usable tables, the closure can provide a data file.
  static func tableStore(
    for types: [any Projection.Type], of log: any Log, at path: String, beginningWith begin: (String) -> Void = { _ in }
  ) throws(ProjectionError) -> TableStore {
    let names = ProjectionFold.tableNames(of: types)
    return try openTables { isOnChain throws(TablesError) in
      try TableStore(at: path, tables: names, seededBy: .name, beginningWith: begin, isOnChain: isOnChain)
    } ifOnChain: { logPoint throws(LogError) in
      if try log.head(at: logPoint) != nil { return true }
      // Tables ahead of the log are evidence that it lost its last events: they are kept, and their user refuses them.
      return try logPoint.position > log.head().position.rawValue
    }
  }

  /// Restarts from the state of the table store, which other processes can advance at any moment; when it throws, the
  /// working tables are empty.
  private static func startOver(
    _ fold: inout ProjectionFold, _ tableStore: TableStore, _ log: any Log
  ) throws(ProjectionError) {
    fold.discard()
    while true {
      let head = try written(tableStore, log)
      do throws(TablesError) { return try fold.startOver(at: head) } catch {
        // A log point that is not on this log cannot be continued from, however often it is read.
        guard case .ahead(let logPoint) = error,
          try rethrow(log.head(at: logPoint), as: ProjectionError.log) != nil
        else { throw .tables(error) }
      }
    }
  }

  /// Returns the head of a table store; that of the beginning when its log point is not on the chain of the log.
  static func written(_ tableStore: TableStore, _ log: any Log) throws(ProjectionError) -> Head {
    let logPoint = try rethrow(tableStore.logPoint(), as: ProjectionError.tables)
    let head = try rethrow(
      logPoint.flatMap { logPoint throws(LogError) in try log.head(at: logPoint) }, as: ProjectionError.log)
    return head ?? Head(of: log.genesis)
  }

  /// The head that has been folded.
  var applied: Head { fold.use { $0.applied } }

  /// The fold's counters, without waiting for the folding thread: a block in progress is not counted.
  var counts: FoldCounters { counted.withLock { $0 } }

  var stops: [ProjectionStop] { fold.use { $0.stops.compactMap { $0 } } }

  /// Folds the block after ``applied``, or its events up to a position.
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
    // The clock is read once for a block: write-behind knows the end time anyway.
    if let began { counted.withLock { $0.time += began.duration(to: ended) } }
  }

  /// Runs the closure with a projection and its head, with folding locked out; returns nil when its tables were written
  /// further by another process, and restarts from there.
  func withProjection<Kind: Projection, R>(
    _ kind: Kind.Type, _ body: (Kind, Head) throws(ProjectionError) -> R
  ) throws(ProjectionError) -> R? {
    try fold.use { fold throws(ProjectionError) in
      if let stop = fold.stop(of: kind) { throw .stopped(stop) }
      do throws(ProjectionError) { return try fold.withProjection(kind, body) } catch {
        guard case .tables(let error) = error else { throw error }
        try startOver(&fold, after: .tables(error))
        return nil
      }
    }
  }

  /// Restarts from the state of the table store: nothing of a partially folded block may be written.
  private func startOver(_ fold: inout ProjectionFold, after fault: FoldFailure) throws(ProjectionError) {
    defer { counted.withLock { $0.applied = fold.applied } }
    try Self.startOver(&fold, tableStore, log)
    // Another process has folded further, or a projection is stopped: both are handled by folding from there.
    switch fault {
    case .tables(.ahead), .poison: return
    case .tables(let error): throw .tables(error)
    case .content(let error): throw .log(error)
    }
  }

  /// Writes the waiting changes; blocks for other writers until the deadline.
  func flush(until deadline: ContinuousClock.Instant) throws(ProjectionError) {
    let outcome = try rethrow(fold.flush(until: deadline), as: ProjectionError.tables)
    if outcome == .busy { throw .tables(.busy(path: tableStore.path)) }
  }

  /// Runs the closure on the written tables.
  func lend<R>(_ body: (ProjectionReader) throws(ProjectionError) -> R) throws(ProjectionError) -> R {
    try tableStore.lend(numbers, body)
  }

  /// Closes the table store; unwritten changes are folded again later.
  func close() {
    _ = try? fold.flush()
    tableStore.close()
  }
}

extension TablesSource {
  /// Runs the closure on the written tables of projections, which are found by their numbers.
  internal func lend<R>(
    _ numbers: [String: Int], _ body: (ProjectionReader) throws(ProjectionError) -> R
  ) throws(ProjectionError) -> R {
    let result = try rethrow(
      lend(upTo: .max) { reading in
        Result { () throws(ProjectionError) in try body(ProjectionReader(reading, numbers)) }
      }, as: ProjectionError.tables)
    return try result.get()
  }
}

extension WriteBehindLimits {
  /// The limits for projections: a fold of a whole log writes in few, large batches.
  static var ofViews: WriteBehindLimits {
    var limits = WriteBehindLimits()
    limits.unwrittenMaxInRush = 100_000
    return limits
  }
}

extension Log {
  /// Returns the head at a log point; nil when the log point is not on this chain.
  internal func head(at logPoint: LogPoint) throws(LogError) -> Head? {
    try head(at: Position(rawValue: logPoint.position), logPoint.hash)
  }
}

/// Opens tables that are kept if their log point is on a chain; throws when the log could not be read to find out, in
/// which case they are kept.
internal func openTables<Tables>(
  _ open: ((LogPoint) -> Bool) throws(TablesError) -> Tables,
  ifOnChain isOnChain: @escaping (LogPoint) throws(LogError) -> Bool
) throws(ProjectionError) -> Tables {
  var failure: LogError?
  let tables: Tables
  do throws(TablesError) {
    tables = try open { logPoint in
      do throws(LogError) { return try isOnChain(logPoint) } catch {
        failure = error
        return true
      }
    }
  } catch {
    throw .tables(error)
  }
  if let failure { throw .log(failure) }
  return tables
}
