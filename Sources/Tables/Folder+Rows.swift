// The rows of a folder's tables, checked and decoded as they are read.
public import Digests
public import LMDB

extension Folder {
  /// The row with a key; nil when there is none.
  ///
  /// Tables are numbered in the order of ``tableNames``. Throws ``TablesError/ahead(_:)`` when the tables stand further
  /// than a position, and ``TablesError/malformed(path:table:)`` when the row is not as it was written, or when the
  /// rows beside its place are not: a search that met a damaged key does not show that there is no row.
  public func row<Row: TableRow>(
    of key: some TableKey, in table: Int, upTo position: UInt64
  ) throws(TablesError) -> Row? {
    try readRows(of: table, upTo: position) { transaction, stored throws(LMDBError) -> Found<Row?> in
      guard let value = try transaction.value(of: key, in: stored) else {
        let isMissing = try transaction.withCursor(over: stored) { cursor throws(LMDBError) in
          try cursor.moveChecked(toFirstFrom: key, seed: UInt64(table)) != nil
        }
        return isMissing ? .rows(nil) : .damage
      }
      let row = key.withKeyBytes { Row(stored: value, key: $0, seed: UInt64(table)) }
      return row.map { .rows($0) } ?? .damage
    }
  }

  /// Lends the rows of one state of a table in the order of their keys, from the first key that is not less than the
  /// given one, until the body answers false; throws as ``row(of:in:upTo:)`` does.
  public func forEachRow<Row: TableRow>(
    of table: Int, from key: some TableKey = [UInt8](), upTo position: UInt64,
    _ body: (_ key: UnsafeRawBufferPointer, Row) -> Bool
  ) throws(TablesError) {
    try readRows(of: table, upTo: position) { transaction, stored throws(LMDBError) -> Found<Void> in
      try transaction.withCursor(over: stored) { cursor throws(LMDBError) in
        guard var isThere = try cursor.moveChecked(toFirstFrom: key, seed: UInt64(table)) else { return .damage }
        while isThere {
          let goesOn = cursor.key.withUnsafeBytes { key -> Bool? in
            Row(stored: cursor.value, key: key, seed: UInt64(table)).map { body(key, $0) }
          }
          guard let goesOn else { return .damage }
          if !goesOn { break }
          isThere = try cursor.moveToNext()
        }
        return .rows(())
      }
    }
  }

  /// How many rows a table has; throws ``TablesError/ahead(_:)`` when the tables stand further than a position.
  public func rowCount(of table: Int, upTo position: UInt64) throws(TablesError) -> Int {
    Int(clamping: try tallies(upTo: position)[table].rows)
  }

  /// Counts the digest of each table from its rows, whether or not they are whole.
  public func recountedDigests() throws(TablesError) -> [TableDigest] {
    try read(upTo: .max) { transaction, tables throws(LMDBError) in
      var digests: [TableDigest] = []
      for (number, table) in tables.enumerated() {
        var digest = TableDigest()
        try transaction.withCursor(over: table) { cursor throws(LMDBError) in
          while try cursor.moveToNext() {
            digest.add(cursor.key.withUnsafeBytes { StoredRow.hash(of: cursor.value, key: $0, seed: UInt64(number)) })
          }
        }
        digests.append(digest)
      }
      return digests
    }
  }

  private enum Found<Rows> {
    case rows(Rows)
    case damage
  }

  private func readRows<R>(
    of table: Int, upTo position: UInt64,
    _ body: (borrowing ReadTransaction, Table) throws(LMDBError) -> Found<R>
  ) throws(TablesError) -> R {
    let found = try read(upTo: position) { transaction, tables throws(LMDBError) in
      try body(transaction, tables[table])
    }
    switch found {
    case .rows(let rows): return rows
    case .damage: throw .malformed(path: path, table: tableNames[table])
    }
  }
}

extension Cursor {
  /// Moves to the first key that is not less than the given one, and answers whether there is one; nil when the row
  /// there, or the one before it, is not whole or does not lie on its side of the key.
  ///
  /// The search compares the key with both last: one that was led astray by a damaged key ends beside that.
  fileprivate mutating func moveChecked(
    toFirstFrom key: some TableKey, seed: UInt64
  ) throws(LMDBError) -> Bool? {
    // LMDB knows no empty key.
    let isFromStart = key.withKeyBytes { $0.isEmpty }
    let hasPrevious = try isFromStart ? false : move(toLastBefore: key)
    if hasPrevious, !isWhole(seed) || !comesBefore(key) { return nil }
    let hasNext = try hasPrevious ? moveToNext() : moveToFirst()
    if hasNext, !isWhole(seed) || comesBefore(key) { return nil }
    return hasNext
  }

  private func isWhole(_ seed: UInt64) -> Bool {
    key.withUnsafeBytes { StoredRow.value(of: value, key: $0, seed: seed) != nil }
  }

  private func comesBefore(_ other: some TableKey) -> Bool {
    key.withUnsafeBytes { key in other.withKeyBytes { key.lexicographicallyPrecedes($0) } }
  }
}
