// The error of stored intents that cannot be read.

/// The error of a stored intent that cannot be read; outboxes must keep its bytes.
public struct UnreadableIntent: Error, Hashable, Sendable {
  /// The defect of the intent.
  public let defect: PayloadDefect

  /// Creates the error from a defect.
  public init(_ defect: PayloadDefect) { self.defect = defect }

  /// Whether the kind of the intent, or the type of an event in it, is unknown.
  ///
  /// A newer program can read it, unless the bytes are damaged. Fields added by a newer program to a known kind are not
  /// distinguished from damage.
  public var isUnknown: Bool {
    switch defect.kind {
    case .intent, .type: true
    default: false
    }
  }
}

// MARK: Descriptions

extension UnreadableIntent: CustomStringConvertible {
  /// The error in one sentence: what failed, on what, what to do.
  public var description: String {
    let advice =
      isUnknown
      ? "keep its bytes, and read them with the program that wrote it, or a newer one"
      : "keep its bytes, and check the program that wrote it"
    return "The intent cannot be read: \(defect); \(advice)."
  }
}
