// Tests of the strict reader of markup, and its use in tests.
import Testing

/// Reads markup, and fails for each thing that is wrong with it.
@discardableResult
func expectStrict(_ markup: String, sourceLocation: SourceLocation = #_sourceLocation) -> StrictMarkup {
  let read = StrictMarkup(markup)
  for problem in Set(read.problems).sorted().prefix(5) {
    Issue.record(Comment(rawValue: problem), sourceLocation: sourceLocation)
  }
  return read
}

struct `Markup that is wrong` {
  @Test(arguments: [
    "<p>a", "a</p>", "<p><b>a</p></b>", "<p a>b</p>", "<p a=b>c</p>", "a & b", "&nbsp;", "&amp", "a > b", "<P>a</P>",
    "<p a=\"1\" a=\"2\"></p>", "<p id=\"a\"></p><p id=\"a\"></p>", "<script></script>", "<p onclick=\"a\"></p>",
    "<a href=\"javascript:a\">b</a>", "a\u{0}", "\u{202E}a", "a\u{2069}", "<form><form></form></form>",
    "<p><div></div></p>", "<ul><p></p></ul>", "<p id=\"a b\"></p>", "<!-- a -->", "<img src=\"a\">",
  ])
  func `is found`(markup: String) { #expect(!StrictMarkup(markup).problems.isEmpty) }

  @Test func `is not found where nothing is`() {
    let read = expectStrict("<ol id=\"a\"><li data-actions=\"b c\">&lt;d&gt;<br>\u{2067}e\u{2069}</li></ol>")
    #expect(read.text == "<d>\u{2067}e\u{2069}")
    #expect(read.actions == ["b", "c"])
  }

  @Test func `is not found where a letter joins the end of a tag`() {
    // Regression: the end of a tag was read as a character, which a joiner after it continues.
    for joiner in ["\u{200D}", "\u{301}", "\u{FE0F}"] {
      let read = expectStrict("<p>\(joiner)<a>b</a>\(joiner)</p>")
      #expect(read.elements.map(\.name) == ["p", "a"])
    }
  }
}
