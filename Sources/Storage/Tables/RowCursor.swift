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

  internal init(_ cursor: consuming Cursor, of tableStore: TableStore, table: Int) {
    self.cursor = cursor
    (seed, self.tableStore, self.table) = (tableStore.seeds[table], tableStore, table)
  }

  /// The key of the current row.
  public var key: RawSpan {
    @_lifetime(borrow self)
    borrowing get { cursor.key }
  }

  /// The encoded value of the current row.
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

  /// Moves to the next row in an order; to the first before any other move.
  public mutating func moveOn(_ order: RowOrder) throws(TablesError) -> Bool {
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

/// An order of rows.
public enum RowOrder: Hashable, Sendable {
  /// Rows are visited in ascending order of their keys.
  case upwards
  /// Rows are visited in descending order of their keys.
  case downwards
}
