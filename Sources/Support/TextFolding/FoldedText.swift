// A text folded for comparison.

/// A text folded for search: without case, marks on letters and width.
///
/// It is for comparison only, not for display. Folding is idempotent.
public struct FoldedText: Hashable, Sendable {
  /// The version of the folding table. Text folded by another version must be folded again.
  public static let version = 1

  /// The folded text, in UTF-8.
  public let bytes: [UInt8]

  /// Folds a text.
  public init(_ text: String) { self = text.withUTF8Bytes { FoldedText(utf8: $0) } }

  /// Folds a text given as UTF-8; an invalid byte is read as U+FFFD.
  public init(utf8 text: UnsafeRawBufferPointer) {
    bytes = withRoom(for: text) { room in
      var pass = FoldingPass(into: room)
      let count = pass.fold(text) { _ in }
      return Array(UnsafeBufferPointer(start: room, count: count))
    }
  }

  /// Returns whether it starts with another folded text.
  public func starts(with other: FoldedText) -> Bool { bytes.starts(with: other.bytes) }

  /// Returns whether it starts, from the beginning of one of its words, with another folded text, which may span
  /// several words.
  public func hasWord(startingWith other: FoldedText) -> Bool {
    var isFound = false
    forEachWord { word in
      if !isFound { isFound = bytes[word.lowerBound...].starts(with: other.bytes) }
    }
    return isFound
  }

  /// Passes the byte ranges of its words, in order, to the closure.
  public func forEachWord(_ body: (Range<Int>) -> Void) {
    bytes.withUnsafeBytes { bytes in
      withRoom(for: bytes) { room in
        var pass = FoldingPass(into: room)
        // Folding is idempotent, so that offsets in the second folding are those in the first.
        _ = pass.fold(bytes) { body($0) }
      }
    }
  }
}

extension FoldedText: Comparable {
  /// Returns whether the bytes of one text order before those of the other.
  public static func < (a: FoldedText, b: FoldedText) -> Bool { a.bytes.lexicographicallyPrecedes(b.bytes) }
}
