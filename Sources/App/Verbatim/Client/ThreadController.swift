// A thread's controller: the replies to one message.
public import Chat
public import ChatProjections

/// The thread of a message as one user sees it.
public struct ThreadController: Sendable {
  /// The controller of the thread's channel.
  public let channel: ChannelController
  /// The key of the parent message.
  public let parent: Message.Key

  /// Returns a page of replies: the latest, or those before, after or around a reply.
  public func replies(_ span: MessageSpan = .latest, limit: Int = 50) async throws(ReadError) -> MessagePage {
    let parent = parent
    return try await channel.client.ask { reading throws(ReadError) in
      try reading.replies(to: parent, span, limit: limit)
    }
  }

  /// Returns the parent message.
  public func message() async throws(ReadError) -> Message { try await channel.message(parent.id) }

  /// Returns the other users who are typing in the thread.
  public func typing() async throws(ReadError) -> [TypingUser] {
    let parent = parent
    return try await channel.client.ask { reading throws(ReadError) in
      try reading.typing(in: parent.channel, thread: parent.id)
    }
  }

  /// Sends a reply under a new id or a given one; sending the same reply with the same id again is a no-op.
  ///
  /// The parent in the content is replaced by this thread's.
  @discardableResult
  public func reply(_ content: Message.Content, id message: Message.ID? = nil) async throws(SubmitError) -> SentMessage
  {
    var content = content
    content.parent = parent.id
    return try await channel.send(content, id: message)
  }

  /// Sends a text reply.
  @discardableResult
  public func reply(_ text: String, id message: Message.ID? = nil) async throws(SubmitError) -> SentMessage {
    try await reply(Message.Content(UserText(text)), id: message)
  }

  /// Marks the thread read through a reply.
  @discardableResult
  public func markRead(through reply: Message.ID) async throws(SubmitError) -> Submitted {
    try await submit(.read(through: reply))
  }

  /// Marks the thread unread from a reply on.
  @discardableResult
  public func markUnread(from reply: Message.ID) async throws(SubmitError) -> Submitted {
    try await submit(.markUnread(from: reply))
  }

  private func submit(_ intent: ThreadMarker.Intent) async throws(SubmitError) -> Submitted {
    try await channel.client.submit(.thread(ThreadMarker.Key(of: channel.client.user, in: parent), intent))
  }
}
