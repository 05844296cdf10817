// Tests lines as plain text, for output that is not a screen.
import Terminal
import Testing

@Test func `a line that fits becomes plain text without styles`() {
  let line = Line("He", .bold) + Line("llo", .colored(.red))
  #expect(line.text(cutTo: 5) == "Hello")
  #expect(line.text(cutTo: .max) == "Hello")
  #expect(line.columns == 5)
  #expect(Line("").text(cutTo: 0) == "")
}

@Test(arguments: [
  (4, "Hel…"), (1, "…"), (0, ""), (-1, ""),
]) func `a line that does not fit ends with an ellipsis`(columns: Int, text: String) {
  #expect(Line("Hello").text(cutTo: columns) == text)
}

@Test func `a line is truncated by column width`() {
  let line = Line("a東👨‍👩‍👧é")
  #expect(line.columns == 6)
  #expect((2...6).map { line.text(cutTo: $0) } == ["a…", "a…", "a東…", "a東…", "a東👨‍👩‍👧é"])
}

@Test func `the plain text of a line contains no control characters`() {
  #expect(Line("a\u{1B}[31mb\nc\u{9B}d\u{202E}e\u{7F}").text(cutTo: .max) == "a␛[31mb␊c\u{FFFD}d\u{FFFD}e␡")
}
