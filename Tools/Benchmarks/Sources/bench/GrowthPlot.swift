// A picture of growth: what each operation costs, in proportion to the smallest workspace.
import Foundation

/// A plot of ratios as an SVG document; a line for each operation, a point for each size.
struct GrowthPlot {
  let sizes: [Int]
  let columns: [[String: Figure]]
  let rows: [String]
  private let width = 560.0, height = 240.0, left = 60.0, top = 30.0
  private let colors = ["#1f6fb2", "#c4501b", "#3a8a3f", "#7a4fa3", "#8a6d1f"]

  init(sizes: [Int], columns: [[String: Figure]], rows: [String]) {
    (self.sizes, self.columns, self.rows) = (sizes, columns, rows)
  }

  /// The ratio of the medians of an operation to those of the smallest workspace.
  private func ratios(_ row: String) -> [Double] {
    guard let first = columns[0][row] else { return [] }
    return columns.map { $0[row]?.ratio(to: first).median ?? 0 }
  }

  var svg: String {
    let most = max(2, rows.flatMap(ratios).max() ?? 0)
    func y(_ ratio: Double) -> Double { top + height * (1 - ratio / most) }
    func x(_ number: Int) -> Double { left + width * Double(number) / Double(max(1, sizes.count - 1)) }
    var lines: [String] = []
    for (ratio, dashes) in [(0, ""), (1, ""), (1.3, " stroke-dasharray=\"4\""), (most, "")] {
      lines.append("<path d=\"M\(left) \(digits(y(ratio)))H\(left + width)\" stroke=\"#ccc\"\(dashes)/>")
      lines.append("<text x=\"\(left - 6)\" y=\"\(digits(y(ratio) + 4))\" text-anchor=\"end\">\(digits(ratio))</text>")
    }
    for (number, size) in sizes.enumerated() {
      let text = "<text x=\"\(x(number))\" y=\"\(top + height + 18)\" text-anchor=\"middle\">\(size) events</text>"
      lines.append(text)
    }
    for (number, row) in rows.enumerated() {
      let points = ratios(row).enumerated().map { "\(digits(x($0))),\(digits(y($1)))" }.joined(separator: " ")
      let color = colors[number % colors.count]
      lines.append("<polyline points=\"\(points)\" fill=\"none\" stroke=\"\(color)\" stroke-width=\"2\"/>")
      let place = "x=\"\(left + width + 12)\" y=\"\(top + 14 + 18 * Double(number))\""
      lines.append("<text \(place) fill=\"\(color)\">\(row)</text>")
    }
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(left + width + 120) \(top + height + 40)" \
      font-family="sans-serif" font-size="12">
      <rect width="100%" height="100%" fill="white"/>
      <text x="\(left)" y="18" font-weight="bold">time of an operation, in proportion to the smallest workspace</text>
      \(lines.joined(separator: "\n"))
      </svg>

      """
  }
}
