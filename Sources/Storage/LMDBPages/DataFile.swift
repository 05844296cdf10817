// A reader of LMDB data files that uses `pread` alone.
internal import Errors
internal import Files

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// An LMDB 0.9 data file (`data.mdb`), read with `pread` alone.
///
/// LMDB trusts its file, and a page that the disk cannot read kills a process that reads it through the map. This
/// reader trusts nothing: every offset and count is checked before it is used, every page of a walk is visited at most
/// once, and damage is returned as a value. It serves to verify a log and to salvage one, not to read fast.
///
/// It reads the format of a 64-bit little-endian host, of tables without sorted duplicates. It takes no lock and no
/// transaction: the pages below a meta page stay unchanged until the third transaction after it writes (the pages one
/// transaction frees are reused from the second after it on), so hold a read transaction while walking a file in use. A
/// process that has the file open in LMDB may read it here too: closing a file drops the process's `fcntl` locks on it,
/// but LMDB's are all on `lock.mdb`.
public final class DataFile: Sendable {
  /// The path it was opened with, as shown in messages.
  public let path: String

  /// The page size according to the meta pages; 4096 when neither can be read.
  public let pageSize: Int

  private let descriptor: Int32

  /// Opens a file for reading, whatever it contains.
  ///
  /// An empty file or one full of noise opens too: `metas` reports what is wrong with it. No component of the path may
  /// be a symbolic link.
  public init(path: String) throws(DataFileError) {
    let descriptor = try rethrow(
      FileSystem.openFile(path, O_RDONLY),
      as: { (error: FileError) in
        error.unexpectedFile.map { DataFileError.notAFile(path: $0.path) }
          ?? .cannotOpen(path: path, errno: error.rawValue)
      })
    self.path = path
    self.descriptor = descriptor
    self.pageSize = Self.pageSize(of: descriptor)
  }

  deinit { close(descriptor) }

  /// The current size of the file in bytes.
  ///
  /// It can be less than the meta page's last page suggests: pages taken and freed again in one transaction are never
  /// written.
  public var size: Int {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
  }

  /// Reads bytes from anywhere in the file and returns their number, which is less than requested only at its end.
  ///
  /// It serves to scan a file whose trees are lost: windows that overlap by the longest searched item miss nothing.
  public func read(
    at offset: Int, into buffer: UnsafeMutableRawBufferPointer
  ) throws(DataFileError) -> Int {
    var done = 0
    while done < buffer.count {
      let (position, overflow) = offset.addingReportingOverflow(done)
      if overflow { break }
      let count = pread(descriptor, buffer.baseAddress! + done, buffer.count - done, off_t(position))
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw .cannotRead(path: path, offset: position, errno: errno) }
      if count == 0 { break }
      done += count
    }
    return done
  }
}

extension DataFile {
  /// The number of whole pages in the file; a torn last page does not count.
  var pageCount: UInt64 { UInt64(size / pageSize) }

  /// Returns the first bytes of a page: all of them, unless fewer are requested.
  ///
  /// The page must be within the file (its byte offset would otherwise overflow for the largest numbers).
  func bytes(of page: PageNumber, count: Int? = nil) throws(PageDamage) -> [UInt8] {
    let offset = Int(page.rawValue) * pageSize
    var bytes = [UInt8](repeating: 0, count: count ?? pageSize)
    let read = bytes.withUnsafeMutableBytes { buffer in
      Result { () throws(DataFileError) -> Int in try self.read(at: offset, into: buffer) }
    }
    switch read {
    case .success(bytes.count): return bytes
    case .success(let count):
      throw PageDamage(page, at: offset, "ends after \(count) of \(bytes.count) bytes: the file was cut off")
    case .failure(let error): throw PageDamage(page, at: offset, "cannot be read: \(error.description.dropLast())")
    }
  }
}
