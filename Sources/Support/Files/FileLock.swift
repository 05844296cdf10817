// File locks that record their holder and that the system frees when its process dies.

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// An exclusive or shared file lock, across processes and within one.
///
/// The lock is `flock`'s: it belongs to this object, not to the process, and ends with either.
package final class FileLock: Sendable {
  private let descriptor: CInt

  /// Opens the lock file; creates it if it is missing.
  package init(path: String) throws(FileError) {
    descriptor = try FileSystem.openFile(path, O_RDWR | O_CREAT)
  }

  deinit {
    // A child process that is just being started holds a copy of the descriptor until it runs its program, and the copy
    // would keep the lock.
    unlock()
    close(descriptor)
  }

  /// Locks the file unless a conflicting lock is held; changes a shared lock into an exclusive one and back.
  ///
  /// A change may release the old lock before it has the new one.
  package func tryLock(shared: Bool = false) -> Bool {
    flock(descriptor, (shared ? LOCK_SH : LOCK_EX) | LOCK_NB) == 0
  }

  /// Locks the file as soon as it is free; returns false when the deadline passed first.
  ///
  /// `flock` has no timeout, so this polls: at first after some microseconds, since the lock is held briefly, then up
  /// to a millisecond later.
  package func lock(until deadline: ContinuousClock.Instant) -> Bool {
    var pause: UInt32 = 10
    while !tryLock() {
      if ContinuousClock.now >= deadline { return false }
      usleep(pause)
      pause = min(2 * pause, 1000)
    }
    return true
  }

  /// Releases the lock.
  package func unlock() {
    flock(descriptor, LOCK_UN)
  }

  /// Returns whether the locked file is the one at a path.
  package func isAt(_ path: String) -> Bool {
    var own = stat()
    guard fstat(descriptor, &own) == 0, let there = FileSystem.status(of: path) else { return false }
    return own.st_ino == there.st_ino && own.st_dev == there.st_dev
  }

  /// Writes a note behind the holder, for the next process that locks or reads the file; it is not synced to the disk.
  package func write(note: [UInt8]) { _ = note.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 8) } }

  /// Returns the note of `count` bytes that was written last; nil when there is none of this length.
  package func note(ofByteCount count: Int) -> [UInt8]? {
    var note = [UInt8](repeating: 0, count: count)
    return pread(descriptor, &note, count, 8) == count ? note : nil
  }

  /// Records this process as the holder of the lock, for processes that wait for it.
  package func recordHolder() {
    let process = getpid()
    if holder == process { return }
    var word = UInt64(process).littleEndian
    _ = pwrite(descriptor, &word, 8, 0)
  }

  /// The process that was recorded last; nil when none was.
  package var holder: Int32? {
    var word: UInt64 = 0
    guard pread(descriptor, &word, 8, 0) == 8 else { return nil }
    return Int32(truncatingIfNeeded: UInt64(littleEndian: word))
  }
}
