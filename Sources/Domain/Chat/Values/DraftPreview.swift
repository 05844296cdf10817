// What a draft shows in one line.

/// What stands for a draft where there is room for one line: the first of what it holds.
///
/// It has no words of its own: what an attachment, a command or a quote is called, whoever shows it says.
public enum DraftPreview: Hashable, Sendable {
  /// What is typed, without the white space around it.
  ///
  /// Who is meant where, the draft tells, in places of the whole text.
  case text(TypedText)
  /// Nothing is typed; the first of what hangs on it.
  case attachment(ComposedAttachment)
  /// Nothing else; the command that is active.
  case command(ComposedCommand)
  /// Nothing but a quote of a message, which may be deleted since: then it is shown as deleted.
  case quote(Message.ID)
}

extension Composition {
  /// What stands for it in one line; nil where it has no content.
  public var preview: DraftPreview? {
    if !text.isBlank { return .text(text.trimmed) }
    if let attachment = attachments.first { return .attachment(attachment) }
    return command.map { .command($0) } ?? quoted.map { .quote($0) }
  }
}

extension TypedText {
  /// The text without white space around it.
  fileprivate var trimmed: TypedText {
    guard let first = units.firstIndex(where: { !TypedText.isWhiteSpace($0) }),
      let last = units.lastIndex(where: { !TypedText.isWhiteSpace($0) })
    else { return TypedText() }
    return TypedText(units: Array(units[first...last]))
  }
}
