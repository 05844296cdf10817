// Names of streams, types, authors and devices.
internal import Bytes

/// A name: 1 to 320 bytes of UTF-8 without control characters.
///
/// Names are compared by their bytes, unlike `String`, for which "é" as one scalar equals "é" as two.
public struct Name: Hashable, Comparable, Sendable {
  /// The maximum length of a name in bytes of UTF-8.
  public static let byteCountMax = 320

  /// The name as text.
  public let text: String

  /// Creates a name from a text.
  public init(_ text: String) throws(NameError) {
    var text = text
    text.makeContiguousUTF8()
    let defect = text.withUTF8 { Name.defect(in: UnsafeRawBufferPointer($0)) }
    if let defect { throw NameError(text: text, defect: defect) }
    self.text = text
  }

  /// Creates a name from stored bytes that the caller has validated.
  package init(validated bytes: UnsafeRawBufferPointer) {
    text = String(decoding: bytes, as: UTF8.self)
  }

  /// Passes the bytes to the closure, for whose duration they are valid.
  @inlinable
  public func withBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
    if let result = text.utf8.withContiguousStorageIfAvailable({ body(UnsafeRawBufferPointer($0)) }) {
      return result
    }
    var copy = text
    return copy.withUTF8 { body(UnsafeRawBufferPointer($0)) }
  }

  /// Returns whether both names have the same bytes.
  public static func == (a: Name, b: Name) -> Bool {
    a.withBytes { a in b.withBytes { b in a.hasSameBytes(as: b) } }
  }

  /// Returns whether the name has the same bytes as a stored one.
  package func hasBytes(of other: RawSpan) -> Bool {
    withBytes { name in other.withUnsafeBytes { $0.hasSameBytes(as: name) } }
  }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) {
    withBytes { hasher.combine(bytes: $0) }
  }

  /// Returns whether the bytes of one name order before those of the other.
  public static func < (a: Name, b: Name) -> Bool {
    a.withBytes { a in b.withBytes { b in a.lexicographicallyPrecedes(b) } }
  }

  /// Returns the defect that makes bytes invalid as a name, or nil.
  internal static func defect(in bytes: UnsafeRawBufferPointer) -> NameError.Defect? {
    if bytes.isEmpty { return .empty }
    if bytes.count > byteCountMax { return .tooLong(byteCount: bytes.count) }
    var isASCII = true
    for byte in bytes {
      if byte < 0x20 || byte == 0x7F { return .controlCharacter }
      if byte >= 0x80 { isASCII = false }
    }
    if isASCII { return nil }
    guard let text = String(validating: bytes, as: UTF8.self) else { return .notUTF8 }
    return text.unicodeScalars.contains { (0x80...0x9F).contains($0.value) } ? .controlCharacter : nil
  }
}

extension Name: CustomStringConvertible {
  /// The name as text.
  public var description: String { text }
}

extension Name: ExpressibleByStringLiteral {
  /// Creates a name from a literal; traps when it is invalid.
  public init(stringLiteral text: String) {
    do {
      try self.init(text)
    } catch {
      preconditionFailure("\(error)")
    }
  }
}

/// An invalid name and its defect.
public struct NameError: Error, Hashable, Sendable {
  /// The text.
  public let text: String
  /// The defect.
  public let defect: Defect

  /// A defect of a name.
  public enum Defect: Hashable, Sendable {
    /// The name is empty.
    case empty
    /// The name has more than ``Name/byteCountMax`` bytes.
    case tooLong(byteCount: Int)
    /// The name contains a control character.
    case controlCharacter
    /// The bytes are not UTF-8.
    case notUTF8
  }
}

extension NameError: CustomStringConvertible {
  /// The error in one sentence: what failed, on what, what to do.
  public var description: String {
    switch defect {
    case .empty: "A name is empty: give it 1 to \(Name.byteCountMax) bytes."
    case .tooLong(let byteCount):
      "The name “\(text.prefix(40))…” has \(byteCount) bytes: give it at most \(Name.byteCountMax)."
    case .controlCharacter:
      "The name \(text.debugDescription) has a control character: leave it out."
    case .notUTF8: "The name “\(text)” is not UTF-8: encode it in UTF-8."
    }
  }
}
