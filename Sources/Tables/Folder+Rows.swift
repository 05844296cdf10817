// The rows of a folder's tables, checked and decoded as they are read.
public import Bytes
public import Digests
internal import LMDB

/// One state of a folder's tables, unchanged for as long as it is lent.
///
/// Tables are numbered in the order of ``Folder/tableNames``. Whatever it reads is checked: it throws
/// ``TablesError/malformed(path:table:)`` when a row is not as it was written, or when the rows beside its place are
/// not: a search that met a damaged key does not show that there is no row.
public struct FolderReading: ~Escapable {
  /// Where the tables stand; nil when nothing was ever written.
  public let anchor: Anchor?
  private let transaction: ReadTransaction
  private let tables: [Table]
  private let folder: Folder

  @_lifetime(copy transaction)
  internal init(_ transaction: ReadTransaction, _ tables: [Table], at anchor: Anchor?, of folder: Folder) {
    self.transaction = transaction
    self.tables = tables
    self.anchor = anchor
    self.folder = folder
  }

  /// The digest of each table as it was written.
  public func digests() throws(TablesError) -> [TableDigest] {
    try access { () throws(LMDBError) in try folder.digests(in: transaction) }
  }

  /// The row with a key; nil when there is none.
  public func row<Row: TableRow>(of key: some TableKey, in table: Int) throws(TablesError) -> Row? {
    let found = try access { () throws(LMDBError) -> Found<Row?> in
      guard let value = try transaction.value(of: key, in: tables[table]) else {
        let isMissing = try transaction.withCursor(over: tables[table]) { cursor throws(LMDBError) in
          try cursor.moveChecked(from: key, .upwards, seed: folder.seeds[table]) != nil
        }
        return isMissing ? .rows(nil) : .damage
      }
      let row = key.withKeyBytes { Row(stored: value, key: $0, seed: folder.seeds[table]) }
      return row.map { .rows($0) } ?? .damage
    }
    return try rows(found, table)
  }

  /// Lends the rows of a table in an order of their keys until the body answers false.
  ///
  /// Upwards they begin with the first key that is not less than the given one, downwards with the last that is less.
  public func forEachRow<Row: TableRow>(
    of table: Int, from key: some TableKey = [UInt8](), _ order: RowOrder = .upwards,
    _ body: (_ key: UnsafeRawBufferPointer, Row) throws(TablesError) -> Bool
  ) throws(TablesError) {
    var failure: TablesError?
    let found = try access { () throws(LMDBError) -> Found<Void> in
      try transaction.withCursor(over: tables[table]) { cursor throws(LMDBError) in
        guard var isThere = try cursor.moveChecked(from: key, order, seed: folder.seeds[table]) else { return .damage }
        while isThere {
          let goesOn = cursor.key.withUnsafeBytes { key -> Bool? in
            guard let row = Row(stored: cursor.value, key: key, seed: folder.seeds[table]) else { return nil }
            do throws(TablesError) { return try body(key, row) } catch {
              failure = error
              return false
            }
          }
          guard let goesOn else { return .damage }
          if !goesOn { break }
          isThere = try order == .upwards ? cursor.moveToNext() : cursor.moveToPrevious()
        }
        return .rows(())
      }
    }
    if let failure { throw failure }
    try rows(found, table)
  }

  /// Counts the digest of each table from its rows, whether or not they are whole.
  public func recountedDigests() throws(TablesError) -> [TableDigest] {
    try access { () throws(LMDBError) in
      var digests: [TableDigest] = []
      for (number, table) in tables.enumerated() {
        var digest = TableDigest()
        try transaction.withCursor(over: table) { cursor throws(LMDBError) in
          while try cursor.moveToNext() {
            digest.add(
              cursor.key.withUnsafeBytes { StoredRow.hash(of: cursor.value, key: $0, seed: folder.seeds[number]) })
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

  private func rows<Rows>(_ found: Found<Rows>, _ table: Int) throws(TablesError) -> Rows {
    switch found {
    case .rows(let rows): return rows
    case .damage: throw .malformed(path: folder.path, table: folder.tableNames[table])
    }
  }

  private func access<R>(_ body: () throws(LMDBError) -> R) throws(TablesError) -> R {
    do throws(LMDBError) { return try body() } catch { throw folder.failure(error) }
  }
}

/// An order of rows.
public enum RowOrder: Hashable, Sendable {
  /// Of two, the one with the lesser key comes first.
  case upwards
  /// Of two, the one with the greater key comes first.
  case downwards
}

extension Folder {
  /// Lends one state of the tables; throws ``TablesError/ahead(_:)`` when it is further than a position.
  public func lend<R>(
    upTo position: UInt64 = .max, _ body: (FolderReading) throws(TablesError) -> R
  ) throws(TablesError) -> R {
    let result = try readAnchored(upTo: position) { transaction, tables, anchor -> Result<R, TablesError> in
      do throws(TablesError) {
        return .success(try body(FolderReading(transaction, tables, at: anchor, of: self)))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  /// The row with a key in the newest state; as ``lend(upTo:_:)`` and ``FolderReading/row(of:in:)``.
  public func row<Row: TableRow>(
    of key: some TableKey, in table: Int, upTo position: UInt64
  ) throws(TablesError) -> Row? {
    try lend(upTo: position) { reading throws(TablesError) in try reading.row(of: key, in: table) }
  }

  /// How many rows a table has; throws ``TablesError/ahead(_:)`` when the tables stand further than a position.
  public func rowCount(of table: Int, upTo position: UInt64) throws(TablesError) -> Int {
    Int(clamping: try tallies(upTo: position)[table].rows)
  }
}

extension Cursor {
  /// Moves to the first key that is not less than the given one, or downwards to the last that is less, and answers
  /// whether there is one; nil when the row there, or its neighbour on the other side of the key, is not whole or does
  /// not lie on its side.
  ///
  /// The search compares the key with both last: one that was led astray by a damaged key ends beside that.
  fileprivate mutating func moveChecked(
    from key: some TableKey, _ order: RowOrder, seed: UInt64
  ) throws(LMDBError) -> Bool? {
    // LMDB knows no empty key.
    let isFromStart = key.withKeyBytes { $0.isEmpty }
    let hasPrevious = try isFromStart ? false : move(toLastBefore: key)
    if hasPrevious, !isWhole(seed) || !comesBefore(key) { return nil }
    let hasNext = try hasPrevious ? moveToNext() : moveToFirst()
    if hasNext, !isWhole(seed) || comesBefore(key) { return nil }
    if order == .upwards { return hasNext }
    if !hasPrevious { return false }
    return try hasNext ? moveToPrevious() : moveToLast()
  }

  private func isWhole(_ seed: UInt64) -> Bool {
    key.withUnsafeBytes { StoredRow.value(of: value, key: $0, seed: seed) != nil }
  }

  private func comesBefore(_ other: some TableKey) -> Bool {
    key.withUnsafeBytes { key in other.withKeyBytes { key.lexicographicallyPrecedes($0) } }
  }
}
