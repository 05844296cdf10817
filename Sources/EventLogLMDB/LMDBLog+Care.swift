// Looking after a log: figures and copies.
public import EventLog
internal import LMDB

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
  /// Who had the turn to append last, and whether he still has it.
  public let turnHolder: String?

  /// A place for a reader.
  public struct ReaderSlot: Hashable, Sendable {
    /// The process.
    public let process: Int
    /// The transaction that it keeps from being written over; nil when it is not reading now.
    public let transaction: Int?
  }
}

extension LMDBLog {
  /// Figures of this moment.
  public func statistics() throws(LogError) -> LogStatistics {
    let figures = environment.statistics()
    // A lock of its own, since the log's may be held by another thread, which this one must not take it from.
    let probe = try access { () throws(LMDBError) in try FileLock(path: path + "/turn") }
    let isTurnFree = probe.tryLock()
    return LogStatistics(
      head: try head(), genesis: genesis,
      fileByteCount: Files.byteCount(of: Self.logPath(path) + "/data.mdb"),
      indexByteCount: Files.byteCount(of: Self.indexPath(path) + "/data.mdb"),
      pages: figures.pages, pageByteCount: figures.pageSize,
      readers: environment.readers().map { .init(process: $0.process, transaction: $0.transaction) },
      turnHolder: isTurnFree ? nil : turn.holder.map(Files.describe))
  }

  /// Copies the log into a new directory, while others go on; the copy is on the disk when this returns.
  ///
  /// The index is not copied: it is made anew when the copy is opened.
  public func backUp(to directory: String) throws(LogError) {
    guard Files.kind(at: directory) == .nothing || Files.names(in: directory).isEmpty else {
      throw .storage(StorageFailure("\(directory) is not empty: give a backup a directory of its own."))
    }
    do throws(LMDBError) {
      let copy = Self.logPath(directory)
      try Files.makeDirectory(directory)
      try Files.makeDirectory(copy)
      try environment.copy(to: copy)
      for path in [copy + "/data.mdb", copy, directory, directory + "/.."] { try Files.sync(path) }
    } catch {
      // Half a copy would only be in the way of the next attempt.
      Files.removeDirectory(Self.logPath(directory))
      Files.removeDirectory(directory)
      throw .storage(
        StorageFailure(
          "\(path) could not be copied to \(directory) (\(error)): check that there is room and that you can write "
            + "there.",
          underlying: error))
    }
  }
}
