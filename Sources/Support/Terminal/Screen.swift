// A few lines that are painted, and painted anew, below what scrolls in a terminal.

/// Knows what is painted at the bottom of a terminal, and which bytes make something else of it.
///
/// It writes nothing itself: each change answers the bytes that are to be written, in this order and with nothing
/// between them. The area begins in the row in which the caret stands before the first of them. What is above is never
/// touched, nor is it known; the terminal's history stays whole.
package struct Screen: Sendable {
  /// Where in the lines the caret stands: before a letter, or after the last.
  package struct Caret: Hashable, Sendable {
    /// The line, from 0.
    package var line: Int
    /// How many letters of it, each a `Character` of a run, are before the caret.
    package var letter: Int

    package init(line: Int, letter: Int) { (self.line, self.letter) = (line, letter) }

    /// Before everything.
    package static let start = Caret(line: 0, letter: 0)
  }

  /// The window, as it was told of last.
  package private(set) var size: WindowSize
  private let hasColors: Bool
  /// What the terminal shows of the area.
  private var rows: [Row] = []
  /// Where the terminal's own caret stands, from the area's first row.
  private var caret = (row: 0, column: 0)
  /// Whether the terminal shows something else, so that no row can be kept.
  private var isStale = true

  /// A screen with nothing painted; in colors unless the environment's NO_COLOR says otherwise.
  package init(size: WindowSize, hasColors: Bool = Style.areColorsWanted) {
    (self.size, self.hasColors) = (size, hasColors)
  }

  /// The bytes that make these lines the area, with the caret in it, after they have written lines above.
  ///
  /// Lines above are the terminal's from then on: it breaks them, scrolls them, keeps them. Of an area that is higher
  /// than the window, the part with the caret is shown. No lines are no area: so one leaves.
  package mutating func paint(_ lines: [Line], caret: Caret = .start, above: [Line] = []) -> [UInt8] {
    let layout = Layout(lines, caret, size: size, hasColors: hasColors)
    var text = ""
    if isStale || !above.isEmpty {
      text += erase()
      for line in above { text += Row(line.cells(hasColors: hasColors)).text + "\r\n" }
    }
    let change = change(to: layout.rows)
    // Where the terminal thinks a letter wider than it is thought here, the row shall not push the next ones down.
    if !change.isEmpty { text += "\u{1B}[?7l" + change + "\u{1B}[?7h" }
    if !text.isEmpty {
      text = "\u{1B}[?25l" + text + moveCaret(to: layout.caret) + "\u{1B}[?25h"
    } else if self.caret != layout.caret {
      text = moveCaret(to: layout.caret)
    }
    return Array(text.utf8)
  }

  /// Takes note of another window; what is painted next is painted as a whole.
  ///
  /// Terminals break rows that have become too long, and take the caret along. Those that cut them off instead, as
  /// xterm does, lose as many rows above the area when they become narrower.
  package mutating func resize(to size: WindowSize) {
    self.size = size
    isStale = true
  }

  /// Forgets what is painted, because somebody else wrote to the terminal; the area begins anew in the caret's row.
  package mutating func forget() {
    (rows, caret, isStale) = ([], (0, 0), true)
  }

  private mutating func erase() -> String {
    defer { (rows, caret, isStale) = ([], (0, 0), false) }
    return up(caretRowInWindow) + "\r\u{1B}[J"
  }

  /// In which row of the area the caret stands after the terminal has broken the rows to the window.
  private var caretRowInWindow: Int {
    guard caret.row < rows.count else { return caret.row }
    let above = rows[..<caret.row].reduce(0) { $0 + $1.height(in: size.columns) }
    return above + rows[caret.row].prefix(through: caret.column).height(in: size.columns) - 1
  }

  /// Writes the rows that are not there already, from the first on.
  private mutating func change(to wanted: [Row]) -> String {
    var text = ""
    for (index, row) in wanted.enumerated() where index >= rows.count || rows[index] != row {
      text += move(to: index) + row.text
      // From the last column this would erase the last letter.
      if row.width < size.columns { text += "\u{1B}[K" }
    }
    if wanted.count < rows.count { text += move(to: wanted.count) + "\u{1B}[J" }
    rows = wanted
    return text
  }

  private mutating func moveCaret(to place: (row: Int, column: Int)) -> String {
    defer { caret = place }
    return move(to: place.row) + (place.column > 0 ? "\u{1B}[\(place.column)C" : "")
  }

  /// Moves to the beginning of a row; to one that is not there yet by new lines, which scroll if they must.
  private mutating func move(to row: Int) -> String {
    defer { caret.row = row }
    if row <= caret.row { return up(caret.row - row) + "\r" }
    let known = max(caret.row, min(row, rows.count - 1))
    let down = known > caret.row ? "\u{1B}[\(known - caret.row)B" : ""
    return down + "\r" + String(repeating: "\r\n", count: row - known)
  }
}

private func up(_ count: Int) -> String { count > 0 ? "\u{1B}[\(count)A" : "" }
