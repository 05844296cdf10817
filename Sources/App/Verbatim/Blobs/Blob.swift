// A blob: bytes identified by their hash.
public import Chat
internal import Digests

/// The content of an attachment in a ``BlobStore``: its id and its size.
public struct Blob: Hashable, Sendable {
  /// The content hash.
  public let id: ID
  /// The number of bytes.
  public let byteCount: Int

  /// The URL for an attachment's location: `blob:` and the id.
  public var url: UserText { id.url }

  /// The hash of a blob's bytes: BLAKE2b with 256 bits.
  public struct ID: Hashable, Sendable {
    /// The hash in 64 lowercase hexadecimal digits.
    public let text: String

    internal init(_ hash: ChainHash) { text = hash.description }

    /// Creates an id from its digits; nil unless they are 64 lowercase hexadecimal digits.
    public init?(_ text: String) {
      let isHash = text.utf8.count == Self.digitCount && text.utf8.allSatisfy(Self.isDigit)
      guard isHash else { return nil }
      self.text = text
    }

    /// Creates the id from a blob URL; nil for any other URL.
    public init?(url: UserText) {
      guard url.string.hasPrefix(Self.scheme) else { return nil }
      self.init(String(url.string.dropFirst(Self.scheme.count)))
    }

    /// The URL for an attachment's location: `blob:` and the id.
    public var url: UserText { UserText(Self.scheme + text) }

    internal static let scheme = "blob:"
    /// The number of digits of an id.
    internal static let digitCount = 2 * ChainHash.byteCount

    private static func isDigit(_ byte: UInt8) -> Bool {
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }
  }
}

extension Blob.ID: CustomStringConvertible {
  /// The 64 digits.
  public var description: String { text }
}
