// The pieces of text that random typists type, whole and in parts.

/// A writing system.
enum Script: String, CaseIterable, Sendable {
  case latin, rightToLeft, indic, eastern, emoji, breaks

  /// The pieces typed at once: letters, marks, whole grapheme clusters and parts of them.
  var pieces: [String] {
    switch self {
    case .latin: ["a", "e", "\u{301}", "\u{E9}", "e\u{301}", "s\u{323}\u{307}", "\u{308}\u{304}", "ß", "İ", "ﬁ", "Ang"]
    case .rightToLeft:
      [
        "ש", "ל", "\u{5B8}", "\u{5C1}", "م", "ر\u{64E}", "\u{651}", "ا", "\u{202E}", "\u{200F}", "\u{640}", "\u{600}",
        "a",
      ]
    case .indic:
      [
        "क", "\u{94D}", "ष", "क्ष", "\u{93F}", "\u{902}", "\u{200D}", "\u{200C}", "த", "\u{BBF}", "\u{BCD}", "\u{D4E}",
        "ക",
        "\u{E33}", "ก",
      ]
    case .eastern:
      [
        "\u{1100}", "\u{1161}", "\u{11A8}", "\u{AC00}", "\u{AC01}", "日", "本語", "\u{3099}", "か", "\u{FF9E}", "ｶ", "𠀀",
        "\u{E0100}",
      ]
    case .emoji:
      [
        "👍", "🏽", "👍🏽", "👩", "\u{200D}", "👩‍👩‍👧", "🇩", "🇪", "🇩🇪", "❤", "\u{FE0F}", "1\u{FE0F}\u{20E3}", "🏴", "\u{E0067}",
        "\u{E007F}", "🙂",
      ]
    case .breaks:
      [
        "\r", "\n", "\r\n", "\u{2028}", "\u{85}", "\t", "\u{0}", "\u{A0}", "\u{3000}", "\u{200B}", "\u{FEFF}",
        "\u{FFFD}",
        "\u{10FFFF}", "\u{301}", "a", "🙂",
      ]
    }
  }
}

/// The pieces typed in every script.
let commonPieces = [
  " ", " ", "a", "@", " @", "/", "(@", "@mi", "/gi", "/mute ", "/giphy cat", "/GIPHY\t", "a@b", "\n", "/x ",
]
