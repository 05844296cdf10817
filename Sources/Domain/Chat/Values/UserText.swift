// Text written by users, stored and compared byte by byte.

/// Text written by a user.
///
/// Equality is by bytes, unlike that of `String`, which treats "é" as one scalar and as two as equal, so that a change
/// from one to the other would be lost.
public struct UserText: Hashable, Comparable, Sendable {
  /// The text as a string.
  public let string: String

  /// Creates a user text from a string.
  public init(_ string: String) {
    var string = string
    string.makeContiguousUTF8()
    self.string = string
  }

  /// Creates a text from UTF-8; nil when the bytes are not valid.
  public init?(utf8 bytes: RawSpan) {
    let text = bytes.withUnsafeBytes { bytes in
      // Invalid UTF-8 is repaired, and so differs. Validating it first takes several times as long.
      let text = String(decoding: bytes, as: UTF8.self)
      return text.hasSameBytes(as: bytes) ? text : nil
    }
    guard let text else { return nil }
    string = text
  }

  /// Whether the text is empty.
  public var isEmpty: Bool { string.isEmpty }

  /// The number of bytes in UTF-8.
  public var byteCount: Int { string.utf8.count }

  /// Returns whether both have the same bytes.
  public static func == (a: UserText, b: UserText) -> Bool { a.string.utf8.elementsEqual(b.string.utf8) }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) {
    for byte in string.utf8 { hasher.combine(byte) }
    hasher.combine(0xFF as UInt8)
  }

  /// Returns whether the first text precedes in byte order.
  public static func < (a: UserText, b: UserText) -> Bool {
    a.string.utf8.lexicographicallyPrecedes(b.string.utf8)
  }
}

extension UserText: CustomStringConvertible {
  /// The text as a string.
  public var description: String { string }
}

extension UserText: ExpressibleByStringInterpolation {
  /// Creates a text from a literal.
  public init(stringLiteral string: String) { self.init(string) }
}

extension String {
  fileprivate func hasSameBytes(as bytes: UnsafeRawBufferPointer) -> Bool {
    let isSame = utf8.withContiguousStorageIfAvailable { own in
      guard own.count == bytes.count else { return false }
      var difference: UInt8 = 0
      for index in 0..<own.count { difference |= own[index] ^ bytes[index] }
      return difference == 0
    }
    return isSame ?? utf8.elementsEqual(bytes)
  }
}

extension UserText: Codable {
  /// Decodes a text from a string.
  public init(from decoder: any Decoder) throws { self.init(try decoder.singleValueContainer().decode(String.self)) }

  /// Encodes the text as a string.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(string)
  }
}
