// Lines as readable text: wrapped at words, or truncated.

extension Line {
  /// Returns the rows that show the line within a number of columns; at least one, which is empty for an empty line.
  ///
  /// Rows break after spaces, which are removed, and beside wide characters; within a word only where the word is wider
  /// than all columns. A no-break space prevents a break on both sides.
  package func rows(brokenAtWordsIn columns: Int) -> [Row] {
    var wrapping = Wrapping(columns: max(1, columns))
    for cell in cells(hasColors: true) where !cell.text.isEmpty { wrapping.append(cell) }
    return wrapping.finish()
  }

  /// Returns the line truncated to a number of columns with an ellipsis.
  package func row(cutTo columns: Int) -> Row {
    var (cells, width): ([Cell], Int) = ([], 0)
    for run in runs {
      for letter in run.text {
        cells.append(Cell(letter, run.style))
        width += cells[cells.count - 1].width
        if width > columns { return Row(cut(cells, to: columns)) }
      }
    }
    return Row(cells)
  }

  private func cut(_ cells: [Cell], to columns: Int) -> [Cell] {
    var (cells, width) = (cells, cells.reduce(0) { $0 + $1.width })
    var last: Cell?
    while width >= max(1, columns), let cell = cells.popLast() { (last, width) = (cell, width - cell.width) }
    return columns > 0 ? cells + [Cell("…", last?.style ?? .plain)] : []
  }
}

extension Row {
  /// The empty row.
  package static let empty = Row()

  /// Concatenates two rows.
  package static func + (first: Row, second: Row) -> Row {
    var row = first
    for cell in second.cells { row.append(cell) }
    return row
  }

  /// Returns the text with escape sequences for its styles, or without them for other output.
  package func text(hasLooks: Bool) -> String { hasLooks ? text : cells.map(\.text).joined() }
}

/// The state of wrapping a line to rows.
private struct Wrapping {
  let columns: Int
  private var rows: [Row] = []
  private var cells: [Cell] = []
  private var width = 0
  /// The index of the cell before which the row can be broken.
  private var end: Int?

  init(columns: Int) { self.columns = columns }

  mutating func append(_ letter: Cell) {
    let cell = letter.fitting(columns)
    if cell.isSpace {
      // Spaces at a break are dropped: those that do not fit, and those at the start of the next row.
      if width + cell.width > columns { return breakRow(at: cells.count) }
      if cells.isEmpty, !rows.isEmpty { return }
    } else if let last = cells.last, cell.mayFollowBreak(after: last) {
      end = cells.count
    }
    while width + cell.width > columns { breakRow(at: end ?? cells.count) }
    cells.append(cell)
    width += cell.width
  }

  mutating func finish() -> [Row] {
    if rows.isEmpty || !cells.isEmpty { breakRow(at: cells.count) }
    return rows
  }

  private mutating func breakRow(at index: Int) {
    var shown = cells[..<index]
    while let last = shown.last, last.isSpace { shown.removeLast() }
    rows.append(Row(Array(shown)))
    cells.removeFirst(index)
    width = cells.reduce(0) { $0 + $1.width }
    end = nil
  }
}

extension Cell {
  fileprivate var isSpace: Bool { text == " " || text == "\u{3000}" }

  private var isNoBreakSpace: Bool { text == "\u{A0}" || text == "\u{202F}" }

  /// Whether a row can begin with this cell.
  fileprivate func mayFollowBreak(after last: Cell) -> Bool {
    if last.isSpace { return true }
    guard width == 2 || last.width == 2, !isNoBreakSpace, !last.isNoBreakSpace else { return false }
    return !closing.contains(text) && !opening.contains(last.text)
  }
}

/// Characters that stay with the character before them.
private let closing: Set<String> = Set(
  "、。，．・：；！？」』）】》〉］｝ーぁぃぅぇぉっゃゅょァィゥェォッャュョ,.:;!?)]}%…'\"”’".map(String.init))
/// Characters that stay with the character after them.
private let opening: Set<String> = Set("「『（【《〈［｛([{'\"“‘".map(String.init))
