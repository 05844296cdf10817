// The tables of past projections, which move from position to position.
internal import Errors
internal import EventLog
internal import Tables

/// Tables at a position of the log, which step forward by folding and backward by the rows that were replaced.
///
/// While it folds, it keeps for each step of at most ``strideMax`` events the rows before and after them. A step that
/// was made once is undone and made again by exchanging rows, which costs less than folding. The rows are kept in
/// bounded memory; the steps furthest from the position are forgotten first.
///
/// One thread uses it at a time.
internal final class PastTables {
  /// The maximum number of events of a step.
  static let strideMax: UInt64 = 256
  /// The number of events before a new position for which steps are kept.
  static let window: UInt64 = 16_384
  /// The number of rows in memory above which they are written to the tables.
  static let overridesMax = 20_000
  /// The maximum size of the kept rows in bytes.
  static let keptBytesMax = 64 << 20

  let tableStore: TableStore
  /// The nearer snapshots that were skipped as damaged or unreadable.
  let passedOver: [SnapshotReport]
  /// The snapshot that the tables were folded from; nil when they were folded from the first event.
  let snapshot: Position?
  /// The head of the tables, possibly within a block.
  private(set) var head: Head
  private let scratch: ScratchDirectory
  private let copies: Snapshots
  private let log: any Log
  private var fold: ProjectionFold
  /// Whether the tables were changed without the fold, which must then start over.
  private var isFoldStale = true
  /// The steps that lead to the position; the last ends there.
  private var behind: [Step] = []
  /// Undone steps; the last is the next one, and begins at the position or after it.
  private var ahead: [Step] = []

  /// The rows before and after some events.
  private struct Step {
    let from: Head
    let to: Head
    let before: [ChangedRows]
    let after: [ChangedRows]
    let byteCount: Int

    init(from: Head, to: Head, before: [ChangedRows], after: [ChangedRows]) {
      (self.from, self.to, self.before, self.after) = (from, to, before, after)
      byteCount = (before + after).reduce(0) { $0 + $1.byteCount }
    }
  }

  /// Folds the projections of a store to a position that the log has, in a scratch directory.
  init(of store: ProjectionStore, at position: Position) throws(ProjectionError) {
    (log, copies) = (store.store.log, store.copies)
    let engine: ProjectionEngine
    do throws(TablesError) {
      scratch = try .make(in: store.directory + "/past", until: .now + store.options.patience)
      passedOver = copies.lay(upTo: position, into: scratch.path).passedOver
      tableStore = try ProjectionEngine.tableStore(for: store.types, of: log, at: scratch.path)
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
    head = engine.applied
    fold = ProjectionFold(store.types, in: tableStore, of: Head(of: log.genesis))
  }

  deinit { scratch.remove() }

  /// The projections that could not fold an event up to the position.
  var stops: [ProjectionStop] {
    get throws(ProjectionError) {
      if isFoldStale { try rethrow(fold.startOver(at: head), as: ProjectionError.tables) }
      isFoldStale = false
      return fold.stops.compactMap { $0 }
    }
  }

  /// Returns whether the tables can move to a position, and no snapshot is nearer to it.
  func reaches(_ position: Position) -> Bool {
    if position < head.position { return behind.first.map { $0.from.position <= position } ?? false }
    guard let start = skipped(before: position) else { return true }
    return !copies.positions.contains { head.position < $0 && $0 <= start }
  }

  /// Returns the position up to which no steps are kept on the way forward to a distant one; nil on the way to others.
  private func skipped(before position: Position) -> Position? {
    guard let start = Self.start(of: position), start > head.position else { return nil }
    let isUndone = ahead.first.map { position <= $0.to.position } ?? false
    return isUndone ? nil : start
  }

  /// Returns the position at which the steps begin that lead to a position; nil at the beginning of the log.
  static func start(of position: Position) -> Position? {
    position.rawValue > window ? Position(rawValue: position.rawValue - window) : nil
  }

  /// Moves to a position that the tables reach.
  func move(to position: Position) throws(ProjectionError) {
    if position < head.position {
      try stepBack(to: position)
    } else if let start = skipped(before: position) {
      try skip(to: start)
    }
    while head.position < position {
      // A step within which folding stopped leads nowhere.
      while let next = ahead.last, next.from.position < head.position { ahead.removeLast() }
      if try !repeatSteps(to: position) { try foldStep(to: position) }
    }
  }

  /// Folds to a position without keeping steps.
  private func skip(to position: Position) throws(ProjectionError) {
    (behind, ahead) = ([], [])
    while head.position < position {
      let end = Position(rawValue: min(position.rawValue, head.position.rawValue + 50_000))
      _ = try foldRows(to: end, keepsBefore: false)
    }
  }

  /// Undoes steps up to the last that ends after the position.
  private func stepBack(to position: Position) throws(ProjectionError) {
    var undone: [Step] = []
    while let step = behind.last, step.to.position > position { undone.append(behind.removeLast()) }
    guard let last = undone.last else { return }
    ahead += undone
    try write(undone.map(\.before), at: last.from)
  }

  /// Makes undone steps again, as far as they lead to the position; returns whether there was one.
  private func repeatSteps(to position: Position) throws(ProjectionError) -> Bool {
    var repeated: [Step] = []
    var end = head
    while let next = ahead.last, next.from == end, next.to.position <= position {
      end = next.to
      repeated.append(ahead.removeLast())
    }
    if repeated.isEmpty { return false }
    behind += repeated
    try write(repeated.map(\.after), at: end)
    return true
  }

  private func write(_ batches: [[ChangedRows]], at head: Head) throws(ProjectionError) {
    isFoldStale = true
    self.head = head
    let count = tableStore.override(with: batches, logPoint: head.logPoint)
    if count > Self.overridesMax { try writeOverrides() }
  }

  /// Writes the rows in memory to the tables.
  func writeOverrides() throws(ProjectionError) {
    try rethrow(tableStore.writeOverlay(), as: ProjectionError.tables)
  }

  /// Folds a step toward a position, up to the next undone one, and keeps its rows.
  private func foldStep(to position: Position) throws(ProjectionError) {
    var end = min(position, Position(rawValue: head.position.rawValue + Self.strideMax))
    if let next = ahead.last, next.from.position > head.position { end = min(end, next.from.position) }
    let from = head
    let (before, after) = try foldRows(to: end, keepsBefore: true)
    behind.append(Step(from: from, to: head, before: before, after: after))
    forgetDistantSteps()
  }

  /// Folds to a position and changes the tables; returns the rows before, if they are kept, and after.
  private func foldRows(
    to position: Position, keepsBefore: Bool
  ) throws(ProjectionError) -> (before: [ChangedRows], after: [ChangedRows]) {
    if isFoldStale { try rethrow(fold.startOver(at: head), as: ProjectionError.tables) }
    isFoldStale = true
    try fold.fold(log, through: position, orRestartAt: head) { fold, block throws(FoldFailure) in
      try fold.fold(block, through: position)
    }
    let after = fold.takeUnwritten().changes
    let before = try keepsBefore ? rethrow(tableStore.rows(before: after), as: ProjectionError.tables) : []
    try write([after], at: fold.applied)
    fold.trim()
    isFoldStale = false
    return (before, after)
  }

  private func forgetDistantSteps() {
    var byteCount = (behind + ahead).reduce(0) { $0 + $1.byteCount }
    while byteCount > Self.keptBytesMax {
      let isBehind = behind.count > max(1, ahead.count)
      if !isBehind && ahead.isEmpty { return }
      byteCount -= (isBehind ? behind.removeFirst() : ahead.removeFirst()).byteCount
    }
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

extension Head {
  /// The log point of tables at the head.
  fileprivate var logPoint: LogPoint { LogPoint(position: position.rawValue, hash: hash) }
}
