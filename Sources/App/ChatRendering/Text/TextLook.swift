// How words look in a terminal.
internal import Terminal

/// How words look in a terminal, where looks are wanted: what must be understood without them is said in words, too.
public struct TextLook: Hashable, Sendable {
  /// Heavier.
  public var isBold = false
  /// Weaker.
  public var isDim = false
  /// Leaning.
  public var isItalic = false
  /// With a line below.
  public var isUnderlined = false
  /// With a line through.
  public var isStruck = false
  /// With letters in the color of what is behind them, and that in theirs.
  public var isInverse = false
  /// The color of the letters; nil for the terminal's own.
  public var color: Color?

  /// Colors that every terminal has, as its user chose them.
  public enum Color: Hashable, Sendable, CaseIterable {
    /// For what went wrong.
    case red
    /// One of those that tell people apart, as the others.
    case green, yellow, blue, magenta, cyan
  }

  /// As all else.
  public init() {}

  /// As all else.
  public static let plain = TextLook()
  /// Heavier.
  public static let bold = TextLook { $0.isBold = true }
  /// Weaker.
  public static let dim = TextLook { $0.isDim = true }

  /// In a color.
  public static func colored(_ color: Color, isBold: Bool = false) -> TextLook {
    TextLook { ($0.color, $0.isBold) = (color, isBold) }
  }

  private init(_ change: (inout TextLook) -> Void) { change(&self) }

  /// What one has or the other; the color of the one where it has one.
  func with(_ other: TextLook) -> TextLook {
    TextLook {
      $0.isBold = isBold || other.isBold
      $0.isDim = isDim || other.isDim
      $0.isItalic = isItalic || other.isItalic
      $0.isUnderlined = isUnderlined || other.isUnderlined
      $0.isStruck = isStruck || other.isStruck
      $0.isInverse = isInverse || other.isInverse
      $0.color = color ?? other.color
    }
  }

  var style: Style {
    var style = Style.plain
    (style.isBold, style.isDim, style.isItalic) = (isBold, isDim, isItalic)
    (style.isUnderlined, style.isStruck, style.isInverse) = (isUnderlined, isStruck, isInverse)
    style.color =
      switch color {
      case .red: .red
      case .green: .green
      case .yellow: .yellow
      case .blue: .blue
      case .magenta: .magenta
      case .cyan: .cyan
      case nil: nil
      }
    return style
  }
}

extension TextLook.Color {
  /// The color of somebody: the same wherever and whenever they are drawn. Red is nobody's.
  static func color(ofUser id: String) -> TextLook.Color {
    let colors = allCases.filter { $0 != .red }
    return colors[Int(id.steadyHash % UInt32(colors.count))]
  }
}
