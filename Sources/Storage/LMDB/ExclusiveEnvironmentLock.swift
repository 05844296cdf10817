// A lock that keeps all other processes from opening an environment while its file is replaced.
internal import Errors
package import Files

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// An exclusive hold of the lock that LMDB takes on an open environment: no process has it open, and none can open it.
///
/// LMDB holds a shared `fcntl` lock on the first byte of `lock.mdb` while an environment is open; a process that finds
/// it free locks it exclusively at first and initialises the reader table.
package struct ExclusiveEnvironmentLock: ~Copyable {
  private let descriptor: CInt

  /// The reason for which the lock could not be taken.
  package enum Refusal: Error {
    /// Another process has the environment open; its number, if the system reports it.
    case inUse(by: Int32?)
    /// The system returned an error.
    case failed(LMDBError)
  }

  /// Runs the closure while no process has the existing environment in a directory open.
  ///
  /// All openings wait until the closure has returned, also those of this process: its own locks never conflict with
  /// each other, and closing the file drops all that it has.
  package static func hold<R>(of directory: String, _ body: (borrowing Self) -> R) throws(Refusal) -> R {
    try SharedEnvironment.withoutOpenings(of: directory) { isOpen throws(Refusal) in
      if isOpen { throw .inUse(by: getpid()) }
      return body(Self(descriptor: try locked(directory + "/lock.mdb")))
    }
  }

  private init(descriptor: CInt) { self.descriptor = descriptor }

  private static func locked(_ path: String) throws(Refusal) -> CInt {
    let descriptor = try rethrow(
      FileSystem.openFile(path, O_RDWR | O_CREAT), as: { (error: FileError) in Refusal.failed(LMDBError(error)) })
    var wanted = Self.firstByte
    if fcntl(descriptor, F_SETLK, &wanted) == 0 { return descriptor }
    let code = errno
    var holder = Self.firstByte
    let isTold = fcntl(descriptor, F_GETLK, &holder) == 0 && holder.l_type != Int16(F_UNLCK)
    close(descriptor)
    guard code == EACCES || code == EAGAIN else { throw .failed(LMDBError(rawValue: code)) }
    throw .inUse(by: isTold ? holder.l_pid : nil)
  }

  /// Empties the reader table, before the file is replaced or its newest commit removed.
  ///
  /// A process that already waits to open it would continue with the table as it is, which names the newest transaction
  /// of the file as it was. It finds an empty one instead, and opens again.
  package func emptyReaderTable() throws(FileError) {
    guard ftruncate(descriptor, 0) == 0 else { throw FileError(rawValue: errno) }
  }

  /// Replaces the environment's data file with another, durably; the old one is gone.
  package func replaceData(of directory: String, by file: String) throws(FileError) {
    try emptyReaderTable()
    try FileSystem.rename(file, to: directory + "/data.mdb")
    try FileSystem.sync(directory)
  }

  private static var firstByte: flock {
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    (lock.l_start, lock.l_len) = (0, 1)
    return lock
  }

  deinit { close(descriptor) }
}
