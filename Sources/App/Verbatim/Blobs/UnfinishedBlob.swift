// A file on its way to become a blob.
internal import LMDB

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A file that is being written, and goes with this object unless it got its name.
///
/// It is locked (`flock`) from its beginning to its end, and the system frees the lock with the process: what is not
/// locked, nobody will finish.
internal struct UnfinishedBlob: ~Copyable {
  private let path: String
  private let descriptor: CInt

  /// Makes one in a directory, under a name that no other ever has.
  init(in directory: String) throws(LMDBError) {
    while true {
      let path = directory + "/" + String(UInt64.random(in: 0 ... .max), radix: 16)
      let descriptor = try Files.openFile(path, O_WRONLY | O_CREAT | O_EXCL)
      if Self.lock(descriptor) {
        (self.path, self.descriptor) = (path, descriptor)
        return
      }
      let code = errno
      close(descriptor)
      // Before it was locked, somebody may have taken it for one that nobody will finish.
      if code == EWOULDBLOCK || Files.kind(at: path) == .nothing { continue }
      try? Files.remove(path)
      throw LMDBError(rawValue: code)
    }
  }

  deinit {
    // Where it got its name, nothing has this one any more.
    try? Files.remove(path)
    close(descriptor)
  }

  /// Adds bytes behind what there is.
  mutating func write(_ bytes: UnsafeRawBufferPointer) throws(LMDBError) {
    var rest = bytes
    while !rest.isEmpty {
      #if canImport(Glibc)
        let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
      #else
        let count = Darwin.write(descriptor, rest.baseAddress, rest.count)
      #endif
      if count < 0, errno == EINTR { continue }
      // What is cut short for good is cut short by a full disk.
      guard count > 0 else { throw count < 0 ? LMDBError(rawValue: errno) : .noSpace }
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
  }

  /// Waits until its content is on the disk, and gives it its name, in place of whatever has it.
  consuming func finish(as name: String) throws(LMDBError) {
    guard fsync(descriptor) == 0 else { throw LMDBError(rawValue: errno) }
    try Files.rename(path, to: name)
  }

  /// Removes from a directory those that nobody will finish.
  static func removeAbandoned(in directory: String) {
    for name in (try? Files.names(in: directory)) ?? [] {
      let path = directory + "/" + name
      guard let descriptor = try? Files.openFile(path, O_WRONLY) else { continue }
      // Under the lock, so that who makes one notices.
      if lock(descriptor) { try? Files.remove(path) }
      close(descriptor)
    }
  }

  /// Locks a file if nobody has and it is still in its directory.
  private static func lock(_ descriptor: CInt) -> Bool {
    var status = stat()
    return flock(descriptor, LOCK_EX | LOCK_NB) == 0 && fstat(descriptor, &status) == 0 && status.st_nlink > 0
  }
}
