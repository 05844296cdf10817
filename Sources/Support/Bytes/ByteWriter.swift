// A growing byte buffer and a writer of the Protocol Buffers wire format.

/// A growing byte buffer that is written once, front to back, and can be emptied and reused.
///
/// Its fields are those of the Protocol Buffers wire format. The writer omits nothing: a canonical encoding (fields in
/// order, no defaults) is the caller's responsibility.
public struct ByteWriter: ~Copyable {
  @usableFromInline internal var base: UnsafeMutableRawPointer
  @usableFromInline internal var capacity: Int

  @usableFromInline internal var written = 0

  /// Whether values that the encoding cannot represent are recorded and skipped; otherwise they are a programmer's
  /// mistake and trap.
  package var notesMisfits = false

  /// The URLs that are written instead of others, by the others.
  package var urls: [String: String] = [:]

  /// Whether a value was skipped that the encoding cannot represent.
  package private(set) var hasMisfit = false

  /// The number of bytes written.
  @inlinable
  public var count: Int { written }

  /// Creates an empty buffer with a capacity.
  public init(capacity: Int = 256) {
    self.capacity = max(capacity, 16)
    base = .allocate(byteCount: self.capacity, alignment: 16)
  }

  deinit { base.deallocate() }

  /// Calls the closure with the written bytes, which are valid for its duration.
  @inlinable
  public borrowing func withBytes<R, E: Error>(
    _ body: (UnsafeRawBufferPointer) throws(E) -> R
  ) throws(E) -> R {
    try body(UnsafeRawBufferPointer(start: base, count: written))
  }

  /// Returns a copy of the written bytes.
  public borrowing func array() -> [UInt8] {
    withBytes { Array($0) }
  }

  /// Records that a value was skipped that the encoding cannot represent; traps unless `notesMisfits` is set.
  package mutating func misfit(_ message: @autoclosure () -> String) {
    precondition(notesMisfits, message())
    hasMisfit = true
  }

  /// Removes all bytes; releases memory that is out of proportion.
  public mutating func removeAll() {
    hasMisfit = false
    if capacity > 1 << 20, count < capacity / 8 {
      base.deallocate()
      capacity = 1 << 16
      base = .allocate(byteCount: capacity, alignment: 16)
    }
    written = 0
  }

  /// Reserves capacity for more bytes and returns the address for them; ``advance(to:)`` then sets the new end.
  @inlinable
  @inline(__always)
  internal mutating func room(for more: Int) -> UnsafeMutableRawPointer {
    if capacity - count < more { grow(by: more) }
    return base + count
  }

  @usableFromInline
  internal mutating func grow(by more: Int) {
    let larger = max(2 * capacity, count + more)
    let moved = UnsafeMutableRawPointer.allocate(byteCount: larger, alignment: 16)
    moved.copyMemory(from: base, byteCount: count)
    base.deallocate()
    base = moved
    capacity = larger
  }

  @inlinable
  @inline(__always)
  internal mutating func advance(to end: UnsafeMutableRawPointer) {
    written = end - base
  }

  /// Writes a byte.
  @inlinable
  public mutating func byte(_ value: UInt8) {
    let address = room(for: 1)
    address.storeBytes(of: value, as: UInt8.self)
    advance(to: address + 1)
  }

  /// Writes bytes.
  @inlinable
  public mutating func bytes(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress else { return }
    let address = room(for: bytes.count)
    address.copyMemory(from: start, byteCount: bytes.count)
    advance(to: address + bytes.count)
  }

  /// Writes four bytes, the least significant first.
  @inlinable
  public mutating func fixed32(_ value: UInt32) {
    let address = room(for: 4)
    address.storeBytes(of: value.littleEndian, as: UInt32.self)
    advance(to: address + 4)
  }

  /// Writes four bytes over others that were written, the least significant first.
  public mutating func replace32(at offset: Int, with value: UInt32) {
    precondition(offset >= 0 && offset + 4 <= written, "bytes \(offset)… of \(written) cannot be replaced")
    (base + offset).storeBytes(of: value.littleEndian, as: UInt32.self)
  }

  /// Writes eight bytes, the least significant first.
  @inlinable
  public mutating func fixed64(_ value: UInt64) {
    let address = room(for: 8)
    address.storeBytes(of: value.littleEndian, as: UInt64.self)
    advance(to: address + 8)
  }

  /// Writes a number in the fewest groups of seven bits, the least significant first.
  @inlinable
  @inline(__always)
  public mutating func varint(_ value: UInt64) {
    if value < 0x80 { byte(UInt8(truncatingIfNeeded: value)) } else { longVarint(value) }
  }

  @usableFromInline
  internal mutating func longVarint(_ value: UInt64) {
    var address = room(for: 10)
    var rest = value
    while rest >= 0x80 {
      address.storeBytes(of: UInt8(truncatingIfNeeded: rest) | 0x80, as: UInt8.self)
      address += 1
      rest >>= 7
    }
    address.storeBytes(of: UInt8(truncatingIfNeeded: rest), as: UInt8.self)
    advance(to: address + 1)
  }

  /// Writes a field that holds a number.
  @inlinable
  public mutating func field(_ number: UInt64, varint value: UInt64) {
    if number < 16, value < 0x80 {
      let address = room(for: 2)
      address.storeBytes(of: UInt16(number << 3 | value << 8).littleEndian, as: UInt16.self)
      advance(to: address + 2)
    } else {
      varint(number << 3)
      varint(value)
    }
  }

  /// Writes a field that holds eight bytes.
  @inlinable
  public mutating func field(_ number: UInt64, fixed64 value: UInt64) {
    varint(number << 3 | 1)
    fixed64(value)
  }

  /// Writes a field that holds bytes, a string or a message.
  @inlinable
  public mutating func field(_ number: UInt64, bytes value: UnsafeRawBufferPointer) {
    varint(number << 3 | 2)
    varint(UInt64(value.count))
    bytes(value)
  }

  /// Writes a field that holds a message, which the closure writes; its length is known only afterwards.
  @inlinable
  @inline(__always)
  public mutating func field(_ number: UInt64, message body: (inout ByteWriter) -> Void) {
    varint(number << 3 | 2)
    byte(0)
    let start = written
    body(&self)
    closeMessage(from: start)
  }

  /// Inserts the length of the bytes from an offset on before them; they move where it takes more than one byte.
  @usableFromInline
  internal mutating func closeMessage(from start: Int) {
    let count = written - start
    let more = varintByteCount(UInt64(count)) - 1
    if more > 0 {
      _ = room(for: more)
      (base + start + more).copyMemory(from: base + start, byteCount: count)
    }
    written = start - 1
    varint(UInt64(count))
    written += count
  }

  /// Writes a field that holds four bytes.
  @inlinable
  public mutating func field(_ number: UInt64, fixed32 value: UInt32) {
    varint(number << 3 | 5)
    fixed32(value)
  }
}

/// Returns the number of bytes that a number takes as a varint.
@inlinable
public func varintByteCount(_ value: UInt64) -> Int {
  value == 0 ? 1 : (70 - value.leadingZeroBitCount) / 7
}
