// Whatever somebody writes stays in its row, and does nothing to the terminal.
import ChatMessageList
import ChatRendering
import TerminalRendering
import Foundation
import SeededRandom
import Terminal
import Testing

private let hostileTexts = [
  "", " ",
  "\u{1B}[2J\u{1B}[31mred\u{9B}1m\u{7}\u{0}\u{7F}", "<b>&amp;</b>", "\u{202E}turned\u{2066}\u{200F}",
  "a\rb\u{B}c\u{85}d\u{2028}e\tf", String(repeating: "x", count: 1_000),
  "e" + String(repeating: "\u{301}", count: 1_000), "hi\n" + String(repeating: "\u{200D}", count: 21),
  String(repeating: "👩\u{200D}", count: 500), "👨‍👩‍👧‍👦🇩🇪🇫👍🏽東京都 ﷽ \u{301}", "──────── 1970-01-02 ────────",
]

/// Whether a line is shown in so many columns, and does nothing else.
private func fits(_ line: some StringProtocol, _ columns: Int) -> Bool {
  let isQuiet = line.unicodeScalars.allSatisfy { scalar in
    scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value) && !(0x2028...0x202E).contains(scalar.value)
      && !(0x2066...0x2069).contains(scalar.value)
  }
  return isQuiet && Line(String(line)).columns <= columns
}

@Test(arguments: hostileTexts, [1, 7, 60])
func `what anybody writes is in its columns and does nothing`(text: String, columns: Int) {
  for (place, drawn) in PlainTextFactory(columns: columns).drawAll(text, name: text) {
    let lines = drawn.text(columns: columns, hasColors: false).split(separator: "\n")
    #expect(lines.allSatisfy { fits($0, columns) }, "\(place)")
    // With looks, escapes are those of looks alone.
    let colored = drawn.text(columns: columns, hasColors: true)
    let looks = colored.replacing(/\u{1B}\[[0-9;]*m/, with: "")
    #expect(looks == drawn.text(columns: columns, hasColors: false), "\(place)")
  }
}

@Test func `random letters are in their columns`() {
  var random = SeededRandom()
  let pool = Array("ab  東京👍🏽👨‍👩‍👧é\u{301}\u{200D}\u{FE0F}🇩🇪\u{1B}\n-,.「」한글\u{A0}".unicodeScalars)
  for _ in 0..<500 {
    var text = ""
    for _ in 0..<Int.random(in: 1...60, using: &random) {
      text.unicodeScalars.append(pool.randomElement(using: &random)!)
    }
    let columns = Int.random(in: 1...20, using: &random)
    let lines = TerminalText(text).text(columns: columns, hasColors: false).split(separator: "\n")
    #expect(lines.allSatisfy { fits($0, columns) }, "seed \(random.seed): \(text.debugDescription) in \(columns)")
  }
}

@Test func `a megabyte without a space is broken into its row`() {
  let text = TerminalText(String(repeating: "x", count: 1_000_000)).text(columns: 100, hasColors: false)
  #expect(text.utf8.count == 1_000_000 + 9_999)
}

@Test func `what others say never begins where a list begins its own lines`() {
  let text = "first\n──────── 1970-01-02 ────────\nlast"
  let factory = PlainTextFactory(columns: 60)
  let layout = MessageLayout.all(Said.all(text))
  for row in layout.rows where row.isBubble {
    let lines = factory.draw(row, of: layout).text(columns: 60, hasColors: false).split(separator: "\n")
    let inside = row.authorName ? lines.dropFirst() : lines[...]
    #expect(inside.allSatisfy { $0.hasPrefix("  ") }, "\(row.id)")
  }
}

@Test func `names and titles have one line`() {
  let drawn = PlainTextFactory(columns: 60).drawAll("a\nb", name: "Ann\nBo")
  #expect(drawn["m:jumbo"]!.text(columns: 60, hasColors: false).hasPrefix("Ann Bo\n  😀"))
  for place in ["channel", "thread item", "draft"] {
    #expect(!drawn[place]!.text(columns: 60, hasColors: false).contains("\n"), "\(place)")
  }
}
