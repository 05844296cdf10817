// Layout of terminal text: line breaking, alignment, styles.
internal import ChatMessageList
internal import Terminal
internal import ChatRendering

extension TerminalText {
  /// The number of columns if none is given.
  public static let defaultColumns = 80

  /// Returns the lines to print, none wider than `columns`; the default is the width for which the text was drawn.
  ///
  /// With colors, styles are set by escape sequences; without, the result is plain text for a file or a pipe. The
  /// environment is not read: the caller decides whether there is a terminal and whether its user wants colors. By the
  /// convention of [no-color.org](https://no-color.org), a non-empty variable `NO_COLOR` turns them off; the tools of
  /// this package ask `Style.areColorsWanted` of their module `Terminal`.
  public func text(columns: Int? = nil, hasColors: Bool) -> String {
    let columns = max(1, columns ?? self.columns ?? Self.defaultColumns)
    let rows = blocks.flatMap { $0.rows(in: columns) }
    let lines = rows.map { row in
      row.row.width == 0 ? "" : String(repeating: " ", count: row.indent) + row.row.text(hasLooks: hasColors)
    }
    // Non-breaking spaces have served their purpose and become spaces.
    return lines.joined(separator: "\n").replacing("\u{A0}", with: " ")
  }
}

extension TerminalText {
  /// Returns the number of rows at a width.
  func height(in columns: Int) -> Int { blocks.reduce(0) { $0 + $1.rows(in: max(1, columns)).count } }

  /// Returns the text limited to some of its rows at a width.
  func rows(_ range: Range<Int>, in columns: Int) -> TerminalText {
    var text = self
    var start = 0
    for index in blocks.indices {
      let rows = start..<start + blocks[index].rows(in: max(1, columns)).count
      let seen = range.clamped(to: rows)
      text.blocks[index].shown = seen.lowerBound - start..<seen.upperBound - start
      start = rows.upperBound
    }
    return text
  }
}

/// A row with its indentation.
private struct PlacedRow {
  var indent: Int
  var row: Row
}

extension TextBlock {
  fileprivate func rows(in columns: Int) -> [PlacedRow] {
    let frame = Frame(alignment ?? TextAlignment(), in: columns)
    let rows = lines.flatMap { $0.rows(in: frame.width) }
    let width = rows.map(\.width).max() ?? 0
    var placed = rows.map { row in
      switch frame.side {
      case .leading: PlacedRow(indent: frame.before, row: row)
      case .trailing: PlacedRow(indent: columns - frame.after - width, row: row)
      case .center: PlacedRow(indent: frame.before + (columns - frame.before - frame.after - row.width) / 2, row: row)
      }
    }
    if !mark.isEmpty, !placed.isEmpty { placed[0] = marked(placed[0], frame, columns) }
    if !aside.isEmpty { addAside(to: &placed, frame, columns) }
    // The visible rows were chosen at another width, which may have had more rows.
    return shown.map { Array(placed[$0.clamped(to: 0..<placed.count)]) } ?? placed
  }

  /// Returns the first row with the mark in its margin.
  private func marked(_ first: PlacedRow, _ frame: Frame, _ columns: Int) -> PlacedRow {
    let room = (frame.side == .trailing ? frame.after : frame.before) - 1
    let mark = Line(mark).row(cutTo: room)
    if mark.width == 0 { return first }
    if frame.side == .trailing {
      let gap = columns - frame.after - first.indent - first.row.width + 1
      return PlacedRow(indent: first.indent, row: first.row + .spaces(gap) + mark)
    }
    return PlacedRow(indent: 0, row: mark + .spaces(first.indent - mark.width) + first.row)
  }
}

extension TextBlock {
  /// Adds the text of the other margin to the first row with room for it, or else to the one with the most, cut off.
  private func addAside(to rows: inout [PlacedRow], _ frame: Frame, _ columns: Int) {
    let isTrailing = frame.side == .trailing
    let rooms = rows.map { (isTrailing ? $0.indent : columns - $0.indent - $0.row.width) - 1 }
    let wanted = Line(aside).row(cutTo: .max).width
    guard let index = rooms.firstIndex(where: { $0 >= wanted }) ?? rooms.indices.max(by: { rooms[$0] < rooms[$1] }),
      rooms[index] > 0
    else { return }
    let text = Line(aside).row(cutTo: rooms[index])
    let row = rows[index]
    let gap = Row.spaces(rooms[index] + 1 - text.width)
    rows[index] =
      isTrailing
      ? PlacedRow(indent: 0, row: text + gap + row.row) : PlacedRow(indent: row.indent, row: row.row + gap + text)
  }
}

/// The columns that an alignment takes at a terminal's width.
private struct Frame {
  let side: MessageRow.Side
  let before: Int
  let after: Int
  let width: Int

  init(_ alignment: TextAlignment, in columns: Int) {
    side = alignment.side
    before = min(max(0, alignment.before), columns - 1)
    after = min(max(0, alignment.after), columns - 1 - before)
    let room = columns - before - after
    let wanted = alignment.width > 1 ? alignment.width : alignment.width * Double(columns)
    // An invalid width takes all columns.
    width = wanted > 0 ? max(1, min(room, Int(min(wanted, Double(columns))))) : room
  }
}

extension TextLine {
  fileprivate func rows(in columns: Int) -> [Row] {
    let bar = Line(bar).row(cutTo: columns - 1)
    let room = columns - bar.width
    return inner(room).map { bar + $0 }
  }

  private func inner(_ room: Int) -> [Row] {
    switch fit {
    case .wrapped: return Line(runs).rows(brokenAtWordsIn: room)
    case .cut: return [Line(runs).row(cutTo: room)]
    case .rule:
      let row = Line(runs).row(cutTo: room)
      let free = room - row.width - 2
      if row.width == 0 || free < 2 { return [row] }
      return [
        .strokes(free / 2, runs[0].look) + .spaces(1) + row + .spaces(1) + .strokes(free - free / 2, runs[0].look)
      ]
    }
  }
}

extension Line {
  fileprivate init(_ runs: [TextRun]) { self.init(runs.map { Line.Run($0.text, $0.look.style) }) }
}

extension Row {
  fileprivate static func spaces(_ count: Int) -> Row {
    Line(String(repeating: " ", count: max(0, count))).row(cutTo: .max)
  }

  fileprivate static func strokes(_ count: Int, _ look: TextLook) -> Row {
    Line([TextRun(String(repeating: "─", count: count), look)]).row(cutTo: .max)
  }
}
