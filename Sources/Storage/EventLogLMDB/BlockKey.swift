// The key of a block in the table of blocks.
internal import Bytes
internal import EventLog

/// The position of a block's last event, as a key: six bytes, the most significant first; 0 for the genesis.
///
/// Six bytes number 281 trillion events; two more would be wasted on every block.
internal struct BlockKey: TableKey {
  static let byteCount = 6
  static let max: UInt64 = 1 << 48 - 1

  let position: Position

  init(_ position: Position) { self.position = position }

  /// Creates a key from bytes; nil when there are not six.
  init?(_ bytes: RawSpan) {
    guard bytes.byteCount == Self.byteCount else { return nil }
    let high = UInt16(bigEndian: bytes.unsafeLoadUnaligned(as: UInt16.self))
    let low = UInt32(bigEndian: bytes.unsafeLoadUnaligned(fromByteOffset: 2, as: UInt32.self))
    position = Position(rawValue: UInt64(high) << 32 | UInt64(low))
  }

  func withKeyBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
    // A position past the largest key is clamped to it, so that it sorts after all stored keys.
    withUnsafeBytes(of: Swift.min(position.rawValue, Self.max).bigEndian) { bytes in
      body(UnsafeRawBufferPointer(rebasing: bytes[(8 - Self.byteCount)...]))
    }
  }
}
