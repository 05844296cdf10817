// Rows of text in columns that fit a window.
internal import Terminal

/// A table for people.
struct TextTable: Sendable {
  /// What stands above each other.
  struct Column: Sendable {
    let title: String
    /// Whether it is aligned at its end, as numbers are.
    var isNumber = false
    /// Whether it may be cut where there is too little room.
    var isCut = false
    var style = Style.plain

    init(_ title: String, isNumber: Bool = false, isCut: Bool = false, style: Style = .plain) {
      (self.title, self.isNumber, self.isCut, self.style) = (title, isNumber, isCut, style)
    }
  }

  let columns: [Column]
  var rows: [[String]]

  /// A table of rows, each with a text for each column.
  init(_ columns: [Column], _ rows: [[String]]) {
    self.columns = columns
    self.rows = rows.map { row in row.map(\.inOneLine) }
  }

  /// The titles and the rows, no wider than a window where what may not be cut leaves it to be so.
  func lines(columns width: Int, hasColors: Bool) -> [String] {
    let widths = widths(fitting: width)
    let titles = line(columns.map(\.title), widths, hasColors) { _ in .dim }
    return [titles] + rows.map { row in line(row, widths, hasColors) { $0.style } }
  }

  private func line(
    _ cells: [String], _ widths: [Int], _ hasColors: Bool, style: (Column) -> Style
  ) -> String {
    var text = ""
    for (place, cell) in cells.enumerated() {
      let column = columns[place]
      let row = Line(cell, style(column)).row(cutTo: widths[place])
      let isLast = place == cells.count - 1
      let padding = String(repeating: " ", count: max(0, widths[place] - row.width))
      let shown = row.text(hasLooks: hasColors)
      text += column.isNumber ? padding + shown : isLast ? shown : shown + padding
      if !isLast { text += "  " }
    }
    while text.last == " " { text.removeLast() }
    return text
  }

  private func widths(fitting width: Int) -> [Int] {
    var widths = columns.indices.map { place in
      rows.reduce(Line(columns[place].title).columns) { max($0, Line($1[place]).columns) }
    }
    var excess = widths.reduce(2 * (widths.count - 1), +) - width
    while excess > 0 {
      let widest = columns.indices.filter { columns[$0].isCut && widths[$0] > 12 }.max { widths[$0] < widths[$1] }
      guard let widest else { break }
      widths[widest] -= 1
      excess -= 1
    }
    return widths
  }
}

/// What there is to say of one thing, each with its name.
struct PropertyList: Sendable {
  private var properties: [(name: String, value: String)] = []

  /// Says something; nothing where there is nothing to say.
  mutating func add(_ name: String, _ value: String?) {
    if let value, !value.isEmpty { properties.append((name, value)) }
  }

  /// The properties, their values broken at words where a window is too narrow.
  func lines(columns width: Int, hasColors: Bool) -> [String] {
    let column = (properties.map { Line($0.name).columns }.max() ?? 0) + 2
    return properties.flatMap { name, value in
      let paragraphs = value.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      let rows = paragraphs.flatMap { Line(String($0)).rows(brokenAtWordsIn: max(20, width - column)) }
      return rows.enumerated().map { place, row in
        let shown = place == 0 ? Line(name, .dim).row(cutTo: column) : .empty
        let padding = String(repeating: " ", count: column - shown.width)
        return shown.text(hasLooks: hasColors) + padding + row.text(hasLooks: hasColors)
      }
    }
  }
}

extension String {
  /// The text with spaces where lines end and where there are tabs, and signs for other controls.
  var inOneLine: String { String(map { $0.isNewline || $0 == "\t" ? " " : $0 }).visible(inOneLine: true) }
}
