// A rebuild of projections from a log, up to a given position, in separate tables.
public import Digests
internal import Errors
public import EventLog
public import Tables

/// A rebuild of projections from a log, stretch by stretch, in separate tables.
///
/// A stretch is the range of events folded between two writes. It can be folded several times, each time from the
/// tables written before it, with no other state: a difference then means that the fold is nondeterministic. One thread
/// uses it.
public final class ProjectionReplay {
  /// The head that has been folded.
  public var applied: Head { fold.applied }
  /// The fingerprint of the projections at their revisions.
  public let fingerprint: Fingerprint
  /// The snapshot that they started from; nil when they started empty.
  public let snapshot: Position?
  /// The projections that could not fold an event.
  public var stops: [ProjectionStop] { fold.stops.compactMap { $0 } }

  internal let types: [any Projection.Type]
  internal let tableStore: TableStore
  internal private(set) var fold: ProjectionFold
  /// The head of the tables when they were last written.
  private var written: Head
  internal let log: any Log
  private let scratch: ScratchDirectory?
  private var jitter = AllocationPerturbation()
  /// The decoder of events on another thread; nil before the first of them.
  private var ahead: (any EventsAhead)?

  /// The state that projections start from.
  public enum Beginning: Hashable, Sendable {
    /// The projections start empty.
    case nothing
    /// The projections start from the newest whole snapshot in a directory, at a position or before; empty without one.
    case snapshot(in: String, upTo: Position)
  }

  /// Creates projections of a log, in a scratch directory that is removed with this object.
  public convenience init(
    _ types: [any Projection.Type], of store: EventStore, in parent: String,
    beginningWith beginning: Beginning = .nothing
  ) throws(ProjectionError) {
    let scratch: ScratchDirectory
    do throws(TablesError) { scratch = try .make(in: parent, until: .now + .seconds(10)) } catch {
      throw .tables(error)
    }
    // An erasure that is requested from now on waits for the directory; the content of one of before is left out.
    try rethrow(store.readErasures(), as: ProjectionError.log)
    try self.init(types, of: store.log, at: scratch.path, scratch, beginning)
  }

  /// Creates projections of a log, in a permanent table store of a directory that has no tables of theirs.
  public convenience init(
    _ types: [any Projection.Type], of log: any Log, into directory: String,
    beginningWith beginning: Beginning = .nothing
  ) throws(ProjectionError) {
    let directory = TableStore.resolved(directory)
    try self.init(
      types, of: log, at: "\(directory)/\(Fingerprint(of: types, erasures: log.content.erasureCount))", nil, beginning)
  }

  private init(
    _ types: [any Projection.Type], of log: any Log, at path: String, _ scratch: ScratchDirectory?,
    _ beginning: Beginning
  ) throws(ProjectionError) {
    (self.types, self.log, self.scratch, fingerprint) = (
      types, log, scratch, Fingerprint(of: types, erasures: log.content.erasureCount)
    )
    var snapshot: Position?
    if case .snapshot(let directory, let last) = beginning {
      let copies = Snapshots(in: directory, of: types, fingerprint, log, CheckpointLog(in: directory, of: log))
      if scratch != nil { snapshot = copies.lay(upTo: last, into: path).position }
    }
    self.snapshot = snapshot
    tableStore = try ProjectionEngine.tableStore(for: types, of: log, at: path)
    written = try ProjectionEngine.written(tableStore, log)
    fold = ProjectionFold(types, in: tableStore, of: log)
    do throws(TablesError) { try fold.startOver(at: written) } catch { throw .tables(error) }
  }

  /// Closes the tables; those in a permanent table store are synced.
  public func close() {
    if scratch == nil { tableStore.close() }
    scratch?.remove()
  }
}

// MARK: Fold

extension ProjectionReplay {
  /// Folds a stretch `times` times, and writes the result of the first; returns how another result differs.
  ///
  /// Forgetful projections start each time from the written tables, as in a new process; others continue with the rows
  /// in memory, which is faster.
  public func fold(
    through last: Position, times: Int = 1, isForgetful: Bool = false
  ) throws(ProjectionError) -> NondeterminismReport? {
    if last <= applied.position { return nil }
    let first = applied.position.next
    var kept: (batch: DirtyTables, end: Head)?
    var found: NondeterminismReport?
    for time in 0..<max(1, times) {
      if isForgetful || time > 0 { try discardUnwritten() }
      if time > 0 { perturbAllocations() }
      if times == 1, !isForgetful { try foldAhead(through: last) }
      try foldOnce(through: last)
      let batch = fold.takeUnwritten()
      guard let kept else {
        kept = (batch, applied)
        continue
      }
      if found == nil, let rows = try differences(between: kept.batch.changes, and: batch.changes) {
        found = NondeterminismReport(stretch: first...last, position: nil, rows: rows)
      }
    }
    if let stretch = found?.stretch { found = try narrowed(stretch) ?? found }
    guard let kept else { return nil }
    try write(kept.batch, endingAt: kept.end)
    // The rows in memory may be those of another fold.
    if found != nil { try discardUnwritten() }
    return found
  }

  /// Returns a digest of the rows that each event of a stretch changes in each table, by the table's full name; tables
  /// without changes are omitted. Nothing is written, and the fold is discarded.
  ///
  /// The stretch starts after the last one, and its length is limited like that of any stretch.
  public func digestsOfEvents(through last: Position) throws(ProjectionError) -> [(
    position: Position, tables: [String: TableDigest]
  )] {
    try discardUnwritten()
    var digests: [(Position, [String: TableDigest])] = []
    let names = tableStore.tableNames
    for (position, changes) in try foldEach(through: last) {
      var tables: [String: TableDigest] = [:]
      for (name, rows) in zip(names, changes) {
        var digest = TableDigest()
        rows.count(in: &digest, ofTable: name)
        if digest != TableDigest() { tables[name] = digest }
      }
      digests.append((position, tables))
    }
    try discardUnwritten()
    return digests
  }

  /// Folds further without writing, and returns the rows that differ from the written ones. The fold is discarded.
  public func changes(through last: Position) throws(ProjectionError) -> [RowChange] {
    try discardUnwritten()
    try foldOnce(through: last)
    let changes = try rowChanges(fold.takeUnwritten().changes)
    try discardUnwritten()
    return changes
  }

  /// Returns the rows that an event changes, in the stretch after the written tables. The fold is discarded.
  public func changes(ofEvent position: Position) throws(ProjectionError) -> [RowChange] {
    try discardUnwritten()
    let events = try foldEach(through: position)
    guard let last = events.last else { return [] }
    let changes = try rowChanges(last.changes, after: events.dropLast())
    try discardUnwritten()
    return changes
  }

  /// Makes the next allocations return other addresses.
  internal func perturbAllocations() { jitter.perturbAllocations() }

  /// Discards unwritten changes and the projections' state.
  internal func discardUnwritten() throws(ProjectionError) {
    try rethrow(fold.startOver(at: written), as: ProjectionError.tables)
  }

  /// Folds events that another thread decodes, up to a position or fewer.
  private func foldAhead(through last: Position) throws(ProjectionError) {
    guard types.count == 1, stops.isEmpty, log.content.cipher == nil else { return }
    if ahead == nil { ahead = (types.first as? any DecodingProjection.Type)?.eventsAhead() }
    do { try ahead?.fold(log, into: &fold, through: last) } catch let error as TablesError {
      throw .tables(error)
    } catch {
      // A fold of the events themselves finds the reason, and where it is.
      try discardUnwritten()
    }
  }

  internal func foldOnce(through last: Position) throws(ProjectionError) {
    try fold.fold(log, through: last, orRestartAt: written) { fold, block throws(FoldFailure) in
      try fold.fold(block, through: last)
    }
  }

  /// Folds event by event; returns the changes of each.
  internal func foldEach(through last: Position) throws(ProjectionError) -> [(
    position: Position, changes: [ChangedRows]
  )] {
    var events: [(Position, [ChangedRows])] = []
    let start = applied.position
    try fold.fold(log, through: last, orRestartAt: written) { fold, block throws(FoldFailure) in
      // A projection was stopped, and everything is folded again.
      if fold.applied.position == start { events = [] }
      while fold.applied.position < min(block.last, last) {
        let next = fold.applied.position.next
        try fold.fold(block, through: next)
        events.append((next, fold.takeUnwritten().changes))
      }
    }
    return events
  }

  private func write(_ batch: DirtyTables, endingAt end: Head) throws(ProjectionError) {
    do throws(TablesError) { _ = try tableStore.write(batch.changes, logPoint: batch.logPoint) } catch {
      throw .tables(error)
    }
    written = end
    fold.trim()
  }
}

// MARK: Results

extension ProjectionReplay {
  /// Returns a checkpoint of the tables as last written.
  public func checkpoint() throws(ProjectionError) -> Checkpoint {
    do throws(TablesError) {
      return Checkpoint(
        position: written.position, hash: written.hash, fingerprint: fingerprint.text,
        digests: Checkpoint.Digest.named(try tableStore.digests(), of: types, fingerprint))
    } catch {
      throw .tables(error)
    }
  }

  /// Returns the fields of a row; nil when it is malformed.
  public func fields(of value: [UInt8], key: [UInt8], in table: String) -> [RowField]? {
    tableStore.tableNames.firstIndex(of: table).flatMap { fold.fields(of: value, key: key, inTable: $0) }
  }
}

/// Allocations that are kept for a while, so that the next ones get other addresses: the order of sets depends on them.
private struct AllocationPerturbation {
  private var blocks: [[UInt8]] = []

  /// Allocates blocks of each size class: more than were probably just freed, so that the next allocations get new
  /// addresses.
  mutating func perturbAllocations() {
    if blocks.count > 16_384 { blocks.removeAll() }
    for size in stride(from: 0, to: 512, by: 16) {
      for _ in 0..<Int.random(in: 8...72) { blocks.append([UInt8](repeating: 0, count: size + 1)) }
    }
  }
}
