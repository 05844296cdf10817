// Records beside derived tables that are kept for good: each is on the disk when it was added.
internal import Digests
internal import LMDB

/// A file of records that any number of processes add to, and that is never derived again.
public final class Records: Sendable {
  private let path: String
  private let file: RecordFile

  /// The file with a name in a directory, which is made if it is not there; the file is made with its first record.
  public init(_ name: String, in directory: String) throws(TablesError) {
    path = directory + "/" + name
    do throws(LMDBError) { try Files.makeDirectory(directory) } catch {
      throw .failed(path: directory, reason: error.description)
    }
    file = RecordFile(name, in: directory)
  }

  /// Adds a record, durably when it returns, unless one that is there forbids it; answers whether it was added.
  ///
  /// The closure sees the records in order until it answers true; nobody else adds one meanwhile.
  @discardableResult
  public func append(
    _ content: [UInt8], unless forbids: (UnsafeRawBufferPointer) -> Bool = { _ in false }
  ) throws(TablesError) -> Bool {
    do throws(LMDBError) { return try file.append(content, check: Self.check, unless: forbids) } catch {
      throw .failed(path: path, reason: error.description)
    }
  }

  /// Lends the records in order; answers whether something that is no record stands between or behind them: what a
  /// crash left, or damage.
  public func forEach(_ body: (UnsafeRawBufferPointer) -> Void) throws(TablesError) -> Bool {
    do throws(LMDBError) { return try file.forEach(check: Self.check, body) } catch {
      throw .failed(path: path, reason: error.description)
    }
  }

  /// What changes when a record is added, by whatever process; nil while there is none.
  public var identity: String? { Files.identity(of: path) }

  private static func check(_ content: UnsafeRawBufferPointer) -> UInt32 {
    UInt32(truncatingIfNeeded: quickHash(content))
  }
}
