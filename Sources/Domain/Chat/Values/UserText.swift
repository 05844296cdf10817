// Text that people wrote, kept and compared byte by byte.

/// Text that somebody wrote.
///
/// Two are the same when their bytes are: unlike `String`, which also finds "é" written as one character and as two to
/// be equal, so that a change from one to the other would be lost.
public struct UserText: Hashable, Comparable, Sendable {
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
    let text = bytes.withUnsafeBytes { bytes in
      // What is no UTF-8 is repaired, and so differs. Asking first whether it is takes several times as long.
      let text = String(decoding: bytes, as: UTF8.self)
      return text.hasSameBytes(as: bytes) ? text : nil
    }
    guard let text else { return nil }
    string = text
  }

  /// Whether there is nothing in it.
  public var isEmpty: Bool { string.isEmpty }

  /// How many bytes it takes in UTF-8.
  public var byteCount: Int { string.utf8.count }

  /// Whether both have the same bytes.
  public static func == (a: UserText, b: UserText) -> Bool { a.string.utf8.elementsEqual(b.string.utf8) }

  /// Feeds the bytes.
  public func hash(into hasher: inout Hasher) {
    for byte in string.utf8 { hasher.combine(byte) }
    hasher.combine(0xFF as UInt8)
  }

  /// Whether one's bytes come before the other's.
  public static func < (a: UserText, b: UserText) -> Bool {
    a.string.utf8.lexicographicallyPrecedes(b.string.utf8)
  }
}

extension UserText: CustomStringConvertible {
  /// The text.
  public var description: String { string }
}

extension UserText: ExpressibleByStringInterpolation {
  /// A text written in the program.
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
