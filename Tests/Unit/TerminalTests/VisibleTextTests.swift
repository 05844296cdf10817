// Threat: printed text moves the caret, changes a style, or reverses the direction of the text after it.
import Testing

@testable import Terminal

/// Whether a terminal interprets a character instead of displaying it.
private func isActedOn(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  case 0x00...0x1F, 0x7F...0x9F, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
  default: false
  }
}

@Suite struct `Printed text` {
  @Test func `signs replace characters that a terminal interprets and all others are unchanged`() {
    for value in (0...0x10FFFF) as ClosedRange<UInt32> {
      guard let scalar = Unicode.Scalar(value), value < 0x3100 || value % 97 == 0 else { continue }
      let text = "a" + String(Character(scalar)) + "b"
      let shown = text.visible()
      if isActedOn(scalar), scalar != "\n" {
        #expect(shown.unicodeScalars.count == 3 && !shown.unicodeScalars.contains(where: isActedOn), "U+\(value)")
      } else {
        #expect(shown.unicodeScalars.elementsEqual(text.unicodeScalars), "U+\(value)")
      }
    }
    #expect("a\nb\r\n".visible() == "a\nb␍\n")
    #expect("a\nb".visible(inOneLine: true) == "a␊b")
    #expect("".visible() == "")
  }

  @Test(arguments: ["\u{1B}[0m", "\u{1B}[0;1m", "\u{1B}[0;1;31m", "\u{1B}[0;2;3;4;7;9;36m"])
  func `style sequences of lines are kept on request`(sequence: String) {
    #expect("\(sequence)a".visible(keepingStyles: true) == "\(sequence)a")
    #expect("\(sequence)a".visible() == "␛\(sequence.dropFirst())a")
  }

  @Test(arguments: [
    "\u{1B}[8m", "\u{1B}[0;8m", "\u{1B}[0;38;5;1m", "\u{1B}[0;41m", "\u{1B}[2J", "\u{1B}[0", "\u{1B}[0;", "\u{1B}[0;1",
    "\u{1B}[0;1;m", "\u{1B}[0;11111111111111111111m", "\u{1B}]0;title", "\u{1B}", "\u{1B}[", "\u{9B}0m", "\u{1B}[0;1H",
  ])
  func `other sequences are never kept`(sequence: String) {
    let shown = "\(sequence)".visible(keepingStyles: true)
    #expect(!shown.unicodeScalars.contains(where: isActedOn), "\(shown)")
  }

  @Test func `every style of a line is kept`() {
    for bits in 0..<64 {
      for color in [nil, .red, .green, .yellow, .blue, .magenta, .cyan] as [Style.Color?] {
        var style = Style()
        (style.isBold, style.isDim, style.isItalic) = (bits & 1 != 0, bits & 2 != 0, bits & 4 != 0)
        (style.isUnderlined, style.isInverse, style.isStruck) = (bits & 8 != 0, bits & 16 != 0, bits & 32 != 0)
        style.color = color
        let text = Line("a", style).row(cutTo: 9).text(hasLooks: true)
        #expect(text.visible(keepingStyles: true) == text)
      }
    }
  }
}
