// A table store of another program, compared row by row with one's own.
internal import Errors
internal import Files
internal import LMDB
internal import LMDBPages

/// A row that differs between two table stores.
public struct RowDifference: Hashable, Sendable {
  /// The row's key.
  public let key: [UInt8]
  /// The encoded row here; nil when it is missing here.
  public let here: [UInt8]?
  /// The encoded row there; nil when it is missing there, or cannot be read.
  public let there: [UInt8]?
  /// Whether the row there is damaged.
  public let isDamaged: Bool
}

/// A table store of another program, whose rows are read without being decoded.
///
/// It is never dropped, created or written; while this object exists, it is not removed either. A table store that this
/// user cannot write is read without locks: the result is valid only if no commit happened during the read.
public final class ReadOnlyTableStore: Sendable {
  private let path: String
  private let file: DataFile
  private let environment: Environment
  private let options: Environment.Options
  private let names: Set<String>
  /// The shared lock of the table store's users; nil where it cannot be locked.
  private let holders: FileLock?
  /// The last transaction when the table store was opened.
  private let transaction: UInt64

  /// Opens an existing table store; nil when there is none.
  public init?(at path: String) throws(TablesError) {
    self.path = path
    let isThere = try TablesError.mapping(at: path) { () throws(FileError) in
      try TableStore.requireOwnFiles(in: path)
      return try FileSystem.isFile(at: path + "/data.mdb")
    }
    guard isThere else { return nil }
    holders = try Self.lock(path)
    do throws(DataFileError) { file = try DataFile(path: path + "/data.mdb") } catch {
      throw .failed(path: path, reason: error.description)
    }
    guard let (transaction, names) = Self.tableNames(in: file) else {
      throw .damaged(path: path, reason: LMDBError.corrupted.description)
    }
    (self.transaction, self.names) = (transaction, Set(names))
    // The options must match the owner's: this process may have it open.
    var options = TableStore.environmentOptions(tables: names.count - 1)
    options.creates = false
    options.isReadOnly = holders == nil
    self.options = options
    environment = try rethrow(Environment(path: path, options: options), as: TablesError.init(_:))
  }

  /// Takes the users' shared lock; returns nil where the table store cannot be written and thus not locked.
  private static func lock(_ path: String) throws(TablesError) -> FileLock? {
    let damage = TablesError.damaged(path: path, reason: LMDBError.corrupted.description)
    let (gate, holders): (FileLock?, FileLock)
    do throws(FileError) {
      gate = try TableStore.lockedGate(path, until: .now + .seconds(10))
      holders = try FileLock(path: path + "/holders")
    } catch {
      guard error.isReadOnly else { throw TablesError(error, at: path) }
      if try TableStore.isStale(path) || TableStore.hasDamagedMetas(path) { throw damage }
      return nil
    }
    guard let gate else { throw .busy(path: path) }
    defer { gate.unlock() }
    let isFirst = holders.tryLock()
    if isFirst, try TableStore.isStale(path) || TableStore.isDamaged(path) { throw damage }
    guard holders.tryLock(shared: true) else { throw .busy(path: path) }
    return holders
  }

  /// Returns the last transaction of a file and the names of its tables; nil where they cannot be read.
  private static func tableNames(in file: DataFile) -> (UInt64, [String])? {
    // The owner may have reused a page between two reads; real damage persists.
    for _ in 0..<100 {
      if let meta = try? file.newestMeta(), let names = try? file.tableNames(of: meta) {
        return (meta.transaction, names)
      }
    }
    return nil
  }

  /// Throws when the table store was read without a lock and written since it was opened.
  private func requireUnchanged() throws(TablesError) {
    if holders == nil, (try? file.newestMeta().transaction) != transaction { throw .busy(path: path) }
  }

  /// Returns the first damage of the pages; nil when each is in one table, in the free list, or was never used.
  ///
  /// No row shows that a page in use is also in the free list, and the next write would overwrite it.
  public func pageDamage() throws(TablesError) -> String? {
    var damage: String?
    do throws(DataFileError) {
      try PinnedFile.withNewest(of: path, options: options) { file, meta in
        do throws(DataFileError) { damage = try file.damages(of: meta).first?.description } catch {
          damage = error.description
        }
      }
    } catch {
      throw .failed(path: path, reason: error.description)
    }
    try requireUnchanged()
    return damage
  }

  /// Returns whether the table store has a table.
  public func has(_ table: String) -> Bool { names.contains(table) }

  /// Compares a table, whose rows are seeded by names, with that of a table store at the same log point, which the
  /// closure returns; returns at most `limit` differences, in the order of keys. “Here” is the given table store,
  /// “there” this one.
  public func differences(
    in table: String, limit: Int, from tableStore: (LogPoint?) -> TableStore?
  ) throws(TablesError) -> [RowDifference] {
    var differences: [RowDifference] = []
    let seed = RowHashSeed.name.seeds(of: [table])[0]
    do throws(LMDBError) {
      let (meta, there) = (try environment.table(TableStore.metaTableName), try environment.table(table))
      try environment.read { transaction throws(LMDBError) in
        let logPoint = try transaction.metaRow(in: meta)?.logPoint
        guard let tableStore = tableStore(logPoint), let number = tableStore.tableNames.firstIndex(of: table),
          limit > 0
        else { return }
        try transaction.withCursor(over: there) { there throws(LMDBError) in
          try tableStore.withCursor(over: number) { here throws(LMDBError) in
            try merge(&here, &there, seed) { difference in
              differences.append(difference)
              return differences.count < limit
            }
          }
        }
      }
    } catch {
      try requireUnchanged()
      throw error == .corrupted
        ? .malformed(path: path, table: table) : .failed(path: path, reason: error.description)
    }
    try requireUnchanged()
    return differences
  }
}

/// Merges two tables in the order of keys, and calls the closure with the rows that differ until it returns false.
private func merge(
  _ here: inout Cursor, _ there: inout Cursor, _ seed: UInt64, _ body: (RowDifference) -> Bool
) throws(LMDBError) {
  var one = try here.moveToFirst() ? here.row(seed) : nil
  var other = try there.moveToFirst() ? there.row(seed) : nil
  if let one, one.value == nil { throw .corrupted }
  while let key = [one?.key, other?.key].compactMap({ $0 }).min(by: { $0.lexicographicallyPrecedes($1) }) {
    let (mine, theirs) = (one?.key == key ? one?.value : nil, other?.key == key ? other?.value : nil)
    let isDamaged = other?.key == key && theirs == nil
    if mine != theirs || isDamaged {
      guard body(RowDifference(key: key, here: mine, there: theirs, isDamaged: isDamaged)) else { return }
    }
    if one?.key == key { one = try here.moveToNext() ? here.row(seed) : nil }
    if let one, one.value == nil { throw .corrupted }
    if other?.key == key { other = try there.moveToNext() ? there.row(seed) : nil }
  }
}

extension Cursor {
  /// Returns the current row; without a value when it is damaged.
  fileprivate func row(_ seed: UInt64) -> (key: [UInt8], value: [UInt8]?) {
    let stored = self.value
    let encoded = key.withUnsafeBytes { key in
      StoredRow.value(of: stored, key: key, seed: seed)?.withUnsafeBytes { Array($0) }
    }
    return (key.withUnsafeBytes { Array($0) }, encoded)
  }
}
