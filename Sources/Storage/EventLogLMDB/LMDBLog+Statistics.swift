// Statistics of a log: size, readers, holder of the writer lock.
internal import EventIndex
public import EventLog
internal import Files
internal import LMDB
internal import Locks
internal import Tables

/// Statistics of a log at one moment.
public struct LogStatistics: Sendable {
  /// The end of the log.
  public let head: Head
  /// The identity and creation time of the log.
  public let genesis: Genesis
  /// The size of the log's file on the disk in bytes.
  public let fileByteCount: Int
  /// The size of the index on the disk in bytes.
  public let indexByteCount: Int
  /// The number of pages that the log's file has used, including free ones.
  public let pages: Int
  /// The size of a page in bytes.
  public let pageByteCount: Int
  /// The readers of the log, in all processes.
  public let readers: [ReaderSlot]
  /// The process that holds the writer lock: "4711 (verbatim, stopped)"; nil when it is free.
  public let writerLockHolder: String?
  /// The id of the process that holds the writer lock; nil when it is free, or the holder has not recorded its id yet.
  public let writerLockProcess: Int?
  /// The files, each with its use.
  public let files: LogFiles

  /// A slot of LMDB's reader table.
  public struct ReaderSlot: Hashable, Sendable, CustomStringConvertible {
    /// The id of the process.
    public let process: Int
    /// The transaction whose pages the reader protects from being overwritten; nil when it is not reading now.
    public let transaction: Int?

    /// The process id and name: "4711 (verbatim)".
    public var description: String { FileSystem.describe(process: Int32(truncatingIfNeeded: process)) }
    /// Whether the process has died, so that the slot is never released.
    public var isStale: Bool { !FileSystem.isAlive(process: Int32(truncatingIfNeeded: process)) }
  }
}

/// The readers of a log at one moment.
public struct LogReaders: Hashable, Sendable {
  /// The readers of the log, in all processes.
  public let slots: [LogStatistics.ReaderSlot]
  /// The number of slots.
  public let max: Int
  /// The number of the last transaction, to which those of readers are compared.
  public let lastTransaction: Int
  /// The number of freed slots of dead readers; nil where freeing was not requested.
  public let reaped: Int?
}

/// The files of a log at one moment.
public struct LogFiles: Hashable, Sendable {
  /// The file of the log.
  public let log: File
  /// The file of the index; nil when it is not open in this process.
  public let index: File?
  /// The number of free bytes on their disk; nil when the system does not report it.
  public let freeByteCount: Int?

  /// The use of a file.
  public struct File: Hashable, Sendable {
    /// The number of bytes used so far, including those that are free for reuse.
    public let usedByteCount: Int
    /// The size of the file on the disk in bytes.
    public let fileByteCount: Int
    /// The number of reader slots in use, by any process.
    public let readersUsed: Int
    /// The number of reader slots.
    public let readersMax: Int
    /// The number of transactions by which the oldest reader is behind the last; 0 without readers.
    public let readerLag: Int
  }
}

extension LogFiles {
  /// Returns the current use of the file of a store's index, on this machine; nil for an index without a file.
  package static func index(of store: EventStore) -> File? {
    (store.currentIndex as? StoredIndex).map { File($0.tableStore.statistics()) }
  }
}

extension LMDBLog {
  /// Returns the current statistics without blocking; a waiting writer loses some microseconds at most.
  public func statistics() throws(LogError) -> LogStatistics {
    let opened = try open()
    let figures = opened.environment.statistics()
    let isWriterLockHeld = try isWriterLockHeld()
    let holder = isWriterLockHeld ? writerLock?.holder : nil
    return LogStatistics(
      head: try head(), genesis: genesis, fileByteCount: FileSystem.byteCount(of: Self.logPath(path) + "/data.mdb"),
      indexByteCount: FileSystem.byteCount(of: Self.indexPath(path) + "/data.mdb"),
      pages: figures.pages, pageByteCount: figures.pageSize,
      readers: opened.environment.readers().map { .init(process: $0.process, transaction: $0.transaction) },
      writerLockHolder: isWriterLockHeld ? holder.map(FileSystem.describe) ?? "unknown" : nil,
      writerLockProcess: holder.map(Int.init),
      files: try files())
  }

  /// Returns the readers of a log without taking a slot: they are listed also when all slots are taken.
  public static func readers(ofLogAt path: String, reaps: Bool = false) throws(OpenError) -> LogReaders {
    let path = FileSystem.resolved(path)
    if let damage = try LogCheck.quickCheck(logAt: path).damage { throw .damaged(path: path, reason: damage) }
    var options = Environment.Options()
    options.reapsReaders = false
    let environment: Environment
    do throws(EnvironmentError) { environment = try Environment(path: logPath(path), options: options) } catch {
      if case .failed(_, let code) = error, code.isReadOnly {
        throw .storage(
          StorageFailure(
            "The readers of \(path) are unknown: LMDB needs its lock file for them, which cannot be written (\(code)).",
            underlying: error))
      }
      throw OpenError(error)
    }
    let slots = environment.readers().map {
      LogStatistics.ReaderSlot(process: $0.process, transaction: $0.transaction)
    }
    return LogReaders(
      slots: slots, max: environment.statistics().readersMax, lastTransaction: environment.lastTransaction(),
      reaped: reaps ? environment.reapStaleReaders() : nil)
  }

  /// Returns the current use of the files.
  public func files() throws(LogError) -> LogFiles {
    let opened = try open()
    let figures = opened.environment.statistics()
    let readers = opened.environment.readerStatistics()
    let log = LogFiles.File(
      usedByteCount: figures.usedByteCount, fileByteCount: figures.fileByteCount, readersUsed: readers.used,
      readersMax: readers.max, readerLag: readers.lag)
    let index = indexStore.withLock { $0.tableStore }?.statistics()
    return LogFiles(log: log, index: index.map(LogFiles.File.init), freeByteCount: FileSystem.freeByteCount(at: path))
  }

  /// Returns whether a writer holds the writer lock.
  ///
  /// `flock` cannot query a lock, so the lock is tried, shared, and released at once. It is tried through a descriptor
  /// of its own, since the log's may hold the lock for another thread, which must not lose it. Concurrent probes share
  /// the lock and do not take each other for a holder. A writer that tries the exclusive lock at that very moment fails
  /// and retries some microseconds later, as ``FileLock`` does. A writer that has just taken the lock may not have
  /// recorded its id yet: then the previous holder is named.
  private func isWriterLockHeld() throws(LogError) -> Bool {
    if isReadOnly { return false }
    let probe = try access { () throws(LMDBError) in
      try LMDBError.mapping { () throws(FileError) in try FileLock(path: path + "/writer-lock") }
    }
    defer { probe.unlock() }
    return !probe.tryLock(shared: true)
  }
}

extension LogFiles.File {
  fileprivate init(_ tableStore: TableStoreStatistics) {
    self.init(
      usedByteCount: tableStore.usedByteCount, fileByteCount: tableStore.fileByteCount,
      readersUsed: tableStore.readersUsed,
      readersMax: tableStore.readersMax, readerLag: tableStore.readerLag)
  }
}
