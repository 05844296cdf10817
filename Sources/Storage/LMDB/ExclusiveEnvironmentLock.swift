// Keeping all others from opening an environment, while its file is exchanged.

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The lock that LMDB's processes take of an environment that they open, held alone: nobody has it open, and nobody can
/// open it.
///
/// LMDB locks the first byte of `lock.mdb` with `fcntl`, shared, for as long as an environment is open; who finds it
/// free locks it exclusively at first, and sets up the table of readers.
package struct ExclusiveEnvironmentLock: ~Copyable {
  private let descriptor: CInt

  /// Why the lock could not be had.
  package enum Refusal: Error {
    /// Somebody has the environment open; the process, if the system tells.
    case inUse(by: Int32?)
    /// The system refused.
    case failed(LMDBError)
  }

  /// Locks all others out of the environment in a directory, which is there.
  package init(of directory: String) throws(Refusal) {
    // A process's own locks never stand in its way, and closing the file would drop those that it has.
    if SharedEnvironment.isOpen(at: directory) { throw .inUse(by: getpid()) }
    descriptor = try Self.locked(directory + "/lock.mdb")
  }

  private static func locked(_ path: String) throws(Refusal) -> CInt {
    let descriptor: CInt
    do throws(LMDBError) { descriptor = try Files.openFile(path, O_RDWR | O_CREAT) } catch { throw .failed(error) }
    var wanted = Self.firstByte
    if fcntl(descriptor, F_SETLK, &wanted) == 0 { return descriptor }
    let code = errno
    var holder = Self.firstByte
    let isTold = fcntl(descriptor, F_GETLK, &holder) == 0 && holder.l_type != Int16(F_UNLCK)
    close(descriptor)
    guard code == EACCES || code == EAGAIN else { throw .failed(LMDBError(rawValue: code)) }
    throw .inUse(by: isTold ? holder.l_pid : nil)
  }

  /// Puts another file in the place of the environment's, durably; the old one is gone.
  ///
  /// Who waits to open meanwhile must not go on with the table of readers as it was, which counts the transactions of
  /// the old file: it is emptied first, and made anew by the next who opens.
  package func replaceData(of directory: String, by file: String) throws(LMDBError) {
    guard ftruncate(descriptor, 0) == 0 else { throw LMDBError(rawValue: errno) }
    try Files.rename(file, to: directory + "/data.mdb")
    try Files.sync(directory)
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
