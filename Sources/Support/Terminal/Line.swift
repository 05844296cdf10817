// Text with its look, before it is known how wide the terminal is.

/// How letters look.
package struct Style: Hashable, Sendable {
  package var isBold = false
  package var isDim = false
  package var isItalic = false
  package var isUnderlined = false
  package var isInverse = false
  package var isStruck = false
  package var color: Color?

  /// Colors that every terminal has, as its user chose them.
  package enum Color: Int, Hashable, Sendable {
    case red = 31, green, yellow, blue, magenta, cyan
  }

  package init() {}

  package static let plain = Style()
  package static let bold = Style(\.isBold)
  package static let dim = Style(\.isDim)
  package static let underlined = Style(\.isUnderlined)
  package static let inverse = Style(\.isInverse)

  /// Letters in a color.
  package static func colored(_ color: Color) -> Style {
    var style = Style()
    style.color = color
    return style
  }

  private init(_ trait: WritableKeyPath<Style, Bool>) { self[keyPath: trait] = true }

  /// The sequence after which letters look so, whatever they looked like before.
  var sequence: String {
    let traits = [(isBold, 1), (isDim, 2), (isItalic, 3), (isUnderlined, 4), (isInverse, 7), (isStruck, 9)].filter(\.0)
      .map(\.1)
    return "\u{1B}[" + ([0] + traits + (color.map { [$0.rawValue] } ?? [])).map(String.init).joined(separator: ";")
      + "m"
  }
}

/// One line of text, of runs that look different; the window's width may make several rows of it.
///
/// A control character in it, a line's end included, is shown as a sign and does nothing.
package struct Line: Hashable, Sendable, ExpressibleByStringLiteral {
  package var runs: [Run]

  /// Letters that look alike.
  package struct Run: Hashable, Sendable {
    package var text: String
    package var style: Style

    package init(_ text: String, _ style: Style = .plain) { (self.text, self.style) = (text, style) }
  }

  package init(_ runs: [Run]) { self.runs = runs }

  package init(_ text: String, _ style: Style = .plain) { runs = [Run(text, style)] }

  package init(stringLiteral text: String) { self.init(text) }

  /// One line after the other, as one.
  package static func + (first: Line, second: Line) -> Line { Line(first.runs + second.runs) }
}
