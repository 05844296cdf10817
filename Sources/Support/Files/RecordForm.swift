// The encoding of a record in a file of records.

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A record codec: `VBR1`, the length of the content and its checksum (four bytes each, little-endian), then the
/// content.
internal enum RecordForm {
  typealias Check = (UnsafeRawBufferPointer) -> UInt32

  private static let magic = Array("VBR1".utf8)
  static let headCount = 12

  /// Appends a content as a record.
  static func add(_ content: [UInt8], _ check: Check, to bytes: inout [UInt8]) {
    bytes += magic
    for number in [UInt32(content.count), content.withUnsafeBytes(check)] {
      withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }
    bytes += content
  }

  /// Calls one closure with the records in some bytes and another with the bytes between and after them, each with its
  /// range.
  static func forEach(
    in bytes: UnsafeRawBufferPointer, _ check: Check, record: (UnsafeRawBufferPointer, Range<Int>) -> Void,
    other: (UnsafeRawBufferPointer, Range<Int>) -> Void
  ) {
    func lendOther(_ range: Range<Int>) {
      if !range.isEmpty { other(UnsafeRawBufferPointer(rebasing: bytes[range]), range) }
    }
    var (offset, end) = (0, 0)
    while bytes.count - offset >= headCount {
      guard let content = content(in: bytes, at: offset, check) else {
        offset += 1
        continue
      }
      lendOther(end..<offset)
      end = offset + headCount + content.count
      record(content, offset..<end)
      offset = end
    }
    lendOther(end..<bytes.count)
  }

  /// Returns the content of the record at an offset; nil when there is none.
  private static func content(
    in bytes: UnsafeRawBufferPointer, at start: Int, _ check: Check
  ) -> UnsafeRawBufferPointer? {
    func number(_ offset: Int) -> UInt32 {
      UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: start + offset, as: UInt32.self))
    }
    guard bytes[start] == magic[0], bytes[start..<start + 4].elementsEqual(magic) else { return nil }
    let contentStart = start + headCount
    guard bytes.count - contentStart >= Int(number(4)) else { return nil }
    let content = UnsafeRawBufferPointer(rebasing: bytes[contentStart..<contentStart + Int(number(4))])
    return check(content) == number(8) ? content : nil
  }

  /// Returns the content of an open file, which must not exceed the given size.
  static func contents(_ descriptor: CInt, atMost countMax: Int = .max) throws(FileError) -> [UInt8] {
    let count = lseek(descriptor, 0, SEEK_END)
    guard count >= 0 else { throw FileError(rawValue: errno) }
    guard count <= countMax else { throw FileError(rawValue: EFBIG) }
    // The empty array is shared by all threads: not even its count may be written.
    if count == 0 { return [] }
    var failure: FileError?
    // The content can be megabytes, which are neither cleared first nor copied.
    let bytes = [UInt8](unsafeUninitializedCapacity: Int(count)) { bytes, filled in
      while filled < bytes.count {
        let read = pread(descriptor, bytes.baseAddress! + filled, bytes.count - filled, off_t(filled))
        if read < 0 { failure = FileError(rawValue: errno) }
        if read <= 0 { return }
        filled += read
      }
    }
    if let failure { throw failure }
    return bytes
  }
}
