// The history of the rows of projections: extended with points as far as it is read.
internal import Errors
internal import EventLog
internal import Locks
internal import Tables

/// The history of the rows of a set of projections.
///
/// It has a point at each multiple of ``ProjectionStore/Options/historyDistance``, up to the newest position that was
/// read. A log whose past nobody reads has no history.
internal final class ProjectionHistory: Sendable {
  /// The number of points that are written together.
  private static let batchMax = 16

  let rows: RowHistory
  /// The numbers of the tables by their names.
  var numbers: [String: Int] { Dictionary(uniqueKeysWithValues: zip(rows.tableNames, rows.tableNames.indices)) }
  private let types: [any Projection.Type]
  private let log: any Log
  private let patience: Duration
  /// The number of events between two points.
  private let distance: Int
  /// The callback for long extensions, and the number of events from which on one is long.
  private let progress: (report: (@Sendable (ProjectionStore.Progress) -> Void)?, distance: Int)
  private let extending = Locked(false)

  /// Opens the history in a directory of projections.
  init(in directory: String, of store: ProjectionStore) throws(ProjectionError) {
    (types, log, patience) = (store.types, store.store.log, store.options.patience)
    distance = max(1, store.options.historyDistance)
    progress = (store.options.progress, max(1, store.options.progressDistance))
    let (log, names) = (log, ProjectionFold.tableNames(of: types))
    let path = Self.path(of: store.fingerprint.text, in: directory)
    rows = try openTables { isOnChain throws(TablesError) in
      try RowHistory(at: path, tables: names, isOnChain: isOnChain)
    } ifOnChain: { logPoint throws(LogError) in
      try log.head(of: logPoint) != nil
    }
  }

  /// Closes the history.
  func close() { rows.close() }

  /// Adds the points that are missing before a position that the log has.
  func extend(upTo position: Position) throws(ProjectionError) {
    try extending.withLock { _ throws(ProjectionError) in
      while true {
        let last = try rethrow(rows.point(), as: ProjectionError.tables)
        guard next(after: last?.position ?? 0) <= position else { return }
        try extend(from: last, upTo: position)
      }
    }
  }

  /// Returns the first point after a position.
  private func next(after position: UInt64) -> Position {
    Position(rawValue: (position / UInt64(distance) + 1) * UInt64(distance))
  }

  /// Adds points behind the newest one; ends early when another process has added some.
  private func extend(from last: LogPoint?, upTo position: Position) throws(ProjectionError) {
    let tables = PastTables(of: rows, at: last)
    var last = last
    var fold = try beginFold(of: tables, at: head(of: last))
    var new: [(changes: [ChangedRows], logPoint: LogPoint)] = []
    let pace = Pace(from: fold.applied.position, to: position)
    let isLong = position.rawValue - fold.applied.position.rawValue > UInt64(progress.distance)
    while true {
      let next = next(after: fold.applied.position.rawValue)
      if next <= position {
        let changes = try self.fold(&fold, through: next, orRestartAt: fold.applied)
        tables.override(with: changes, logPoint: fold.applied.logPoint)
        fold.trim()
        new.append((changes, fold.applied.logPoint))
      }
      if new.isEmpty { return }
      if new.count < Self.batchMax, next <= position { continue }
      let outcome = try rethrow(
        rows.add(new, after: last, until: .now + patience), as: ProjectionError.tables)
      switch outcome {
      case .written: (last, new) = (new.last?.logPoint, [])
      case .alreadyThere: return
      case .busy: throw .tables(.busy(path: rows.path))
      }
      tables.move(to: last, overriddenBy: nil, logPoint: last)
      if isLong { progress.report?(pace.progress(at: fold.applied.position)) }
    }
  }

  /// Returns the end of a window, as far as the log goes.
  func end(ofWindowFrom start: Position) -> Position {
    min(next(after: start.rawValue), (try? log.head().position) ?? start)
  }

  /// Returns the head of a point.
  func head(of point: LogPoint?) throws(ProjectionError) -> Head {
    guard let point else { return Head(of: log.genesis) }
    let head = try rethrow(log.head(of: point), as: ProjectionError.log)
    guard let head else { throw .otherLog(position: Position(rawValue: point.position)) }
    return head
  }

  /// Returns a fold of past tables at a head.
  func beginFold(of tables: PastTables, at head: Head) throws(ProjectionError) -> ProjectionFold {
    var fold = ProjectionFold(types, in: tables, of: log)
    try rethrow(fold.startOver(at: head), as: ProjectionError.tables)
    return fold
  }

  /// Returns a function that returns the fields of a row with a key in a table; nil when it is malformed.
  func rowFields() throws(ProjectionError) -> (_ row: [UInt8], _ key: [UInt8], _ table: Int) -> [RowField]? {
    let fold = try beginFold(of: PastTables(of: rows, at: nil), at: Head(of: log.genesis))
    return { row, key, table in fold.fields(of: row, key: key, inTable: table) }
  }

  /// Folds past tables to a position; returns the rows that change. After an event that a projection cannot fold, it
  /// starts over at the head of the tables, and also returns the rows changed from there on.
  func fold(
    _ fold: inout ProjectionFold, through position: Position, orRestartAt head: Head
  ) throws(ProjectionError) -> [ChangedRows] {
    try fold.fold(log, through: position, orRestartAt: head) { fold, block throws(FoldFailure) in
      try fold.fold(block, through: position)
    }
    return fold.takeUnwritten().changes
  }
}

extension ProjectionHistory {
  /// Returns the directory of a history.
  static func path(of fingerprint: String, in directory: String) -> String { path(in: directory) + "/" + fingerprint }

  /// Returns whether there is a history of a set of projections.
  static func exists(_ fingerprint: String, in directory: String) -> Bool {
    TableStore.tableStores(in: path(in: directory)).contains(fingerprint)
  }

  /// Removes the history of a set of projections, if no process has it open; returns whether there is none.
  static func remove(_ fingerprint: String, in directory: String) -> Bool {
    guard exists(fingerprint, in: directory) else { return true }
    return TableStore.removeIfUnused(path(of: fingerprint, in: directory), for: 0)
  }

  /// Removes all histories that no process has open; returns whether there is none.
  static func removeAll(in directory: String) -> Bool {
    TableStore.tableStores(in: path(in: directory)).allSatisfy { remove($0, in: directory) }
  }

  private static func path(in directory: String) -> String { directory + "/history" }
}

extension Log {
  /// Returns the head at a log point, which may be within a block; nil when it is not on this chain.
  fileprivate func head(of point: LogPoint) throws(LogError) -> Head? {
    let position = Position(rawValue: point.position)
    var head: Head?
    try blocks(from: position, .forward, checks: .full) { block in
      head = block.head(through: position)
      return .stop
    }
    return head?.hash == point.hash ? head : nil
  }
}

extension Head {
  /// The log point of tables at the head.
  internal var logPoint: LogPoint { LogPoint(position: position.rawValue, hash: hash) }
}
