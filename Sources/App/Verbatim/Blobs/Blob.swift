// What was attached: bytes that are known by their hash.
public import Chat
internal import Digests

/// The content of something attached, as it lies in a ``BlobStore``: what it is called, and how long it is.
public struct Blob: Hashable, Sendable {
  /// What it is called, which its bytes decide.
  public let id: ID
  /// How many bytes it has.
  public let byteCount: Int

  /// What stands in an attachment's location: `blob:` and the id.
  public var url: UserText { id.url }

  /// The hash of a blob's bytes: BLAKE2b with 256 bits.
  public struct ID: Hashable, Sendable {
    /// The hash in 64 hexadecimal digits, with small letters.
    public let text: String

    internal init(_ hash: ChainHash) { text = hash.description }

    /// The id with these digits; nil when they are not 64, or not hexadecimal with small letters.
    public init?(_ text: String) {
      let isHash = text.utf8.count == 2 * ChainHash.byteCount && text.utf8.allSatisfy(Self.isDigit)
      guard isHash else { return nil }
      self.text = text
    }

    /// The id of the blob that an address names; nil when it names none.
    public init?(url: UserText) {
      guard url.string.hasPrefix(Self.scheme) else { return nil }
      self.init(String(url.string.dropFirst(Self.scheme.count)))
    }

    /// What stands in an attachment's location: `blob:` and the id.
    public var url: UserText { UserText(Self.scheme + text) }

    private static let scheme = "blob:"

    private static func isDigit(_ byte: UInt8) -> Bool {
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }
  }
}

extension Blob.ID: CustomStringConvertible {
  /// The 64 digits.
  public var description: String { text }
}
