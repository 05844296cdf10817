// The hash that chains blocks: BLAKE2b with 256 bits.
internal import CSodium

/// A BLAKE2b-256 hash: 32 bytes.
public struct ChainHash: Hashable, Sendable {
  /// The number of bytes in a hash.
  public static let byteCount = 32

  private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

  /// Creates a hash from the 32 bytes that the closure writes.
  internal init(_ write: (UnsafeMutablePointer<UInt8>?) -> Void) {
    withUnsafeMutableBytes(of: &words) { write($0.bound) }
  }

  /// Hashes bytes chained to the previous hash: its 32 bytes followed by these; these alone without one.
  ///
  /// The corresponding C functions are `crypto_generichash_blake2b_init`, `_update` and `_final`.
  public init(of bytes: UnsafeRawBufferPointer, after previous: ChainHash?) {
    precondition(Self.isReady, "libsodium cannot be initialised")
    let previousCount = previous == nil ? 0 : Self.byteCount
    var before = previous?.words ?? (0, 0, 0, 0)
    withUnsafeBytes(of: &before) { before in
      withUnsafeMutableBytes(of: &words) { words in
        verbatim_blake2b_256(
          words.bound, before.bound, UInt64(previousCount),
          bytes.bound, UInt64(bytes.count))
      }
    }
  }

  /// Creates a hash from its 32 stored bytes; nil when there are not 32.
  public init?(bytes: UnsafeRawBufferPointer) {
    guard bytes.count == Self.byteCount else { return nil }
    withUnsafeMutableBytes(of: &words) { $0.copyMemory(from: bytes) }
  }

  /// Calls the closure with the 32 bytes, which are valid for its duration.
  public func withBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
    withUnsafeBytes(of: words, body)
  }

  // libsodium chooses the fastest code for this processor when it is initialised.
  internal static let isReady = sodium_init() >= 0

  /// Returns whether both have the same bytes.
  public static func == (a: ChainHash, b: ChainHash) -> Bool { a.words == b.words }

  /// Feeds the first 8 bytes to the hasher, which are as uniform as all 32.
  public func hash(into hasher: inout Hasher) { hasher.combine(words.0) }
}

extension ChainHash: CustomStringConvertible {
  /// The bytes as 64 hexadecimal digits.
  public var description: String {
    withBytes { $0.hexadecimal }
  }
}

extension UnsafeRawBufferPointer {
  /// The bytes as lowercase hexadecimal digits.
  internal var hexadecimal: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(unsafeUninitializedCapacity: 2 * count) { text in
      for (index, byte) in enumerated() {
        text[2 * index] = digits[Int(byte >> 4)]
        text[2 * index + 1] = digits[Int(byte & 15)]
      }
      return 2 * count
    }
  }
}
