// What somebody looks for by its words.

/// What somebody looks for: texts that have, for each of its words, one that starts with it.
public struct WordQuery: Hashable, Sendable {
  /// The words, folded, in the order of their bytes; none starts with another.
  public let words: [[UInt8]]

  /// The words of a text.
  public init(_ text: String) {
    var words: [[UInt8]] = []
    text.withUTF8Bytes { text in forEachWord(of: text, isQuery: true) { words.append(Array($0)) } }
    words.sort { $0.lexicographicallyPrecedes($1) }
    // What one starts with comes before it, with nothing between that does not start so, too.
    let last = words.last
    self.words = zip(words, words.dropFirst()).filter { !$1.starts(with: $0) }.map(\.0) + (last.map { [$0] } ?? [])
  }

  /// Whether there is nothing to look for.
  public var isEmpty: Bool { words.isEmpty }

  /// Whether a text has all that is looked for; none has nothing.
  public func matches(_ text: String) -> Bool { text.withUTF8Bytes { matches(utf8: $0) } }

  /// Whether the text that bytes of UTF-8 spell has all that is looked for; none has nothing.
  public func matches(utf8 text: UnsafeRawBufferPointer) -> Bool {
    if isEmpty { return false }
    var missing = words
    forEachWord(of: text) { word in
      if !missing.isEmpty { missing.removeAll { word.starts(with: $0) } }
    }
    return missing.isEmpty
  }
}
