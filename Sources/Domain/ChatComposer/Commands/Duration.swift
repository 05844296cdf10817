// Typed durations: 45s, 30m, 8h, 1d, 2w.
public import Chat

extension Expiry {
  /// Returns the expiry given by the first word of the arguments, if that is a duration, and the remaining text.
  public static func parse(_ arguments: UserText, from instant: Timestamp) -> (expiry: Expiry?, rest: UserText) {
    let text = arguments.trimmed.text
    let word = text.string.prefix { !$0.unicodeScalars.allSatisfy(TypedText.isWhiteSpace) }
    guard let span = Microseconds(typed: word) else { return (nil, text) }
    return (.until(instant + span), UserText(String(text.string.dropFirst(word.count))).trimmed.text)
  }
}

extension Microseconds {
  /// Parses a positive number with a unit of s, m, h, d or w; nil for anything else.
  fileprivate init?(typed word: Substring) {
    let seconds: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800]
    guard let unit = word.lowercased().last.flatMap({ seconds[$0] }),
      word.dropLast().utf8.allSatisfy({ 0x30...0x39 ~= $0 }),
      let count = Int64(word.dropLast()), count > 0
    else { return nil }
    let (product, overflow) = count.multipliedReportingOverflow(by: unit)
    self = .seconds(overflow ? .max : product)
  }
}
