// A cursor over the keys of a table.
public import Bytes
internal import CLMDB

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A cursor over a table: before the first key, at a key, or past the last.
///
/// Each move returns whether there is a key at the new position; ``key`` and ``value`` are valid until the next move or
/// change.
public struct Cursor: ~Copyable {
  /// LMDB's own cursor; nil where the mapped pages are read without it.
  private let pointer: OpaquePointer?
  private let extent: MapExtent
  private var mapped: MappedCursor?
  private var currentKey = MDB_val()
  private var currentValue = MDB_val()

  /// Creates a cursor of LMDB: in a write transaction, or where only LMDB can read the pages.
  internal init(_ transaction: OpaquePointer, _ table: Table, _ extent: MapExtent) throws(LMDBError) {
    var pointer: OpaquePointer?
    try LMDBError.check(mdb_cursor_open(transaction, table.identifier, &pointer))
    self.pointer = pointer
    self.extent = extent
  }

  /// Creates a cursor that reads the mapped pages.
  internal init(_ mapped: MappedCursor) {
    self.mapped = mapped
    pointer = nil
    extent = .unbounded
  }

  deinit {
    if let pointer { mdb_cursor_close(pointer) }
  }

  /// Returns a cursor over another table in the same transaction.
  package borrowing func cursor(over table: Table) throws(LMDBError) -> Cursor {
    if let pages = mapped?.pages { return Cursor(MappedCursor(pages, try pages.top(of: table))) }
    return try Cursor(mdb_cursor_txn(pointer), table, extent)
  }

  /// The key at the position; empty when there is none.
  public var key: RawSpan {
    @_lifetime(borrow self)
    borrowing get { currentKey.mv_data == nil ? RawSpan() : _overrideLifetime(currentKey.span, borrowing: self) }
  }

  /// The value at the position; empty when there is none.
  public var value: RawSpan {
    @_lifetime(borrow self)
    borrowing get {
      currentValue.mv_data == nil ? RawSpan() : _overrideLifetime(currentValue.span, borrowing: self)
    }
  }

  /// Moves to the first key.
  public mutating func moveToFirst() throws(LMDBError) -> Bool { try move(MDB_FIRST) }

  /// Moves to the last key.
  public mutating func moveToLast() throws(LMDBError) -> Bool { try move(MDB_LAST) }

  /// Moves to the next key; to the first before any other move.
  public mutating func moveToNext() throws(LMDBError) -> Bool { try move(MDB_NEXT) }

  /// Moves to the previous key; to the last before any other move.
  public mutating func moveToPrevious() throws(LMDBError) -> Bool { try move(MDB_PREV) }

  /// Moves to the first key that is not less than the given one.
  ///
  /// The corresponding C function is `mdb_cursor_get` with `MDB_SET_RANGE`.
  public mutating func move(toFirstFrom key: some TableKey) throws(LMDBError) -> Bool {
    try seek(key, MDB_SET_RANGE)
  }

  /// Moves to the last key that is less than the given one.
  public mutating func move(toLastBefore key: some TableKey) throws(LMDBError) -> Bool {
    try seek(key, MDB_SET_RANGE) ? move(MDB_PREV) : move(MDB_LAST)
  }

  /// Moves to exactly the given key.
  ///
  /// The corresponding C function is `mdb_cursor_get` with `MDB_SET_KEY`.
  public mutating func move(to key: some TableKey) throws(LMDBError) -> Bool {
    try seek(key, MDB_SET_KEY)
  }

  /// Sets the value of a key; only within a write transaction.
  ///
  /// The corresponding C function is `mdb_cursor_put`.
  public mutating func put(_ value: UnsafeRawBufferPointer, for key: some TableKey) throws(LMDBError) {
    try put(value, key, flags: 0)
  }

  /// Appends a key after the last one; throws ``LMDBError/keyExists`` when it is not greater.
  ///
  /// The corresponding C function is `mdb_cursor_put` with `MDB_APPEND`.
  public mutating func append(_ value: UnsafeRawBufferPointer, for key: some TableKey) throws(LMDBError) {
    try put(value, key, flags: UInt32(MDB_APPEND))
  }

  /// Removes the key at the position, which is empty afterwards; only within a write transaction.
  ///
  /// The corresponding C function is `mdb_cursor_del`.
  public mutating func remove() throws(LMDBError) {
    try LMDBError.check(pointer.map { mdb_cursor_del($0, 0) } ?? EACCES)
    forgetPosition()
  }

  private mutating func put(
    _ value: UnsafeRawBufferPointer, _ key: some TableKey, flags: UInt32
  ) throws(LMDBError) {
    var data = MDB_val(value)
    let code = key.withKeyBytes { bytes in
      var name = MDB_val(bytes)
      return pointer.map { mdb_cursor_put($0, &name, &data, flags) } ?? EACCES
    }
    forgetPosition()
    try LMDBError.check(code)
  }

  private mutating func seek(_ key: some TableKey, _ operation: MDB_cursor_op) throws(LMDBError) -> Bool {
    if mapped != nil {
      let result = key.withKeyBytes { key in
        Result { () throws(LMDBError) in
          operation == MDB_SET_RANGE ? try mapped!.move(toFirstFrom: key) : try mapped!.move(to: key)
        }
      }
      return try arrivedMapped(result)
    }
    let code = key.withKeyBytes { bytes in
      currentKey = MDB_val(bytes)
      return mdb_cursor_get(pointer, &currentKey, &currentValue, operation)
    }
    return try arrived(code)
  }

  @inline(__always)
  private mutating func move(_ operation: MDB_cursor_op) throws(LMDBError) -> Bool {
    if mapped != nil { return try moveMapped(operation) }
    return try arrived(mdb_cursor_get(pointer, &currentKey, &currentValue, operation))
  }

  @inline(__always)
  private mutating func moveMapped(_ operation: MDB_cursor_op) throws(LMDBError) -> Bool {
    try arrivedMapped(
      Result { () throws(LMDBError) in
        switch operation {
        case MDB_FIRST: try mapped!.moveToFirst()
        case MDB_LAST: try mapped!.moveToLast()
        case MDB_NEXT: try mapped!.moveToNext()
        default: try mapped!.moveToPrevious()
        }
      })
  }

  @inline(__always)
  private mutating func arrivedMapped(_ result: Result<Bool, LMDBError>) throws(LMDBError) -> Bool {
    if case .failure = result { mapped!.forgetPosition() }
    currentKey = MDB_val(mapped!.key)
    currentValue = MDB_val(mapped!.value)
    return try result.get()
  }

  @inline(__always)
  private mutating func arrived(_ code: CInt) throws(LMDBError) -> Bool {
    if code == 0 {
      do throws(LMDBError) {
        try extent.check(currentKey)
        try extent.check(currentValue)
      } catch {
        forgetPosition()
        throw error
      }
      return true
    }
    forgetPosition()
    if code == MDB_NOTFOUND { return false }
    throw LMDBError(rawValue: code)
  }

  /// Clears key and value until the next move: they have moved, or must not be read.
  private mutating func forgetPosition() {
    currentKey = MDB_val()
    currentValue = MDB_val()
  }
}
