// White space around a text and in it, and what moves with a text.
public import Chat

extension UserText {
  /// The text without white space around it, and how many UTF-16 units were before it.
  public var trimmed: (text: UserText, before: Int) {
    let scalars = string.unicodeScalars
    guard let first = scalars.firstIndex(where: { !TypedText.isWhiteSpace($0) }),
      let last = scalars.lastIndex(where: { !TypedText.isWhiteSpace($0) })
    else { return ("", 0) }
    return (UserText(String(scalars[first...last])), string.utf16.distance(from: string.startIndex, to: first))
  }
}

extension TypedText {
  /// Behind the white space at a place, where there is some; a carriage return and a line feed are one.
  func behindWhiteSpace(at place: UTF16Offset) -> UTF16Offset {
    let rest = units[place.rawValue...]
    guard let first = rest.first, TypedText.isWhiteSpace(first) else { return place }
    return UTF16Offset(rawValue: place.rawValue + (rest.starts(with: [0x0D, 0x0A]) ? 2 : 1))
  }
}

extension [Mention] {
  /// The mentions that stand after a change, where they stand then.
  func moved(by splice: Splice) -> [Mention] {
    compactMap { mention in splice.shift(mention.range).map { Mention(mention.user, at: $0) } }
  }

  /// The mentions in a text that comes to stand behind so many units of another.
  func moved(behind count: Int) -> [Mention] {
    map { mention in
      let (low, high) = (mention.range.lowerBound.rawValue, mention.range.upperBound.rawValue)
      return Mention(mention.user, at: UTF16Offset(rawValue: count + low)..<UTF16Offset(rawValue: count + high))
    }
  }

  /// The mentions in a part of a text that begins at a place, as far as they lie in it.
  func moved(toPartAt start: Int, length: Int) -> [Mention] {
    compactMap { mention in
      let (low, high) = (mention.range.lowerBound.rawValue - start, mention.range.upperBound.rawValue - start)
      guard 0 <= low, high <= length else { return nil }
      return Mention(mention.user, at: UTF16Offset(rawValue: low)..<UTF16Offset(rawValue: high))
    }
  }
}
