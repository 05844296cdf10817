// Keys are bytes, compared as bytes.

/// A value that stands for the bytes of a key.
///
/// Tables order keys by their bytes alone. A conforming type chooses bytes whose order is the order it means: numbers
/// are big-endian. `String` does not conform on purpose: two equal strings may have different bytes.
public protocol TableKey {
  /// Lends the key's bytes; 1 to 511 of them.
  func withKeyBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R
}

extension UInt64: TableKey {
  /// Lends the eight bytes, the most significant first.
  @inlinable
  public func withKeyBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
    withUnsafeBytes(of: bigEndian, body)
  }

  /// The number that eight key bytes stand for; nil when there are not eight.
  @inlinable
  public init?(keyBytes: RawSpan) {
    guard keyBytes.byteCount == 8 else { return nil }
    self.init(bigEndian: keyBytes.unsafeLoadUnaligned(as: UInt64.self))
  }
}

extension [UInt8]: TableKey {
  /// Lends the array's bytes.
  @inlinable
  public func withKeyBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
    withUnsafeBytes(body)
  }
}

extension UnsafeRawBufferPointer: TableKey {
  /// Lends the bytes it points to.
  @inlinable
  public func withKeyBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R { body(self) }
}
