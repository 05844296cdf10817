// Styled text, independent of the terminal's width.

/// The style of characters.
package struct Style: Hashable, Sendable {
  package var isBold = false
  package var isDim = false
  package var isItalic = false
  package var isUnderlined = false
  package var isInverse = false
  package var isStruck = false
  package var color: Color?

  /// A color of the terminal's palette, which the user can configure.
  package enum Color: Int, Hashable, Sendable {
    case red = 31, green, yellow, blue, magenta, cyan
  }

  package init() {}

  package static let plain = Style()
  package static let bold = Style(\.isBold)
  package static let dim = Style(\.isDim)
  package static let underlined = Style(\.isUnderlined)
  package static let inverse = Style(\.isInverse)

  /// Returns the style of characters in a color.
  package static func colored(_ color: Color) -> Style {
    var style = Style()
    style.color = color
    return style
  }

  private init(_ trait: WritableKeyPath<Style, Bool>) { self[keyPath: trait] = true }

  /// The escape sequence that sets this style, whatever the previous style.
  var sequence: String {
    let traits = [(isBold, 1), (isDim, 2), (isItalic, 3), (isUnderlined, 4), (isInverse, 7), (isStruck, 9)].filter(\.0)
      .map(\.1)
    return "\u{1B}[" + ([0] + traits + (color.map { [$0.rawValue] } ?? [])).map(String.init).joined(separator: ";")
      + "m"
  }
}

/// A line of text, as runs of different styles; it can wrap to several rows of the window.
///
/// Control characters, line ends included, are shown as a sign and have no effect.
package struct Line: Hashable, Sendable, ExpressibleByStringLiteral {
  package var runs: [Run]

  /// A run of characters with the same style.
  package struct Run: Hashable, Sendable {
    package var text: String
    package var style: Style

    package init(_ text: String, _ style: Style = .plain) { (self.text, self.style) = (text, style) }
  }

  package init(_ runs: [Run]) { self.runs = runs }

  package init(_ text: String, _ style: Style = .plain) { runs = [Run(text, style)] }

  package init(stringLiteral text: String) { self.init(text) }

  /// Concatenates two lines.
  package static func + (first: Line, second: Line) -> Line { Line(first.runs + second.runs) }
}
