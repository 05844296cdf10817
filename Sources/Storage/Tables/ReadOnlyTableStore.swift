// A folder of tables that another program keeps: held against one's own, row by row.
internal import LMDB

/// A row that is not the same in two folders.
public struct RowDifference: Hashable, Sendable {
  /// The row's key.
  public let key: [UInt8]
  /// Its encoded form here; nil when it is not here.
  public let here: [UInt8]?
  /// Its encoded form there; nil when it is not there, or cannot be read.
  public let there: [UInt8]?
  /// Whether it is there and not as it was written.
  public let isDamaged: Bool
}

/// The folder of another program, whose rows are read and not understood.
///
/// It is not dropped, not made and not written; while this object lives, it is not removed either. A folder that this
/// user cannot write is read without locks: what was read counts only where no commit came meanwhile.
public final class ReadOnlyTableStore: Sendable {
  private let path: String
  private let file: DataFile
  private let environment: Environment
  private let names: Set<String>
  /// The lock of those who use the folder; nil where it cannot be locked.
  private let holders: FileLock?
  /// The last transaction when the folder was opened.
  private let transaction: UInt64

  /// Opens a folder that is there; answers nil when there is none.
  public init?(at path: String) throws(TablesError) {
    self.path = path
    do throws(LMDBError) {
      try TableStore.requireOwnFiles(in: path)
      guard try Files.isFile(at: path + "/gate"), try Files.isFile(at: path + "/data.mdb") else { return nil }
    } catch {
      throw TablesError(error, at: path)
    }
    holders = try Self.lock(path)
    guard let file = try? DataFile(path: path + "/data.mdb"), let (transaction, names) = Self.tableNames(in: file)
    else { throw .failed(path: path, reason: LMDBError.corrupted.description) }
    (self.file, self.transaction, self.names) = (file, transaction, Set(names))
    do throws(EnvironmentError) {
      // As its owner opens it: it may have it open in this process.
      var options = TableStore.environmentOptions(tables: names.count - 1)
      options.creates = false
      options.isReadOnly = holders == nil
      environment = try Environment(path: path, options: options)
    } catch {
      throw TablesError(error)
    }
  }

  /// Joins those who use the folder; answers nil where no lock can be taken, since the folder cannot be written.
  private static func lock(_ path: String) throws(TablesError) -> FileLock? {
    let damage = TablesError(LMDBError.corrupted, at: path)
    let (gate, holders): (FileLock?, FileLock)
    do throws(LMDBError) {
      gate = try TableStore.lockedGate(path, until: .now + .seconds(10))
      holders = try FileLock(path: path + "/holders")
    } catch {
      guard error.isReadOnly else { throw TablesError(error, at: path) }
      if TableStore.isStaleOrDamaged(path) { throw damage }
      return nil
    }
    guard let gate else { throw .busy(path: path) }
    defer { gate.unlock() }
    let isFirst = holders.tryLock()
    if isFirst, TableStore.isStaleOrDamaged(path) { throw damage }
    guard holders.tryLock(shared: true) else { throw .busy(path: path) }
    return holders
  }

  /// The last transaction of a file and the names of its tables; nil where they cannot be read.
  private static func tableNames(in file: DataFile) -> (UInt64, [String])? {
    // Between two reads its owner may have used a page again: what is damaged stays so.
    for _ in 0..<100 {
      if let meta = try? file.newestMeta(), let names = try? file.tableNames(of: meta) {
        return (meta.transaction, names)
      }
    }
    return nil
  }

  /// Throws where the folder was read without a lock and somebody wrote it since it was opened.
  private func requireUnchanged() throws(TablesError) {
    if holders == nil, (try? file.newestMeta().transaction) != transaction { throw .busy(path: path) }
  }

  /// Whether it has a table.
  public func has(_ table: String) -> Bool { names.contains(table) }

  /// Compares a table, whose rows are seeded by names, with that of a folder that stands at the same anchor, which the
  /// closure gives; answers so many differences at most, in the order of keys. Here is the given folder, there is this.
  public func differences(
    in table: String, limit: Int, from tableStore: (LogPoint?) -> TableStore?
  ) throws(TablesError) -> [RowDifference] {
    var differences: [RowDifference] = []
    let seed = RowHashSeed.name.seeds(of: [table])[0]
    do throws(LMDBError) {
      let (meta, there) = (try environment.table(TableStore.metaTableName), try environment.table(table))
      try environment.read { transaction throws(LMDBError) in
        let anchor = try transaction.metaRow(in: meta)?.anchor
        guard let tableStore = tableStore(anchor), let number = tableStore.tableNames.firstIndex(of: table) else {
          return
        }
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

/// Goes through two tables in the order of keys, and lends the rows that differ until the body answers false.
private func merge(
  _ here: inout Cursor, _ there: inout Cursor, _ seed: UInt64, _ body: (RowDifference) -> Bool
) throws(LMDBError) {
  var one = try here.moveToFirst() ? here.row(seed) : nil
  var other = try there.moveToFirst() ? there.row(seed) : nil
  if let one, one.value == nil { throw .corrupted }
  while let key = [one?.key, other?.key].compactMap({ $0 }).min(by: { $0.lexicographicallyPrecedes($1) }) {
    let (mine, its) = (one?.key == key ? one?.value : nil, other?.key == key ? other?.value : nil)
    let isDamaged = other?.key == key && its == nil
    if mine != its || isDamaged {
      guard body(RowDifference(key: key, here: mine, there: its, isDamaged: isDamaged)) else { return }
    }
    if one?.key == key { one = try here.moveToNext() ? here.row(seed) : nil }
    if let one, one.value == nil { throw .corrupted }
    if other?.key == key { other = try there.moveToNext() ? there.row(seed) : nil }
  }
}

extension Cursor {
  /// The row that it stands at; without a value when it is damaged.
  fileprivate func row(_ seed: UInt64) -> (key: [UInt8], value: [UInt8]?) {
    let stored = self.value
    let encoded = key.withUnsafeBytes { key in
      StoredRow.value(of: stored, key: key, seed: seed)?.withUnsafeBytes { Array($0) }
    }
    return (key.withUnsafeBytes { Array($0) }, encoded)
  }
}
