// A data file of LMDB, read with `pread` alone.
#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// An LMDB 0.9 data file (`data.mdb`), read with `pread` alone.
///
/// LMDB trusts its file, and a page that the disk cannot give ends the process that reads it through the map.
/// This reader trusts nothing: every offset and count is checked before it is used, every page of a walk is
/// visited at most once, and what is wrong comes back as a value. It serves to verify a log and to salvage
/// one, not to read fast.
///
/// It knows the format of a 64-bit little-endian host, of tables without sorted duplicates; and it sees no
/// lock and no transaction: what a meta page leads to stays whole until the third transaction after it writes
/// (the pages one transaction frees are reused from the second after it on), so hold a read transaction while
/// walking a file in use. A process that has the file open in LMDB may read it here too: closing a file drops
/// the process's `fcntl` locks on it, but LMDB's are all on `lock.mdb`.
public final class DataFile: Sendable {
  /// The path it was opened with, as messages show it.
  public let path: String

  /// The size of a page, as the meta pages say; 4096 when neither can be read.
  public let pageSize: Int

  private let descriptor: Int32

  /// Opens a file for reading, whatever it holds.
  ///
  /// An empty file or one full of noise opens too: what is wrong with it is for `metas` to say. No component of the
  /// path may be a symbolic link.
  public init(path: String) throws(DataFileError) {
    let descriptor: CInt
    do throws(LMDBError) { descriptor = try Files.openFile(path, O_RDONLY) } catch {
      if let entry = error.unexpectedFile { throw .notAFile(path: entry.path) }
      throw .cannotOpen(path: path, errno: error.rawValue)
    }
    self.path = path
    self.descriptor = descriptor
    self.pageSize = Self.pageSize(of: descriptor)
  }

  deinit { close(descriptor) }

  /// The size of the file in bytes, now.
  ///
  /// It may be less than the meta page's last page suggests: pages taken and freed again in one transaction
  /// are never written.
  public var size: Int {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
  }

  /// Reads bytes from anywhere in the file and returns how many there were; fewer than asked only at its end.
  ///
  /// For scanning a file whose trees are lost: windows that overlap by the longest thing looked for miss
  /// nothing.
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
  /// How many whole pages the file holds; a torn last page is none.
  var pageCount: UInt64 { UInt64(size / pageSize) }

  /// The first bytes of a page: all of them, unless fewer are asked for.
  ///
  /// The page must lie within the file (its byte offset would otherwise overflow for the largest numbers).
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
    case .failure(let error): throw PageDamage(page, at: offset, "cannot be read: \(error)")
    }
  }
}
