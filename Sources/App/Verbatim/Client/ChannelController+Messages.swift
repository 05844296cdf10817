// One channel: what is said in it.
public import Chat
public import ChatProjections

// MARK: Reading

extension ChannelController {
  /// Messages: the latest, or those before, after or around one.
  public func messages(_ span: MessageSpan = .latest, limit: Int = 50) async throws(ReadError) -> MessagePage {
    let id = id
    return try await client.ask { reading throws(ReadError) in try reading.messages(in: id, span, limit: limit) }
  }

  /// Messages whose text has, for every word of a query, a word that starts with it.
  public func messages(
    matching query: String, by author: User.ID? = nil, after cursor: SearchCursor? = nil, limit: Int = 30
  ) async throws(ReadError) -> SearchPage {
    let id = id
    return try await client.ask(findingWords: true) { reading throws(ReadError) in
      try reading.messages(matching: query, in: id, by: author, after: cursor, limit: limit)
    }
  }

  /// A message.
  public func message(_ message: Message.ID) async throws(ReadError) -> Message {
    let key = Message.Key(id, message)
    return try await client.ask { reading throws(ReadError) in try reading.message(key) }
  }

  /// Messages that are pinned.
  public func pinned(after cursor: PinCursor? = nil, limit: Int = 30) async throws(ReadError) -> PinPage {
    let id = id
    return try await client.ask { reading throws(ReadError) in
      try reading.pinned(in: id, after: cursor, limit: limit)
    }
  }

  /// How users reacted to a message.
  public func reactions(
    to message: Message.ID, as kind: Reaction.Kind? = nil, after user: User.ID? = nil, limit: Int = 100
  ) async throws(ReadError) -> ReactionPage {
    let key = Message.Key(id, message)
    return try await client.ask { reading throws(ReadError) in
      try reading.reactions(to: key, as: kind, after: user, limit: limit)
    }
  }

  /// How much of it waits for the person.
  public func unread() async throws(ReadError) -> Unread {
    let id = id
    return try await client.ask { reading throws(ReadError) in try reading.unread(in: id) }
  }

  /// The first message that waits for the person; nil when none does.
  public func firstUnread() async throws(ReadError) -> Message? {
    let id = id
    return try await client.ask { reading throws(ReadError) in try reading.firstUnread(in: id) }
  }

  /// Up to where each member has read and received, as far as the channel tells.
  public func markers(after user: User.ID? = nil, limit: Int = 100) async throws(ReadError) -> MarkerPage {
    let id = id
    return try await client.ask { reading throws(ReadError) in try reading.markers(in: id, after: user, limit: limit) }
  }
}

// MARK: Saying

extension ChannelController {
  /// Sends a message under a new id, or under one that is given: the same again is sent once.
  @discardableResult
  public func send(_ content: Message.Content, as message: Message.ID? = nil) async throws(SubmitError) -> SentMessage {
    let key = Message.Key(id, message ?? client.workspace.newID())
    return SentMessage(key: key, submitted: try await client.submit(.message(key, .send(content))))
  }

  /// Sends some words.
  @discardableResult
  public func send(_ text: String, as message: Message.ID? = nil) async throws(SubmitError) -> SentMessage {
    try await send(Message.Content(UserText(text)), as: message)
  }

  /// Changes something in a message.
  @discardableResult
  public func edit(_ message: Message.ID, _ edits: Message.Edits) async throws(SubmitError) -> Submitted {
    try await submit(message, .edit(edits))
  }

  /// Changes the words of a message.
  @discardableResult
  public func edit(_ message: Message.ID, to text: String) async throws(SubmitError) -> Submitted {
    try await edit(message, Message.Edits(text: UserText(text)))
  }

  /// Deletes a message; for good, it cannot be restored.
  @discardableResult
  public func delete(_ message: Message.ID, forGood: Bool = false) async throws(SubmitError) -> Submitted {
    try await submit(message, .delete(forGood: forGood))
  }

  /// Brings a deleted message back.
  @discardableResult
  public func restore(_ message: Message.ID) async throws(SubmitError) -> Submitted {
    try await submit(message, .restore)
  }

  /// Makes a message stand out, for a while or for good.
  @discardableResult
  public func pin(_ message: Message.ID, for term: Expiry = .endless) async throws(SubmitError) -> Submitted {
    try await submit(message, .pin(term))
  }

  /// Makes a message not stand out any more.
  @discardableResult
  public func unpin(_ message: Message.ID) async throws(SubmitError) -> Submitted {
    try await submit(message, .unpin)
  }

  /// Reacts to a message.
  @discardableResult
  public func react(
    to message: Message.ID, _ kind: Reaction.Kind, score: UInt32 = 1
  ) async throws(SubmitError) -> Submitted {
    try await client.submit(.reaction(own(message), .add(kind, score: score)))
  }

  /// Takes a reaction to a message back.
  @discardableResult
  public func unreact(to message: Message.ID, _ kind: Reaction.Kind) async throws(SubmitError) -> Submitted {
    try await client.submit(.reaction(own(message), .remove(kind)))
  }

  /// Flags a message for those who keep order.
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
  /// Marks it read, through a message.
  @discardableResult
  public func markRead(through message: Message.ID) async throws(SubmitError) -> Submitted {
    try await submitOwn(.read(through: message))
  }

  /// Marks it unread, from a message on.
  @discardableResult
  public func markUnread(from message: Message.ID) async throws(SubmitError) -> Submitted {
    try await submitOwn(.markUnread(from: message))
  }

  /// Says that messages reached the person, through one.
  @discardableResult
  public func markReceived(through message: Message.ID) async throws(SubmitError) -> Submitted {
    try await submitOwn(.receive(through: message))
  }
}
