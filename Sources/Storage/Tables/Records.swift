// Records beside derived tables that are kept for good: each is on the disk when it was added.
internal import Digests
internal import LMDB

/// A file of records that any number of processes add to, and that is never derived again.
public final class Records: Sendable {
  private let path: String
  private let directory: String
  private let file: RecordFile

  /// The file with a name in a directory; both are made with the first record.
  public init(_ name: String, in directory: String) {
    (path, self.directory) = (directory + "/" + name, directory)
    file = RecordFile(name, in: directory)
  }

  /// Makes the directory, if it is not there.
  public func makeDirectory() throws(TablesError) {
    do throws(LMDBError) { try Files.makeDirectory(directory) } catch { throw TablesError(error, at: directory) }
  }

  /// Adds a record, durably when it returns, unless one that is there forbids it; answers whether it was added.
  ///
  /// The closure sees the records in order until it answers true; nobody else adds one meanwhile.
  @discardableResult
  public func append(
    _ content: [UInt8], unless forbids: (UnsafeRawBufferPointer) -> Bool = { _ in false }
  ) throws(TablesError) -> Bool {
    try makeDirectory()
    do throws(LMDBError) {
      return try file.append(content, check: Self.check, unless: forbids)
    } catch {
      throw TablesError(error, at: path)
    }
  }

  /// Keeps only the records that the closure accepts: they are written to a new file, which takes the place of the old
  /// one in one step. Nothing else may add records meanwhile.
  package func keep(where accepts: (UnsafeRawBufferPointer) -> Bool) throws(TablesError) {
    var kept: [[UInt8]] = []
    _ = try forEach { if accepts($0) { kept.append(Array($0)) } }
    do throws(LMDBError) {
      let name = "records-new"
      try Files.remove(directory + "/" + name)
      let new = RecordFile(name, in: directory)
      for content in kept { _ = try new.append(content, check: Self.check) }
      if kept.isEmpty {
        try Files.remove(path)
      } else {
        try Files.rename(directory + "/" + name, to: path)
      }
      try Files.sync(directory)
    } catch {
      throw TablesError(error, at: path)
    }
  }

  /// Lends the records in order; answers whether something that is no record stands between or behind them: what a
  /// crash left, or damage.
  public func forEach(_ body: (UnsafeRawBufferPointer) -> Void) throws(TablesError) -> Bool {
    do throws(LMDBError) { return try file.forEach(check: Self.check, body) } catch {
      throw TablesError(error, at: path)
    }
  }

  /// What changes when a record is added, by whatever process; nil while there is none.
  public var identity: String? { Files.identity(of: path) }

  private static func check(_ content: UnsafeRawBufferPointer) -> UInt32 {
    UInt32(truncatingIfNeeded: quickHash(content))
  }
}
