// A file of records that is only ever added to, durably.

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A file of records, one behind the other, that any number of processes may add to.
///
/// A record is `VBR1`, its length and a check of its content (four bytes each, little-endian), then the content. What a
/// crash left of a record at the end is no record, and the next one is written over it. What damage left of a record is
/// passed over: those behind it are found by looking for their magic.
package final class RecordFile: Sendable {
  private let path: String
  private let directory: String
  /// A file that is larger was not written here, and is not read into memory.
  private static let byteCountMax = 1 << 30

  /// The file at a path in a directory; it is made with its first record.
  package init(_ name: String, in directory: String) { (path, self.directory) = (directory + "/" + name, directory) }

  /// Adds a record, durably when it returns, unless one that is there forbids it; answers whether it was added.
  ///
  /// Nobody else adds one meanwhile. `check` gives the check of a content; it is the caller's, since what hashes bytes
  /// lies above.
  package func append(
    _ content: [UInt8], check: (UnsafeRawBufferPointer) -> UInt32,
    unless forbids: (UnsafeRawBufferPointer) -> Bool = { _ in false }
  ) throws(LMDBError) -> Bool {
    let descriptor = try Files.openFile(path, O_RDWR | O_CREAT)
    defer { close(descriptor) }
    guard flock(descriptor, LOCK_EX) == 0 else { throw LMDBError(rawValue: errno) }
    var isForbidden = false
    let (end, _) = Self.forEach(in: try RecordForm.contents(descriptor, atMost: Self.byteCountMax), check) { record in
      if !isForbidden { isForbidden = forbids(record) }
    }
    if isForbidden { return false }
    var record: [UInt8] = []
    RecordForm.add(content, check, to: &record)
    let written = record.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, off_t(end)) }
    // What is cut short is cut short by a full disk.
    guard written == record.count else { throw LMDBError(rawValue: written < 0 ? errno : ENOSPC) }
    guard ftruncate(descriptor, off_t(end + record.count)) == 0, fsync(descriptor) == 0 else {
      throw LMDBError(rawValue: errno)
    }
    if end == 0 { try Files.sync(directory) }
    return true
  }

  /// Lends the records in order; answers whether something that is no record stands between or behind them.
  package func forEach(
    check: (UnsafeRawBufferPointer) -> UInt32, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(LMDBError) -> Bool {
    let descriptor: CInt
    do throws(LMDBError) { descriptor = try Files.openFile(path, O_RDONLY) } catch .noSuchFile { return false } catch {
      throw error
    }
    defer { close(descriptor) }
    return Self.forEach(in: try RecordForm.contents(descriptor, atMost: Self.byteCountMax), check, body).hasOther
  }

  /// Lends the records in some bytes; answers where the last ends, and whether there is anything else.
  private static func forEach(
    in bytes: [UInt8], _ check: (UnsafeRawBufferPointer) -> UInt32, _ body: (UnsafeRawBufferPointer) -> Void
  ) -> (end: Int, hasOther: Bool) {
    var (end, hasOther) = (0, false)
    bytes.withUnsafeBytes { bytes in
      RecordForm.forEach(in: bytes, check) { content, range in
        body(content)
        end = range.upperBound
      } other: { _, _ in
        hasOther = true
      }
    }
    return (end, hasOther)
  }
}
