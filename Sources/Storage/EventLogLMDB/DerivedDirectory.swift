// The directory of data derived from a read-only log.
package import EventLog
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
      path = LMDBLog.derivedPath(of: genesis, in: cache)
      temporary = nil
      try FileSystem.makeDirectories(path)
      return
    }
    let tableStore = try? ScratchDirectory.make(inMemoryUntil: .now + .seconds(10))
    guard let tableStore else { throw .noSpace }
    (path, temporary) = (tableStore.path, tableStore)
  }
}

extension LMDBLog {
  /// The directory of what is derived from a log, in a directory for that of many.
  package static func derivedPath(of genesis: Genesis, in cache: String) -> String {
    cache + "/" + genesis.id.description
  }
}
