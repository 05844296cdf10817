// Converts a line to plain text, for output that is not a screen.

extension Line {
  /// Returns the line without styles, truncated to a number of columns with an ellipsis.
  package func text(cutTo columns: Int) -> String {
    let cells = cells(hasColors: false)
    if cells.reduce(0, { $0 + $1.width }) <= columns { return cells.map(\.text).joined() }
    var (text, width) = ("", 0)
    for cell in cells {
      if width + cell.width >= columns { break }
      (text, width) = (text + cell.text, width + cell.width)
    }
    return columns > 0 ? text + "…" : ""
  }

  /// The number of columns that the whole line needs.
  package var columns: Int { cells(hasColors: false).reduce(0) { $0 + $1.width } }
}
