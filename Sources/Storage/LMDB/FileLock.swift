// Locks on files: who has one is known, and the system frees it when its process dies.

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A file that one holder at a time can lock, or many together, across processes and within one.
///
/// The lock is `flock`'s: it belongs to this object, not to the process, and ends with either.
package final class FileLock: Sendable {
  private let descriptor: CInt

  /// Opens the file of a lock; makes it if it is not there.
  package init(path: String) throws(LMDBError) {
    descriptor = try Files.openFile(path, O_RDWR | O_CREAT)
  }

  deinit { close(descriptor) }

  /// Locks the file if nobody who forbids it has; changes a shared lock into an exclusive one and back.
  ///
  /// A change may let go of the old lock before it has the new one.
  package func tryLock(shared: Bool = false) -> Bool {
    flock(descriptor, (shared ? LOCK_SH : LOCK_EX) | LOCK_NB) == 0
  }

  /// Locks the file as soon as it is free; answers false when the deadline came first.
  ///
  /// `flock` knows no deadline, so this asks again and again: at first after some microseconds, for turns are short,
  /// then up to a millisecond later.
  package func lock(until deadline: ContinuousClock.Instant) -> Bool {
    var pause: UInt32 = 10
    while !tryLock() {
      if ContinuousClock.now >= deadline { return false }
      usleep(pause)
      pause = min(2 * pause, 1000)
    }
    return true
  }

  /// Frees the lock.
  package func unlock() {
    flock(descriptor, LOCK_UN)
  }

  /// Whether the file that is locked is the one at a path.
  package func isAt(_ path: String) -> Bool {
    var own = stat()
    guard fstat(descriptor, &own) == 0, let there = Files.status(of: path) else { return false }
    return own.st_ino == there.st_ino && own.st_dev == there.st_dev
  }

  /// Leaves word of who holds the lock, for those who wait for it.
  package func signHolder() {
    let process = getpid()
    if holder == process { return }
    var word = UInt64(process).littleEndian
    _ = pwrite(descriptor, &word, 8, 0)
  }

  /// The process that signed last; nil when none has.
  package var holder: Int32? {
    var word: UInt64 = 0
    guard pread(descriptor, &word, 8, 0) == 8 else { return nil }
    return Int32(truncatingIfNeeded: UInt64(littleEndian: word))
  }
}
