// The history of the rows of some tables: each table at many positions of a log, in one table store.
internal import Bytes
internal import Digests
internal import Files

/// The rows of some tables at many positions of a log.
///
/// The positions for which rows are stored are its *points*. A row is stored once for each point up to which it
/// changed, so that a history with many points is little larger than the tables at the last of them. A ``PastTables``
/// reads the tables at one point.
///
/// A history is derived: like a table store it is not synced while it is used, and dropped when it may be damaged.
public final class RowHistory: Sendable {
  /// The names of the tables; a table's index here is its number.
  public let tableNames: [String]
  /// The path of its directory.
  public var path: String { store.path }
  internal let store: TableStore
  /// The numbers of the tables behind those whose rows are stored.
  internal var versions: Int { tableNames.count }
  private var points: Int { tableNames.count + 1 }

  /// Opens the history in a directory, which is created if it is missing, and so are its parents.
  ///
  /// `isOnChain` returns whether a log point is on the chain that the tables are derived from.
  public init(
    at path: String, tables names: [String], isOnChain: (LogPoint) -> Bool
  ) throws(TablesError) {
    tableNames = names
    try TablesError.mapping(at: path) { () throws(FileError) in try FileSystem.makeDirectories(path) }
    store = try TableStore(at: path, tables: names + ["versions", "points"], seededBy: .name, isOnChain: isOnChain)
  }

  /// Closes the history. Further calls are no-ops.
  public func close() { store.close() }

  /// Returns the newest point at or before a position; nil when there is none.
  public func point(upTo position: UInt64 = .max) throws(TablesError) -> LogPoint? {
    try store.lend { reading throws(TablesError) in try point(upTo: position, reading)?.logPoint }
  }

  private func point(upTo position: UInt64, _ reading: TableStoreReader) throws(TablesError) -> PointRow? {
    var found: PointRow?
    let end = position == .max ? position : position + 1
    try reading.forEachRow(of: points, from: end, .downwards) { (_, row: PointRow) in
      found = row
      return false
    }
    return found
  }

  /// Returns the damage that is found when all rows are read; nil when none is.
  public func damage() throws(TablesError) -> String? {
    try store.lend { reading throws(TablesError) in
      let (found, expected) = (try reading.recountedDigests(), try reading.digests())
      if let table = found.indices.first(where: { found[$0] != expected[$0] }) {
        return "its table \(store.tableNames[table]) has other rows than were written"
      }
      return try reading.tableWithHiddenRow().map { "its table \(store.tableNames[$0]) has rows that no search finds" }
    }
  }

  /// Adds points: for each the rows that changed since the one before, and its log point.
  ///
  /// The first follows a point, or the beginning of the log for nil; when another process has added a point behind that
  /// meanwhile, nothing is changed. While another process writes, it blocks until the deadline.
  public func add(
    _ new: [(changes: [ChangedRows], logPoint: LogPoint)], after last: LogPoint?,
    until deadline: ContinuousClock.Instant
  ) throws(TablesError) -> TableStore.WriteOutcome {
    guard let end = new.last else { return .alreadyThere }
    let rows: [ChangedRows]? = try store.lend { reading throws(TablesError) in
      let there = try point(upTo: .max, reading)
      guard there?.logPoint == last else { return nil }
      return try physicalRows(new, nextRow: there?.nextRow ?? 0, reading)
    }
    guard let rows else { return .alreadyThere }
    // The numbers of new rows depend on those that the history has.
    return try store.write(rows, logPoint: end.logPoint, after: last, until: deadline)
  }

  /// Returns the rows of the table store's own tables that change with new points.
  private func physicalRows(
    _ new: [(changes: [ChangedRows], logPoint: LogPoint)], nextRow: UInt64, _ reading: TableStoreReader
  ) throws(TablesError) -> [ChangedRows] {
    var nextRow = nextRow
    var changed = Array(repeating: ChangedRows(), count: tableNames.count + 2)
    var writer = ByteWriter()
    for table in tableNames.indices {
      let changes = new.map { ($0.changes[table], $0.logPoint.position) }
      try reading.withRows(of: table) { stored throws(TablesError) in
        try ChangedRows.forEachKey(in: changes) { key, values throws(TablesError) in
          var entry: HistoryEntry?
          if try stored.find(key) {
            entry = HistoryEntry(stored.value)
            if entry == nil { throw stored.malformed }
          }
          // A row that was created and removed between two points never existed.
          if entry == nil, values.allSatisfy({ $0.value == nil }) { return }
          var newest = entry ?? HistoryEntry(row: nextRow, first: values[0].point)
          if entry == nil { nextRow += 1 }
          if let entry {
            Self.addVersion(of: newest, table: table, entry.value(in: stored.value), to: &changed[versions], &writer)
          }
          for (point, value) in values.dropLast() {
            newest.move(to: point, isRemoved: value == nil)
            value.bytes { Self.addVersion(of: newest, table: table, $0, to: &changed[versions], &writer) }
          }
          let (point, value) = values[values.count - 1]
          newest.move(to: point, isRemoved: value == nil)
          writer.removeAll()
          newest.encode(into: &writer)
          if let value { writer.bytes(value) }
          writer.withBytes { changed[table].add(key: key, value: $0) }
        }
      }
    }
    changed[versions].sort()
    for (number, point) in new.enumerated() {
      // Only the last row of the table says which number is next.
      let row = PointRow(logPoint: point.logPoint, nextRow: number == new.count - 1 ? nextRow : 0)
      writer.removeAll()
      row.encode(into: &writer)
      point.logPoint.position.withKeyBytes { key in writer.withBytes { changed[points].add(key: key, value: $0) } }
    }
    return changed
  }

  private static func addVersion(
    of entry: HistoryEntry, table: Int, _ value: RawSpan, to versions: inout ChangedRows, _ writer: inout ByteWriter
  ) {
    writer.removeAll()
    writer.byte(entry.isRemoved ? 0 : 1)
    value.withUnsafeBytes { writer.bytes($0) }
    VersionKey(table: table, row: entry.row, point: entry.point).withKeyBytes { key in
      writer.withBytes { versions.add(key: key, value: $0) }
    }
  }
}

/// The beginning of a stored row of a history: its newest state, and whence on it exists.
internal struct HistoryEntry {
  /// The number of the row among all rows of the history.
  let row: UInt64
  /// The first point at which the row existed.
  let first: UInt64
  /// The point of this state.
  private(set) var point: UInt64
  /// Whether the row is removed in this state.
  private(set) var isRemoved = false
  private var valueOffset = 0

  init(row: UInt64, first: UInt64) { (self.row, self.first, point) = (row, first, first) }

  init?(_ bytes: RawSpan) {
    var reader = ByteReader(bytes)
    guard let row = reader.varint(), let first = reader.varint(), let later = reader.varint(), let flag = reader.peek
    else { return nil }
    let (point, overflow) = first.addingReportingOverflow(later)
    if overflow || flag > 1 { return nil }
    (self.row, self.first, self.point, isRemoved, valueOffset) = (row, first, point, flag == 0, reader.offset + 1)
  }

  /// The value of the state in the bytes that it was read from.
  @_lifetime(copy bytes)
  func value(in bytes: RawSpan) -> RawSpan { bytes.extracting(droppingFirst: valueOffset) }

  mutating func move(to point: UInt64, isRemoved: Bool) { (self.point, self.isRemoved) = (point, isRemoved) }

  func encode(into writer: inout ByteWriter) {
    writer.varint(row)
    writer.varint(first)
    writer.varint(point - first)
    writer.byte(isRemoved ? 0 : 1)
  }
}

/// The key of an earlier state of a row.
internal struct VersionKey: TableKey {
  let table: Int
  let row: UInt64
  let point: UInt64

  func withKeyBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
    let words = (UInt64(table).bigEndian, row.bigEndian, point.bigEndian)
    // The table's number takes the last two of its eight bytes.
    return withUnsafeBytes(of: words) { body(UnsafeRawBufferPointer(rebasing: $0.dropFirst(6))) }
  }
}

/// A point of a history.
private struct PointRow: BinaryRow {
  let logPoint: LogPoint
  /// The number of the row that is created next, in the newest point.
  let nextRow: UInt64

  init(logPoint: LogPoint, nextRow: UInt64) { (self.logPoint, self.nextRow) = (logPoint, nextRow) }

  init?(decoding bytes: RawSpan) {
    var reader = ByteReader(bytes)
    guard let position = reader.varint(), let nextRow = reader.varint(), bytes.byteCount == reader.offset + 32,
      let hash = bytes.extracting(droppingFirst: reader.offset).withUnsafeBytes({ ChainHash(bytes: $0) })
    else { return nil }
    self.init(logPoint: LogPoint(position: position, hash: hash), nextRow: nextRow)
  }

  func encode(into writer: inout ByteWriter) {
    writer.varint(logPoint.position)
    writer.varint(nextRow)
    logPoint.hash.withBytes { writer.bytes($0) }
  }
}

extension Optional<UnsafeRawBufferPointer> {
  fileprivate func bytes(_ body: (RawSpan) -> Void) {
    body((self ?? UnsafeRawBufferPointer(start: nil, count: 0)).bytes)
  }
}

extension ChangedRows {
  /// Calls the closure with each key of several sets of sorted rows, in order, with its values in those that have it.
  fileprivate static func forEachKey(
    in sets: [(rows: ChangedRows, point: UInt64)],
    _ body: (
      _ key: UnsafeRawBufferPointer, _ values: [(point: UInt64, value: UnsafeRawBufferPointer?)]
    ) throws(TablesError) -> Void
  ) throws(TablesError) {
    var merged = ChangedRows()
    for set in sets { merged = merged.overridden(by: set.rows) }
    var next = Array(repeating: 0, count: sets.count)
    var values: [(point: UInt64, value: UnsafeRawBufferPointer?)] = []
    try merged.forEach { key, _ throws(TablesError) in
      values.removeAll(keepingCapacity: true)
      for (number, set) in sets.enumerated()
      where next[number] < set.rows.count && set.rows.compares(next[number], with: key) == 0 {
        let index = next[number]
        next[number] += 1
        // Safe because the sets keep the values until the end of this function.
        values.append((set.point, set.rows.isRemoved(index) ? nil : set.rows.value(index).withUnsafeBytes { $0 }))
      }
      try body(key, values)
    }
    withExtendedLifetime(sets) {}
  }
}
