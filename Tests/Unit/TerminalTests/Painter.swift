// A screen with the terminal that it paints, and the expected result of a naive painter.
import PseudoTerminal
import Terminal
import Testing

/// A screen whose bytes an emulated terminal shows.
struct Painter {
  var screen: Screen
  var terminal: EmulatedScreen
  /// Every line that was written above the area.
  private var above: [Line] = []
  private(set) var byteCount = 0

  init(columns: Int, rows: Int, hasColors: Bool = true) {
    screen = Screen(size: WindowSize(columns: columns, rows: rows), hasColors: hasColors)
    terminal = EmulatedScreen(columns: columns, rows: rows)
  }

  mutating func paint(_ lines: [Line], caret: Screen.Caret = .start, above: [Line] = []) throws {
    let bytes = screen.paint(lines, caret: caret, above: above)
    byteCount = bytes.count
    self.above += above
    try terminal.feed(bytes)
  }

  mutating func resize(columns: Int, rows: Int) {
    terminal.resize(columns: columns, rows: rows)
    screen.resize(to: WindowSize(columns: columns, rows: rows))
  }

  /// Checks that the terminal shows the same as after painting everything once.
  func expectAsIfNew(
    _ lines: [Line], _ caret: Screen.Caret, _ context: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let columns = screen.size.columns
    let history = above.flatMap { naiveRows($0, columns) }
    let before = lines[..<min(caret.line, lines.count)].flatMap { naiveRows($0, columns) }
    var area = lines.flatMap { naiveRows($0, columns) }
    var place = (row: 0, column: 0)
    if caret.line < lines.count {
      place = naivePlace(caret.letter, in: lines[caret.line], columns)
      let own = naiveRows(lines[caret.line], columns)
      if place.row == own.count { area.insert([], at: before.count + place.row) }
      place.row += before.count
    }
    let shown = terminal.transcript.map { visible($0.cells) }
    var expected = history + area + [[]]
    while let last = expected.last, last.isEmpty, expected.count > 1 { expected.removeLast() }
    let isAsIfNew = shown == expected
    #expect(isAsIfNew, "\(context)\n\(terminal.dump)\n\(text(of: expected))", sourceLocation: sourceLocation)
    let caretRow = terminal.history.count + terminal.row
    #expect(
      caretRow == history.count + place.row && terminal.column == place.column,
      "\(context): the caret is not in row \(history.count + place.row), column \(place.column)\n\(terminal.dump)",
      sourceLocation: sourceLocation)
    #expect(terminal.isCaretVisible && terminal.wrapsLines, sourceLocation: sourceLocation)
  }
}

private func text(of rows: [[EmulatedScreen.Cell]]) -> String {
  rows.map { row in row.map { "\($0.letter)" }.joined() }.joined(separator: "\n")
}

private func visible(_ cells: [EmulatedScreen.Cell]) -> [EmulatedScreen.Cell] {
  var cells = cells
  while let last = cells.last, last == EmulatedScreen.Cell() { cells.removeLast() }
  return cells
}

/// Returns the styled characters of a line, a wide one followed by an empty cell.
private func naiveRows(_ line: Line, _ columns: Int) -> [[EmulatedScreen.Cell]] {
  var rows: [[EmulatedScreen.Cell]] = [[]]
  for run in line.runs {
    for letter in run.text {
      let width = columnWidth(of: letter)
      if rows[rows.count - 1].count + width > columns { rows.append([]) }
      let cells = [EmulatedScreen.Cell(String(letter), look: look(run.style)), .init("", look: look(run.style))]
      rows[rows.count - 1] += cells.prefix(width)
    }
  }
  return rows.map(visible)
}

private func naivePlace(_ letter: Int, in line: Line, _ columns: Int) -> (row: Int, column: Int) {
  var place = (row: 0, column: 0)
  let letters = line.runs.flatMap { Array($0.text) }
  for (index, next) in (letters + ["a"]).enumerated() {
    let width = index < letters.count ? columnWidth(of: next) : 1
    if place.column + width > columns { place = (place.row + 1, 0) }
    if index == letter { break }
    place.column += width
  }
  return place
}

private func look(_ style: Style) -> [Int] {
  let traits = [(style.isBold, 1), (style.isDim, 2), (style.isUnderlined, 4), (style.isInverse, 7)]
  return traits.filter(\.0).map(\.1) + (style.color.map { [$0.rawValue] } ?? [])
}
