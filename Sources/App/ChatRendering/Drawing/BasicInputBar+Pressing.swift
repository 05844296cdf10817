// Performing the action of a drawn input bar.
internal import ChatComposer
public import ChatMessageList

extension BasicInputBar {
  /// The action of the drawn send button.
  static var sendAction: SlotAction { .tap(.send) }

  /// Performs a pressed action: sends the text if it is that of the send button; a no-op that returns false if it is
  /// another action or the text cannot be sent.
  @discardableResult
  public func press(_ action: SlotAction) -> Bool { action == Self.sendAction && send() }
}
