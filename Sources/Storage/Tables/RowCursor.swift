// A place among the rows of a table, which can move; each row that it comes to is checked.
internal import Bytes
internal import LMDB

/// A place among the rows of a table: at none, before it first moves and past the ends; else at one.
///
/// Each move answers whether there is a row at the new place; ``key`` and ``value`` lend what is there until the next.
/// It throws ``TablesError/malformed(path:table:)`` when a row is not as it was written, or when the rows beside a
/// place that was searched for are not: a search that met a damaged key does not show that there is no row.
public struct RowCursor: ~Copyable {
  private var cursor: Cursor
  private let seed: UInt64
  private let tableStore: TableStore
  private let table: Int

  internal init(_ cursor: consuming Cursor, of tableStore: TableStore, table: Int) {
    self.cursor = cursor
    (seed, self.tableStore, self.table) = (tableStore.seeds[table], tableStore, table)
  }

  /// The key of the row at this place.
  public var key: RawSpan {
    @_lifetime(borrow self)
    borrowing get { cursor.key }
  }

  /// What was encoded for the row at this place.
  public var value: RawSpan {
    @_lifetime(borrow self)
    borrowing get { StoredRow.encoded(in: cursor.value) }
  }

  /// Moves to the row with exactly this key.
  public mutating func find(_ key: UnsafeRawBufferPointer) throws(TablesError) -> Bool {
    if try access({ cursor throws(LMDBError) in try cursor.move(to: key) }) {
      try check()
      return true
    }
    _ = try search(from: key, .upwards)
    return false
  }

  /// Moves to the first row whose key is not less than the given one, or downwards to the last whose key is.
  public mutating func move(from key: UnsafeRawBufferPointer, _ order: RowOrder) throws(TablesError) -> Bool {
    try search(from: key, order)
  }

  /// Moves to the next row in an order; to the first, when it has not moved yet.
  public mutating func moveOn(_ order: RowOrder) throws(TablesError) -> Bool {
    let isThere = try access { cursor throws(LMDBError) in
      try order == .upwards ? cursor.moveToNext() : cursor.moveToPrevious()
    }
    if isThere { try check() }
    return isThere
  }

  /// What is wrong with the row at this place, whoever finds that out.
  public var malformed: TablesError { .malformed(path: tableStore.path, table: tableStore.tableNames[table]) }

  /// Moves to the place of a key, with a look at the rows on both of its sides.
  ///
  /// The search compares the key with both last: one that was led astray by a damaged key ends beside that.
  private mutating func search(from key: UnsafeRawBufferPointer, _ order: RowOrder) throws(TablesError) -> Bool {
    // LMDB knows no empty key.
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

/// An order of rows.
public enum RowOrder: Hashable, Sendable {
  /// Of two, the one with the lesser key comes first.
  case upwards
  /// Of two, the one with the greater key comes first.
  case downwards
}
