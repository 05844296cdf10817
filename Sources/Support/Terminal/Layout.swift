// Computes the rows that lines occupy in a window, and the caret's position in them.

/// Lines wrapped to rows of a window, at most as many as the window has.
struct Layout {
  private(set) var rows: [Row] = []
  private(set) var caret = (row: 0, column: 0)

  init(_ lines: [Line], _ caret: Screen.Caret, size: WindowSize, hasColors: Bool) {
    for (index, line) in lines.enumerated() {
      let cells = line.cells(hasColors: hasColors)
      var wrapped = Row.wrap(cells, columns: size.columns)
      if index == caret.line {
        let position = position(of: min(max(0, caret.letter), cells.count), in: &wrapped, columns: size.columns)
        self.caret = (rows.count + position.row, position.column)
      }
      rows += wrapped
    }
    if rows.count > size.rows { clip(to: size.rows) }
  }

  /// Returns the position where a character begins; the position after the last may need a new row, which is appended.
  private func position(of letter: Int, in rows: inout [Row], columns: Int) -> (row: Int, column: Int) {
    var before = 0
    for (index, row) in rows.enumerated() {
      if letter < before + row.cells.count {
        // A zero-width character can follow the last column.
        return (index, min(row.width(ofFirst: letter - before), columns - 1))
      }
      before += row.cells.count
    }
    if rows[rows.endIndex - 1].width == columns { rows.append(Row()) }
    return (rows.count - 1, rows[rows.endIndex - 1].width)
  }

  /// Keeps the last rows, or the rows from the caret on if it would be cut off.
  private mutating func clip(to count: Int) {
    let start = min(caret.row, rows.count - count)
    rows = Array(rows[start..<start + count])
    caret.row -= start
  }
}
