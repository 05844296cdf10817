// A file that the processes of this machine have mapped.
internal import Files

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A file of a fixed size, mapped for reading and writing, whose space on the disk is reserved.
// Safe because the mapping never moves; its users reserve the parts that they write.
internal final class MappedFile: @unchecked Sendable {
  /// The bytes of the file; nil where there is no space for it.
  let bytes: UnsafeMutableRawBufferPointer?

  /// Opens a file; creates it, filled with zeros, if it is missing.
  init(_ path: String, byteCount: Int) throws(FileError) {
    let descriptor = try FileSystem.openFile(path, O_RDWR | O_CREAT)
    defer { close(descriptor) }
    // A page without space on the disk would end the process when it is written.
    guard Self.reserve(byteCount, descriptor),
      let start = mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0), start != MAP_FAILED
    else {
      bytes = nil
      return
    }
    bytes = UnsafeMutableRawBufferPointer(start: start, count: byteCount)
  }

  deinit { if let bytes { munmap(bytes.baseAddress, bytes.count) } }

  private static func reserve(_ byteCount: Int, _ descriptor: CInt) -> Bool {
    #if canImport(Glibc)
      return posix_fallocate(descriptor, 0, off_t(byteCount)) == 0
    #else
      var status = stat()
      guard fstat(descriptor, &status) == 0 else { return false }
      if status.st_size >= byteCount { return true }
      var space = fstore_t(
        fst_flags: UInt32(F_ALLOCATEALL), fst_posmode: F_PEOFPOSMODE, fst_offset: 0, fst_length: off_t(byteCount),
        fst_bytesalloc: 0)
      return fcntl(descriptor, F_PREALLOCATE, &space) == 0 && ftruncate(descriptor, off_t(byteCount)) == 0
    #endif
  }
}
