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

  /// The hash of a blob's stored bytes, BLAKE2b with 256 bits, and the key of an encrypted blob.
  public struct ID: Hashable, Sendable {
    /// The hash of the stored bytes in 64 lowercase hexadecimal digits: the name of the file.
    internal let hash: String
    /// The key of an encrypted blob in 64 lowercase hexadecimal digits; nil for one that is stored as it is.
    internal let key: String?

    /// The hash in 64 lowercase hexadecimal digits; for an encrypted blob, a hyphen and the digits of its key follow.
    public var text: String { key.map { hash + "-" + $0 } ?? hash }

    internal init(_ hash: ChainHash, key: SecretKey? = nil) {
      (self.hash, self.key) = (hash.description, key?.hexadecimal)
    }

    /// Creates an id from its text; nil when it has not the form of ``text``.
    public init?(_ text: String) {
      let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { String($0) }
      guard parts.count <= 2, parts.allSatisfy(Self.isDigits) else { return nil }
      (hash, key) = (parts[0], parts.count == 2 ? parts[1] : nil)
    }

    /// Creates the id from a blob URL; nil for any other URL.
    public init?(url: UserText) {
      guard url.string.hasPrefix(Self.scheme) else { return nil }
      self.init(String(url.string.dropFirst(Self.scheme.count)))
    }

    /// The URL for an attachment's location: `blob:` and the id.
    public var url: UserText { UserText(Self.scheme + text) }

    internal static let scheme = "blob:"
    /// The number of digits of a hash, and of a key.
    internal static let digitCount = 2 * ChainHash.byteCount

    private static func isDigits(_ text: String) -> Bool {
      text.utf8.count == digitCount && text.utf8.allSatisfy(isDigit)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }
  }
}

extension Blob.ID: CustomStringConvertible {
  /// The 64 digits of the hash, without the key.
  public var description: String { hash }
}
