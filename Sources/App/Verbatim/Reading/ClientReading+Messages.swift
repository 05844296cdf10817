// What is said in the channels that a user sees.
public import Chat
public import ChatProjections
public import EventLog
internal import Projections

// MARK: Channels and threads

extension ClientReading {
  /// A message that the user may see; what was said in one that is deleted, they see if they may restore it.
  ///
  /// One that is deleted for good or truncated away, or that only another sees, is refused as if it had never been.
  public func message(_ key: Message.Key) throws(ReadError) -> Message { try shown(reachable(key)) }

  /// Messages of a channel that the user sees.
  ///
  /// Deleted ones are among them, to stand as placeholders; not those deleted for good or truncated away, nor what only
  /// another sees, and there is no page around these.
  public func messages(
    in channel: Channel.ID, _ span: MessageSpan = .latest, limit: Int
  ) throws(ReadError) -> MessagePage {
    _ = try seen(channel)
    try needsCentre(of: span, in: channel)
    return try shown(
      answer { chat throws(ProjectionError) in try chat.messages(in: channel, span, limit: limit, for: user) })
  }

  /// Replies in the thread of a message, as messages of a channel; the message itself may be deleted, even for good.
  public func replies(
    to parent: Message.Key, _ span: MessageSpan = .latest, limit: Int
  ) throws(ReadError) -> MessagePage {
    _ = try known(parent)
    try needsCentre(of: span, in: parent.channel)
    return try shown(
      answer { chat throws(ProjectionError) in try chat.replies(to: parent, span, limit: limit, for: user) })
  }

  /// The user may know of the message around which a page lies.
  private func needsCentre(of span: MessageSpan, in channel: Channel.ID) throws(ReadError) {
    if case .around(let id) = span { _ = try known(Message.Key(channel, id)) }
  }

  private func shown(_ page: consuming MessagePage) throws(ReadError) -> MessagePage {
    page.messages = try shown(page.messages)
    return page
  }
}

// MARK: What stands out

extension ClientReading {
  /// Messages of a channel that are pinned; not those that are deleted.
  public func pinned(
    in channel: Channel.ID, after cursor: PinCursor? = nil, limit: Int
  ) throws(ReadError) -> PinPage {
    _ = try seen(channel)
    var page = try answer { chat throws(ProjectionError) in
      try chat.pinned(in: channel, at: instant, after: cursor, limit: limit)
    }
    page.messages = try remaining(page.messages)
    return page
  }

  /// Messages that mention the user, in all channels of which they are a member and that they see; not those that are
  /// deleted.
  public func mentions(after cursor: MentionCursor? = nil, limit: Int) throws(ReadError) -> MentionPage {
    var page = try answer { chat throws(ProjectionError) in
      try chat.mentions(for: viewer, after: cursor, limit: limit)
    }
    page.messages = try remaining(page.messages)
    return page
  }

  /// Threads in which the user replied, or that are about a message of theirs, in all channels of which they are a
  /// member and that they see.
  public func threads(after cursor: ThreadCursor? = nil, limit: Int) throws(ReadError) -> ThreadPage {
    var page = try answer { chat throws(ProjectionError) in
      try chat.threads(for: viewer, at: instant, after: cursor, limit: limit)
    }
    if isPast {
      page.threads = try page.threads.kept { thread throws(ReadError) in
        try thread.parent.number > known(thread.parent.key.channel).truncated
      }
    }
    for index in page.threads.indices {
      page.threads[index].parent = try shown(deletedSince(page.threads[index].parent))
      page.threads[index].newest = try shown(deletedSince(page.threads[index].newest))
      page.threads[index].failed = try remaining(page.threads[index].failed)
    }
    return page
  }

  /// Messages whose text has, for every word of a query, a word that starts with it: of a channel, or of all that the
  /// user sees; ``/ChatProjections/ChatSearch`` is among the views. What is deleted is found by nobody.
  public func messages(
    matching query: String, in channel: Channel.ID? = nil, by author: User.ID? = nil,
    after cursor: SearchCursor? = nil, limit: Int
  ) throws(ReadError) -> SearchPage {
    if let channel { _ = try seen(channel) }
    var page = try answer { chat throws(ProjectionError) in
      try chat.messages(matching: query, in: channel, by: author, after: cursor, limit: limit, for: viewer)
    }
    page.messages = try remaining(page.messages)
    return page
  }
}

// MARK: What was done with a message

extension ClientReading {
  /// How users reacted to a message: in one way, or in any.
  public func reactions(
    to key: Message.Key, as kind: Reaction.Kind? = nil, after user: User.ID? = nil, limit: Int
  ) throws(ReadError) -> ReactionPage {
    _ = try readable(key)
    return try answer { chat throws(ProjectionError) in
      try chat.reactions(to: key, as: kind, after: user, limit: limit)
    }
  }

  /// Members other than its author who have read a message, as far as the channel tells.
  public func readers(of message: Message.Key, after user: User.ID? = nil, limit: Int) throws(ReadError) -> MarkerPage {
    _ = try reachable(message)
    return try answer { chat throws(ProjectionError) in try chat.readers(of: message, after: user, limit: limit) }
  }

  /// Members other than its author whom a message has reached, as far as the channel tells.
  public func receivers(
    of message: Message.Key, after user: User.ID? = nil, limit: Int
  ) throws(ReadError) -> MarkerPage {
    _ = try reachable(message)
    return try answer { chat throws(ProjectionError) in try chat.receivers(of: message, after: user, limit: limit) }
  }

  /// The positions of the events that touched a message, in order; for its author, and for who may edit or delete it
  /// whoever wrote it.
  public func biography(of key: Message.Key) throws(ReadError) -> [Position] {
    let message = try readable(key)
    if message.author != user, try !capabilities(in: key.channel).contains(.deleteAny) {
      try needs(.editAny, in: key.channel)
    }
    return try answer { chat throws(ProjectionError) in try chat.biography(of: key) }
  }
}
