// The opening of a table store: kept, or dropped and recreated, from a snapshot or empty.
internal import Files
internal import LMDB

extension TableStore {
  /// The open environment.
  internal final class Contents: Sendable {
    let environment: Environment
    let meta: Table
    let tables: [Table]

    init(_ path: String, _ names: [String]) throws(EnvironmentError) {
      environment = try Environment(path: path, options: TableStore.environmentOptions(tables: names.count))
      do throws(LMDBError) {
        meta = try environment.table(TableStore.metaTableName)
        var tables: [Table] = []
        for name in names { tables.append(try environment.table(name)) }
        self.tables = tables
      } catch {
        throw .failed(path: path, error)
      }
    }
  }

  /// Opens the tables; only their sole user drops and recreates them.
  internal static func open(
    _ path: String, _ names: [String], isFirst: Bool, _ begin: (String) -> Void, _ isOnChain: (LogPoint) -> Bool
  ) throws(TablesError) -> Contents {
    if let contents = try openIfKept(path, names, isFirst: isFirst, begin, isOnChain) { return contents }
    // The tables are damaged, or of another chain.
    guard isFirst else { throw .foreign(path: path) }
    try drop(path)
    if let contents = try openIfKept(path, names, isFirst: true, begin, isOnChain) { return contents }
    // So was the snapshot.
    try drop(path)
    if let contents = try openIfKept(path, names, isFirst: true, { _ in }, isOnChain) { return contents }
    throw .damaged(path: path, reason: LMDBError.corrupted.description)
  }

  /// Opens the existing tables; nil when they are damaged or not on the chain.
  private static func openIfKept(
    _ path: String, _ names: [String], isFirst: Bool, _ begin: (String) -> Void, _ isOnChain: (LogPoint) -> Bool
  ) throws(TablesError) -> Contents? {
    // A process may have been killed between moving the data file and cleaning up.
    if isFirst {
      try TablesError.mapping(at: path) { () throws(FileError) in try FileSystem.removeDirectory(beginning(path)) }
    }
    if FileSystem.kind(at: path + "/data.mdb") == .nothing {
      if isFirst { try drop(path) }
      try mark(path)
      if isFirst { try lay(path, begin) }
    }
    let contents: Contents
    do throws(EnvironmentError) { contents = try Contents(path, names) } catch {
      if isFirst, case .failed(_, let code) = error, code.isDamage { return nil }
      throw TablesError(error)
    }
    var row: MetaRow?
    var entries: [UInt64] = []
    let isRead: Void? = try? contents.environment.read { transaction throws(LMDBError) in
      row = try transaction.metaRow(in: contents.meta)
      for table in contents.tables {
        entries.append(UInt64(bitPattern: Int64(try transaction.statistics(of: table).entries)))
      }
    }
    if isRead == nil { return nil }
    // Rows without a log point are unusable.
    guard let row else { return entries.allSatisfy { $0 == 0 } ? contents : nil }
    // A table whose name or root is damaged has another row count.
    return row.summaries.map(\.rows) == entries && isOnChain(row.logPoint) ? contents : nil
  }

  /// Moves the data file that the closure puts into an empty directory into the table store, atomically.
  ///
  /// The table store is marked dirty before, durably: after a power loss, a partial file is dropped.
  private static func lay(_ path: String, _ begin: (String) -> Void) throws(TablesError) {
    let directory = beginning(path)
    do throws(FileError) {
      try FileSystem.makeDirectory(directory)
      begin(directory)
      if try FileSystem.isFile(at: directory + "/data.mdb") {
        try FileSystem.rename(directory + "/data.mdb", to: path + "/data.mdb")
      }
    } catch {
      try? FileSystem.removeDirectory(directory)
      throw TablesError(error, at: path)
    }
    try? FileSystem.removeDirectory(directory)
  }

  /// Returns the directory in which the initial data file is prepared; a killed process may leave it.
  internal static func beginning(_ path: String) -> String { path + "/beginning" }
}
