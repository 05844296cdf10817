// A file of records that is only appended to, durably.

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// An append-only file of records that any number of processes can append to.
///
/// A record is `VBR1`, its length and the checksum of its content (four bytes each, little-endian), then the content.
/// An incomplete record that a crash left at the end is not a record, and the next one overwrites it. A damaged record
/// is skipped: those after it are found by searching for their magic.
package final class RecordFile: Sendable {
  private let path: String
  private let directory: String
  /// A larger file was not written by this program, and is not read into memory.
  private static let byteCountMax = 1 << 30

  /// Creates a reference to the file with a name in a directory; the file is created with its first record.
  package init(_ name: String, in directory: String) { (path, self.directory) = (directory + "/" + name, directory) }

  /// Appends a record and syncs it, unless an existing one forbids it; returns whether it was added.
  ///
  /// No other process appends during the call. `check` returns the checksum of a content; the caller provides it, since
  /// the hashes are in a module above.
  package func append(
    _ content: [UInt8], check: (UnsafeRawBufferPointer) -> UInt32,
    unless forbids: (UnsafeRawBufferPointer) -> Bool = { _ in false }
  ) throws(FileError) -> Bool {
    let descriptor = try locked(O_RDWR | O_CREAT)
    defer { close(descriptor) }
    var isForbidden = false
    let (end, _) = Self.forEach(in: try RecordForm.contents(descriptor, atMost: Self.byteCountMax), check) { record in
      if !isForbidden { isForbidden = forbids(record) }
    }
    if isForbidden {
      // The record that forbids this one may be of a writer that has not synced it yet.
      guard fsync(descriptor) == 0 else { throw FileError(rawValue: errno) }
      return false
    }
    // Before the first record: a file that has one is durable by its path, whatever happened to its writer.
    if end == 0 { try FileSystem.syncPath(to: directory) }
    var record: [UInt8] = []
    RecordForm.add(content, check, to: &record)
    let written = record.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, off_t(end)) }
    // A short write means that the disk is full.
    guard written == record.count else { throw FileError(rawValue: written < 0 ? errno : ENOSPC) }
    guard ftruncate(descriptor, off_t(end + record.count)) == 0, fsync(descriptor) == 0 else {
      let error = FileError(rawValue: errno)
      // A later sync would not write it again: the system takes it for written.
      _ = ftruncate(descriptor, off_t(end))
      throw error
    }
    return true
  }

  /// Opens the file and waits until no other process appends; opens it again if it was replaced meanwhile.
  private func locked(_ flags: CInt) throws(FileError) -> CInt {
    while true {
      let descriptor = try FileSystem.openFile(path, flags)
      guard flock(descriptor, LOCK_EX) == 0 else {
        let error = FileError(rawValue: errno)
        close(descriptor)
        throw error
      }
      if FileIdentity(of: descriptor) == FileIdentity(at: path) { return descriptor }
      close(descriptor)
    }
  }

  /// Runs the closure, if the file exists, while no other process appends.
  package func withLock(_ body: () throws(FileError) -> Void) throws(FileError) {
    guard let descriptor = try FileError.ifFound(locked(O_RDWR)) else { return }
    defer { close(descriptor) }
    try body()
  }

  /// Calls the closure with the records in order; returns whether there are other bytes between or after them.
  package func forEach(
    check: (UnsafeRawBufferPointer) -> UInt32, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(FileError) -> Bool {
    guard let descriptor = try FileError.ifFound(FileSystem.openFile(path, O_RDONLY)) else { return false }
    defer { close(descriptor) }
    return Self.forEach(in: try RecordForm.contents(descriptor, atMost: Self.byteCountMax), check, body).hasOther
  }

  /// Calls the closure with the records in some bytes; returns the end of the last and whether there are other bytes.
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
