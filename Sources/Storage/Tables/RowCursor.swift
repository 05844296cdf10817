// A cursor over the rows of a table that checks each row.
internal import Bytes
internal import LMDB

/// A cursor over the rows of a table: at no row before the first move and past the ends, else at one.
///
/// Each move returns whether there is a row at the new position; ``key`` and ``value`` are valid until the next move.
/// It throws ``TablesError/malformed(path:table:)`` when a row is damaged, or when the rows beside a searched position
/// are: a search that encountered a damaged key does not prove that a row is absent.
public struct RowCursor: ~Copyable {
  private var cursor: Cursor
  private let seed: UInt64
  private let tableStore: TableStore
  private let table: Int
  /// The rows that override those of the table, if there are any.
  private let overlay: ChangedRows
  private var place = OverlayPlace()
  /// The earlier states of rows; nil until one is needed.
  private var versions: EarlierVersions?
  private let past: PastState?
  /// The value of the current row at the point in the past.
  private var pastValue = UnsafeRawBufferPointer(start: nil, count: 0)

  internal init(_ cursor: consuming Cursor, of tableStore: TableStore, table: Int, as past: PastState?) {
    self.cursor = cursor
    (seed, self.tableStore, self.table) = (tableStore.seeds[table], tableStore, table)
    (overlay, self.past) = (past?.rows?[table] ?? ChangedRows(), past)
  }

  /// The key of the current row.
  public var key: RawSpan {
    @_lifetime(borrow self)
    borrowing get { if place.isInOverlay { overlay.key(place.index) } else { cursor.key } }
  }

  /// The encoded value of the current row.
  public var value: RawSpan {
    @_lifetime(borrow self)
    borrowing get {
      if place.isInOverlay { return overlay.value(place.index) }
      if past == nil { return StoredRow.encoded(in: cursor.value) }
      return _overrideLifetime(pastValue.bytes, borrowing: self)
    }
  }

  /// Moves to the row with exactly this key.
  public mutating func find(_ key: UnsafeRawBufferPointer) throws(TablesError) -> Bool {
    place = OverlayPlace()
    if overlay.count > 0 {
      let index = overlay.index(notBefore: key)
      if index < overlay.count, overlay.compares(index, with: key) == 0 {
        place = OverlayPlace(index: index, isInOverlay: true)
        return !overlay.isRemoved(index)
      }
    }
    if try access({ cursor throws(LMDBError) in try cursor.move(to: key) }) {
      try check()
      place.isInTable = true
      if past == nil { return true }
      return try isThere()
    }
    _ = try search(from: key, .upwards)
    return false
  }

  /// Moves to the first row whose key is not less than the given one, or downwards to the last whose key is.
  public mutating func move(from key: UnsafeRawBufferPointer, _ order: RowOrder) throws(TablesError) -> Bool {
    place = OverlayPlace()
    let isThere = try arrive(search(from: key, order), order)
    if overlay.count == 0 { return isThere }
    let index = overlay.index(notBefore: key)
    place = OverlayPlace(index: order == .upwards ? index : index - 1, order: order, isInTable: isThere)
    return try settle(order)
  }

  /// Moves to the next row in an order; to the first before any other move.
  public mutating func moveOn(_ order: RowOrder) throws(TablesError) -> Bool {
    if overlay.count == 0 { return try moveOnInTable(order) }
    if place.order != order { try align(order) } else { try leave(order) }
    return try settle(order)
  }

  private mutating func moveOnInTable(_ order: RowOrder) throws(TablesError) -> Bool {
    try arrive(step(order), order)
  }

  private mutating func step(_ order: RowOrder) throws(TablesError) -> Bool {
    let isThere = try access { cursor throws(LMDBError) in
      try order == .upwards ? cursor.moveToNext() : cursor.moveToPrevious()
    }
    if isThere { try check() }
    return isThere
  }

  /// The error for a malformed current row, for callers that detect it.
  public var malformed: TablesError { .malformed(path: tableStore.path, table: tableStore.tableNames[table]) }

  /// Moves to the position of a key, and checks the rows on both sides of it.
  ///
  /// The search compares the key with both last: one that was misled by a damaged key ends beside it.
  private mutating func search(from key: UnsafeRawBufferPointer, _ order: RowOrder) throws(TablesError) -> Bool {
    // LMDB has no empty key.
    let hasPrevious = try access { cursor throws(LMDBError) in
      try key.isEmpty ? false : cursor.move(toLastBefore: key)
    }
    if hasPrevious, !isWhole || !comesBefore(key) { throw malformed }
    let isThere = try access { cursor throws(LMDBError) in
      try hasPrevious ? cursor.moveToNext() : cursor.moveToFirst()
    }
    if isThere, !isWhole || comesBefore(key) { throw malformed }
    if order == .upwards { return isThere }
    if !hasPrevious { return false }
    return try access { cursor throws(LMDBError) in try isThere ? cursor.moveToPrevious() : cursor.moveToLast() }
  }

  private func check() throws(TablesError) {
    if !isWhole { throw malformed }
  }

  private var isWhole: Bool {
    cursor.key.withUnsafeBytes { StoredRow.wholeHash(of: cursor.value, key: $0, seed: seed) != nil }
  }

  private func comesBefore(_ other: UnsafeRawBufferPointer) -> Bool {
    cursor.key.withUnsafeBytes { $0.lexicographicallyPrecedes(other) }
  }

  @inline(__always)
  private mutating func access<R>(_ body: (inout Cursor) throws(LMDBError) -> R) throws(TablesError) -> R {
    do throws(LMDBError) { return try body(&cursor) } catch { throw tableStore.failure(error) }
  }
}

// MARK: Rows at a point in the past

extension RowCursor {
  /// Moves on in an order, from a row of the table, to one that existed at the point in the past.
  private mutating func arrive(_ isAtRow: Bool, _ order: RowOrder) throws(TablesError) -> Bool {
    if past == nil { return isAtRow }
    var isAtRow = isAtRow
    while isAtRow, try !isThere() { isAtRow = try step(order) }
    return isAtRow
  }

  /// Returns whether the current row existed at the point in the past, and finds its value there.
  private mutating func isThere() throws(TablesError) -> Bool {
    guard let past else { return true }
    guard let (entry, value) = entry else { throw malformed }
    if entry.first > past.point { return false }
    pastValue = value
    return try entry.point <= past.point ? !entry.isRemoved : findVersion(of: entry, past)
  }

  /// The current row's entry in a history, and the value of its newest state; nil when it is malformed.
  private var entry: (HistoryEntry, UnsafeRawBufferPointer)? {
    // Safe because the pages that a transaction sees do not change during it, and the cursor is valid within it alone.
    let stored = StoredRow.encoded(in: cursor.value)
    return HistoryEntry(stored).map { ($0, $0.value(in: stored).withUnsafeBytes { $0 }) }
  }

  private mutating func findVersion(of entry: HistoryEntry, _ past: PastState) throws(TablesError) -> Bool {
    let found: (isRemoved: Bool, value: UnsafeRawBufferPointer)?
    let table = table
    do throws(LMDBError) {
      if versions == nil {
        let cursor = try cursor.cursor(over: tableStore.contents.tables[past.versions])
        versions = EarlierVersions(cursor, seed: tableStore.seeds[past.versions])
      }
      found = try versions!.find(table: table, row: entry.row, upTo: past.point)
    } catch {
      throw tableStore.failure(error)
    }
    guard let found else { throw .malformed(path: tableStore.path, table: tableStore.tableNames[past.versions]) }
    pastValue = found.value
    return !found.isRemoved
  }
}

/// The earlier states of the rows of a history.
private struct EarlierVersions: ~Copyable {
  private var cursor: Cursor
  private let seed: UInt64

  init(_ cursor: consuming Cursor, seed: UInt64) {
    self.cursor = cursor
    self.seed = seed
  }

  /// Returns the last state of a row at or before a point, which every row has that existed then; nil when it is
  /// damaged or missing. The value is valid as long as the transaction.
  mutating func find(
    table: Int, row: UInt64, upTo point: UInt64
  ) throws(LMDBError) -> (isRemoved: Bool, value: UnsafeRawBufferPointer)? {
    guard try cursor.move(toLastBefore: VersionKey(table: table, row: row, point: point + 1)) else { return nil }
    let isItsOwn = cursor.key.withUnsafeBytes { key in
      VersionKey(table: table, row: row, point: 0).withKeyBytes {
        key.count == $0.count && key.prefix(10).elementsEqual($0.prefix(10))
      } && StoredRow.wholeHash(of: cursor.value, key: key, seed: seed) != nil
    }
    if !isItsOwn { return nil }
    return StoredRow.encoded(in: cursor.value).withUnsafeBytes { stored in
      stored.first.map { ($0 == 0, UnsafeRawBufferPointer(rebasing: stored.dropFirst())) }
    }
  }
}

// MARK: Rows of an overlay

/// The place of a cursor among the rows of a table and those that override them.
private struct OverlayPlace {
  /// The row of the overlay that is next in the order, or the current one; outside its bounds past the ends.
  var index = 0
  /// The order in which both are at their next rows; nil after a search for a single key.
  var order: RowOrder?
  /// Whether the cursor is at a row of the table that is next in the order, or the current one.
  var isInTable = false
  /// Whether the current row is that of the overlay.
  var isInOverlay = false
  /// Whether the current row of the overlay overrides the one of the table.
  var overrides = false
}

extension RowCursor {
  /// Leaves the current row.
  private mutating func leave(_ order: RowOrder) throws(TablesError) {
    if place.isInOverlay { place.index += order == .upwards ? 1 : -1 }
    if place.isInTable, !place.isInOverlay || place.overrides { place.isInTable = try moveOnInTable(order) }
  }

  /// Makes the next of the two rows in an order the current one; returns whether there is one.
  private mutating func settle(_ order: RowOrder) throws(TablesError) -> Bool {
    while true {
      (place.isInOverlay, place.overrides) = (false, false)
      guard 0 <= place.index, place.index < overlay.count else { return place.isInTable }
      if place.isInTable {
        let comparison = cursor.key.withUnsafeBytes { overlay.compares(place.index, with: $0) }
        if order == .upwards ? comparison > 0 : comparison < 0 { return true }
        place.overrides = comparison == 0
      }
      place.isInOverlay = true
      if !overlay.isRemoved(place.index) { return true }
      try leave(order)
    }
  }

  /// Places both at the rows after the current one in an order, or at the first ones.
  private mutating func align(_ order: RowOrder) throws(TablesError) {
    let isFirst = place.order == nil && !place.isInOverlay && !place.isInTable
    let current = isFirst ? nil : key.withUnsafeBytes { Array($0) }
    place = OverlayPlace()
    place.order = order
    guard let current else {
      place.isInTable = try moveOnInTable(order)
      place.index = order == .upwards ? 0 : overlay.count - 1
      return
    }
    let found = current.withUnsafeBytes { key in
      Result { () throws(TablesError) in
        place.isInTable = try arrive(search(from: key, order), order)
        place.index = overlay.index(notBefore: key) - (order == .upwards ? 0 : 1)
        guard order == .upwards else { return }
        let isCurrent = place.isInTable && cursor.key.withUnsafeBytes { $0.elementsEqual(key) }
        if isCurrent { place.isInTable = try moveOnInTable(order) }
        if place.index < overlay.count, overlay.compares(place.index, with: key) == 0 { place.index += 1 }
      }
    }
    try found.get()
  }
}

/// An order of rows.
public enum RowOrder: Hashable, Sendable {
  /// Rows are visited in ascending order of their keys.
  case upwards
  /// Rows are visited in descending order of their keys.
  case downwards
}
