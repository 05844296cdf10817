// The directory of data derived from a read-only log.
internal import EventLog
internal import Files
internal import Tables

/// A directory for the index and tables of a log that cannot be written.
///
/// It is in memory where the system has a file system for that, else among the temporary files, and is removed with
/// this object or, if its process died, by the next; a directory given by the caller is kept.
internal final class DerivedDirectory: Sendable {
  let path: String
  private let temporary: ScratchDirectory?

  init(of genesis: Genesis, in cache: String?) throws(FileError) {
    if let cache {
      path = cache + "/" + genesis.id.description
      temporary = nil
      try FileSystem.makeDirectories(path)
      return
    }
    let tableStore = try? ScratchDirectory.make(inMemoryUntil: .now + .seconds(10))
    guard let tableStore else { throw .noSpace }
    (path, temporary) = (tableStore.path, tableStore)
  }
}
