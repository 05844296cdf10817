// The words of a text, as they are compared.

/// Lends the words of a text in UTF-8, folded, in their order.
///
/// Within scripts that are written without spaces, every character begins a word, of the four from it on: whoever looks
/// for words that start with something finds it wherever it stands.
public func forEachWord(of text: UnsafeRawBufferPointer, _ body: (_ word: UnsafeRawBufferPointer) -> Void) {
  forEachWord(of: text, isQuery: false, body)
}

/// Lends the words of a text, folded, in their order.
public func forEachWord(of text: String, _ body: (_ word: UnsafeRawBufferPointer) -> Void) {
  text.withUTF8Bytes { forEachWord(of: $0, body) }
}

/// Lends the words of a text, or those that a text must have to be found by it.
internal func forEachWord(
  of text: UnsafeRawBufferPointer, isQuery: Bool, _ body: (_ word: UnsafeRawBufferPointer) -> Void
) {
  withRoom(for: text) { room in
    var pass = FoldingPass(into: room, isQuery: isQuery)
    _ = pass.fold(text) { range in body(UnsafeRawBufferPointer(start: room + range.lowerBound, count: range.count)) }
  }
}

/// Lends room for a text once it is folded.
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
