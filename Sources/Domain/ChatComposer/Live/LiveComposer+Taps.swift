// Taps on the items of a live composer, and the closures of the app that they run.
public import Chat

extension LiveComposer {
  /// Performs the effect of a tap on an item; an error of the app's own code for it is thrown as
  /// ``ComposerError/tapFailed(_:_:)``. A tap on an item that is not shown, or not enabled, is a no-op.
  public func tap(_ id: ComposerItem.ID) async throws(ComposerError) {
    guard let item = presentation.items.first(where: { $0.id == id }), item.isEnabled else { return }
    switch item.action {
    case .none: return
    case .perform(let action): try perform(action)
    case .send: try await send()
    }
    guard let handler = appearance.tapHandlers[id] else { return }
    try await run(handler, for: id)
  }

  /// Performs the effect of a tap on a custom attachment: it is recorded as the custom action `attachmentTapped`, and
  /// ``ComposerAppearance/onCustomAttachmentTap`` is called. Without that closure it is a no-op.
  public func tapAttachment(_ id: Attachment.ID) async throws(ComposerError) {
    guard let handler = appearance.onCustomAttachmentTap, let attachment = reducer.attachment(id)?.attachment,
      case .custom = attachment.kind
    else { return }
    try perform(.custom("attachmentTapped", payload: Array(id.text.utf8)))
    try await run({ try await handler($0, attachment) }, for: .attachment(id))
  }

  private func run(_ handler: ComposerTapHandler, for id: ComposerItem.ID) async throws(ComposerError) {
    do { try await handler(self) } catch { throw error as? ComposerError ?? .tapFailed(id, error) }
  }
}
