// Read and write transactions of an environment.
public import Bytes
internal import CLMDB

/// An open read transaction, which ends with this value.
internal struct OpenReadTransaction: ~Copyable {
  fileprivate let pointer: OpaquePointer

  init(_ shared: SharedEnvironment) throws(LMDBError) {
    var pointer: OpaquePointer?
    var code = mdb_txn_begin(shared.pointer, nil, UInt32(MDB_RDONLY), &pointer)
    // Processes that died since the environment was opened may hold the slots.
    if code == MDB_READERS_FULL, shared.reapStaleReaders() > 0 {
      code = mdb_txn_begin(shared.pointer, nil, UInt32(MDB_RDONLY), &pointer)
    }
    try LMDBError.check(code)
    self.pointer = pointer!
  }

  deinit { mdb_txn_abort(pointer) }
}

/// A read transaction: one unchanging state of an environment.
///
/// It is valid for the duration of the closure of ``Environment/read(_:)``. It pins pages: during that time the file
/// grows with every commit, so it must be short.
public struct ReadTransaction: ~Escapable {
  private let pointer: OpaquePointer
  private let extent: MapExtent
  private let pages: MappedPages?
  private let environment: Int

  @_lifetime(borrow open)
  internal init(_ open: borrowing OpenReadTransaction, of shared: SharedEnvironment) {
    pointer = open.pointer
    pages = MappedPages(shared, transaction: open.pointer)
    extent = MapExtent(of: shared)
    environment = shared.serial
  }

  /// The number of the last transaction that is visible in this one.
  ///
  /// The corresponding C function is `mdb_txn_id`.
  public var number: Int { Int(mdb_txn_id(pointer)) }

  /// Returns the value of a key without copying it, or nil.
  ///
  /// The corresponding C function is `mdb_get`.
  @_lifetime(copy self)
  public func value(of key: some TableKey, in table: Table) throws(LMDBError) -> RawSpan? {
    table.require(environment)
    if let pages {
      var cursor = try MappedCursor(pages, pages.top(of: table))
      let result = key.withKeyBytes { key in Result { () throws(LMDBError) in try cursor.move(to: key) } }
      return try result.get() ? _overrideLifetime(MDB_val(cursor.value).span, copying: self) : nil
    }
    guard let found = try get(pointer, key, table, extent) else { return nil }
    return _overrideLifetime(found.span, copying: self)
  }

  /// Runs the closure with a cursor over a table.
  ///
  /// The corresponding C function is `mdb_cursor_open`.
  public func withCursor<R>(
    over table: Table, _ body: (inout Cursor) throws(LMDBError) -> R
  ) throws(LMDBError) -> R {
    var cursor = try cursor(over: table)
    return try body(&cursor)
  }

  /// Returns a cursor over a table, which must not outlive its scope; ``withCursor(over:_:)`` ensures that.
  package func cursor(over table: Table) throws(LMDBError) -> Cursor {
    table.require(environment)
    guard let pages else { return try Cursor(pointer, table, extent) }
    return Cursor(MappedCursor(pages, try pages.top(of: table)))
  }

  /// Returns the size of a table in this state.
  ///
  /// The corresponding C function is `mdb_stat`.
  public func statistics(of table: Table) throws(LMDBError) -> TableStatistics {
    table.require(environment)
    return try stat(pointer, table)
  }
}

/// A write transaction, of which an environment has only one at a time across all processes.
///
/// It is valid for the duration of the closure of ``Environment/write(_:)``, commits when the closure returns and
/// aborts when it throws. It belongs to the thread that began it.
public struct WriteTransaction: ~Copyable {
  internal let pointer: OpaquePointer
  internal let extent: MapExtent
  internal let environment: Int

  internal init(_ shared: SharedEnvironment) throws(LMDBError) {
    var pointer: OpaquePointer?
    try LMDBError.check(mdb_txn_begin(shared.pointer, nil, 0, &pointer))
    self.pointer = pointer!
    // Values that this transaction wrote are outside the map, in the library's own memory.
    extent = .unbounded
    environment = shared.serial
  }

  deinit { mdb_txn_abort(pointer) }

  /// The number of this transaction.
  ///
  /// The corresponding C function is `mdb_txn_id`.
  public var number: Int { Int(mdb_txn_id(pointer)) }

  /// Leaves the sync of this commit to the caller, who calls ``Environment/sync()``; it is visible before.
  ///
  /// The corresponding C function is `mdb_env_set_flags` with `MDB_NOSYNC`. The flag is the environment's: each write
  /// transaction sets it or clears it while it is the only one.
  package borrowing func leaveUnsynced() {
    mdb_env_set_flags(mdb_txn_env(pointer), UInt32(MDB_NOSYNC), 1)
  }

  /// Commits the transaction and makes its writes visible, after syncing them unless the environment is unsynced.
  ///
  /// The corresponding C function is `mdb_txn_commit`.
  internal consuming func commit() throws(LMDBError) {
    let pointer = self.pointer
    discard self
    try LMDBError.check(mdb_txn_commit(pointer))
  }

  /// Returns the value of a key without copying it, or nil; valid until the next change.
  ///
  /// The corresponding C function is `mdb_get`.
  @_lifetime(borrow self)
  public borrowing func value(of key: some TableKey, in table: Table) throws(LMDBError) -> RawSpan? {
    table.require(environment)
    guard let found = try get(pointer, key, table, extent) else { return nil }
    return _overrideLifetime(found.span, borrowing: self)
  }

  /// Sets the value of a key.
  ///
  /// The corresponding C function is `mdb_put`.
  public mutating func put(
    _ value: UnsafeRawBufferPointer, for key: some TableKey, in table: Table
  ) throws(LMDBError) {
    table.require(environment)
    try put(value, key, table, flags: 0)
  }

  /// Appends a key after the last one of the table; throws ``LMDBError/keyExists`` when it is not greater.
  ///
  /// "A MDB_KEYEXIST error will be returned when … the key is not greater than the last key" holds for `MDB_APPEND`:
  /// that guards against giving out a position twice. The corresponding C function is `mdb_put`.
  public mutating func append(
    _ value: UnsafeRawBufferPointer, for key: some TableKey, in table: Table
  ) throws(LMDBError) {
    table.require(environment)
    try put(value, key, table, flags: UInt32(MDB_APPEND))
  }

  private func put(
    _ value: UnsafeRawBufferPointer, _ key: some TableKey, _ table: Table, flags: UInt32
  ) throws(LMDBError) {
    var data = MDB_val(value)
    let code = key.withKeyBytes { bytes in
      var name = MDB_val(bytes)
      return mdb_put(pointer, table.identifier, &name, &data, flags)
    }
    try LMDBError.check(code)
  }

  /// Removes a key; returns whether it existed.
  ///
  /// The corresponding C function is `mdb_del`.
  @discardableResult
  public mutating func remove(_ key: some TableKey, from table: Table) throws(LMDBError) -> Bool {
    table.require(environment)
    let code = key.withKeyBytes { bytes in
      var name = MDB_val(bytes)
      return mdb_del(pointer, table.identifier, &name, nil)
    }
    if code == MDB_NOTFOUND { return false }
    try LMDBError.check(code)
    return true
  }

  /// Runs the closure with a cursor over a table, which can also put.
  ///
  /// The corresponding C function is `mdb_cursor_open`.
  public mutating func withCursor<R>(
    over table: Table, _ body: (inout Cursor) throws(LMDBError) -> R
  ) throws(LMDBError) -> R {
    table.require(environment)
    var cursor = try Cursor(pointer, table, extent)
    return try body(&cursor)
  }

  /// Returns the size of a table in this state.
  ///
  /// The corresponding C function is `mdb_stat`.
  public borrowing func statistics(of table: Table) throws(LMDBError) -> TableStatistics {
    table.require(environment)
    return try stat(pointer, table)
  }
}

private func get(
  _ pointer: OpaquePointer, _ key: some TableKey, _ table: Table, _ extent: MapExtent
) throws(LMDBError) -> MDB_val? {
  var data = MDB_val()
  let code = key.withKeyBytes { bytes in
    var name = MDB_val(bytes)
    return mdb_get(pointer, table.identifier, &name, &data)
  }
  if code == MDB_NOTFOUND { return nil }
  try LMDBError.check(code)
  try extent.check(data)
  return data
}

private func stat(_ pointer: OpaquePointer, _ table: Table) throws(LMDBError) -> TableStatistics {
  var stat = MDB_stat()
  try LMDBError.check(mdb_stat(pointer, table.identifier, &stat))
  return TableStatistics(stat)
}

/// The address range of the mapped pages: a value outside it comes from a damaged page.
internal struct MapExtent {
  let start: UInt
  let end: UInt

  static var unbounded: MapExtent { MapExtent(start: 0, end: .max) }

  private init(start: UInt, end: UInt) {
    self.start = start
    self.end = end
  }

  init(of shared: SharedEnvironment) {
    guard let mapStart = shared.mapStart else {
      self = .unbounded
      return
    }
    var info = MDB_envinfo()
    mdb_env_info(shared.pointer, &info)
    start = mapStart
    end = start &+ (UInt(info.me_last_pgno) &+ 1) &* UInt(shared.pageSize)
  }

  @inline(__always)
  func check(_ data: MDB_val) throws(LMDBError) {
    let first = UInt(bitPattern: data.mv_data)
    let (past, overflow) = first.addingReportingOverflow(UInt(data.mv_size))
    if first < start || overflow || past > end { throw .corrupted }
  }
}

extension MDB_val {
  /// Creates a value that points at bytes that LMDB only reads.
  @inline(__always)
  init(_ bytes: UnsafeRawBufferPointer) {
    self.init(
      mv_size: bytes.count, mv_data: UnsafeMutableRawPointer(mutating: bytes.baseAddress))
  }

  /// The bytes; each caller binds their lifetime to the transaction's.
  @inline(__always)
  var span: RawSpan {
    @_lifetime(immortal)
    get {
      // Safe because every caller narrows the lifetime to the transaction or cursor that the bytes come from.
      let span = unsafe RawSpan(_unsafeStart: mv_data!, byteCount: mv_size)
      return _overrideLifetime(span, copying: ())
    }
  }
}
