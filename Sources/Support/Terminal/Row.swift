// Rows of cells in a window of some width.

/// A character as it is sent to a terminal.
struct Cell: Hashable, Sendable {
  /// The text to send, without anything that moves the caret or changes the text direction.
  let text: String
  let width: Int
  let style: Style

  /// Creates the cell of a character, or of the sign that replaces an unsafe one.
  init(_ letter: Character, _ style: Style) {
    self.style = style
    let letter = letter.withoutExcess
    let first = letter.unicodeScalars.first!
    let count = columnWidth(of: letter)
    if let sign = sign(for: first) {
      (text, width) = (sign, 1)
    } else if count > 0 {
      (text, width) = (String(letter), count)
    } else if first.properties.isDefaultIgnorableCodePoint {
      // Invisible characters are not sent, so that they cannot combine with a neighbor.
      (text, width) = ("", 0)
    } else {
      // A combining mark without a base gets a dotted circle, so that it does not combine with its neighbor.
      let marked = "\u{25CC}" + String(letter)
      (text, width) = (marked, marked.reduce(0) { $0 + columnWidth(of: $1) })
    }
  }

  /// Returns the cell, or a replacement sign if it is wider than the window.
  func fitting(_ columns: Int) -> Cell { width > columns ? Cell("\u{FFFD}", style) : self }
}

extension Character {
  /// The character, limited to more scalars than any real character has: there may be a million, and a terminal that
  /// cannot combine them shows each, or heaps them on the neighboring rows.
  fileprivate var withoutExcess: Character {
    if utf8.count <= Self.scalarCountMax { return self }
    var scalars = String.UnicodeScalarView(unicodeScalars.prefix(Self.scalarCountMax))
    if scalars.count == unicodeScalars.count { return self }
    // A trailing joiner would join the next character. A character of joiners alone keeps one, which is not sent.
    while scalars.count > 1, scalars.last == "\u{200D}" { scalars.removeLast() }
    return Character(String(scalars))
  }

  private static let scalarCountMax = 20
}

/// Returns the sign shown for a control character, a line end, or a bidirectional control; nil for other characters.
func sign(for scalar: Unicode.Scalar) -> String? {
  switch scalar.value {
  case 0x00...0x1F: String(Unicode.Scalar(0x2400 + scalar.value)!)
  case 0x7F: "\u{2421}"
  case 0x80...0x9F, 0x2028...0x202E, 0x2066...0x2069: "\u{FFFD}"
  default: nil
  }
}

/// Cells beside each other in a window.
package struct Row: Hashable, Sendable {
  private(set) var cells: [Cell] = []
  package private(set) var width = 0

  init(_ cells: [Cell] = []) {
    for cell in cells { append(cell) }
  }

  mutating func append(_ cell: Cell) {
    cells.append(cell)
    width += cell.width
  }

  /// Returns the width of the first `count` cells.
  func width(ofFirst count: Int) -> Int { cells.prefix(count).reduce(0) { $0 + $1.width } }

  /// Returns the cells up to the one that covers a column.
  func prefix(through column: Int) -> Row {
    var row = Row()
    for cell in cells where row.width <= column { row.append(cell) }
    return row
  }

  /// Returns the number of rows that the cells occupy in a window.
  func height(in columns: Int) -> Int { Row.wrap(cells, columns: columns).count }

  /// The text with escape sequences that shows the row from the caret on; the style is plain before and after it.
  var text: String {
    var text = ""
    var style = Style.plain
    for cell in cells {
      if cell.style != style { text += cell.style.sequence }
      style = cell.style
      text += cell.text
    }
    return style == .plain ? text : text + Style.plain.sequence
  }

  /// Returns cells wrapped to a window's columns; one empty row for no cells.
  static func wrap(_ cells: [Cell], columns: Int) -> [Row] {
    var rows = [Row()]
    for cell in cells {
      let cell = cell.fitting(columns)
      if rows[rows.endIndex - 1].width + cell.width > columns { rows.append(Row()) }
      rows[rows.endIndex - 1].append(cell)
    }
    return rows
  }
}

extension Line {
  /// Returns the cells of the line, without colors if unwanted.
  func cells(hasColors: Bool) -> [Cell] {
    runs.flatMap { run in
      var style = run.style
      if !hasColors { style.color = nil }
      return run.text.map { Cell($0, style) }
    }
  }
}
