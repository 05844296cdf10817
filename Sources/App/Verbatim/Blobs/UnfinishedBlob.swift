// The temporary file of a blob that is being added.
internal import Files

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A temporary file that is removed with this object unless it was finished.
///
/// It is locked (`flock`) from its creation to its end, and the system releases the lock with the process: a file
/// without a lock is abandoned.
internal struct UnfinishedBlob: ~Copyable {
  private let path: String
  private let descriptor: CInt

  /// Creates a file in a directory under a unique name.
  init(in directory: String) throws(FileError) {
    while true {
      let path = directory + "/" + String(UInt64.random(in: 0 ... .max), radix: 16)
      let descriptor = try FileSystem.openFile(path, O_WRONLY | O_CREAT | O_EXCL)
      if Self.lock(descriptor) {
        (self.path, self.descriptor) = (path, descriptor)
        return
      }
      let code = errno
      close(descriptor)
      // Before it was locked, another process may have removed it as abandoned.
      if code == EWOULDBLOCK || FileSystem.kind(at: path) == .nothing { continue }
      try? FileSystem.remove(path)
      throw FileError(rawValue: code)
    }
  }

  deinit {
    // After a rename, no file has this path any more.
    try? FileSystem.remove(path)
    close(descriptor)
  }

  /// Appends bytes.
  mutating func write(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
    var rest = bytes
    while !rest.isEmpty {
      #if canImport(Glibc)
        let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
      #else
        let count = Darwin.write(descriptor, rest.baseAddress, rest.count)
      #endif
      if count < 0, errno == EINTR { continue }
      // A write of zero bytes means a full disk.
      guard count > 0 else { throw count < 0 ? FileError(rawValue: errno) : .noSpace }
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
  }

  /// Syncs the file to the disk and moves it to its final name, replacing an existing file.
  consuming func finish(as name: String) throws(FileError) {
    guard fsync(descriptor) == 0 else { throw FileError(rawValue: errno) }
    try FileSystem.rename(path, to: name)
  }

  /// Removes abandoned files from a directory.
  static func removeAbandoned(in directory: String) {
    for name in (try? FileSystem.names(in: directory)) ?? [] {
      let path = directory + "/" + name
      guard let descriptor = try? FileSystem.openFile(path, O_WRONLY) else { continue }
      // Removed under the lock, so that a process that is creating it notices.
      if lock(descriptor) { try? FileSystem.remove(path) }
      close(descriptor)
    }
  }

  /// Locks a file if it is not locked and still in its directory; returns whether it did.
  private static func lock(_ descriptor: CInt) -> Bool {
    var status = stat()
    return flock(descriptor, LOCK_EX | LOCK_NB) == 0 && fstat(descriptor, &status) == 0 && status.st_nlink > 0
  }
}
