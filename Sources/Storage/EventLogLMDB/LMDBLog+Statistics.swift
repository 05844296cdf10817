// What a log tells of itself: size, readers, who has the turn.
public import EventLog
internal import LMDB
internal import Locks
internal import Tables

/// Figures of a log at one moment.
public struct LogStatistics: Sendable {
  /// The end of the log.
  public let head: Head
  /// What the log was born with.
  public let genesis: Genesis
  /// The bytes that the log's file takes on the disk.
  public let fileByteCount: Int
  /// The bytes that the index takes on the disk.
  public let indexByteCount: Int
  /// The pages that the log's file has used, free ones included.
  public let pages: Int
  /// The bytes of a page.
  public let pageByteCount: Int
  /// Who reads the log, in all processes.
  public let readers: [ReaderSlot]
  /// Who holds the writer lock, and what can be said of them: "4711 (verbatim, stopped)"; nil when nobody has it.
  public let writerLockHolder: String?
  /// The process that has the turn; nil when nobody has it, or it has not said yet who it is.
  public let writerLockProcess: Int?
  /// The files, each with how it is used.
  public let files: LogFiles

  /// A place for a reader.
  public struct ReaderSlot: Hashable, Sendable, CustomStringConvertible {
    /// The process.
    public let process: Int
    /// The transaction that it keeps from being written over; nil when it is not reading now.
    public let transaction: Int?

    /// What can be said of the process: "4711 (verbatim)".
    public var description: String { Files.describe(process: Int32(truncatingIfNeeded: process)) }
    /// Whether the process has died, so that nobody gives the place back.
    public var isStale: Bool { !Files.isAlive(process: Int32(truncatingIfNeeded: process)) }
  }
}

/// The readers of a log at one moment.
public struct LogReaders: Hashable, Sendable {
  /// Who reads the log, in all processes.
  public let slots: [LogStatistics.ReaderSlot]
  /// How many slots there are.
  public let max: Int
  /// The number of the last transaction, from which those of readers are counted back.
  public let lastTransaction: Int
  /// How many slots of dead readers were freed; nil where that was not asked for.
  public let reaped: Int?
}

/// The files of a log at one moment.
public struct LogFiles: Hashable, Sendable {
  /// The file of the log.
  public let log: File
  /// The file of the index; nil when it is not open in this process.
  public let index: File?
  /// The bytes that are free on their disk; nil when the system does not tell.
  public let freeByteCount: Int?

  /// How a file is used.
  public struct File: Hashable, Sendable {
    /// The bytes that it has used so far, those included that are free to be used again.
    public let usedByteCount: Int
    /// The bytes that it takes on the disk.
    public let fileByteCount: Int
    /// How many places for readers are taken, by any process.
    public let readersUsed: Int
    /// How many places for readers there are.
    public let readersMax: Int
    /// How many transactions the oldest reader is behind the last; 0 when nobody reads.
    public let readerLag: Int
  }
}

extension LMDBLog {
  /// Figures of this moment; nobody is waited for, and who waits for the turn loses no more than some microseconds.
  public func statistics() throws(LogError) -> LogStatistics {
    let figures = environment.statistics()
    let isWriterLockHeld = try isWriterLockHeld()
    let holder = isWriterLockHeld ? writerLock?.holder : nil
    return LogStatistics(
      head: try head(), genesis: genesis, fileByteCount: Files.byteCount(of: Self.logPath(path) + "/data.mdb"),
      indexByteCount: Files.byteCount(of: Self.indexPath(path) + "/data.mdb"),
      pages: figures.pages, pageByteCount: figures.pageSize,
      readers: environment.readers().map { .init(process: $0.process, transaction: $0.transaction) },
      writerLockHolder: isWriterLockHeld ? holder.map(Files.describe) ?? "unknown" : nil,
      writerLockProcess: holder.map(Int.init),
      files: files())
  }

  /// The readers of a log, read without taking a slot: they are listed also where all slots are taken.
  public static func readers(ofLogAt path: String, reaps: Bool = false) throws(OpenError) -> LogReaders {
    let path = Files.resolved(path)
    if let damage = try LogCheck.glance(logAt: path).damage { throw .damaged(path: path, reason: damage) }
    var options = Environment.Options()
    options.reapsReaders = false
    let environment: Environment
    do throws(EnvironmentError) { environment = try Environment(path: logPath(path), options: options) } catch {
      if case .failed(_, let code) = error, code.isReadOnly {
        throw .storage(
          StorageFailure(
            "Who reads \(path) is not known: its lock file cannot be written (\(code)), which LMDB needs for the list.",
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

  /// Frees the places of readers whose process has died; answers how many.
  @discardableResult
  public func reapReaders() -> Int { environment.reapStaleReaders() }

  /// The number of the last transaction, from which those of readers are counted back.
  public func lastTransaction() -> Int { environment.lastTransaction() }

  /// The files of this moment.
  public func files() -> LogFiles {
    let figures = environment.statistics()
    let readers = environment.readerStatistics()
    let log = LogFiles.File(
      usedByteCount: figures.usedByteCount, fileByteCount: figures.fileByteCount, readersUsed: readers.used,
      readersMax: readers.max, readerLag: readers.lag)
    let index = indexStore.withLock { $0.tableStore }?.statistics()
    return LogFiles(log: log, index: index.map(LogFiles.File.init), freeByteCount: Files.freeByteCount(at: path))
  }

  /// Whether somebody has the turn.
  ///
  /// `flock` does not tell whether a lock is held, so the turn is tried, shared, and given back at once. It is tried
  /// with a lock of its own, since the log's may be another thread's, from which it must not be taken. Others who look
  /// at the same moment do not take each other for a holder. Who tries to take the turn at that very moment, for
  /// himself alone, is told that it is held, and tries again some microseconds later, as ``FileLock`` does. Who has
  /// just taken it may not have signed yet: then the one before is named.
  private func isWriterLockHeld() throws(LogError) -> Bool {
    if isReadOnly { return false }
    let probe = try access { () throws(LMDBError) in try FileLock(path: path + "/writer-lock") }
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
