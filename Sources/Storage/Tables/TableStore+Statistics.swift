// Statistics of a table store: its size and readers.
internal import LMDB

/// Statistics of a table store's file at one moment.
public struct TableStoreStatistics: Hashable, Sendable {
  /// The number of bytes that the file has used so far, including those that can be reused.
  public let usedByteCount: Int
  /// The disk space of the file in bytes.
  public let fileByteCount: Int
  /// The number of reader slots in use, by any process.
  public let readersUsed: Int
  /// The number of reader slots.
  public let readersMax: Int
  /// The number of transactions by which the oldest reader is behind the last; 0 without readers.
  public let readerLag: Int
}

extension TableStore {
  /// Returns the current statistics without blocking.
  public func statistics() -> TableStoreStatistics {
    let figures = contents.environment.statistics()
    let readers = contents.environment.readerStatistics()
    return TableStoreStatistics(
      usedByteCount: figures.usedByteCount, fileByteCount: figures.fileByteCount, readersUsed: readers.used,
      readersMax: readers.max, readerLag: readers.lag)
  }
}
