// Durable records beside derived tables.
internal import Digests
internal import Files

/// A durable append-only file of records that any number of processes append to, and that cannot be rebuilt.
public final class Records: Sendable {
  private let path: String
  private let directory: String
  private let file: RecordFile

  /// Creates a reference to the file with a name in a directory; both are created with the first record.
  public init(_ name: String, in directory: String) {
    (path, self.directory) = (directory + "/" + name, directory)
    file = RecordFile(name, in: directory)
  }

  /// Creates the directory, if it is missing.
  public func makeDirectory() throws(TablesError) {
    try TablesError.mapping(at: directory) { () throws(FileError) in try FileSystem.makeDirectory(directory) }
  }

  /// Appends a record and syncs it, unless an existing one forbids it; returns whether it was added.
  ///
  /// The closure is called with the records in order until it returns true; no other process appends during the call.
  @discardableResult
  public func append(
    _ content: [UInt8], unless forbids: (UnsafeRawBufferPointer) -> Bool = { _ in false }
  ) throws(TablesError) -> Bool {
    try makeDirectory()
    return try TablesError.mapping(at: path) { () throws(FileError) in
      try file.append(content, check: Self.check, unless: forbids)
    }
  }

  /// Keeps only the records that the closure accepts: they are written to a new file, which atomically replaces the old
  /// one.
  package func keep(where accepts: (UnsafeRawBufferPointer) -> Bool) throws(TablesError) {
    try TablesError.mapping(at: path) { () throws(FileError) in
      // A process that waits for the lock appends to the new file.
      try file.withLock { () throws(FileError) in try replaceFile(keeping: accepts) }
    }
  }

  private func replaceFile(keeping accepts: (UnsafeRawBufferPointer) -> Bool) throws(FileError) {
    var kept: [[UInt8]] = []
    _ = try file.forEach(check: Self.check) { if accepts($0) { kept.append(Array($0)) } }
    let name = "records-new"
    try FileSystem.remove(directory + "/" + name)
    let new = RecordFile(name, in: directory)
    for content in kept { _ = try new.append(content, check: Self.check) }
    if kept.isEmpty {
      try FileSystem.remove(path)
    } else {
      try FileSystem.rename(directory + "/" + name, to: path)
    }
    try FileSystem.sync(directory)
  }

  /// Calls the closure with the records in order; returns whether there are other bytes between or after them, left by
  /// a crash or by damage.
  public func forEach(_ body: (UnsafeRawBufferPointer) -> Void) throws(TablesError) -> Bool {
    try TablesError.mapping(at: path) { () throws(FileError) in try file.forEach(check: Self.check, body) }
  }

  /// A string that changes when any process adds a record; nil while there is none.
  public var identity: String? { FileSystem.identity(of: path) }

  private static func check(_ content: UnsafeRawBufferPointer) -> UInt32 {
    UInt32(truncatingIfNeeded: quickHash(content))
  }
}
