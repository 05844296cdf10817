// A file of records that one holder has open, and adds to without reading it again.

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// An open file of records, in the form of a ``RecordFile``, to which one holder adds.
///
/// It locks nothing: who opens it sees to it that nobody else does. What its holder adds costs what that is long,
/// however long the file is.
package final class RecordJournal {
  /// How many bytes a record takes besides its content.
  package static let headCount = RecordForm.headCount

  /// Where the next record goes.
  package private(set) var end: Int
  /// How many bytes were read and written, and how often the disk was waited for.
  package private(set) var counts = (read: 0, written: 0, syncs: 0)
  private let descriptor: CInt
  private let check: (UnsafeRawBufferPointer) -> UInt32
  /// Whether something stands behind the end.
  private var hasTail = false
  /// Why nothing more can be added: what is on the disk is not known any more.
  private var failure: LMDBError?

  /// Opens the file with a name in a directory, and makes it if it is not there.
  package init(
    _ name: String, in directory: String, check: @escaping (UnsafeRawBufferPointer) -> UInt32
  ) throws(LMDBError) {
    let path = directory + "/" + name
    let isNew = try !Files.isFile(at: path)
    let descriptor = try Files.openFile(path, O_RDWR | O_CREAT)
    let count = lseek(descriptor, 0, SEEK_END)
    guard count >= 0 else {
      let code = errno
      close(descriptor)
      throw LMDBError(rawValue: code)
    }
    (self.descriptor, self.check, end) = (descriptor, check, Int(count))
    if isNew { try Files.sync(directory) }
  }

  deinit { close(descriptor) }

  /// Lends the records in order, with where they stand, and whatever stands between and behind them.
  package func forEach(
    record: (UnsafeRawBufferPointer, Range<Int>) -> Void, other: (UnsafeRawBufferPointer, Range<Int>) -> Void
  ) throws(LMDBError) {
    let bytes = try RecordForm.contents(descriptor)
    counts.read += bytes.count
    bytes.withUnsafeBytes { RecordForm.forEach(in: $0, check, record: record, other: other) }
  }

  /// Lets the next record go to a place before the end: what stands there is cut off then.
  package func leaveOff(at place: Int) {
    precondition(0 <= place && place <= end, "the place \(place) lies behind the end \(end)")
    hasTail = hasTail || place < end
    end = place
  }

  /// Adds records, all of them or none; durably when it returns, if that is asked for.
  package func append(_ contents: [[UInt8]], syncs: Bool) throws(LMDBError) {
    if let failure { throw failure }
    if hasTail {
      guard ftruncate(descriptor, off_t(end)) == 0 else { throw LMDBError(rawValue: errno) }
      hasTail = false
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(contents.reduce(0) { $0 + Self.headCount + $1.count })
    for content in contents { RecordForm.add(content, check, to: &bytes) }
    do throws(LMDBError) { try write(bytes) } catch {
      // Half a record between others would be damage.
      if ftruncate(descriptor, off_t(end)) != 0 { failure = error }
      throw error
    }
    if syncs {
      do throws(LMDBError) { try sync() } catch {
        // Nobody is to find what is answered with an error, as far as that can be helped.
        ftruncate(descriptor, off_t(end))
        throw error
      }
    }
    end += bytes.count
    counts.written += bytes.count
  }

  /// Makes sure that all that was added is on the disk.
  package func sync() throws(LMDBError) {
    if let failure { throw failure }
    counts.syncs += 1
    guard fsync(descriptor) == 0 else {
      // What the system could not write it may have forgotten: a later success would say nothing of it.
      let error = LMDBError(rawValue: errno)
      failure = error
      throw error
    }
  }

  /// Takes nothing more.
  package func fail(_ error: LMDBError) { failure = failure ?? error }

  private func write(_ bytes: [UInt8]) throws(LMDBError) {
    let end = end
    let code = bytes.withUnsafeBytes { bytes -> CInt in
      var done = 0
      while done < bytes.count {
        let count = pwrite(descriptor, bytes.baseAddress! + done, bytes.count - done, off_t(end + done))
        if count < 0, errno == EINTR { continue }
        // What is cut short for good is cut short by a full disk.
        if count <= 0 { return count < 0 ? errno : ENOSPC }
        done += count
      }
      return 0
    }
    if code != 0 { throw LMDBError(rawValue: code) }
  }
}
