// A search query of words.

/// A query for texts that have, for each of its words, a word that starts with it.
public struct WordQuery: Hashable, Sendable {
  /// The words, folded, in byte order; none starts with another.
  public let words: [[UInt8]]

  /// Creates a query from the words of a text.
  public init(_ text: String) {
    var words: [[UInt8]] = []
    text.withUTF8Bytes { text in forEachWord(of: text, isQuery: true) { words.append(Array($0)) } }
    words.sort { $0.lexicographicallyPrecedes($1) }
    // A prefix is sorted before the words that start with it, with no other words between.
    let last = words.last
    self.words = zip(words, words.dropFirst()).filter { !$1.starts(with: $0) }.map(\.0) + (last.map { [$0] } ?? [])
  }

  /// Whether the query has no words.
  public var isEmpty: Bool { words.isEmpty }

  /// Returns whether a text matches every word of the query; no text matches an empty query.
  public func matches(_ text: String) -> Bool { text.withUTF8Bytes { matches(utf8: $0) } }

  /// Returns whether a text given as UTF-8 matches every word of the query; no text matches an empty query.
  public func matches(utf8 text: UnsafeRawBufferPointer) -> Bool {
    if isEmpty { return false }
    var missing = words
    forEachWord(of: text) { word in
      if !missing.isEmpty { missing.removeAll { word.starts(with: $0) } }
    }
    return missing.isEmpty
  }
}
