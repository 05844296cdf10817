// Statistics of an environment: its size, readers and transactions.
internal import CLMDB

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Statistics of an environment at one moment.
public struct EnvironmentStatistics: Hashable, Sendable {
  /// The reserved address space in bytes.
  public let mapSize: Int
  /// The size of a page in bytes.
  public let pageSize: Int
  /// The number of pages that the file has used so far, free ones included.
  public let pages: Int
  /// The number of the last committed transaction.
  public let lastTransaction: Int
  /// The maximum number of open read transactions, in all processes.
  public let readersMax: Int
  /// The highest number of reader slots that were in use at the same time.
  public let readersUsed: Int
  /// The disk space of the file in bytes.
  public let fileByteCount: Int

  /// The number of bytes that the file has used so far, free pages included.
  public var usedByteCount: Int { pages * pageSize }
}

/// A slot of the reader table.
public struct Reader: Hashable, Sendable {
  /// The process that owns the slot.
  public let process: Int
  /// The transaction that it pins; nil between two transactions.
  public let transaction: Int?
}

/// Statistics of the readers of an environment at one moment.
public struct ReaderStatistics: Hashable, Sendable {
  /// The number of slots in use, including those of processes that died unnoticed.
  public let used: Int
  /// The number of slots.
  public let max: Int
  /// The number of transactions by which the oldest reader is behind the last commit; 0 without readers.
  ///
  /// Pages freed by those transactions are not reused during that read, and the file grows instead.
  public let lag: Int

  internal init(_ readers: [Reader], of max: Int, lastTransaction: Int) {
    (used, self.max) = (readers.count, max)
    let oldest = readers.compactMap(\.transaction).min()
    // A reader that has just begun may be at a later transaction.
    lag = oldest.map { Swift.max(0, lastTransaction - $0) } ?? 0
  }
}

extension Environment {
  /// Returns the current statistics.
  ///
  /// The corresponding C functions are `mdb_env_info`, `mdb_env_stat` and `mdb_env_get_fd`.
  public borrowing func statistics() -> EnvironmentStatistics {
    var info = MDB_envinfo()
    mdb_env_info(shared.pointer, &info)
    return EnvironmentStatistics(
      mapSize: info.me_mapsize, pageSize: shared.pageSize, pages: info.me_last_pgno + 1,
      lastTransaction: info.me_last_txnid, readersMax: Int(info.me_maxreaders),
      readersUsed: Int(info.me_numreaders), fileByteCount: fileByteCount)
  }

  /// The disk space of the open file, by whatever path it was opened.
  private var fileByteCount: Int {
    var descriptor: CInt = -1
    var status = stat()
    guard mdb_env_get_fd(shared.pointer, &descriptor) == 0, fstat(descriptor, &status) == 0 else { return 0 }
    return Int(status.st_blocks) * 512
  }

  /// Returns the current reader statistics.
  ///
  /// The corresponding C functions are `mdb_reader_list` and `mdb_env_info`.
  public borrowing func readerStatistics() -> ReaderStatistics {
    let readers = readers()
    return ReaderStatistics(readers, of: statistics().readersMax, lastTransaction: lastTransaction())
  }

  /// Returns the reader slots in use, by any process.
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

  /// Parses the lines that LMDB prints: a header, then process, thread, transaction or a dash.
  internal static func readers(inList text: String) -> [Reader] {
    text.split(separator: "\n").dropFirst().compactMap { line in
      let columns = line.split(separator: " ")
      guard columns.count == 3, let process = Int(columns[0]) else { return nil }
      return Reader(process: process, transaction: Int(columns[2]))
    }
  }

  /// Frees the slots of readers whose process has died, which would pin pages forever; returns their number.
  ///
  /// The corresponding C function is `mdb_reader_check`.
  @discardableResult
  public borrowing func reapStaleReaders() -> Int { shared.reapStaleReaders() }
}
