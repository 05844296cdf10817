// The protocol of table keys, which are compared as bytes.

/// A value that can be encoded as the bytes of a key.
///
/// Tables order keys by their bytes alone. A conforming type chooses an encoding whose byte order is the intended
/// order: numbers are big-endian. `String` does not conform on purpose: two equal strings may have different bytes.
public protocol TableKey {
  /// Calls the closure with the key's 1 to 511 bytes, which are valid for its duration.
  func withKeyBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R
}

extension UInt64: TableKey {
  /// Calls the closure with the eight bytes, the most significant first.
  @inlinable
  public func withKeyBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
    withUnsafeBytes(of: bigEndian, body)
  }

  /// Creates a number from eight key bytes; nil when there are not eight.
  @inlinable
  public init?(keyBytes: RawSpan) {
    guard keyBytes.byteCount == 8 else { return nil }
    self.init(bigEndian: keyBytes.unsafeLoadUnaligned(as: UInt64.self))
  }
}

extension [UInt8]: TableKey {
  /// Calls the closure with the array's bytes.
  @inlinable
  public func withKeyBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
    withUnsafeBytes(body)
  }
}

extension UnsafeRawBufferPointer: TableKey {
  /// Calls the closure with the bytes that it points to.
  @inlinable
  public func withKeyBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R { body(self) }
}
