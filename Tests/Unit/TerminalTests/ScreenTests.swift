// Tests painting through an emulated terminal.
import ChildProcess
import PseudoTerminal
import SeededRandom
import Terminal
import Testing

struct ScreenTests {
  private func caret(_ line: Int, _ letter: Int) -> Screen.Caret { Screen.Caret(line: line, letter: letter) }

  @Test func `lines are painted with the caret`() throws {
    var painter = Painter(columns: 10, rows: 4)
    try painter.paint(["title", "> hello"], caret: caret(1, 4))
    #expect(painter.terminal.text == "title\n> hello\n\n")
    #expect(painter.terminal.row == 1 && painter.terminal.column == 4)
  }

  @Test func `a long line wraps at the window's width without splitting wide characters`() throws {
    var painter = Painter(columns: 5, rows: 4)
    try painter.paint(["abcd東京efgh"], caret: caret(0, 5))
    #expect(painter.terminal.text == "abcd\n東京e\nfgh\n")
    #expect(painter.terminal.row == 1 && painter.terminal.column == 2)
  }

  @Test func `the caret after a full row is in the next row`() throws {
    var painter = Painter(columns: 5, rows: 4)
    try painter.paint(["abcde", "f"], caret: caret(0, 5))
    #expect(painter.terminal.text == "abcde\n\nf\n")
    #expect(painter.terminal.row == 1 && painter.terminal.column == 0)
  }

  @Test func `lines above scroll into the history while the area stays below`() throws {
    var painter = Painter(columns: 10, rows: 3)
    for number in 1...5 { try painter.paint(["> "], caret: caret(0, 2), above: [Line("message \(number)")]) }
    #expect(painter.terminal.text == "message 4\nmessage 5\n>")
    #expect(painter.terminal.history.map(\.text) == ["message 1", "message 2", "message 3"])
    try painter.paint([], above: ["bye"])
    #expect(painter.terminal.text == "message 5\nbye\n")
    #expect(painter.terminal.row == 2 && painter.terminal.column == 0)
  }

  @Test func `the terminal wraps a line above and can rejoin it`() throws {
    var painter = Painter(columns: 5, rows: 4)
    try painter.paint([">"], above: ["abcdefg"])
    painter.resize(columns: 10, rows: 4)
    #expect(painter.terminal.rows[0].text == "abcdefg")
  }

  @Test func `only changed rows are sent`() throws {
    var painter = Painter(columns: 200, rows: 10)
    let status = Line(String(repeating: "status ", count: 20))
    try painter.paint([status, "> a", status], caret: caret(1, 3))
    try painter.paint([status, "> ab", status], caret: caret(1, 4))
    #expect(painter.byteCount < 60)
    try painter.paint([status, "> ab", status], caret: caret(1, 3))
    #expect(painter.byteCount < 10)
    try painter.paint([status, "> ab", status], caret: caret(1, 3))
    #expect(painter.byteCount == 0)
  }

  @Test func `an area higher than the window shows the part with the caret`() throws {
    var painter = Painter(columns: 5, rows: 3)
    let lines: [Line] = ["1", "2", "3", "4", "5"]
    try painter.paint(lines, caret: caret(4, 1))
    #expect(painter.terminal.text == "3\n4\n5")
    try painter.paint(lines, caret: caret(1, 0))
    #expect(painter.terminal.text == "2\n3\n4")
    #expect(painter.terminal.row == 0)
    #expect(painter.terminal.history.isEmpty)
  }

  @Test func `control characters are shown as signs`() throws {
    var painter = Painter(columns: 40, rows: 3)
    try painter.paint(["a\u{1B}[2J\tb\r\nc\u{7F}\u{9B}d\u{202E}e\u{2066}\u{2028}"], caret: .start)
    #expect(painter.terminal.rows[0].text == "a␛[2J␉b␍c␡\u{FFFD}d\u{FFFD}e\u{FFFD}\u{FFFD}")
  }

  @Test func `text never sends control or direction characters`() throws {
    for scalar in (UInt32(0)...0x2FFF).compactMap(Unicode.Scalar.init) {
      var screen = Screen(size: WindowSize(columns: 10, rows: 2))
      let sent = String(decoding: screen.paint([Line("a\(scalar)b")]), as: UTF8.self)
      let text = sent.unicodeScalars.drop { $0 != "a" }.prefix { $0 != "\u{1B}" }
      let isHarmful = text.contains { found in
        found.properties.generalCategory == .control || (0x202A...0x202E).contains(found.value)
          || (0x2066...0x2069).contains(found.value)
      }
      #expect(!isHarmful && text.contains("b"), "U+\(String(scalar.value, radix: 16))")
    }
  }

  @Test func `a mark without a base is drawn on a circle and invisible characters are not sent`() throws {
    var painter = Painter(columns: 20, rows: 2)
    try painter.paint([Line("a") + Line("\u{301}b") + Line("c\u{200B}\u{200E}d")], caret: caret(0, 7))
    #expect(painter.terminal.rows[0].text == "a◌\u{301}bcd")
    #expect(painter.terminal.column == 5)
  }

  @Test func `a character wider than the window is a sign`() throws {
    var painter = Painter(columns: 1, rows: 3)
    try painter.paint(["東a"], caret: caret(0, 1))
    #expect(painter.terminal.text == "\u{FFFD}\na\n")
  }

  @Test(arguments: [true, false]) func `colors are omitted if unwanted while other styles remain`(
    hasColors: Bool
  ) throws {
    var painter = Painter(columns: 10, rows: 2, hasColors: hasColors)
    var style = Style.bold
    style.color = .red
    try painter.paint([Line("a", style) + Line("b") + Line("c", .inverse)])
    #expect(painter.terminal.rows[0].cells[0].look == (hasColors ? [1, 31] : [1]))
    #expect(painter.terminal.rows[0].cells[1].look == [])
    #expect(painter.terminal.rows[0].cells[2].look == [7])
  }

  @Test func `output of another program remains after the screen forgets its rows`() throws {
    var painter = Painter(columns: 10, rows: 5)
    try painter.paint(["one", "two"], caret: caret(1, 0))
    try painter.terminal.feed("\r\nshell\r\n".utf8)
    painter.screen.forget()
    try painter.paint(["one", "two"], caret: caret(1, 0))
    #expect(painter.terminal.text == "one\ntwo\nshell\none\ntwo")
  }

  @Test func `an area rewrapped by a narrower window is painted once`() throws {
    var painter = Painter(columns: 20, rows: 8)
    let lines: [Line] = [Line(String(repeating: "=", count: 20), .inverse), "> hello", "below"]
    try painter.paint(lines, caret: caret(1, 7), above: ["before"])
    for columns in [7, 3, 30, 6] {
      painter.resize(columns: columns, rows: 16)
      try painter.paint(lines, caret: caret(1, 7))
      painter.expectAsIfNew(lines, caret(1, 7), "\(columns) columns")
    }
  }
}

extension ScreenTests {
  /// Characters whose width never changes while they are written: for others, the wrap point depends on the terminal.
  fileprivate static let steady = ["a", "b", "é", "e\u{301}", " ", "東", "한", "😀", "👍🏽", "ー"]
  fileprivate static let letters = steady + ["❤️", "🇩🇪", "1️⃣"]

  @Test func `after any edit the terminal shows the same as a single paint`() throws {
    var random = SeededRandom.printingSeed()
    for round in 0..<(Choice.isLong ? 500 : 15) {
      var painter = Painter(columns: 8 + random.below(20), rows: 16 + random.below(6))
      var lines: [Line] = []
      for step in 0..<30 {
        random.edit(&lines)
        let line = random.below(max(1, lines.count))
        let letters = line < lines.count ? lines[line].runs.reduce(0) { $0 + $1.text.count } : 0
        let caret = caret(line, random.below(letters + 1))
        if random.below(6) == 0 { painter.resize(columns: 8 + random.below(20), rows: 16 + random.below(6)) }
        let above = random.below(4) == 0 ? (0...random.below(3)).map { _ in random.line(60, Self.steady) } : []
        try painter.paint(lines, caret: caret, above: above)
        painter.expectAsIfNew(lines, caret, "seed \(random.seed), round \(round), step \(step)")
      }
    }
  }
}

extension SeededRandom {
  fileprivate mutating func edit(_ lines: inout [Line]) {
    switch below(4) {
    case 0 where lines.count < 3: lines.insert(line(14), at: below(lines.count + 1))
    case 1 where !lines.isEmpty: lines.remove(at: below(lines.count))
    case 2 where !lines.isEmpty: lines[below(lines.count)] = line(14)
    default: break
    }
  }

  /// Returns a line of characters of all widths in all styles, which ends in a visible one.
  fileprivate mutating func line(_ letterCountMax: Int, _ letters: [String] = ScreenTests.letters) -> Line {
    var runs: [Line.Run] = []
    for _ in 0...below(3) {
      let text = (0..<below(letterCountMax / 3 + 1)).map { _ in letters[below(letters.count)] }.joined()
      runs.append(Line.Run(text, style()))
    }
    return Line(runs + [Line.Run("x")])
  }

  private mutating func style() -> Style {
    var style = Style()
    (style.isBold, style.isDim, style.isUnderlined, style.isInverse) =
      (below(3) == 0, below(3) == 0, below(3) == 0, below(3) == 0)
    style.color = [nil, .red, .green, .yellow, .blue, .magenta, .cyan][below(7)]
    return style
  }
}
