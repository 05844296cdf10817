// A small file that one process at a time writes and all read through a map.
internal import CFiles

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A small file that is mapped for reading; what a process writes is seen by all at once, and reaches the disk later.
// Safe because the map never moves, and the file never shrinks.
package final class SharedFile: @unchecked Sendable {
  private let descriptor: CInt
  private let map: UnsafeRawPointer
  private let byteCount: Int

  /// Opens a file of at least some bytes; nil when it is missing or shorter.
  package init?(_ path: String, byteCount: Int, isWritable: Bool) throws(FileError) {
    guard let descriptor = try FileError.ifFound(FileSystem.openFile(path, isWritable ? O_RDWR : O_RDONLY)) else {
      return nil
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_size >= byteCount else {
      close(descriptor)
      return nil
    }
    guard let map = mmap(nil, byteCount, PROT_READ, MAP_SHARED, descriptor, 0), map != MAP_FAILED else {
      let code = errno
      close(descriptor)
      throw FileError(rawValue: code)
    }
    (self.descriptor, self.map, self.byteCount) = (descriptor, UnsafeRawPointer(map), byteCount)
  }

  deinit {
    munmap(UnsafeMutableRawPointer(mutating: map), byteCount)
    close(descriptor)
  }

  /// Returns the number at an offset, which is a multiple of 8.
  package func word(at offset: Int) -> UInt64 { UInt64(littleEndian: verbatim_load(map + offset)) }

  /// Writes numbers in a row, in one call.
  package func write(_ words: [UInt64], at offset: Int) throws(FileError) {
    try Self.write(words, at: offset, to: descriptor)
  }

  /// Creates a file with numbers, or overwrites its first ones, durably.
  package static func create(_ path: String, with words: [UInt64], in directory: String) throws(FileError) {
    let descriptor = try FileSystem.openFile(path, O_RDWR | O_CREAT)
    defer { close(descriptor) }
    try write(words, at: 0, to: descriptor)
    guard fsync(descriptor) == 0 else { throw FileError(rawValue: errno) }
    try FileSystem.sync(directory)
  }

  private static func write(_ words: [UInt64], at offset: Int, to descriptor: CInt) throws(FileError) {
    let words = words.map { $0.littleEndian }
    let count = words.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, off_t(offset)) }
    // A short write means that the disk is full.
    guard count == words.count * 8 else { throw FileError(rawValue: count < 0 ? errno : ENOSPC) }
  }

  /// Makes what was written durable.
  package func sync() throws(FileError) {
    guard fsync(descriptor) == 0 else { throw FileError(rawValue: errno) }
  }
}

/// The thread that runs this code.
package enum CurrentThread {
  /// A number that no other living thread of this process has.
  package static var number: UInt {
    #if canImport(Glibc)
      UInt(pthread_self())
    #else
      UInt(bitPattern: pthread_self())
    #endif
  }
}
