// The one-line preview of a draft.

/// The first part of a draft, for display in one line.
///
/// It contains no user-facing words: the user interface names attachments, commands and quotes.
public enum DraftPreview: Hashable, Sendable {
  /// The text, trimmed of white space.
  ///
  /// Mentions are in the draft, with offsets in the whole text.
  case text(TypedText)
  /// No text; the first attachment.
  case attachment(ComposedAttachment)
  /// Neither text nor attachments; the active command.
  case command(ComposedCommand)
  /// Only a quote of a message, which is shown as deleted if it has been deleted since.
  case quote(Message.ID)
}

extension Composition {
  /// The one-line preview; nil for an empty composition.
  public var preview: DraftPreview? {
    if !text.isBlank { return .text(text.trimmed) }
    if let attachment = attachments.first { return .attachment(attachment) }
    return command.map { .command($0) } ?? quoted.map { .quote($0) }
  }
}

extension TypedText {
  /// The text without leading and trailing white space.
  fileprivate var trimmed: TypedText {
    guard let first = units.firstIndex(where: { !TypedText.isWhiteSpace($0) }),
      let last = units.lastIndex(where: { !TypedText.isWhiteSpace($0) })
    else { return TypedText() }
    return TypedText(units: Array(units[first...last]))
  }
}
