// Looking after a log: copies.
public import EventLog
internal import LMDB

extension LMDBLog {
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
