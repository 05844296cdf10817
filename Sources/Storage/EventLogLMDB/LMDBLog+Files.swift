// The files of a log: where they are, and that each is a file.
internal import EventLog
internal import LMDB
internal import Tables

extension LMDBLog {
  internal static func logPath(_ path: String) -> String { path + "/log" }
  internal static func indexPath(_ path: String) -> String { path + "/index" }
  /// Where a copy is made that takes the place of the log's file.
  internal static func copyPath(_ path: String) -> String { path + "/compacting" }

  /// What is opened besides the log.
  internal enum Part { case index, copy }

  /// Throws when something in a log's directory is a link, or not the file or directory that it should be, before
  /// anything is made there or opened; what is missing is no error.
  internal static func requireOwnFiles(of path: String, and parts: Set<Part> = []) throws(OpenError) {
    let data = ["data.mdb", "lock.mdb"]
    do throws(LMDBError) {
      let index = parts.contains(.index) ? ["index"] : []
      let copy = parts.contains(.copy) ? ["compacting"] : []
      try Files.require(files: ["writer-lock", "writer-queue"], directories: ["log"] + index + copy, in: path)
      try Files.require(files: data, in: logPath(path))
      if parts.contains(.index) { try TableStore.requireOwnFiles(in: indexPath(path)) }
      guard parts.contains(.copy) else { return }
      try Files.require(files: [], directories: ["log"], in: copyPath(path))
      try Files.require(files: data, in: logPath(copyPath(path)))
    } catch {
      throw OpenError(error, at: path)
    }
  }
}

extension OpenError {
  /// What a failure to look at the files at a path means.
  internal init(_ error: LMDBError, at path: String) {
    self = .storage(
      StorageFailure(
        error.unexpectedFile?.description
          ?? "\(path) cannot be opened (\(error)): check that its directory and files can be read and written by you.",
        underlying: error))
  }
}
