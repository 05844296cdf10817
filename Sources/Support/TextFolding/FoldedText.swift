// A text as it is compared.

/// A text as it is compared when one searches: without case, marks on letters and width.
///
/// It is for comparing alone: what is folded is not for anybody to read. Folding what is folded changes nothing.
public struct FoldedText: Hashable, Sendable {
  /// Which of its forms the table has. What was folded by another is to be folded again.
  public static let version = 1

  /// The folded text, in UTF-8.
  public let bytes: [UInt8]

  /// A text, folded.
  public init(_ text: String) { self = text.withUTF8Bytes { FoldedText(utf8: $0) } }

  /// The text that bytes of UTF-8 spell, folded; a byte that spells nothing is taken for U+FFFD.
  public init(utf8 text: UnsafeRawBufferPointer) {
    bytes = withRoom(for: text) { room in
      var pass = FoldingPass(into: room)
      let count = pass.fold(text) { _ in }
      return Array(UnsafeBufferPointer(start: room, count: count))
    }
  }

  /// Whether it starts with another.
  public func starts(with other: FoldedText) -> Bool { bytes.starts(with: other.bytes) }

  /// Whether it starts with another from the beginning of one of its words on, be it over several words.
  public func hasWord(startingWith other: FoldedText) -> Bool {
    var isFound = false
    forEachWord { word in
      if !isFound { isFound = bytes[word.lowerBound...].starts(with: other.bytes) }
    }
    return isFound
  }

  /// Lends the places of its words, in their order.
  public func forEachWord(_ body: (Range<Int>) -> Void) {
    bytes.withUnsafeBytes { bytes in
      withRoom(for: bytes) { room in
        var pass = FoldingPass(into: room)
        // What is folded already is folded to itself, so that places here are those there.
        _ = pass.fold(bytes) { body($0) }
      }
    }
  }
}

extension FoldedText: Comparable {
  /// Whether one's bytes come before the other's.
  public static func < (a: FoldedText, b: FoldedText) -> Bool { a.bytes.lexicographicallyPrecedes(b.bytes) }
}
