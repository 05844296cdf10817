// The tokenizer: the folded words of a text.

/// Passes the folded words of a text in UTF-8, in order, to the closure.
///
/// In scripts that are written without spaces, every character begins a word of up to four characters: a prefix search
/// finds the query wherever it occurs.
public func forEachWord(of text: UnsafeRawBufferPointer, _ body: (_ word: UnsafeRawBufferPointer) -> Void) {
  forEachWord(of: text, isQuery: false, body)
}

/// Passes the folded words of a text, in order, to the closure.
public func forEachWord(of text: String, _ body: (_ word: UnsafeRawBufferPointer) -> Void) {
  text.withUTF8Bytes { forEachWord(of: $0, body) }
}

/// Passes the words of a text to the closure, or the words that a text must have to match it as a query.
internal func forEachWord(
  of text: UnsafeRawBufferPointer, isQuery: Bool, _ body: (_ word: UnsafeRawBufferPointer) -> Void
) {
  withRoom(for: text) { room in
    var pass = FoldingPass(into: room, isQuery: isQuery)
    _ = pass.fold(text) { range in body(UnsafeRawBufferPointer(start: room + range.lowerBound, count: range.count)) }
  }
}

/// Passes a buffer for the folded form of a text to the closure.
internal func withRoom<R>(for text: UnsafeRawBufferPointer, _ body: (UnsafeMutablePointer<UInt8>) -> R) -> R {
  withUnsafeTemporaryAllocation(of: UInt8.self, capacity: max(1, text.count * FoldingTable.growthMax)) { room in
    body(room.baseAddress!)
  }
}

extension String {
  internal func withUTF8Bytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
    var text = self
    return text.withUTF8 { body(UnsafeRawBufferPointer($0)) }
  }
}
