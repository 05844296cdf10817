// A picture of a long run: its samples as lines over the minutes.

/// A plot of samples as an SVG document, one panel for each group of values.
struct Plot {
  private let samples: [Sample]
  private let width = 720.0, height = 150.0, gap = 46.0
  private let left = 70.0, right = 150.0
  private let colors = ["#1f6fb2", "#c4501b", "#3a8a3f", "#7a4fa3"]

  private struct Panel {
    let title: String
    let lines: [(name: String, value: (Sample) -> Double)]
  }

  private let panels = [
    Panel(title: "events per second", lines: [("all writers", \.eventsPerSecond)]),
    Panel(
      title: "submit, ms", lines: [("p50", \.submits.median), ("p99", \.submits.p99), ("p99.9", \.submits.p999)]),
    Panel(title: "read, ms", lines: [("p50", \.reads.median), ("p99", \.reads.p99)]),
    Panel(title: "memory of the process, MiB", lines: [("own", \.memory), ("allocated", \.allocated)]),
    Panel(
      title: "files, MiB",
      lines: [("log", \.log), ("index", \.index), ("state tables", \.state), ("other tables", \.others)]),
  ]

  init(_ samples: [Sample]) { self.samples = samples }

  var svg: String {
    let total = (Double(panels.count) * (height + gap) + 20).text
    let drawn = panels.enumerated().map { draw($1, top: 30 + Double($0) * (height + gap)) }.joined()
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \((left + width + right).text) \(total)" \
      font-family="sans-serif" font-size="12">
      <rect width="100%" height="100%" fill="white"/>
      \(drawn)</svg>

      """
  }

  private func draw(_ panel: Panel, top: Double) -> String {
    let most = max(samples.flatMap { sample in panel.lines.map { $0.value(sample) } }.max() ?? 0, 0.001)
    let end = max(samples.last?.minutes ?? 0, 0.001)
    var text = "<text x=\"\(left.text)\" y=\"\((top - 8).text)\" font-weight=\"bold\">\(panel.title)</text>\n"
    for part in [0.0, 0.5, 1] {
      let y = top + height * (1 - part)
      text += "<path d=\"M\(left.text) \(y.text)H\((left + width).text)\" stroke=\"#ddd\"/>\n"
      text += "<text x=\"\((left - 6).text)\" y=\"\((y + 4).text)\" text-anchor=\"end\">\((most * part).text)</text>\n"
      let (x, minute) = (left + width * part, (end * part).text)
      text += "<text x=\"\(x.text)\" y=\"\((top + height + 14).text)\" text-anchor=\"middle\">\(minute) min</text>\n"
    }
    for (number, line) in panel.lines.enumerated() {
      let points = samples.map { sample in
        let (x, y) = (left + width * sample.minutes / end, top + height * (1 - line.value(sample) / most))
        return "\(x.text),\(y.text)"
      }
      let (color, y) = (colors[number % colors.count], top + 12 + 16 * Double(number))
      text += "<polyline points=\"\(points.joined(separator: " "))\" fill=\"none\" stroke=\"\(color)\"/>\n"
      text += "<text x=\"\((left + width + 8).text)\" y=\"\(y.text)\" fill=\"\(color)\">\(line.name)</text>\n"
    }
    return text
  }
}

extension Double {
  /// A number with a digit behind the point, without one from 100.
  fileprivate var text: String {
    let tenths = (self * 10).rounded() / 10
    return tenths >= 100 || tenths == tenths.rounded() ? "\(Int(tenths.rounded()))" : "\(tenths)"
  }
}
