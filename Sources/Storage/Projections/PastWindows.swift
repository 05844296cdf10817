// The past of projections: the stretches of the log behind the points of the history.
internal import Errors
internal import EventLog
internal import Tables

/// Tables in the past, which move from position to position of the log.
///
/// The log is divided by the points of the history into windows. The rows that the events of a window change are folded
/// once, in steps of at most ``strideMax`` events, and kept in bounded memory: the tables at a position are those of
/// the point before it, overridden by the rows of the steps up to it.
///
/// One thread uses it at a time.
internal final class PastWindows {
  /// The maximum number of events of a step.
  static let strideMax = 128
  /// The number of events of the parts of a step that are kept when a position is within it.
  static let partStride = 16
  /// The maximum size of the kept rows in memory, in bytes; the steps of the window that is used are kept in any case.
  static let keptBytesMax = 32 << 20
  /// The maximum number of kept windows: where few rows change, they would reach their size in memory only after
  /// millions of events.
  static let keptWindowsMax = 32

  /// The tables at the position.
  let tables: PastTables
  /// The projections that could not fold an event up to the position.
  private(set) var stops: [ProjectionStop] = []
  let history: ProjectionHistory
  /// The windows whose rows are kept; the last used one is the last.
  private var windows: [PastWindow] = []
  /// Whether the last move was forward.
  private var isForward = true

  /// Creates the tables at a position that the log has.
  init(of history: ProjectionHistory, at position: Position) throws(ProjectionError) {
    self.history = history
    tables = PastTables(of: history.rows, at: nil)
    try move(to: position)
  }

  /// Moves to a position that the log has.
  func move(to position: Position) throws(ProjectionError) {
    try history.extend(upTo: position)
    let window = try window(of: position)
    try window.fold(through: position)
    let (rows, head, stops) = try window.state(at: position)
    isForward = position.rawValue >= tables.logPoint()?.position ?? 0
    tables.move(to: window.point, overriddenBy: rows, logPoint: head.logPoint)
    self.stops = stops.compactMap { $0 }
    forgetUnused()
  }

  /// Folds a step near the position that no move has needed so far: of its window, and of the next one in the direction
  /// of the last move, then of the other. Returns false when all are folded.
  func foldAhead() throws(ProjectionError) -> Bool {
    guard let used = windows.last else { return false }
    defer { use(used) }
    let end = used.end
    var near = [used, try window(of: end)]
    if let point = used.point { near.append(try window(of: Position(rawValue: point.position - 1))) }
    if !isForward { near.reverse() }
    for window in near where try window.foldStep(through: window.end) { return true }
    return false
  }

  /// Returns the rows that the last event up to the position changes; none at the beginning of the log.
  func changesOfEvent() throws(ProjectionError) -> [RowChange] {
    guard let position = tables.logPoint()?.position, position > 0 else { return [] }
    let window = try window(of: Position(rawValue: position - 1))
    try window.fold(through: Position(rawValue: position - 1))
    return try window.changes(ofEventAt: Position(rawValue: position))
  }

  private func window(of position: Position) throws(ProjectionError) -> PastWindow {
    let point = try rethrow(history.rows.point(upTo: position.rawValue), as: ProjectionError.tables)
    if let window = windows.first(where: { $0.point == point }) {
      use(window)
      return window
    }
    windows.append(try PastWindow(of: history, behind: point))
    return windows[windows.count - 1]
  }

  /// The size of the kept rows in memory, in bytes.
  internal var byteCount: Int { windows.reduce(0) { $0 + $1.byteCount } }

  private func use(_ window: PastWindow) {
    windows.removeAll { $0 === window }
    windows.append(window)
  }

  private func forgetUnused() {
    for window in windows.dropLast() { window.pause() }
    var byteCount = byteCount
    while windows.count > Self.keptWindowsMax || byteCount > Self.keptBytesMax, windows.count > 1 {
      byteCount -= windows.removeFirst().byteCount
    }
    if byteCount > Self.keptBytesMax { windows.last?.forgetParts() }
  }
}

/// The events from a point of the history to the next.
private final class PastWindow {
  /// The point; nil for the beginning of the log.
  let point: LogPoint?
  private let history: ProjectionHistory
  private let first: Head
  private var steps: [Step] = []
  /// The rows of the first steps together, for some numbers of them, in ascending order.
  private var sums: [(count: Int, rows: [ChangedRows])] = []
  /// The fold at the end of the steps, with all rows that they changed, and the head of the tables that it began with;
  /// nil while the window is not used.
  private var folding: (fold: ProjectionFold, first: Head)?
  /// The size of the kept rows in memory, in bytes.
  private(set) var byteCount = 0

  /// The rows that some events change, as they are after these.
  private struct Step {
    let end: Head
    let rows: [ChangedRows]
    let stops: [ProjectionStop?]
    /// Whether it begins with a step that is kept.
    var isPart = false
  }

  init(of history: ProjectionHistory, behind point: LogPoint?) throws(ProjectionError) {
    (self.history, self.point) = (history, point)
    first = try history.head(of: point)
  }

  private var last: Head { steps.last?.end ?? first }

  /// The end of the window, as far as the log goes.
  var end: Position { history.end(ofWindowFrom: first.position) }

  /// Folds the steps up to a position that are missing.
  func fold(through position: Position) throws(ProjectionError) { while try foldStep(through: position) {} }

  /// Folds a step toward a position; returns false when there is none before it.
  func foldStep(through position: Position) throws(ProjectionError) -> Bool {
    guard last.position < position else { return false }
    var (fold, first) = if let folding { folding } else { try begin(at: steps.count) }
    folding = nil
    let end = min(position, last.position.advanced(by: PastWindows.strideMax))
    let rows = try history.fold(&fold, through: end, orRestartAt: first)
    add(Step(end: fold.applied, rows: rows, stops: fold.stops), at: steps.count)
    folding = (fold, first)
    return true
  }

  /// Returns the rows that override those of the point, the head and the stops at a position that was folded.
  func state(
    at position: Position
  ) throws(ProjectionError) -> (rows: [ChangedRows]?, head: Head, stops: [ProjectionStop?]) {
    var count = steps.count { $0.end.position <= position }
    if position > first.position, count == 0 || steps[count - 1].end.position < position {
      // The position is within a step. Parts of it are kept, and not one for each position: backward, event by event,
      // these would have all rows of the step that often.
      var (fold, first) = try begin(at: count)
      var end = fold.applied.position.advanced(by: PastWindows.partStride)
      while end < position {
        let rows = try history.fold(&fold, through: end, orRestartAt: first)
        add(Step(end: fold.applied, rows: rows, stops: fold.stops, isPart: true), at: count)
        count += 1
        end = end.advanced(by: PastWindows.partStride)
      }
      let rows = try history.fold(&fold, through: position, orRestartAt: first)
      return (self.rows(ofFirst: count).overridden(by: rows), fold.applied, fold.stops)
    }
    if count == 0 { return (nil, first, try begin(at: 0).fold.stops) }
    return (rows(ofFirst: count), steps[count - 1].end, steps[count - 1].stops)
  }

  /// Returns the rows that the event at a position changes; those before it were folded.
  func changes(ofEventAt position: Position) throws(ProjectionError) -> [RowChange] {
    let (rows, head, _) = try state(at: Position(rawValue: position.rawValue - 1))
    let before = PastTables(of: history.rows, at: point)
    before.move(to: point, overriddenBy: rows, logPoint: head.logPoint)
    var fold = try history.beginFold(of: before, at: head)
    let changed = try history.fold(&fold, through: position, orRestartAt: head)
    return try rethrow(before.changes(by: changed), as: ProjectionError.tables)
  }

  /// Forgets the parts of steps, and the sums; they can be restored.
  func forgetParts() {
    sums = []
    steps.removeAll { $0.isPart }
    byteCount = steps.reduce(0) { $0 + $1.rows.memoryByteCount }
  }

  /// Forgets the state of the fold, which can be restored.
  func pause() { folding = nil }

  private func begin(at count: Int) throws(ProjectionError) -> (fold: ProjectionFold, first: Head) {
    let head = count == 0 ? first : steps[count - 1].end
    let tables = PastTables(of: history.rows, at: point)
    tables.move(to: point, overriddenBy: rows(ofFirst: count), logPoint: head.logPoint)
    return (try history.beginFold(of: tables, at: head), head)
  }

  private func add(_ step: Step, at index: Int) {
    steps.insert(step, at: index)
    for number in sums.indices where sums[number].count > index { sums[number].count += 1 }
    byteCount += step.rows.memoryByteCount
  }

  /// Returns the rows of the first steps together.
  private func rows(ofFirst count: Int) -> [ChangedRows]? {
    if count == 0 { return nil }
    let sum = sums.last { $0.count <= count }
    let start = sum?.count ?? 0
    if start == count { return sum?.rows }
    let rowCount = steps[start..<count].reduce(0) { $0 + $1.rows.reduce(0) { $0 + $1.count } }
    // Backward, one in the middle is of use for those before, too.
    if rowCount > 1_000, start + 1 < count, sums.contains(where: { $0.count > count }) {
      let middle = start + (count - start) / 2
      let rows = rows(ofFirst: middle)
      if let rows, !sums.contains(where: { $0.count == middle }) { keep(rows, asFirst: middle) }
      return rows.overridden(by: merged(middle..<count))
    }
    let more = merged(start..<count)
    let rows = (sum?.rows).overridden(by: more)
    // Sums are kept so far apart that they are not much larger than the steps.
    if rowCount > 1_000 { keep(rows, asFirst: count) }
    return rows
  }

  private func keep(_ rows: [ChangedRows], asFirst count: Int) {
    sums.insert((count, rows), at: sums.firstIndex { $0.count > count } ?? sums.count)
    byteCount += rows.memoryByteCount
  }

  private func merged(_ range: Range<Int>) -> [ChangedRows] {
    if range.count == 1 { return steps[range.lowerBound].rows }
    let middle = range.lowerBound + range.count / 2
    return Optional(merged(range.lowerBound..<middle)).overridden(by: merged(middle..<range.upperBound))
  }
}

extension [ChangedRows] {
  /// The size of the rows in memory, in bytes.
  fileprivate var memoryByteCount: Int { reduce(0) { $0 + $1.memoryByteCount } }
}

extension PastTables {
  /// Returns the changes of the tables by changed rows, without those that are as before.
  fileprivate func changes(by changed: [ChangedRows]) throws(TablesError) -> [RowChange] {
    try lend { reading throws(TablesError) in
      var changes: [RowChange] = []
      for (number, rows) in changed.enumerated() {
        for (key, after) in rows.all {
          let before = try reading.storedRow(of: key, in: number)
          if before == after { continue }
          changes.append(RowChange(table: tableNames[number], key: key, before: before, after: after))
        }
      }
      return changes
    }
  }
}
