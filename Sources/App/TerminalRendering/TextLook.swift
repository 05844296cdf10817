// Text styles of a terminal.
internal import Terminal
internal import ChatRendering

/// A text style of a terminal, as an addition: text conveys everything without styles, too.
public struct TextLook: Hashable, Sendable {
  /// Whether the text is bold.
  public var isBold = false
  /// Whether the text is dim.
  public var isDim = false
  /// Whether the text is italic.
  public var isItalic = false
  /// Whether the text is underlined.
  public var isUnderlined = false
  /// Whether the text is struck through.
  public var isStruck = false
  /// Whether text and background colors are swapped.
  public var isInverse = false
  /// The color of the text; nil for the terminal's default.
  public var color: Color?

  /// The colors of every terminal, as configured by its user.
  public enum Color: Hashable, Sendable, CaseIterable {
    /// The color of errors.
    case red
    /// A color that distinguishes users.
    case green, yellow, blue, magenta, cyan
  }

  /// Creates the plain style.
  public init() {}

  /// The plain style.
  public static let plain = TextLook()
  /// The bold style.
  public static let bold = TextLook { $0.isBold = true }
  /// The dim style.
  public static let dim = TextLook { $0.isDim = true }

  /// Returns a style with a color.
  public static func colored(_ color: Color, isBold: Bool = false) -> TextLook {
    TextLook { ($0.color, $0.isBold) = (color, isBold) }
  }

  private init(_ change: (inout TextLook) -> Void) { change(&self) }

  /// Returns the union of two styles; the own color has precedence.
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
  /// Returns a user's color: always the same for an id, and never red.
  static func color(ofUser id: String) -> TextLook.Color {
    let colors = allCases.filter { $0 != .red }
    return colors[Int(id.steadyHash % UInt32(colors.count))]
  }
}
