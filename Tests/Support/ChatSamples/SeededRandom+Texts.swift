// Random texts: every script and sign that a text view, a shell or a database has stumbled over.
public import Chat
public import SeededRandom

extension SeededRandom {
  /// A text: empty, a few pieces, or sometimes a very long one.
  public mutating func userText() -> UserText {
    switch below(64) {
    case 0: UserText(String(repeating: pick(pieces), count: 1 + below(4000)))
    case 1...8: ""
    default: shortWording()
    }
  }

  /// A text of a few pieces.
  public mutating func shortWording() -> UserText {
    UserText((0...below(5)).map { _ in pick(pieces) }.joined())
  }

  /// A text as it is typed.
  public mutating func typedText() -> TypedText { TypedText(userText()) }

  /// A place in a text, which need not be as long.
  public mutating func offset() -> UTF16Offset {
    UTF16Offset(rawValue: once(in: 12) ? pick([0, 127, 128, Int(Int32.max)]) : below(300))
  }

  /// A run of text, often empty.
  public mutating func range() -> UTF16Range {
    let (a, b) = (offset(), offset())
    return once(in: 3) ? a..<a : min(a, b)..<max(a, b)
  }

  /// A change of a text, which need not fit one.
  public mutating func splice() -> Splice { Splice(range(), to: userText()) }

  /// A user who is meant somewhere.
  public mutating func mention() -> Mention { Mention(id(), at: range()) }
}

private let pieces = [
  "a", "Hello", " ", "two words", "1234567890", "https://example.org/a?b=c#d", "www.example.org", "@ada", "/giphy cat",
  "\r\n", "\n", "\r", "\t", "\u{0}", "\u{1B}[31m", "\u{7F}", "\u{85}", "\u{2028}", "<b>&amp;\"'", "\\", "%00", "`",
  "$(x)",
  // One letter in the one form of Unicode and in the other, and marks in two orders.
  "\u{E9}", "e\u{301}", "\u{1E69}", "s\u{323}\u{307}", "s\u{307}\u{323}", "\u{AC00}", "\u{1100}\u{1161}", "\u{301}",
  // One sign of many: a family, a flag, half a flag, a tone of skin, a flag of tags, a keycap, a heart in colour.
  "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}", "\u{1F1E9}\u{1F1EA}", "\u{1F1E9}", "\u{1F44D}\u{1F3FD}",
  "\u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}", "1\u{FE0F}\u{20E3}", "\u{2764}\u{FE0F}",
  "\u{200D}",
  // From right to left, and marks that turn the direction.
  "\u{5E9}\u{5DC}\u{5D5}\u{5DD}", "\u{645}\u{631}\u{62D}\u{628}\u{627}", "\u{202E}", "\u{2066}", "\u{200F}",
  // Letters whose case is not one letter, and what is not assigned, the ends of planes, the mark of byte order.
  "\u{DF}", "\u{130}", "\u{FB01}", "\u{3A3}", "\u{65E5}\u{672C}", "\u{FDFD}", "\u{FEFF}", "\u{FFFD}", "\u{FFFF}",
  "\u{10FFFF}", "\u{D7FF}", "\u{E000}", "\u{10000}",
]
