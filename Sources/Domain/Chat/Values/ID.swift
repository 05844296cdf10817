// What things are called: short names that stand in stream names, keys and links.

/// The name of a user, a channel, a message …: 1 to 64 visible ASCII characters without `/`.
///
/// What it names is part of its type, so that a user's name is never taken for a channel's. Capital and small letters
/// are different.
public struct ID<Named>: Hashable, Comparable, Sendable {
  /// The characters.
  public let text: String

  /// A name with these characters.
  public init(_ text: String) throws(IDError) {
    var text = text
    guard text.withUTF8({ isID(UnsafeRawBufferPointer($0)) }) else { throw IDError(text: text) }
    self.text = text
  }

  /// The name that bytes spell; nil when they spell none.
  @inlinable
  public init?(spelledBy bytes: RawSpan) {
    guard let text = textOfID(bytes) else { return nil }
    self.text = text
  }

  /// Whether one's characters come before the other's.
  public static func < (a: ID, b: ID) -> Bool { a.text.utf8.lexicographicallyPrecedes(b.text.utf8) }
}

/// How many characters an id has at most.
public let idLengthMax = 64

extension ID: RawRepresentable {
  /// The characters.
  public var rawValue: String { text }

  /// A name with these characters; nil when they are none.
  public init?(rawValue: String) { try? self.init(rawValue) }
}

extension ID: CustomStringConvertible {
  /// The characters.
  public var description: String { text }
}

extension ID: ExpressibleByStringLiteral {
  /// A name written in the program; traps when it is none.
  public init(stringLiteral text: String) {
    do {
      try self.init(text)
    } catch {
      preconditionFailure("\(error)")
    }
  }
}

/// A text is no id.
public struct IDError: Error, Hashable, Sendable {
  /// The text.
  public let text: String
}

extension IDError: CustomStringConvertible {
  /// One sentence: what happened, to what, what to do.
  public var description: String {
    "\(String(text.prefix(80)).debugDescription) is no id: "
      + "take 1 to \(idLengthMax) visible ASCII characters other than “/”."
  }
}

// These two know nothing of what an id names, and so are compiled once and quick.

@usableFromInline
internal func textOfID(_ bytes: RawSpan) -> String? {
  bytes.withUnsafeBytes { isID($0) ? String(decoding: $0, as: UTF8.self) : nil }
}

private func isID(_ bytes: UnsafeRawBufferPointer) -> Bool {
  guard 1 <= bytes.count, bytes.count <= idLengthMax else { return false }
  for byte in bytes where byte < 0x21 || byte > 0x7E || byte == UInt8(ascii: "/") { return false }
  return true
}
