// A text as lines of a terminal, with the position of the caret in them.
internal import Terminal

/// A text split at its line ends, with a style for each character.
///
/// Texts are measured in UTF-16 units, a terminal in characters: both are converted here and nowhere else.
struct StyledText {
  /// The lines; one empty line for an empty text.
  private(set) var lines = [Line([])]
  /// The line and the character before which the caret is placed.
  private(set) var caret = Screen.Caret.start

  /// Creates the lines of a text, with the style of the character at each offset, and the caret at an offset.
  init(_ text: String, caret unit: Int = 0, style: (Int) -> Style) {
    var position = Screen.Caret.start
    var offset = 0
    for letter in text {
      if offset <= unit { caret = position }
      if letter == "\n" || letter == "\r\n" {
        lines.append(Line([]))
        position = Screen.Caret(line: position.line + 1, letter: 0)
      } else {
        append(letter, style(offset))
        position.letter += 1
      }
      offset += letter.utf16.count
    }
    if offset <= unit { caret = position }
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
