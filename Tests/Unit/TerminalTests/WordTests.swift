// Tests word wrapping and truncation of styled lines.
import PseudoTerminal
import SeededRandom
import Terminal
import Testing

private func broken(_ line: Line, _ columns: Int) -> [String] {
  line.rows(brokenAtWordsIn: columns).map { $0.text(hasLooks: false) }
}

@Test(arguments: [
  ("one two three", 7, ["one two", "three"]), ("one two three", 8, ["one two", "three"]),
  ("one  two", 4, ["one", "two"]), ("one ", 3, ["one"]), ("  one two", 5, ["  one", "two"]),
  ("abcdefgh ij", 3, ["abc", "def", "gh", "ij"]), ("a bcdefg", 3, ["a", "bcd", "efg"]), ("", 3, [""]),
  ("東京都に行く", 4, ["東京", "都に", "行く"]), ("東京、都", 5, ["東", "京、", "都"]), ("a\u{A0}b c", 3, ["a\u{A0}b", "c"]),
  ("a「東", 4, ["a", "「東"]), ("a「東", 3, ["a", "「", "東"]), ("東", 1, ["\u{FFFD}"]), ("a b", 0, ["a", "b"]),
  ("👍👍👍", 4, ["👍👍", "👍"]),
]) func `a line wraps at words`(text: String, columns: Int, rows: [String]) {
  #expect(broken(Line(text), columns) == rows)
}

@Test func `a row keeps its styles and ends in the plain style`() {
  let line = Line("one ", .bold) + Line("two")
  let rows = line.rows(brokenAtWordsIn: 3)
  #expect(rows.map { $0.text(hasLooks: true) } == ["\u{1B}[0;1mone\u{1B}[0m", "two"])
  #expect((rows[0] + rows[1]).text(hasLooks: false) == "onetwo")
}

@Test(arguments: 0...7) func `a truncated row has the truncated text of its line`(columns: Int) {
  for text in ["Hello", "a東👨‍👩‍👧é", "東京", "\u{1B}[1m"] {
    #expect(Line(text).row(cutTo: columns).text(hasLooks: false) == Line(text).text(cutTo: columns))
    #expect(Line(text).row(cutTo: columns).width <= columns)
  }
}

@Test func `italic and strikethrough are sent`() {
  var style = Style.plain
  (style.isItalic, style.isStruck) = (true, true)
  #expect(Line("a", style).row(cutTo: 1).text(hasLooks: true) == "\u{1B}[0;3;9ma\u{1B}[0m")
}

@Test func `an endless grapheme cluster is truncated`() {
  let heap = "e" + String(repeating: "\u{301}", count: 1_000)
  #expect(Line(heap).text(cutTo: 1).unicodeScalars.count == 20)
  let chain = String(repeating: "👩\u{200D}", count: 1_000)
  #expect(Line(chain).text(cutTo: 2).unicodeScalars.count == 19)
  let family = "👩🏻‍❤️‍💋‍👩🏼"
  #expect(Line(family).text(cutTo: 2) == family)
}

// What broke: of a character of more than 20 joiners none remained, and the empty text was no character: it trapped.
@Test(arguments: [1, 19, 20, 21, 22, 1_000]) func `a character of joiners alone shows nothing`(count: Int) throws {
  let joiners = String(repeating: "\u{200D}", count: count)
  for line in [Line(joiners), Line("a") + Line(joiners), Line("a\n\(joiners)b")] {
    let text = line.text(cutTo: .max)
    #expect(!text.unicodeScalars.contains("\u{200D}"))
    #expect(line.row(cutTo: 9).text(hasLooks: false) == text && broken(line, 9) == [text])
    var painter = Painter(columns: 9, rows: 2)
    try painter.paint([line])
    #expect(painter.terminal.rows[0].text == text)
  }
}
