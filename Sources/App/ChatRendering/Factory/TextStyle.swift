// Inline styles of message text.
public import Foundation

/// Inline styles of message text: emphasis, code, strikethrough.
public struct TextStyle: OptionSet, Hashable, Sendable {
  /// The bits of the set.
  public let rawValue: UInt8

  /// Creates a set from its bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Emphasized text.
  public static let emphasized = TextStyle(rawValue: 1)
  /// Strongly emphasized text.
  public static let strong = TextStyle(rawValue: 2)
  /// Code, in a monospaced font.
  public static let code = TextStyle(rawValue: 4)
  /// Text that is struck through.
  public static let struckThrough = TextStyle(rawValue: 8)
}

/// An attribute for inline styles on every system, as not all have `inlinePresentationIntent`.
public enum TextStyleAttribute: AttributedStringKey {
  /// The type of the attribute's values.
  public typealias Value = TextStyle
  /// The attribute's name in encoded form.
  public static let name = "verbatim.style"
}

extension AttributedString.Runs.Run {
  /// The style of the run: from the attribute, and from the system's own one where it exists.
  public var textStyle: TextStyle {
    var style = self[TextStyleAttribute.self] ?? []
    #if canImport(Darwin)
      let intent = inlinePresentationIntent ?? []
      if intent.contains(.emphasized) { style.insert(.emphasized) }
      if intent.contains(.stronglyEmphasized) { style.insert(.strong) }
      if intent.contains(.code) { style.insert(.code) }
      if intent.contains(.strikethrough) { style.insert(.struckThrough) }
    #endif
    return style
  }
}
