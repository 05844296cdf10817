// A thread: the replies to one message.
public import Chat
public import ChatProjections

/// The thread of a message, to one person.
public struct ThreadController: Sendable {
  /// In which channel.
  public let channel: ChannelController
  /// The message that it is about.
  public let parent: Message.Key

  /// Replies: the latest, or those before, after or around one.
  public func replies(_ span: MessageSpan = .latest, limit: Int = 50) async throws(ReadError) -> MessagePage {
    let parent = parent
    return try await channel.client.ask { reading throws(ReadError) in
      try reading.replies(to: parent, span, limit: limit)
    }
  }

  /// The message that it is about.
  public func message() async throws(ReadError) -> Message { try await channel.message(parent.id) }

  /// Who types in it now, of the others.
  public func typing() async throws(ReadError) -> [TypingUser] {
    let parent = parent
    return try await channel.client.ask { reading throws(ReadError) in
      try reading.typing(in: parent.channel, thread: parent.id)
    }
  }

  /// Sends a reply under a new id, or under one that is given: the same again is sent once.
  ///
  /// Whatever parent the content names, it is this one.
  @discardableResult
  public func reply(_ content: Message.Content, as message: Message.ID? = nil) async throws(SubmitError) -> SentMessage
  {
    var content = content
    content.parent = parent.id
    return try await channel.send(content, as: message)
  }

  /// Sends some words as a reply.
  @discardableResult
  public func reply(_ text: String, as message: Message.ID? = nil) async throws(SubmitError) -> SentMessage {
    try await reply(Message.Content(UserText(text)), as: message)
  }

  /// Opens the person's composer for it.
  public func openComposer() async throws(SubmitError) -> OpenComposer {
    try await channel.openComposer(thread: parent.id)
  }
}
