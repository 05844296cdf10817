// Views folded anew from a log, as far as one says, in tables of their own.
public import Digests
public import EventLog
public import Tables

/// Views folded anew from a log, stretch by stretch, in tables of their own.
///
/// A stretch is what is folded before rows are written. It may be folded several times, each time from what was written
/// before it, with nothing remembered: what then differs depends on something besides the events. One thread uses it.
public final class ProjectionReplay {
  /// The end of what has been folded.
  public var applied: Head { fold.applied }
  /// Names the views in their form.
  public let fingerprint: Fingerprint
  /// The snapshot that they began with; nil when they began with nothing.
  public let snapshot: Position?
  /// Views that could not fold an event.
  public var stops: [ProjectionStop] { fold.stops.compactMap { $0 } }

  internal let types: [any Projection.Type]
  internal let tableStore: TableStore
  internal private(set) var fold: ProjectionFold
  /// Where the tables were last written.
  private var written: Head
  internal let log: any Log
  private let place: ScratchDirectory?
  private var jitter = Jitter()

  /// What views begin with.
  public enum Beginning: Hashable, Sendable {
    /// Nothing.
    case nothing
    /// The newest whole snapshot, at a position or before, of those in a directory of views; nothing where there is
    /// none.
    case snapshot(in: String, upTo: Position)
  }

  /// Views of a log, in a folder that is made in a directory and goes with this object.
  public convenience init(
    _ types: [any Projection.Type], of log: any Log, in parent: String, beginningWith beginning: Beginning = .nothing
  ) throws(ProjectionError) {
    let place: ScratchDirectory
    do throws(TablesError) { place = try .make(in: parent, until: .now + .seconds(10)) } catch {
      throw .tables(error)
    }
    try self.init(types, of: log, at: place.path, place, beginning)
  }

  /// Views of a log, in a folder that stays: in a directory of views, which has none of theirs.
  public convenience init(
    _ types: [any Projection.Type], of log: any Log, into directory: String,
    beginningWith beginning: Beginning = .nothing
  ) throws(ProjectionError) {
    let directory = TableStore.resolved(directory)
    try self.init(types, of: log, at: "\(directory)/\(Fingerprint(of: types))", nil, beginning)
  }

  private init(
    _ types: [any Projection.Type], of log: any Log, at path: String, _ place: ScratchDirectory?, _ beginning: Beginning
  ) throws(ProjectionError) {
    (self.types, self.log, self.place, fingerprint) = (types, log, place, Fingerprint(of: types))
    var snapshot: Position?
    if case .snapshot(let directory, let last) = beginning {
      let copies = Snapshots(in: directory, of: types, fingerprint, log, CheckpointLog(in: directory))
      if place != nil { snapshot = copies.lay(upTo: last, into: path).position }
    }
    self.snapshot = snapshot
    do throws(TablesError) {
      tableStore = try ProjectionEngine.tableStore(for: types, of: log, at: path)
      written = try tableStore.anchor().flatMap { log.head(at: $0) } ?? Head(of: log.genesis)
      fold = ProjectionFold(types, in: tableStore, of: Head(of: log.genesis))
      try fold.startOver(at: written)
    } catch {
      throw .tables(error)
    }
  }

  /// Ends the use of the tables; those in a folder that stays are synced.
  public func close() {
    if place == nil { tableStore.close() }
    place?.remove()
  }
}

// MARK: Folding

extension ProjectionReplay {
  /// Folds a stretch so many times, and writes what the first time came to; answers what another time came to
  /// otherwise.
  ///
  /// Forgetful views begin each time with what was written, as they do where a process begins; others go on with what
  /// they hold, which is quicker.
  public func fold(
    through last: Position, times: Int = 1, isForgetful: Bool = false
  ) throws(ProjectionError) -> NondeterminismReport? {
    if last <= applied.position { return nil }
    let first = applied.position.next
    var kept: (batch: DirtyTables, end: Head)?
    var found: NondeterminismReport?
    for time in 0..<max(1, times) {
      if isForgetful || time > 0 { try giveUp() }
      if time > 0 { shake() }
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
    // What is held may be what another time came to.
    if found != nil { try giveUp() }
    return found
  }

  /// What each event of a stretch changes, as a digest of the rows; nothing is written, and the stretch is given up.
  ///
  /// It begins where the last stretch ended, and goes as far as one stretch does.
  public func digestsOfEvents(through last: Position) throws(ProjectionError) -> [(
    position: Position, digest: TableDigest
  )] {
    try giveUp()
    var digests: [(Position, TableDigest)] = []
    let names = tableStore.tableNames
    for (position, changes) in try foldEach(through: last) {
      var digest = TableDigest()
      for (name, rows) in zip(names, changes) { rows.count(in: &digest, ofTable: name) }
      digests.append((position, digest))
    }
    try giveUp()
    return digests
  }

  /// Folds further without writing, and answers which rows are others than they were where it last wrote. What was
  /// folded is given up.
  public func changes(through last: Position) throws(ProjectionError) -> [RowChange] {
    try giveUp()
    try foldOnce(through: last)
    let changes = try rowChanges(fold.takeUnwritten().changes)
    try giveUp()
    return changes
  }

  /// Which rows an event makes others than they were before it, in the stretch that begins where it last wrote. What
  /// was folded is given up.
  public func changes(ofEvent position: Position) throws(ProjectionError) -> [RowChange] {
    try giveUp()
    let events = try foldEach(through: position)
    guard let last = events.last else { return [] }
    let changes = try rowChanges(last.changes, after: events.dropLast())
    try giveUp()
    return changes
  }

  /// Has what is allocated next lie elsewhere.
  internal func shake() { jitter.shake() }

  /// Gives up what is not written, and whatever views remember.
  internal func giveUp() throws(ProjectionError) {
    do throws(TablesError) { try fold.startOver(at: written) } catch { throw .tables(error) }
  }

  internal func foldOnce(through last: Position) throws(ProjectionError) {
    try foldBlocks(through: last) { fold, block throws(FoldFailure) in try fold.fold(block, through: last) }
  }

  /// Folds event by event; answers what each changed.
  internal func foldEach(through last: Position) throws(ProjectionError) -> [(
    position: Position, changes: [ChangedRows]
  )] {
    var events: [(Position, [ChangedRows])] = []
    let start = applied.position
    try foldBlocks(through: last) { fold, block throws(FoldFailure) in
      // A view was stopped, and all is folded again.
      if fold.applied.position == start { events = [] }
      while fold.applied.position < min(block.last, last) {
        let next = fold.applied.position.next
        try fold.fold(block, through: next)
        events.append((next, fold.takeUnwritten().changes))
      }
    }
    return events
  }

  private func foldBlocks(
    through last: Position, _ body: (inout ProjectionFold, BlockView) throws(FoldFailure) -> Void
  ) throws(ProjectionError) {
    while applied.position < last {
      var fault: FoldFailure?
      do throws(LogError) {
        try log.blocks(from: applied.position.next, .forward, checks: .full) { block in
          do throws(FoldFailure) { try body(&fold, block) } catch { fault = error }
          return fault == nil && block.last < last ? .next : .stop
        }
      } catch {
        throw ProjectionError(error)
      }
      switch fault {
      case .tables(let error): throw .tables(error)
      // The view is stopped before the event when it comes again.
      case .poison: try giveUp()
      case nil: if applied.position < last { throw .beyondEnd(last, end: applied.position) }
      }
    }
  }

  private func write(_ batch: DirtyTables, endingAt end: Head) throws(ProjectionError) {
    do throws(TablesError) { _ = try tableStore.write(batch.changes, anchor: batch.anchor) } catch {
      throw .tables(error)
    }
    written = end
    fold.trim()
  }
}

// MARK: What came of it

extension ProjectionReplay {
  /// What the tables are as they were last written.
  public func checkpoint() throws(ProjectionError) -> Checkpoint {
    do throws(TablesError) {
      return Checkpoint(
        position: written.position, hash: written.hash, fingerprint: fingerprint.text,
        digests: Checkpoint.Digest.named(try tableStore.digests(), of: types))
    } catch {
      throw .tables(error)
    }
  }

  /// What a row says, field by field; nil when it is none of the table.
  public func fields(of value: [UInt8], key: [UInt8], in table: String) -> [RowField]? {
    tableStore.tableNames.firstIndex(of: table).flatMap { fold.fields(of: value, key: key, inTable: $0) }
  }
}

/// Memory that is taken and kept for a while, so that what is allocated next lies elsewhere: sets are ordered by where
/// they lie.
private struct Jitter {
  private var blocks: [[UInt8]] = []

  /// Takes some of each size in which memory is given out: more than is likely to have been freed just now, so that
  /// what comes next does not lie where the same lay before.
  mutating func shake() {
    if blocks.count > 16_384 { blocks.removeAll() }
    for size in stride(from: 0, to: 512, by: 16) {
      for _ in 0..<Int.random(in: 8...72) { blocks.append([UInt8](repeating: 0, count: size + 1)) }
    }
  }
}
