// A message whose send has an unknown outcome.
internal import Chat

/// A message whose send has an unknown outcome: a retry of the same content reuses its ids and is idempotent.
struct UnconfirmedSend {
  let id: Message.ID
  /// The time of the first try.
  let instant: Timestamp
  /// The message with its client id, which makes retries idempotent.
  let toSend: Message.Content
  private let content: Message.Content

  init(_ id: Message.ID, _ client: Message.ClientID, _ content: Message.Content, at instant: Timestamp) {
    (self.id, self.content, self.instant) = (id, content, instant)
    var toSend = content
    toSend.client = client
    self.toSend = toSend
  }

  /// Whether a send of this content is a retry.
  func isRetried(by content: Message.Content) -> Bool { content == self.content }
}
