// Ids: short names used in stream names, keys and links.

/// The id of a user, a channel, a message …: 1 to 64 visible ASCII characters without `/`.
///
/// The type parameter says what it identifies, so that a user's id is never taken for a channel's. Ids are
/// case-sensitive. The id of a command can contain `/`, as in `/mute`: it is part of no stream name and of no path.
public struct ID<Named>: Hashable, Comparable, Codable, Sendable {
  /// The characters of the id.
  public let text: String

  /// Creates an id from its characters.
  public init(_ text: String) throws(IDError) {
    var text = text
    guard text.withUTF8({ isID(UnsafeRawBufferPointer($0), mayContainSlash: Self.mayContainSlash) })
    else { throw IDError(text: text, mayContainSlash: Self.mayContainSlash) }
    self.text = text
  }

  /// Creates an id from its UTF-8 bytes; nil when they are not a valid id.
  @inlinable
  public init?(spelledBy bytes: RawSpan) {
    guard let text = textOfID(bytes, mayContainSlash: Self.mayContainSlash) else { return nil }
    self.text = text
  }

  @inlinable
  internal static var mayContainSlash: Bool { Named.self == ComposedCommand.self }

  /// Returns whether the first id precedes in byte order.
  public static func < (a: ID, b: ID) -> Bool { a.text.utf8.lexicographicallyPrecedes(b.text.utf8) }
}

/// The maximum number of characters of an id.
public let idLengthMax = 64

extension ID: RawRepresentable {
  /// The characters of the id.
  public var rawValue: String { text }

  /// Creates an id from its characters; nil when they are not a valid id.
  public init?(rawValue: String) { try? self.init(rawValue) }
}

extension ID: CustomStringConvertible {
  /// The characters of the id.
  public var description: String { text }
}

extension ID: ExpressibleByStringLiteral {
  /// Creates an id from a literal; traps when it is not a valid id.
  public init(stringLiteral text: String) {
    do {
      try self.init(text)
    } catch {
      preconditionFailure("\(error)")
    }
  }
}

/// The error of a text that is not a valid id.
public struct IDError: Error, Hashable, Sendable {
  /// The invalid text.
  public let text: String
  private let mayContainSlash: Bool

  fileprivate init(text: String, mayContainSlash: Bool) {
    (self.text, self.mayContainSlash) = (text, mayContainSlash)
  }
}

extension IDError: CustomStringConvertible {
  /// The error in one sentence: what failed, on what, what to do.
  public var description: String {
    "\(String(text.prefix(80)).debugDescription) is not an id: "
      + "use 1 to \(idLengthMax) visible ASCII characters\(mayContainSlash ? "" : " other than “/”")."
  }
}

// These two functions are not generic over the identified type, and so are compiled once and faster.

@usableFromInline
internal func textOfID(_ bytes: RawSpan, mayContainSlash: Bool) -> String? {
  bytes.withUnsafeBytes { isID($0, mayContainSlash: mayContainSlash) ? String(decoding: $0, as: UTF8.self) : nil }
}

private func isID(_ bytes: UnsafeRawBufferPointer, mayContainSlash: Bool) -> Bool {
  guard 1 <= bytes.count, bytes.count <= idLengthMax else { return false }
  for byte in bytes where byte < 0x21 || byte > 0x7E || byte == UInt8(ascii: "/") && !mayContainSlash { return false }
  return true
}
