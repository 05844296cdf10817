// A table of figures: a row for each contestant or ratio, a column for each case.

struct Grid: Encodable {
  let name: String
  let title: String
  let columns: [String]
  private(set) var rows: [Row]

  struct Row: Encodable {
    let name: String
    let figures: [Figure?]
  }

  /// Collects the measurements of named contestants by column, and their ratios.
  init(
    _ name: String, _ title: String, columns: [(name: String, figures: [String: Figure])],
    rows names: [String], ratios: [Ratio] = []
  ) {
    self.name = name
    self.title = title
    self.columns = columns.map(\.name)
    rows = names.map { name in Row(name: name, figures: columns.map { $0.figures[name] }) }
    for ratio in ratios {
      let figures = columns.map { column -> Figure? in
        guard let over = column.figures[ratio.over], let under = column.figures[ratio.under],
          over.unit != .ratio
        else { return nil }
        return over.ratio(to: under)
      }
      rows.append(Row(name: ratio.name, figures: figures))
    }
  }

  /// The grid in aligned columns, with the minimum and the maximum of the rounds beside each median.
  var text: String {
    let cells = [[""] + columns] + rows.map { [$0.name] + $0.figures.map { $0?.text ?? "–" } }
    let widths = (0...columns.count).map { column in cells.map { $0[column].count }.max() ?? 0 }
    let lines = cells.map { row in
      let first = row[0].padded(to: widths[0])
      let rest = row.indices.dropFirst().map { "  " + row[$0].padded(to: widths[$0], onLeft: true) }
      return "  " + first + rest.joined()
    }
    return title + "\n" + lines.joined(separator: "\n")
  }
}

extension Figure {
  /// The median, with the least and the greatest.
  var text: String {
    samples.count == 1
      ? show(median) : "\(show(median)) (\(show(min))–\(show(max)))"
  }

  /// Formats a value of this figure.
  func show(_ value: Double) -> String {
    switch unit {
    case .perSecond: short(value)
    case .nanoseconds: value >= 10_000 ? short(value) : digits(value)
    case .microseconds, .seconds, .milliseconds, .mebibytes, .bytes, .count, .ratio: digits(value)
    }
  }
}

/// Formats a value with three digits, with thousands as k and millions as M.
private func short(_ value: Double) -> String {
  switch value {
  case 999_500...: digits(value / 1_000_000) + "M"
  case 999.5...: digits(value / 1000) + "k"
  default: digits(value)
  }
}

/// Formats a value with three digits, or all digits before the decimal point.
func digits(_ value: Double) -> String {
  let places = value.magnitude < 9.995 ? 2 : value.magnitude < 99.95 ? 1 : 0
  let scale = [1.0, 10, 100][places]
  let scaled = Int((value.magnitude * scale).rounded())
  let sign = value < 0 && scaled > 0 ? "-" : ""
  if places == 0 { return sign + String(scaled) }
  let rest = String(scaled % Int(scale))
  let zeros = String(repeating: "0", count: places - rest.count)
  return sign + String(scaled / Int(scale)) + "." + zeros + rest
}

extension String {
  fileprivate func padded(to width: Int, onLeft: Bool = false) -> String {
    let space = String(repeating: " ", count: Swift.max(0, width - count))
    return onLeft ? space + self : self + space
  }
}
