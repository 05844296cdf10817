// What a folder tells of itself: size and readers.
internal import LMDB

/// Figures of a folder's file at one moment.
public struct TableStoreStatistics: Hashable, Sendable {
  /// The bytes that the file has used so far, those included that are free to be used again.
  public let usedByteCount: Int
  /// The bytes that the file takes on the disk.
  public let fileByteCount: Int
  /// How many places for readers are taken, by any process.
  public let readersUsed: Int
  /// How many places for readers there are.
  public let readersMax: Int
  /// How many transactions the oldest reader is behind the last; 0 when nobody reads.
  public let readerLag: Int
}

extension TableStore {
  /// Figures of this moment; nobody is waited for.
  public func statistics() -> TableStoreStatistics {
    let figures = contents.environment.statistics()
    let readers = contents.environment.readerStatistics()
    return TableStoreStatistics(
      usedByteCount: figures.usedByteCount, fileByteCount: figures.fileByteCount, readersUsed: readers.used,
      readersMax: readers.max, readerLag: readers.lag)
  }
}
