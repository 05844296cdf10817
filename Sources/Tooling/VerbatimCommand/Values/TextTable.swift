// Rows of text in columns that fit a terminal's width.
internal import Terminal

/// A text table for people.
struct TextTable: Sendable {
  /// The title, alignment and style of a column.
  struct Column: Sendable {
    let title: String
    /// Whether the column is aligned at its trailing edge, as numbers are.
    var isNumber = false
    /// Whether the column's cells may be truncated where the width does not suffice.
    var isCut = false
    var style = Style.plain

    init(_ title: String, isNumber: Bool = false, isCut: Bool = false, style: Style = .plain) {
      (self.title, self.isNumber, self.isCut, self.style) = (title, isNumber, isCut, style)
    }
  }

  let columns: [Column]
  var rows: [[String]]

  /// Creates a table from rows, each with one text per column.
  init(_ columns: [Column], _ rows: [[String]]) {
    self.columns = columns
    self.rows = rows.map { row in row.map(\.inOneLine) }
  }

  /// Returns the titles and the rows, no wider than a width as far as columns that must not be truncated allow.
  func lines(columns width: Int, hasColors: Bool) -> [String] {
    let widths = widths(fitting: width)
    let titles = line(columns.map(\.title), widths, hasColors) { _ in .dim }
    return [titles] + rows.map { row in line(row, widths, hasColors) { $0.style } }
  }

  private func line(
    _ cells: [String], _ widths: [Int], _ hasColors: Bool, style: (Column) -> Style
  ) -> String {
    var text = ""
    for (index, cell) in cells.enumerated() {
      let column = columns[index]
      let row = Line(cell, style(column)).row(cutTo: widths[index])
      let isLast = index == cells.count - 1
      let padding = String(repeating: " ", count: max(0, widths[index] - row.width))
      let shown = row.text(hasLooks: hasColors)
      text += column.isNumber ? padding + shown : isLast ? shown : shown + padding
      if !isLast { text += "  " }
    }
    while text.last == " " { text.removeLast() }
    return text
  }

  private func widths(fitting width: Int) -> [Int] {
    var widths = columns.indices.map { index in
      rows.reduce(Line(columns[index].title).columns) { max($0, Line($1[index]).columns) }
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

/// A list of named properties of one thing.
struct PropertyList: Sendable {
  private var properties: [(name: String, value: String)] = []

  /// Adds a property; a value that is nil or empty is left out.
  mutating func add(_ name: String, _ value: String?) {
    if let value, !value.isEmpty { properties.append((name, value)) }
  }

  /// Returns the properties, their values wrapped at words where the width is too small.
  func lines(columns width: Int, hasColors: Bool) -> [String] {
    let column = (properties.map { Line($0.name).columns }.max() ?? 0) + 2
    return properties.flatMap { name, value in
      let paragraphs = value.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      let rows = paragraphs.flatMap { Line(String($0)).rows(brokenAtWordsIn: max(20, width - column)) }
      return rows.enumerated().map { index, row in
        let shown = index == 0 ? Line(name, .dim).row(cutTo: column) : .empty
        let padding = String(repeating: " ", count: column - shown.width)
        return shown.text(hasLooks: hasColors) + padding + row.text(hasLooks: hasColors)
      }
    }
  }
}

extension String {
  /// The text with a space for each line end and tab, and visible signs for other control characters.
  var inOneLine: String { String(map { $0.isNewline || $0 == "\t" ? " " : $0 }).visible(inOneLine: true) }
}
