// The files of a log: their paths, and the check that each is a regular file.
internal import EventLog
internal import Files
internal import LMDB
internal import Tables

extension LMDBLog {
  internal static func logPath(_ path: String) -> String { path + "/log" }
  internal static func indexPath(_ path: String) -> String { path + "/index" }
  /// Returns the path of the compacted copy that replaces the log's file.
  internal static func copyPath(_ path: String) -> String { path + "/compacting" }

  /// A part that is opened besides the log.
  internal enum Part { case index, copy }

  /// Throws when an entry of a log's directory is a link, or not the file or directory that it should be, before
  /// anything is created or opened there; missing entries are no error.
  internal static func requireOwnFiles(of path: String, and parts: Set<Part> = []) throws(OpenError) {
    let data = ["data.mdb", "lock.mdb"]
    do throws(FileError) {
      let index = parts.contains(.index) ? ["index"] : []
      let copy = parts.contains(.copy) ? ["compacting"] : []
      try FileSystem.require(files: ["writer-lock", "writer-queue"], directories: ["log"] + index + copy, in: path)
      try FileSystem.require(files: data + ["durable"], in: logPath(path))
      if parts.contains(.index) { try TableStore.requireOwnFiles(in: indexPath(path)) }
      guard parts.contains(.copy) else { return }
      try FileSystem.require(files: [], directories: ["log"], in: copyPath(path))
      try FileSystem.require(files: data, in: logPath(copyPath(path)))
    } catch {
      throw OpenError(error, at: path)
    }
  }
}

extension OpenError {
  /// Creates the error for a failure to inspect the files at a path.
  internal init(_ error: FileError, at path: String) {
    let error = LMDBError(error)
    self = .storage(StorageFailure(EnvironmentError.failed(path: path, error).description, underlying: error))
  }
}
