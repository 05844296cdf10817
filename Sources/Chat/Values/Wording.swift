// Text that people wrote, kept and compared byte by byte.

/// Text that somebody wrote.
///
/// Two are the same when their bytes are: unlike `String`, which also finds "é" written as one character and as two to
/// be equal, so that a change from one to the other would be lost.
public struct Wording: Hashable, Comparable, Sendable {
  /// The text.
  public let string: String

  /// A wording with a text.
  public init(_ string: String) {
    var string = string
    string.makeContiguousUTF8()
    self.string = string
  }

  /// The text that bytes of UTF-8 spell; nil when they spell none.
  public init?(utf8 bytes: RawSpan) {
    let string = bytes.withUnsafeBytes { String(validating: $0, as: UTF8.self) }
    guard let string else { return nil }
    self.string = string
  }

  /// Whether there is nothing in it.
  public var isEmpty: Bool { string.isEmpty }

  /// How many bytes it takes in UTF-8.
  public var byteCount: Int { string.utf8.count }

  /// Whether both have the same bytes.
  public static func == (a: Wording, b: Wording) -> Bool { a.string.utf8.elementsEqual(b.string.utf8) }

  /// Feeds the bytes.
  public func hash(into hasher: inout Hasher) {
    for byte in string.utf8 { hasher.combine(byte) }
    hasher.combine(0xFF as UInt8)
  }

  /// Whether one's bytes come before the other's.
  public static func < (a: Wording, b: Wording) -> Bool {
    a.string.utf8.lexicographicallyPrecedes(b.string.utf8)
  }
}

extension Wording: CustomStringConvertible {
  /// The text.
  public var description: String { string }
}

extension Wording: ExpressibleByStringInterpolation {
  /// A text written in the program.
  public init(stringLiteral string: String) { self.init(string) }
}
