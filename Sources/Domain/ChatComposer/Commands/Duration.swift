// Spans of time as one types them: 45s, 30m, 8h, 1d, 2w.
public import Chat

extension Expiry {
  /// The term that the first word of some arguments gives, if it is a span of time, and what follows it.
  public static func parse(_ arguments: UserText, from instant: Instant) -> (term: Expiry?, rest: UserText) {
    let text = arguments.trimmed.text
    let word = text.string.prefix { !$0.unicodeScalars.allSatisfy(TypedText.isWhiteSpace) }
    guard let span = Microseconds(typed: word) else { return (nil, text) }
    return (.until(instant + span), UserText(String(text.string.dropFirst(word.count))).trimmed.text)
  }
}

extension Microseconds {
  /// The span that a number and one of s, m, h, d and w mean; nil for anything else, and for none at all.
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
