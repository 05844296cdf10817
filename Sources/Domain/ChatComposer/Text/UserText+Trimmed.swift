// White space trimming, and mentions that move with a text.
public import Chat

extension UserText {
  /// The text without surrounding white space, and the number of UTF-16 units removed before it.
  public var trimmed: (text: UserText, before: Int) {
    let scalars = string.unicodeScalars
    guard let first = scalars.firstIndex(where: { !TypedText.isWhiteSpace($0) }),
      let last = scalars.lastIndex(where: { !TypedText.isWhiteSpace($0) })
    else { return ("", 0) }
    return (UserText(String(scalars[first...last])), string.utf16.distance(from: string.startIndex, to: first))
  }
}

extension TypedText {
  /// Returns the offset after one white space at an offset, if any; a CR LF pair counts as one.
  func behindWhiteSpace(at offset: UTF16Offset) -> UTF16Offset {
    let rest = units[offset.rawValue...]
    guard let first = rest.first, TypedText.isWhiteSpace(first) else { return offset }
    return UTF16Offset(rawValue: offset.rawValue + (rest.starts(with: [0x0D, 0x0A]) ? 2 : 1))
  }
}

extension [Mention] {
  /// Returns the mentions that remain after a change, with their new ranges.
  func moved(by splice: Splice) -> [Mention] {
    compactMap { mention in splice.shift(mention.range).map { Mention(mention.user, at: $0) } }
  }

  /// Returns the mentions shifted by a number of units.
  func moved(behind count: Int) -> [Mention] {
    map { mention in
      let (low, high) = (mention.range.lowerBound.rawValue, mention.range.upperBound.rawValue)
      return Mention(mention.user, at: UTF16Offset(rawValue: count + low)..<UTF16Offset(rawValue: count + high))
    }
  }

  /// Returns the mentions that are fully within a part of the text, relative to its start.
  func moved(toPartAt start: Int, length: Int) -> [Mention] {
    compactMap { mention in
      let (low, high) = (mention.range.lowerBound.rawValue - start, mention.range.upperBound.rawValue - start)
      guard 0 <= low, high <= length else { return nil }
      return Mention(mention.user, at: UTF16Offset(rawValue: low)..<UTF16Offset(rawValue: high))
    }
  }
}
