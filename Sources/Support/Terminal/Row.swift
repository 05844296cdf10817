// Lines as they lie in a window of some width.

/// One letter as it is sent to a terminal.
struct Cell: Hashable, Sendable {
  /// What is sent: nothing that moves the caret, or turns the direction of what follows.
  let text: String
  let width: Int
  let style: Style

  /// A letter, or the sign that is shown for what must not be sent.
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
      // What nobody sees is not sent, so that it cannot join what is no letter's.
      (text, width) = ("", 0)
    } else {
      // A mark on no letter gets a circle to stand on, so that it does not land on its neighbor.
      let marked = "\u{25CC}" + String(letter)
      (text, width) = (marked, marked.reduce(0) { $0 + columnWidth(of: $1) })
    }
  }

  /// The cell, or a sign where it is wider than the window.
  func fitting(_ columns: Int) -> Cell { width > columns ? Cell("\u{FFFD}", style) : self }
}

extension Character {
  /// The letter with as many scalars as any letter has that somebody means: there may be a million, and a terminal that
  /// does not know what they make together shows each, or heaps them on the rows around.
  fileprivate var withoutExcess: Character {
    if utf8.count <= Self.scalarCountMax { return self }
    var scalars = String.UnicodeScalarView(unicodeScalars.prefix(Self.scalarCountMax))
    if scalars.count == unicodeScalars.count { return self }
    // What joins would join what comes next.
    while scalars.last == "\u{200D}" { scalars.removeLast() }
    return Character(String(scalars))
  }

  private static let scalarCountMax = 20
}

/// What is shown instead of a control character, the end of a line, or a bidirectional control.
func sign(for scalar: Unicode.Scalar) -> String? {
  switch scalar.value {
  case 0x00...0x1F: String(Unicode.Scalar(0x2400 + scalar.value)!)
  case 0x7F: "\u{2421}"
  case 0x80...0x9F, 0x2028...0x202E, 0x2066...0x2069: "\u{FFFD}"
  default: nil
  }
}

/// Cells that stand beside each other in the window.
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

  /// The width of the first cells, so many.
  func width(ofFirst count: Int) -> Int { cells.prefix(count).reduce(0) { $0 + $1.width } }

  /// The cells up to that which covers a column.
  func prefix(through column: Int) -> Row {
    var row = Row()
    for cell in cells where row.width <= column { row.append(cell) }
    return row
  }

  /// How many rows it takes in a window.
  func height(in columns: Int) -> Int { Row.wrap(cells, columns: columns).count }

  /// The bytes that show it from the caret on, in the terminal's plain look before and after.
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

  /// The rows in which cells lie in a window; one without any for none.
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
  /// The letters, one by one; without colors where these are not wanted.
  func cells(hasColors: Bool) -> [Cell] {
    runs.flatMap { run in
      var style = run.style
      if !hasColors { style.color = nil }
      return run.text.map { Cell($0, style) }
    }
  }
}
