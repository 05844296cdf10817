// The view of a live channel or thread.
public import ChatMessageList

extension MessagesView where Message == ChatMessage {
  /// Creates a view of the messages of a model, with an input bar of the app, such as a composer.
  ///
  /// It takes the same options as a view of an app's own messages. A ``/ChatMessageList/MessageList`` of it shows the
  /// rows of the model, so it is current after each change: only the changed rows are derived. The options apply to the
  /// model. Unless the app gives another refresh handler, a refresh loads earlier messages.
  @MainActor public init(
    _ model: MessageListModel, inputBar: InputBar, drawing output: Output.Type = Output.self
  ) {
    self.init(model.source, inputBar: inputBar)
    refresh = { try await model.loadPage() }
  }
}

extension MessagesView where Message == ChatMessage, InputBar == Void {
  /// Creates a view of the messages of a model without an input bar.
  @MainActor public init(_ model: MessageListModel, drawing output: Output.Type = Output.self) {
    self.init(model, inputBar: ())
  }
}
