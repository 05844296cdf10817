// Reads the Protocol Buffers wire format, front to back, from borrowed bytes.

/// A cursor in borrowed bytes that reads Protocol Buffers values front to back.
///
/// Every read is checked against the end and returns nil when the bytes do not hold the requested value; the reader
/// must then not be used further. Numbers must be written in the fewest bytes, as the canonical encoding has them.
@frozen
public struct ByteReader: ~Escapable {
  /// The bytes as a whole, read or not.
  public let bytes: RawSpan
  @usableFromInline internal var nextOffset: Int
  /// The offset past the last byte to read.
  public let end: Int

  /// The offset of the next byte.
  @inlinable
  public var offset: Int { nextOffset }

  /// Creates a reader from an offset up to an end, both within the bytes.
  @inlinable
  @_lifetime(copy bytes)
  public init(_ bytes: RawSpan, from offset: Int = 0, to end: Int? = nil) {
    self.bytes = bytes
    nextOffset = offset
    self.end = end ?? bytes.byteCount
    precondition(0 <= offset && offset <= self.end && self.end <= bytes.byteCount, "a reader beyond its bytes")
  }

  /// Whether everything has been read.
  @inlinable
  public var isAtEnd: Bool { nextOffset == end }

  /// The next byte, without consuming it; nil at the end.
  @inlinable
  public var peek: UInt8? {
    // Safe because the offset is below the end, which is within the bytes.
    nextOffset < end ? unsafe bytes.unsafeLoad(fromUncheckedByteOffset: nextOffset, as: UInt8.self) : nil
  }

  /// Consumes the next byte if it equals the given one; returns whether it did.
  @inlinable
  @inline(__always)
  @_lifetime(self: copy self)
  public mutating func skip(_ byte: UInt8) -> Bool {
    guard peek == byte else { return false }
    nextOffset += 1
    return true
  }

  /// Reads a varint.
  @inlinable
  @inline(__always)
  @_lifetime(self: copy self)
  public mutating func varint() -> UInt64? {
    guard let first = peek else { return nil }
    nextOffset += 1
    if first < 0x80 { return UInt64(first) }
    // Most lengths have two bytes.
    if let second = peek, second < 0x80, second > 0 {
      nextOffset += 1
      return UInt64(first & 0x7F) | UInt64(second) << 7
    }
    return longVarint(first)
  }

  @usableFromInline
  @_lifetime(self: copy self)
  internal mutating func longVarint(_ first: UInt8) -> UInt64? {
    if end - nextOffset >= 2 {
      // Most positions have three bytes. Safe because two more are left, which was just checked.
      let next = unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: nextOffset, as: UInt16.self).littleEndian
      if next & 0x8080 == 0x80, next >= 0x100 {
        nextOffset += 2
        return UInt64(first & 0x7F) | UInt64(next & 0x7F) << 7 | UInt64(next >> 8) << 14
      }
    }
    var value = UInt64(first & 0x7F)
    var shift: UInt64 = 7
    while let byte = peek {
      nextOffset += 1
      if shift == 63, byte > 1 { return nil }
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return byte == 0 ? nil : value }
      shift += 7
      if shift > 63 { return nil }
    }
    return nil
  }

  /// Reads four bytes, the least significant first.
  @inlinable
  @inline(__always)
  @_lifetime(self: copy self)
  public mutating func fixed32() -> UInt32? {
    guard end - nextOffset >= 4 else { return nil }
    defer { nextOffset += 4 }
    // Safe because four bytes are left, which was just checked.
    return unsafe UInt32(
      littleEndian: bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: nextOffset, as: UInt32.self))
  }

  /// Reads eight bytes, the least significant first.
  @inlinable
  @inline(__always)
  @_lifetime(self: copy self)
  public mutating func fixed64() -> UInt64? {
    guard end - nextOffset >= 8 else { return nil }
    defer { nextOffset += 8 }
    // Safe because eight bytes are left, which was just checked.
    return unsafe UInt64(
      littleEndian: bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: nextOffset, as: UInt64.self))
  }

  /// Reads a length and skips that many bytes; returns their range.
  @inlinable
  @inline(__always)
  @_lifetime(self: copy self)
  public mutating func lengthDelimited() -> Range<Int>? {
    guard let length = varint(), length <= UInt64(end - nextOffset) else { return nil }
    let start = nextOffset
    nextOffset += Int(length)
    return start..<nextOffset
  }
}
