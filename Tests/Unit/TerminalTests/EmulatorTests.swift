// Tests the emulated terminal, on which the other tests rely.
import PseudoTerminal
import Testing

struct EmulatorTests {
  private func screen(_ text: String, columns: Int = 6, rows: Int = 3) throws -> EmulatedScreen {
    var screen = EmulatedScreen(columns: columns, rows: rows)
    // One byte at a time, as bytes may arrive.
    for byte in text.utf8 { try screen.feed([byte]) }
    return screen
  }

  @Test(arguments: [
    "\u{1B}[2J", "\u{1B}[?1049h", "\u{1B}]0;a\u{07}", "\u{1B}c", "\u{0}", "\u{85}", "\u{202E}", "\u{7F}",
  ])
  func `an unknown sequence throws`(text: String) {
    #expect(throws: EmulatedScreen.Unknown.self) { try screen(text) }
  }

  @Test func `long rows wrap and scroll into the history`() throws {
    let screen = try screen("abcdefgh\r\nb\r\nc")
    #expect(screen.text == "gh\nb\nc")
    #expect(screen.history.map(\.text) == ["abcdef"])
  }

  @Test func `a full row wraps only with the next character`() throws {
    #expect(try screen("abcdef\r\nb").text == "abcdef\nb\n")
    #expect(try screen("\u{1B}[?7labcdefgh").text == "abcdeh\n\n")
  }

  @Test func `erasing after a full row removes its last character`() throws {
    #expect(try screen("abcdef\u{1B}[K").text == "abcde\n\n")
    #expect(try screen("abc\r\ndef\u{1B}[A\u{1B}[2D\u{1B}[J").text == "a\n\n")
  }

  @Test func `overwriting half of a wide character removes it`() throws {
    #expect(try screen("東b\rx").text == "x b\n\n")
    #expect(try screen("東b\r\u{1B}[Cx").text == " xb\n\n")
    #expect(try screen("abcde東").text == "abcde\n東\n")
  }

  @Test func `combining marks join the previous character`() throws {
    let screen = try screen("e\u{301}👩‍👧x")
    #expect(screen.rows[0].cells.map(\.letter) == ["e\u{301}", "👩‍👧", "", "x", " ", " "])
    #expect(screen.column == 4)
  }

  @Test func `resizing rewraps rows reversibly`() throws {
    var screen = try screen("abcde東fg\r\nh")
    let before = screen
    screen.resize(columns: 4, rows: 5)
    #expect(screen.text == "abcd\ne東f\ng\nh\n")
    #expect(screen.row == 3 && screen.column == 1)
    screen.resize(columns: 6, rows: 3)
    #expect(screen.text == before.text)
    #expect(screen.row == before.row && screen.column == before.column)
  }

  @Test func `an overdue wait shows the window`() throws {
    let terminal = try PseudoTerminal(["echo", "hello"], columns: 5, rows: 2)
    do {
      try terminal.wait { $0.text.contains("good bye") }
      Issue.record("it said good bye")
    } catch {
      #expect("\(error)".hasSuffix("+-----+\n|hello|\n|     |\n+-----+"))
    }
    #expect(try terminal.finish() == .exit(0))
  }
}
