// A line as text without looks, for output that is no screen.

extension Line {
  /// The line without its looks, as far as so many columns show it; where that is not all, it ends with an ellipsis.
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

  /// How many columns show all of it.
  package var columns: Int { cells(hasColors: false).reduce(0) { $0 + $1.width } }
}
