// The links in a text.
internal import Chat

extension TypedText {
  /// Returns the distinct links in order: from `http://`, `https://` or `www.` up to the next white space, without
  /// trailing punctuation. A link that ends at the caret is left out: it is still being typed.
  func links(exceptAt caret: UTF16Offset?) -> [UserText] {
    var links: [UserText] = []
    var start = 0
    while start < units.count {
      let end = units[start...].firstIndex { TypedText.isWhiteSpace($0) } ?? units.count
      if end - start > 4, let link = link(in: start..<end), caret?.rawValue != link.upperBound {
        let text = userText(of: UTF16Offset(rawValue: link.lowerBound)..<UTF16Offset(rawValue: link.upperBound))
        if text.hasLink, !links.contains(text) { links.append(text) }
      }
      start = end + 1
    }
    return links
  }

  /// Returns the range of the link in a word, without leading brackets and trailing punctuation.
  private func link(in word: Range<Int>) -> Range<Int>? {
    let lower = units[word].map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }
    let starts = ["http://", "https://", "www."].compactMap { prefix -> Int? in
      let prefix = Array(prefix.utf16)
      return lower.indices.first { lower[$0...].starts(with: prefix) }
    }
    guard let first = starts.min() else { return nil }
    var end = word.upperBound
    let closing = Set(".,;:!?)]}'\"»”’".utf16)
    while end > word.lowerBound + first, closing.contains(units[end - 1]) { end -= 1 }
    return word.lowerBound + first..<end
  }
}
