// The frame of everything that a log stores: magic, length, body, hash, checksum.
internal import Bytes
package import Digests

/// The frame of a block or a genesis.
///
///     magic (4) | length (4, of the whole frame) | body | hash (32) | checksum (4)
///
/// Magic and length come first, so that a damaged file can be scanned for frames. The chain hash (BLAKE2b-256 over the
/// previous frame's hash and all bytes before its own) covers all frames before; the checksum (the low half of XXH3-64
/// over all bytes before it) validates one frame alone.
package enum Frame {
  package static let headCount = 8
  package static let tailCount = ChainHash.byteCount + checksumCount
  private static let checksumCount = 4
  static let genesisMagic: UInt32 = magic("VBG")
  static let blockMagic: UInt32 = magic("VBL")
  /// The only format that this program reads and writes; the fourth byte of the magic.
  static let format: UInt8 = 1

  private static func magic(_ letters: StaticString) -> UInt32 {
    letters.withUTF8Buffer { UInt32($0[0]) | UInt32($0[1]) << 8 | UInt32($0[2]) << 16 }
  }

  /// Begins a frame in an empty writer; the body is written next.
  static func begin(_ magic: UInt32, in writer: inout ByteWriter) {
    precondition(writer.count == 0, "a frame begins after \(writer.count) bytes")
    writer.fixed32(magic | UInt32(format + UInt8(ascii: "0")) << 24)
    writer.fixed32(0)
  }

  /// Ends a frame whose body was written.
  static func end(_ writer: inout ByteWriter, after previous: ChainHash?) {
    writer.replace32(at: 4, with: UInt32(writer.count + tailCount))
    let hash = writer.withBytes { ChainHash(of: $0, after: previous) }
    hash.withBytes { writer.bytes($0) }
    let sum = writer.withBytes { checksum($0) }
    writer.fixed32(sum)
  }

  /// Returns the range of a frame's body, after checking magic, format and length.
  static func body(of bytes: RawSpan, magic: UInt32) throws(BlockDefect) -> Range<Int> {
    guard bytes.byteCount >= headCount + tailCount else { throw .cutShort(byteCount: bytes.byteCount) }
    let found = UInt32(littleEndian: bytes.unsafeLoadUnaligned(as: UInt32.self))
    guard found & 0xFF_FFFF == magic else { throw .noMagic }
    let format = UInt8(truncatingIfNeeded: found >> 24) &- UInt8(ascii: "0")
    guard format == Self.format else { throw .otherFormat(format) }
    let length = UInt32(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: 4, as: UInt32.self))
    guard Int(length) == bytes.byteCount else {
      throw .wrongLength(stated: Int(length), actual: bytes.byteCount)
    }
    return headCount..<bytes.byteCount - tailCount
  }

  /// Checks the checksum of a frame whose head was checked.
  static func checkSum(of bytes: RawSpan) throws(BlockDefect) {
    let offset = bytes.byteCount - checksumCount
    let stored = UInt32(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self))
    let actual = bytes.withUnsafeBytes { checksum(UnsafeRawBufferPointer(rebasing: $0[..<offset])) }
    guard stored == actual else { throw .wrongChecksum(stored: stored, actual: actual) }
  }

  /// Checks the hash of a frame whose head was checked.
  static func checkHash(of bytes: RawSpan, after previous: ChainHash?) throws(BlockDefect) {
    let offset = bytes.byteCount - tailCount
    let isRight = bytes.withUnsafeBytes { bytes in
      ChainHash(of: UnsafeRawBufferPointer(rebasing: bytes[..<offset]), after: previous) == storedHash(of: bytes)
    }
    guard isRight else { throw .wrongHash }
  }

  /// Returns the hash stored in a frame's tail without checking it.
  package static func storedHash(of bytes: UnsafeRawBufferPointer) -> ChainHash {
    let offset = bytes.count - tailCount
    guard offset >= 0,
      let hash = ChainHash(bytes: UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + ChainHash.byteCount]))
    else { preconditionFailure("a frame of \(bytes.count) bytes has no hash") }
    return hash
  }

  /// Returns the length stated by the block or genesis that begins at an index; nil when none of a known format does.
  package static func length(at bytes: UnsafeRawBufferPointer, _ index: Int) -> Int? {
    let found = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt32.self))
    let digit = UInt32(format + UInt8(ascii: "0")) << 24
    guard found == blockMagic | digit || found == genesisMagic | digit else { return nil }
    let length = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: index + 4, as: UInt32.self))
    return length >= UInt32(headCount + tailCount) ? Int(length) : nil
  }

  private static func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    UInt32(truncatingIfNeeded: quickHash(bytes))
  }
}

/// A defect in the bytes of a block.
public enum BlockDefect: Error, Hashable, Sendable {
  /// The bytes are too few for a block.
  case cutShort(byteCount: Int)
  /// The block does not begin with the magic bytes.
  case noMagic
  /// The block was written in a format that this program does not know.
  case otherFormat(UInt8)
  /// The stated length is not the number of bytes.
  case wrongLength(stated: Int, actual: Int)
  /// The checksum does not match: bytes were changed.
  case wrongChecksum(stored: UInt32, actual: UInt32)
  /// The chain hash does not follow from the block before: one of the two was changed.
  case wrongHash
  /// The block does not begin where the block before it ends.
  case wrongPosition(expected: Position, found: Position)
  /// The block has another number than its index in the log.
  case wrongOrdinal(expected: Int, found: Int)
  /// The fields do not have the required form or order.
  case malformed(String)
}

extension BlockDefect: CustomStringConvertible {
  /// The defect as the end of a sentence.
  public var description: String {
    switch self {
    case .cutShort(let byteCount): "its \(byteCount) bytes are too few for a block"
    case .noMagic: "it does not begin with a block's magic bytes"
    case .otherFormat(let format):
      "it was written in format \(format), and this program reads format \(Frame.format)"
    case .wrongLength(let stated, let actual): "it states a length of \(stated) bytes and has \(actual)"
    case .wrongChecksum(let stored, let actual):
      "its checksum is \(String(actual, radix: 16)), and \(String(stored, radix: 16)) is stored"
    case .wrongHash: "its hash does not match its bytes and the previous hash"
    case .wrongPosition(let expected, let found): "it begins at position \(found) instead of \(expected)"
    case .wrongOrdinal(let expected, let found): "it is number \(found) of the log instead of \(expected)"
    case .malformed(let what): what
    }
  }
}
