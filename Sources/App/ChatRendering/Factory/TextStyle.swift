// How words in a message look.
public import Foundation

/// How words in a message look: what somebody stresses, and what is code.
public struct TextStyle: OptionSet, Hashable, Sendable {
  /// A bit for each look.
  public let rawValue: UInt8

  /// The looks of some bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Stressed.
  public static let emphasized = TextStyle(rawValue: 1)
  /// Stressed strongly.
  public static let strong = TextStyle(rawValue: 2)
  /// Letters of one width, as they stand.
  public static let code = TextStyle(rawValue: 4)
  /// Not so any more.
  public static let struckThrough = TextStyle(rawValue: 8)
}

/// Marks how words look, on every system: not all of them know `inlinePresentationIntent`.
public enum TextStyleAttribute: AttributedStringKey {
  /// How they look.
  public typealias Value = TextStyle
  /// The name of the mark where it is written down.
  public static let name = "verbatim.style"
}

extension AttributedString.Runs.Run {
  /// How the words look: as their mark says, or the system's own where it knows any.
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
