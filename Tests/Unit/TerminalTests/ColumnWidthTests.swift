// Tests the column width of characters.
import Terminal
import Testing

@Test(arguments: [
  "a", "é", "e\u{301}", "ß", "Ω", "я", "א", "ש\u{5C1}", "ع", "น", "─", "…", "€", "ｱ", "☀", "©", "™", "\u{E000}", "❤",
  "🇩", "क", "ก\u{E49}", "\u{303F}", "\u{600}",
])
func `a narrow character takes one column`(letters: String) { #expect(letters.map(columnWidth) == [1]) }

@Test(arguments: [
  "東", "あ", "ア", "한", "\u{1112}\u{1161}\u{11AB}", "ㄱ", "Ａ", "。", "　", "￥", "𠀀", "😀", "⌚", "☔", "⚡", "❤️", "☀️", "1️⃣",
  "🇩🇪", "👍🏽", "👩‍👩‍👧‍👦", "🏳️‍🌈", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "が\u{3099}", "क्ष", "น\u{E33}", "🀄", "🆎", "🈁", "🫠", "〈",
])
func `a wide character takes two columns`(letters: String) { #expect(letters.map(columnWidth) == [2]) }

@Test(arguments: [
  "\u{301}", "\u{200B}", "\u{200D}", "\u{200E}", "\u{AD}", "\u{FE0F}", "\u{FEFF}", "\u{1161}", "\u{20DD}",
])
func `a combining or invisible character takes no column`(letters: String) {
  #expect(letters.map(columnWidth) == [0])
}
