// The messages of a channel: reading, sending and marking.
public import Chat
public import ChatProjections

// MARK: Reading

extension ChannelController {
  /// Returns a page of messages: the latest, or those before, after or around a message.
  public func messages(_ span: MessageSpan = .latest, limit: Int = 50) async throws(ReadError) -> MessagePage {
    try await client.ask { reading throws(ReadError) in try reading.messages(in: id, span, limit: limit) }
  }

  /// Returns messages whose text has, for every word of a query, a word with that prefix.
  public func messages(
    matching query: String, by author: User.ID? = nil, after cursor: SearchCursor? = nil, limit: Int = 30
  ) async throws(ReadError) -> SearchPage {
    try await client.ask(findingWords: true) { reading throws(ReadError) in
      try reading.messages(matching: query, in: id, by: author, after: cursor, limit: limit)
    }
  }

  /// Returns a message.
  public func message(_ message: Message.ID) async throws(ReadError) -> Message {
    let key = Message.Key(id, message)
    return try await client.ask { reading throws(ReadError) in try reading.message(key) }
  }

  /// Returns pinned messages.
  public func pinned(after cursor: PinCursor? = nil, limit: Int = 30) async throws(ReadError) -> PinPage {
    try await client.ask { reading throws(ReadError) in try reading.pinned(in: id, after: cursor, limit: limit) }
  }

  /// Returns the reactions to a message.
  public func reactions(
    to message: Message.ID, as kind: Reaction.Kind? = nil, after user: User.ID? = nil, limit: Int = 100
  ) async throws(ReadError) -> ReactionPage {
    let key = Message.Key(id, message)
    return try await client.ask { reading throws(ReadError) in
      try reading.reactions(to: key, as: kind, after: user, limit: limit)
    }
  }

  /// Returns the user's unread counts in the channel.
  public func unread() async throws(ReadError) -> Unread {
    try await client.ask { reading throws(ReadError) in try reading.unread(in: id) }
  }

  /// Returns the user's first unread message; nil if there is none.
  public func firstUnread() async throws(ReadError) -> Message? {
    try await client.ask { reading throws(ReadError) in try reading.firstUnread(in: id) }
  }

  /// Returns the read and delivery markers of the members, as far as the channel's configuration shares them.
  public func markers(after user: User.ID? = nil, limit: Int = 100) async throws(ReadError) -> MarkerPage {
    try await client.ask { reading throws(ReadError) in try reading.markers(in: id, after: user, limit: limit) }
  }
}

// MARK: Sending

extension ChannelController {
  /// Sends a message under a new id or a given one; sending the same message with the same id again is a no-op.
  @discardableResult
  public func send(_ content: Message.Content, id message: Message.ID? = nil) async throws(SubmitError) -> SentMessage {
    let key = Message.Key(id, message ?? client.workspace.newID())
    return SentMessage(key: key, submitted: try await client.submit(.message(key, .send(content))))
  }

  /// Sends a text message, with an id of the message if one is given.
  @discardableResult
  public func send(_ text: String, id message: Message.ID? = nil) async throws(SubmitError) -> SentMessage {
    try await send(Message.Content(UserText(text)), id: message)
  }

  /// Sends the text and the attachments of another message, of any channel that the user reads.
  @discardableResult
  public func forward(
    _ source: Message.Key, id message: Message.ID? = nil
  ) async throws(SubmitError) -> SentMessage {
    let key = Message.Key(id, message ?? client.workspace.newID())
    return SentMessage(key: key, submitted: try await client.submit(.message(key, .forward(source))))
  }

  /// Edits a message.
  @discardableResult
  public func edit(_ message: Message.ID, _ edits: Message.Edits) async throws(SubmitError) -> Submitted {
    try await submit(message, .edit(edits))
  }

  /// Replaces the text of a message.
  @discardableResult
  public func edit(_ message: Message.ID, to text: String) async throws(SubmitError) -> Submitted {
    try await edit(message, Message.Edits(text: UserText(text)))
  }

  /// Deletes a message; with `forGood` it cannot be restored.
  @discardableResult
  public func delete(_ message: Message.ID, forGood: Bool = false) async throws(SubmitError) -> Submitted {
    try await submit(message, .delete(forGood: forGood))
  }

  /// Restores a deleted message.
  @discardableResult
  public func restore(_ message: Message.ID) async throws(SubmitError) -> Submitted {
    try await submit(message, .restore)
  }

  /// Pins a message, until an expiry or permanently.
  @discardableResult
  public func pin(_ message: Message.ID, for expiry: Expiry = .endless) async throws(SubmitError) -> Submitted {
    try await submit(message, .pin(expiry))
  }

  /// Unpins a message.
  @discardableResult
  public func unpin(_ message: Message.ID) async throws(SubmitError) -> Submitted {
    try await submit(message, .unpin)
  }

  /// Adds a reaction to a message.
  @discardableResult
  public func react(
    to message: Message.ID, _ kind: Reaction.Kind, score: UInt32 = 1
  ) async throws(SubmitError) -> Submitted {
    try await client.submit(.reaction(own(message), .add(kind, score: score)))
  }

  /// Removes a reaction from a message.
  @discardableResult
  public func unreact(to message: Message.ID, _ kind: Reaction.Kind) async throws(SubmitError) -> Submitted {
    try await client.submit(.reaction(own(message), .remove(kind)))
  }

  /// Flags a message for the moderators.
  @discardableResult
  public func flag(_ message: Message.ID, reason: UserText? = nil) async throws(SubmitError) -> Submitted {
    let key = Flag.Key(by: client.user, on: .message(Message.Key(id, message)))
    return try await client.submit(.flag(key, .raise(reason: reason)))
  }

  private func own(_ message: Message.ID) -> Reaction.Key {
    Reaction.Key(to: Message.Key(id, message), by: client.user)
  }

  private func submit(_ message: Message.ID, _ intent: Message.Intent) async throws(SubmitError) -> Submitted {
    try await client.submit(.message(Message.Key(id, message), intent))
  }
}

// MARK: Markers

extension ChannelController {
  /// Marks the channel read through a message.
  @discardableResult
  public func markRead(through message: Message.ID) async throws(SubmitError) -> Submitted {
    try await submitOwn(.read(through: message))
  }

  /// Marks the channel unread from a message on.
  @discardableResult
  public func markUnread(from message: Message.ID) async throws(SubmitError) -> Submitted {
    try await submitOwn(.markUnread(from: message))
  }

  /// Marks messages as delivered to the user, through one message.
  @discardableResult
  public func markReceived(through message: Message.ID) async throws(SubmitError) -> Submitted {
    try await submitOwn(.receive(through: message))
  }
}
