// The rows of a table store, checked and decoded as they are read.
public import Bytes
public import Digests
internal import Errors
internal import LMDB

/// One unchanging state of tables, valid for the duration of the closure that receives it.
///
/// Tables are numbered in the order of ``TablesSource/tableNames``. All reads are checked, as those of a ``RowCursor``
/// are.
public struct TableStoreReader: ~Escapable {
  /// The log point of the tables; nil when nothing was ever written.
  public let logPoint: LogPoint?
  private let transaction: ReadTransaction
  private let tables: [Table]
  private let tableStore: TableStore
  /// The position in the past; nil for the newest state.
  private let past: PastState?

  @_lifetime(copy transaction)
  internal init(
    _ transaction: ReadTransaction, _ tables: [Table], at logPoint: LogPoint?, as past: PastState? = nil,
    of tableStore: TableStore
  ) {
    self.transaction = transaction
    self.tables = tables
    self.past = past
    self.logPoint = logPoint
    self.tableStore = tableStore
  }

  /// Returns the digest of each table as it was written.
  public func digests() throws(TablesError) -> [TableDigest] {
    try access { () throws(LMDBError) in try tableStore.digests(in: transaction) }
  }

  /// Returns the error for a malformed row of a table, for callers that detect it.
  package func malformed(in table: Int) -> TablesError {
    .malformed(path: tableStore.path, table: tableStore.tableNames[table])
  }

  /// Runs the closure with a cursor over the rows of a table.
  public func withRows(
    of table: Int, _ body: (inout RowCursor) throws(TablesError) -> Void
  ) throws(TablesError) {
    let cursor = try rethrow(transaction.cursor(over: tables[table]), as: tableStore.failure)
    var rows = RowCursor(cursor, of: tableStore, table: table, as: past)
    try body(&rows)
  }

  /// Returns the row with a key; nil when there is none.
  @inlinable
  public func row<Row: BinaryRow>(of key: some TableKey, in table: Int) throws(TablesError) -> Row? {
    var row: Row?
    try withRows(of: table) { rows throws(TablesError) in
      let found = key.withKeyBytes { key in Result { () throws(TablesError) in try rows.find(key) } }
      guard try found.get() else { return }
      row = Row(decoding: rows.value, of: rows.key)
      if row == nil { throw rows.malformed }
    }
    return row
  }

  /// Returns the encoded row with a key; nil when there is none.
  package func storedRow(of key: [UInt8], in table: Int) throws(TablesError) -> [UInt8]? {
    var value: [UInt8]?
    try withRows(of: table) { rows throws(TablesError) in
      let found = key.withUnsafeBytes { key in Result { () throws(TablesError) in try rows.find(key) } }
      if try found.get() { value = rows.value.withUnsafeBytes { Array($0) } }
    }
    return value
  }

  /// Calls the closure with the rows of a table in an order of their keys until it returns false.
  ///
  /// Upwards they start with the first key that is not less than the given one, downwards with the last that is less.
  @inlinable
  public func forEachRow<Row: BinaryRow>(
    of table: Int, from key: some TableKey = [UInt8](), _ order: RowOrder = .upwards,
    _ body: (_ key: UnsafeRawBufferPointer, Row) throws(TablesError) -> Bool
  ) throws(TablesError) {
    try withRows(of: table) { rows throws(TablesError) in
      let found = key.withKeyBytes { key in Result { () throws(TablesError) in try rows.move(from: key, order) } }
      var isThere = try found.get()
      while isThere {
        guard let row = Row(decoding: rows.value, of: rows.key) else { throw rows.malformed }
        let goesOn = rows.key.withUnsafeBytes { key in Result { () throws(TablesError) in try body(key, row) } }
        if try !goesOn.get() { return }
        isThere = try rows.moveOn(order)
      }
    }
  }

  /// Recomputes the digest of each table from its rows, without those that do not have their checksum.
  public func recountedDigests() throws(TablesError) -> [TableDigest] {
    try access { () throws(LMDBError) in
      var digests: [TableDigest] = []
      for (number, table) in tables.enumerated() {
        var digest = TableDigest()
        try transaction.withCursor(over: table) { cursor throws(LMDBError) in
          while try cursor.moveToNext() {
            let hash = cursor.key.withUnsafeBytes { key in
              StoredRow.wholeHash(of: cursor.value, key: key, seed: tableStore.seeds[number])
            }
            if let hash { digest.add(hash) }
          }
        }
        digests.append(digest)
      }
      return digests
    }
  }

  /// Returns the number of a table with a row that is not found by its key, since a page above it is damaged; nil for
  /// none.
  internal func tableWithHiddenRow() throws(TablesError) -> Int? {
    try access { () throws(LMDBError) in
      for (number, table) in tables.enumerated() {
        var isHidden = false
        try transaction.withCursor(over: table) { cursor throws(LMDBError) in
          try transaction.withCursor(over: table) { search throws(LMDBError) in
            while !isHidden, try cursor.moveToNext() {
              isHidden = try cursor.key.withUnsafeBytes { key in
                Result { () throws(LMDBError) in try !search.move(to: key) }
              }.get()
            }
          }
        }
        if isHidden { return number }
      }
      return nil
    }
  }

  private func access<R>(_ body: () throws(LMDBError) -> R) throws(TablesError) -> R {
    try rethrow(body(), as: { (error: LMDBError) in tableStore.failure(error) })
  }
}

extension TableStore: TablesSource {
  /// Runs the closure on one state of the tables; throws ``TablesError/ahead(_:)`` when it is past a position.
  public func lend<R>(
    upTo position: UInt64 = .max, _ body: (TableStoreReader) throws(TablesError) -> R
  ) throws(TablesError) -> R {
    let result = try readAnchored(upTo: position) { transaction, tables, logPoint -> Result<R, TablesError> in
      Result { () throws(TablesError) in try body(TableStoreReader(transaction, tables, at: logPoint, of: self)) }
    }
    return try result.get()
  }

  /// Runs the closure on a state in the past.
  internal func lend<R>(
    as past: PastState, at logPoint: LogPoint?, _ body: (TableStoreReader) throws(TablesError) -> R
  ) throws(TablesError) -> R {
    let result = try readAnchored(upTo: .max) { transaction, tables, _ -> Result<R, TablesError> in
      Result { () throws(TablesError) in
        try body(TableStoreReader(transaction, tables, at: logPoint, as: past, of: self))
      }
    }
    return try result.get()
  }

  /// Returns the row count of a table; throws ``TablesError/ahead(_:)`` when the tables are past a position.
  public func rowCount(of table: Int, upTo position: UInt64) throws(TablesError) -> Int {
    Int(clamping: try summaries(upTo: position)[table].rows)
  }
}
