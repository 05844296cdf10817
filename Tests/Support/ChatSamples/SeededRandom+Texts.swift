// Random texts: every script and symbol that has caused problems in text views, shells or databases.
public import Chat
public import SeededRandom

extension SeededRandom {
  /// Returns a text: empty, a few pieces, or sometimes a very long one.
  public mutating func userText() -> UserText {
    switch below(64) {
    case 0: UserText(String(repeating: pick(pieces), count: 1 + below(4000)))
    case 1...8: ""
    default: shortWording()
    }
  }

  /// Returns a text of a few pieces.
  public mutating func shortWording() -> UserText {
    UserText((0...below(5)).map { _ in pick(pieces) }.joined())
  }

  /// Returns a text in a composer.
  public mutating func typedText() -> TypedText { TypedText(userText()) }

  /// Returns an offset in a text, possibly past its end.
  public mutating func offset() -> UTF16Offset {
    UTF16Offset(rawValue: once(in: 12) ? pick([0, 127, 128, Int(Int32.max)]) : below(300))
  }

  /// Returns a range of a text, often empty.
  public mutating func range() -> UTF16Range {
    let (a, b) = (offset(), offset())
    return once(in: 3) ? a..<a : min(a, b)..<max(a, b)
  }

  /// Returns a splice, which may not fit a text.
  public mutating func splice() -> Splice { Splice(range(), to: userText()) }

  /// Returns a mention of a user.
  public mutating func mention() -> Mention { Mention(id(), at: range()) }
}

private let pieces = [
  "a", "Hello", " ", "two words", "1234567890", "https://example.org/a?b=c#d", "www.example.org", "@ada", "/giphy cat",
  "\r\n", "\n", "\r", "\t", "\u{0}", "\u{1B}[31m", "\u{7F}", "\u{85}", "\u{2028}", "<b>&amp;\"'", "\\", "%00", "`",
  "$(x)",
  // One letter in both normalization forms, and marks in two orders.
  "\u{E9}", "e\u{301}", "\u{1E69}", "s\u{323}\u{307}", "s\u{307}\u{323}", "\u{AC00}", "\u{1100}\u{1161}", "\u{301}",
  // Multi-scalar emoji: a family, a flag, half a flag, a skin tone, a tag flag, a keycap, a colored heart.
  "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}", "\u{1F1E9}\u{1F1EA}", "\u{1F1E9}", "\u{1F44D}\u{1F3FD}",
  "\u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}", "1\u{FE0F}\u{20E3}", "\u{2764}\u{FE0F}",
  "\u{200D}",
  // Right-to-left text, and direction controls.
  "\u{5E9}\u{5DC}\u{5D5}\u{5DD}", "\u{645}\u{631}\u{62D}\u{628}\u{627}", "\u{202E}", "\u{2066}", "\u{200F}",
  // Letters whose case mapping has another length, unassigned scalars, ends of planes, the byte order mark.
  "\u{DF}", "\u{130}", "\u{FB01}", "\u{3A3}", "\u{65E5}\u{672C}", "\u{FDFD}", "\u{FEFF}", "\u{FFFD}", "\u{FFFF}",
  "\u{10FFFF}", "\u{D7FF}", "\u{E000}", "\u{10000}",
]
