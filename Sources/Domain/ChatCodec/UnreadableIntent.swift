// Why the bytes of an intent cannot be read.

/// The bytes of an intent cannot be read; whoever keeps intents keeps them as they are.
public struct UnreadableIntent: Error, Hashable, Sendable {
  /// What is wrong with them, and where.
  public let defect: PayloadDefect

  /// Bytes with something wrong with them.
  public init(_ defect: PayloadDefect) { self.defect = defect }

  /// Whether it is of a kind that this program does not know, or names a type of events that it does not know.
  ///
  /// A newer program reads it, unless the bytes were damaged. Something that a newer program added to a kind that is
  /// known is not told from damage.
  public var isUnknown: Bool {
    switch defect.kind {
    case .intent, .type: true
    default: false
    }
  }
}

// MARK: Words

extension UnreadableIntent: CustomStringConvertible {
  /// One sentence: what happened, to what, what to do.
  public var description: String {
    let advice =
      isUnknown
      ? "keep its bytes, and read them with the program that wrote it, or a newer one"
      : "keep its bytes, and look for the program that wrote it"
    return "The intent cannot be read: \(defect); \(advice)."
  }
}
