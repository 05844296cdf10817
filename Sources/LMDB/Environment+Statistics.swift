// What an environment tells of itself: size, readers, transactions.
internal import CLMDB

/// Figures of an environment at one moment.
public struct EnvironmentStatistics: Hashable, Sendable {
  /// The bytes of address space that are reserved.
  public let mapSize: Int
  /// The bytes of a page.
  public let pageSize: Int
  /// The pages that the file has used so far, free ones included.
  public let pages: Int
  /// The number of the last committed transaction.
  public let lastTransaction: Int
  /// How many read transactions can be open at once, in all processes.
  public let readersMax: Int
  /// The reader slots that were ever in use at the same time.
  public let readersUsed: Int
}

/// A slot of the reader table.
public struct Reader: Hashable, Sendable {
  /// The process that owns the slot.
  public let process: Int
  /// The transaction that it pins; nil when it is between two.
  public let transaction: Int?
}

extension Environment {
  /// Figures of this moment.
  ///
  /// The corresponding C functions are `mdb_env_info` and `mdb_env_stat`.
  public borrowing func statistics() -> EnvironmentStatistics {
    var info = MDB_envinfo()
    mdb_env_info(shared.pointer, &info)
    return EnvironmentStatistics(
      mapSize: info.me_mapsize, pageSize: shared.pageSize, pages: info.me_last_pgno + 1,
      lastTransaction: info.me_last_txnid, readersMax: Int(info.me_maxreaders),
      readersUsed: Int(info.me_numreaders))
  }

  /// The reader slots in use, by any process.
  ///
  /// The corresponding C function is `mdb_reader_list`.
  public borrowing func readers() -> [Reader] {
    var text = ""
    withUnsafeMutablePointer(to: &text) { text in
      _ = mdb_reader_list(
        shared.pointer,
        { line, context in
          guard let line, let context else { return 0 }
          context.assumingMemoryBound(to: String.self).pointee += String(cString: line)
          return 0
        }, text)
    }
    return Self.readers(inList: text)
  }

  /// Reads the lines that LMDB prints: a header, then process, thread, transaction or a dash.
  internal static func readers(inList text: String) -> [Reader] {
    text.split(separator: "\n").dropFirst().compactMap { line in
      let columns = line.split(separator: " ")
      guard columns.count == 3, let process = Int(columns[0]) else { return nil }
      return Reader(process: process, transaction: Int(columns[2]))
    }
  }

  /// Frees the slots of readers whose process has died, which would pin pages for ever; answers how many.
  ///
  /// The corresponding C function is `mdb_reader_check`.
  @discardableResult
  public borrowing func reapStaleReaders() -> Int {
    var dead: CInt = 0
    mdb_reader_check(shared.pointer, &dead)
    return Int(dead)
  }
}
