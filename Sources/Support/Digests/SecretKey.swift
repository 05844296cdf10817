// Secret keys, and keys derived from them.
internal import CSodium

/// A secret key of 32 bytes.
public struct SecretKey: Sendable {
  /// The number of bytes in a key.
  public static let byteCount = 32

  private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

  private init() { precondition(ChainHash.isReady, "libsodium cannot be initialised") }

  /// Creates a key with new random bytes.
  public static func random() -> SecretKey {
    var key = SecretKey()
    withUnsafeMutableBytes(of: &key.words) { if let start = $0.baseAddress { randombytes_buf(start, $0.count) } }
    return key
  }

  /// Creates a key from 256 bits of a source that nobody can guess.
  public init(randomBits: () -> UInt64) {
    self.init()
    words = (randomBits(), randomBits(), randomBits(), randomBits())
  }

  /// Creates a key from its bytes; nil when there are not 32.
  public init?(bytes: UnsafeRawBufferPointer) {
    self.init()
    guard bytes.count == Self.byteCount else { return nil }
    withUnsafeMutableBytes(of: &words) { $0.copyMemory(from: bytes) }
  }

  /// Calls the closure with the 32 bytes, which are valid for its duration.
  public func withBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R { withUnsafeBytes(of: words, body) }

  /// Returns the key that is derived from this one and a text: the BLAKE2b-256 of the text with this key. Neither this
  /// key nor any other one derived from it can be computed from the result.
  public func derived(for text: StaticString) -> SecretKey {
    derived(for: UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Returns the key that is derived from this one, a text and a second key: without either, it cannot be computed.
  public func derived(for text: StaticString, and other: SecretKey) -> SecretKey {
    other.withBytes { other in
      derived(for: UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount), other)
    }
  }

  /// Returns the key that is derived from this one and bytes.
  public func derived(
    for bytes: UnsafeRawBufferPointer, _ more: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0)
  ) -> SecretKey {
    var key = SecretKey()
    withUnsafeMutableBytes(of: &key.words) { derived in keyedHash(into: derived, of: bytes, more) }
    return key
  }

  /// Writes the BLAKE2b hash of bytes with this key, as long as the space for it.
  internal func keyedHash(
    into hash: UnsafeMutableRawBufferPointer, of first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer
  ) {
    withBytes { key in
      verbatim_blake2b_keyed(
        hash.bound, hash.count, key.bound, first.bound, UInt64(first.count), second.bound, UInt64(second.count))
    }
  }
}

// MARK: Text

extension SecretKey {
  /// The bytes as 64 hexadecimal digits.
  public var hexadecimal: String {
    withBytes { $0.hexadecimal }
  }

  /// Creates a key from 64 hexadecimal digits; nil when the text is anything else.
  public init?(hexadecimal text: String) {
    let digits = text.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue.map { UInt8($0) } }
    guard digits.count == 2 * Self.byteCount, text.utf8.count == digits.count else { return nil }
    let bytes = stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    guard let key = bytes.withUnsafeBytes({ SecretKey(bytes: $0) }) else { return nil }
    self = key
  }
}

extension UnsafeRawBufferPointer {
  internal var bound: UnsafePointer<UInt8>? { baseAddress?.assumingMemoryBound(to: UInt8.self) }
}

extension UnsafeMutableRawBufferPointer {
  internal var bound: UnsafeMutablePointer<UInt8>? { baseAddress?.assumingMemoryBound(to: UInt8.self) }
}
