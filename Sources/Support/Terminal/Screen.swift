// A few lines that are painted and repainted below the scrolling output of a terminal.

/// The rows painted at the bottom of a terminal, and the bytes that update them.
///
/// A screen writes nothing itself: each change returns bytes, which must be written in this order with nothing between
/// them. The area begins in the caret's row before the first write. Output above it is neither tracked nor touched; the
/// terminal's history remains intact.
package struct Screen: Sendable {
  /// The caret's position in the lines: before a character, or after the last.
  package struct Caret: Hashable, Sendable {
    /// The line, from 0.
    package var line: Int
    /// The number of characters of the line, each a `Character` of a run, before the caret.
    package var letter: Int

    package init(line: Int, letter: Int) { (self.line, self.letter) = (line, letter) }

    /// The position before the first character.
    package static let start = Caret(line: 0, letter: 0)
  }

  /// The window size reported last.
  package private(set) var size: WindowSize
  private let hasColors: Bool
  /// The rows that the terminal shows of the area.
  private var rows: [Row] = []
  /// The position of the terminal's own caret, relative to the area's first row.
  private var caret = (row: 0, column: 0)
  /// Whether the terminal's content differs from `rows`, so that no row can be kept.
  private var isStale = true

  /// Creates an empty screen; in colors unless the environment's NO_COLOR is set.
  package init(size: WindowSize, hasColors: Bool = Style.areColorsWanted) {
    (self.size, self.hasColors) = (size, hasColors)
  }

  /// Returns the bytes that paint these lines as the area, with the caret in it, after writing lines above it.
  ///
  /// The lines above belong to the terminal's history afterwards: the terminal wraps, scrolls and keeps them. If the
  /// area is higher than the window, the part with the caret is shown. Painting no lines removes the area, as a program
  /// does before it exits.
  package mutating func paint(_ lines: [Line], caret: Caret = .start, above: [Line] = []) -> [UInt8] {
    let layout = Layout(lines, caret, size: size, hasColors: hasColors)
    var text = ""
    if isStale || !above.isEmpty {
      text += erase()
      for line in above { text += Row(line.cells(hasColors: hasColors)).text + "\r\n" }
    }
    let change = change(to: layout.rows)
    // If the terminal shows a character wider than computed here, the row must not push down the next ones.
    if !change.isEmpty { text += "\u{1B}[?7l" + change + "\u{1B}[?7h" }
    if !text.isEmpty {
      text = "\u{1B}[?25l" + text + moveCaret(to: layout.caret) + "\u{1B}[?25h"
    } else if self.caret != layout.caret {
      text = moveCaret(to: layout.caret)
    }
    return Array(text.utf8)
  }

  /// Sets a new window size; the next paint repaints the whole area.
  ///
  /// Terminals wrap rows that have become too long, and move the caret along. Those that cut rows off instead, as xterm
  /// does, lose as many rows above the area when they become narrower.
  package mutating func resize(to size: WindowSize) {
    self.size = size
    isStale = true
  }

  /// Discards the painted rows because another program wrote to the terminal; the area restarts in the caret's row.
  package mutating func forget() {
    (rows, caret, isStale) = ([], (0, 0), true)
  }

  private mutating func erase() -> String {
    defer { (rows, caret, isStale) = ([], (0, 0), false) }
    return up(caretRowInWindow) + "\r\u{1B}[J"
  }

  /// The area's row that contains the caret after the terminal has wrapped rows to the window.
  private var caretRowInWindow: Int {
    guard caret.row < rows.count else { return caret.row }
    let above = rows[..<caret.row].reduce(0) { $0 + $1.height(in: size.columns) }
    return above + rows[caret.row].prefix(through: caret.column).height(in: size.columns) - 1
  }

  /// Returns the bytes that write the changed rows, from the first on.
  private mutating func change(to wanted: [Row]) -> String {
    var text = ""
    for (index, row) in wanted.enumerated() where index >= rows.count || rows[index] != row {
      text += move(to: index) + row.text
      // From the last column this would erase the last character.
      if row.width < size.columns { text += "\u{1B}[K" }
    }
    if wanted.count < rows.count { text += move(to: wanted.count) + "\u{1B}[J" }
    rows = wanted
    return text
  }

  private mutating func moveCaret(to position: (row: Int, column: Int)) -> String {
    defer { caret = position }
    return move(to: position.row) + (position.column > 0 ? "\u{1B}[\(position.column)C" : "")
  }

  /// Moves to the beginning of a row; to a row past the end by new lines, which scroll if necessary.
  private mutating func move(to row: Int) -> String {
    defer { caret.row = row }
    if row <= caret.row { return up(caret.row - row) + "\r" }
    let known = max(caret.row, min(row, rows.count - 1))
    let down = known > caret.row ? "\u{1B}[\(known - caret.row)B" : ""
    return down + "\r" + String(repeating: "\r\n", count: row - known)
  }
}

private func up(_ count: Int) -> String { count > 0 ? "\u{1B}[\(count)A" : "" }
