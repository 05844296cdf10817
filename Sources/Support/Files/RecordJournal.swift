// A file of records that one holder keeps open and appends to without rereading it.

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// An open file of records, in the form of a ``RecordFile``, to which one holder appends.
///
/// It takes no lock: the caller ensures that there is only one holder. An append costs time by its own length, not the
/// file's.
package final class RecordJournal {
  /// The number of bytes of a record besides its content.
  package static let headCount = RecordForm.headCount

  /// The offset of the next record.
  package private(set) var end: Int
  /// The number of bytes read and written, and of syncs.
  package private(set) var counts = (read: 0, written: 0, syncs: 0)
  private let descriptor: CInt
  private let check: (UnsafeRawBufferPointer) -> UInt32
  /// Whether the file has bytes after the end.
  private var hasTail = false
  /// Whether the records of earlier holders are on the disk: one that was killed may not have synced its last ones.
  private var isSynced: Bool
  /// The error after which nothing can be appended, since the state on the disk is unknown.
  private var failure: FileError?

  /// Opens the file with a name in a directory; creates it if it is missing.
  package init(
    _ name: String, in directory: String, check: @escaping (UnsafeRawBufferPointer) -> UInt32
  ) throws(FileError) {
    let descriptor = try FileSystem.openFile(directory + "/" + name, O_RDWR | O_CREAT)
    let count = lseek(descriptor, 0, SEEK_END)
    guard count >= 0 else {
      let code = errno
      close(descriptor)
      throw FileError(rawValue: code)
    }
    (self.descriptor, self.check, end, isSynced) = (descriptor, check, Int(count), count == 0)
    // Before the first record: a file that has one is durable by its path, whatever happened to its writer.
    if count == 0 { try FileSystem.syncPath(to: directory) }
  }

  deinit { close(descriptor) }

  /// Calls one closure with the records in order and another with the bytes between and after them, each with its
  /// range.
  package func forEach(
    record: (UnsafeRawBufferPointer, Range<Int>) -> Void, other: (UnsafeRawBufferPointer, Range<Int>) -> Void
  ) throws(FileError) {
    let bytes = try RecordForm.contents(descriptor)
    counts.read += bytes.count
    bytes.withUnsafeBytes { RecordForm.forEach(in: $0, check, record: record, other: other) }
  }

  /// Moves the end back to an offset; the next append cuts off the bytes after it.
  package func leaveOff(at offset: Int) {
    precondition(0 <= offset && offset <= end, "the offset \(offset) is after the end \(end)")
    hasTail = hasTail || offset < end
    end = offset
  }

  /// Appends records, all or none, once those before are on the disk; syncs them before returning, if requested.
  package func append(_ contents: [[UInt8]], syncs: Bool) throws(FileError) {
    if let failure { throw failure }
    if !isSynced { try sync() }
    if hasTail {
      guard ftruncate(descriptor, off_t(end)) == 0 else { throw FileError(rawValue: errno) }
      hasTail = false
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(contents.reduce(0) { $0 + Self.headCount + $1.count })
    for content in contents { RecordForm.add(content, check, to: &bytes) }
    do throws(FileError) { try write(bytes) } catch {
      // A partial record between others would be damage.
      if ftruncate(descriptor, off_t(end)) != 0 { failure = error }
      throw error
    }
    if syncs {
      do throws(FileError) { try sync() } catch {
        // Records whose append throws must not be found later, as far as that can be prevented.
        ftruncate(descriptor, off_t(end))
        throw error
      }
    }
    end += bytes.count
    counts.written += bytes.count
  }

  /// Syncs all appended records.
  package func sync() throws(FileError) {
    if let failure { throw failure }
    counts.syncs += 1
    guard fsync(descriptor) == 0 else {
      // The system may have dropped the pages that it could not write: a later success would prove nothing.
      let error = FileError(rawValue: errno)
      failure = error
      throw error
    }
    isSynced = true
  }

  /// Makes all further appends fail.
  package func fail(_ error: FileError) { failure = failure ?? error }

  private func write(_ bytes: [UInt8]) throws(FileError) {
    let end = end
    let code = bytes.withUnsafeBytes { bytes -> CInt in
      var done = 0
      while done < bytes.count {
        let count = pwrite(descriptor, bytes.baseAddress! + done, bytes.count - done, off_t(end + done))
        if count < 0, errno == EINTR { continue }
        // A write that stays short means that the disk is full.
        if count <= 0 { return count < 0 ? errno : ENOSPC }
        done += count
      }
      return 0
    }
    if code != 0 { throw FileError(rawValue: code) }
  }
}
