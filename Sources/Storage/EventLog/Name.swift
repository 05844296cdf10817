// What streams, types, actors and devices are called.
internal import Bytes

/// A name: 1 to 320 bytes of UTF-8 without control characters.
///
/// Names are the same when their bytes are: unlike `String`, which also finds "é" written as one character and as
/// two to be equal.
public struct Name: Hashable, Comparable, Sendable {
  /// How long a name may be, in bytes of UTF-8.
  public static let byteCountMax = 320

  /// The name as text.
  public let text: String

  /// A name with a text.
  public init(_ text: String) throws(NameError) {
    var text = text
    text.makeContiguousUTF8()
    let defect = text.withUTF8 { Name.defect(in: UnsafeRawBufferPointer($0)) }
    if let defect { throw NameError(text: text, defect: defect) }
    self.text = text
  }

  /// The name that stored bytes are; the caller has validated them.
  package init(validated bytes: UnsafeRawBufferPointer) {
    text = String(decoding: bytes, as: UTF8.self)
  }

  /// Lends the bytes.
  public func withBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
    if let result = text.utf8.withContiguousStorageIfAvailable({ body(UnsafeRawBufferPointer($0)) }) {
      return result
    }
    var copy = text
    return copy.withUTF8 { body(UnsafeRawBufferPointer($0)) }
  }

  /// Whether both have the same bytes.
  public static func == (a: Name, b: Name) -> Bool {
    a.withBytes { a in b.withBytes { b in a.hasSameBytes(as: b) } }
  }

  /// Feeds the bytes.
  public func hash(into hasher: inout Hasher) {
    withBytes { hasher.combine(bytes: $0) }
  }

  /// Whether one's bytes come before the other's.
  public static func < (a: Name, b: Name) -> Bool {
    a.withBytes { a in b.withBytes { b in a.lexicographicallyPrecedes(b) } }
  }

  /// Why bytes are no name, or nil when they are one.
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
  /// A name written in the program; traps when it is not one.
  public init(stringLiteral text: String) {
    do {
      try self.init(text)
    } catch {
      preconditionFailure("\(error)")
    }
  }
}

/// Why a text is no name.
public struct NameError: Error, Hashable, Sendable {
  /// The text.
  public let text: String
  /// What is wrong with it.
  public let defect: Defect

  /// What can be wrong with a name.
  public enum Defect: Hashable, Sendable {
    /// It has no characters.
    case empty
    /// It has more than ``Name/byteCountMax`` bytes.
    case tooLong(byteCount: Int)
    /// It has a control character.
    case controlCharacter
    /// Its bytes are not UTF-8.
    case notUTF8
  }
}

extension NameError: CustomStringConvertible {
  /// One sentence: what happened, to what, what to do.
  public var description: String {
    switch defect {
    case .empty: "A name is empty: give it 1 to \(Name.byteCountMax) bytes."
    case .tooLong(let byteCount):
      "The name “\(text.prefix(40))…” has \(byteCount) bytes: give it \(Name.byteCountMax) at most."
    case .controlCharacter:
      "The name \(text.debugDescription) has a control character: leave it out."
    case .notUTF8: "The name “\(text)” is not UTF-8: encode it so."
    }
  }
}
