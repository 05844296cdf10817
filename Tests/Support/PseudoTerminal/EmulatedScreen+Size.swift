// Resizes the emulated window, and renders it as text.

extension EmulatedScreen {
  /// All rows from the beginning of the history to the last row that is not blank.
  package var transcript: [Row] {
    let all = history + rows
    return Array(all[...(all.lastIndex { !$0.cells.allSatisfy(\.isBlank) } ?? 0)])
  }

  /// The window's text, row by row.
  package var text: String { rows.map(\.text).joined(separator: "\n") }

  /// The window with a frame, the caret, and the number of rows in the history, to print when a test fails.
  package var dump: String {
    let edge = "+" + String(repeating: "-", count: columns) + "+"
    let lines = rows.map { row in "|" + row.cells.map(\.letter).joined() + "|" }
    return """
      \(history.count) rows above, the caret in row \(row), column \(column)
      \(edge)
      \(lines.joined(separator: "\n"))
      \(edge)
      """
  }

  /// Resizes the window: rewraps the rows that it wrapped, and moves the caret along.
  package mutating func resize(columns: Int, rows count: Int) {
    if columns != self.columns { breakAnew(columns, rows: count) }
    self.columns = columns
    while rows.count < count { rows.append(blank) }
    while rows.count > count {
      let isLastBlank = rows.last!.cells.allSatisfy(\.isBlank)
      if isLastBlank, row < rows.count - 1 {
        rows.removeLast()
      } else {
        history.append(rows.removeFirst())
        row = max(0, row - 1)
      }
    }
    isWrapPending = false
  }

  private mutating func breakAnew(_ columns: Int, rows count: Int) {
    let caret = history.count + row
    var all: [Row] = []
    var line: [Cell] = []
    var caretInLine: Int?
    var newCaret = (row: 0, column: 0)
    for (index, old) in (history + rows).enumerated() {
      if index == caret { caretInLine = line.count + column }
      line += old.cells.dropLast(old.restCount)
      if old.goesOn { continue }
      while let last = line.last, last.isBlank, line.count > (caretInLine ?? 0) { line.removeLast() }
      let broken = Self.broken(line, columns: columns)
      if let place = caretInLine {
        let row = broken.lastIndex { $0.start <= place } ?? 0
        newCaret = (all.count + row, min(place - broken[row].start, columns - 1))
      }
      all += broken.map(\.row)
      (line, caretInLine) = ([], nil)
    }
    // Blank rows below the caret are removed first.
    while all.count > count, all.count - 1 > newCaret.row, all.last!.cells.allSatisfy(\.isBlank) { all.removeLast() }
    let start = max(0, min(all.count - count, newCaret.row))
    history = Array(all[..<start])
    rows = Array(all[start...].prefix(count))
    (row, column) = (newCaret.row - start, newCaret.column)
    let blank = Row(cells: Array(repeating: Cell(), count: columns))
    while rows.count < count { rows.append(blank) }
  }

  private static func broken(_ line: [Cell], columns: Int) -> [(row: Row, start: Int)] {
    var parts: [(row: Row, start: Int)] = []
    var start = 0
    repeat {
      var end = min(start + columns, line.count)
      // A wide character is not split.
      if end < line.count, line[end].letter.isEmpty { end -= 1 }
      let cells = Array(line[start..<end])
      let rest = Array(repeating: Cell(), count: columns - cells.count)
      let goesOn = end < line.count
      parts.append((Row(cells: cells + rest, goesOn: goesOn, restCount: goesOn ? rest.count : 0), start))
      start = end
    } while start < line.count
    return parts
  }
}
