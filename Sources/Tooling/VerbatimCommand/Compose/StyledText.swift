// A text as lines of a terminal, with the place of the caret in them.
internal import Terminal

/// A text that was broken into lines at its line ends, each letter in its look.
///
/// Texts count in UTF-16 units and a terminal in letters: both are converted here and nowhere else.
struct StyledText {
  /// The lines; one without anything for no text.
  private(set) var lines = [Line([])]
  /// The line and the letter before which the caret stands.
  private(set) var caret = Screen.Caret.start

  /// A text with the look of the letter at each unit, and the caret at one of them.
  init(_ text: String, caret unit: Int = 0, style: (Int) -> Style) {
    var place = Screen.Caret.start
    var offset = 0
    for letter in text {
      if offset <= unit { caret = place }
      if letter == "\n" || letter == "\r\n" {
        lines.append(Line([]))
        place = Screen.Caret(line: place.line + 1, letter: 0)
      } else {
        append(letter, style(offset))
        place.letter += 1
      }
      offset += letter.utf16.count
    }
    if offset <= unit { caret = place }
  }

  private mutating func append(_ letter: Character, _ style: Style) {
    let line = lines.endIndex - 1
    if let last = lines[line].runs.indices.last, lines[line].runs[last].style == style {
      lines[line].runs[last].text.append(letter)
    } else {
      lines[line].runs.append(Line.Run(String(letter), style))
    }
  }
}
