// Queries for messages, threads, search and reactions.
public import Chat
public import ChatProjections
public import EventLog
internal import Errors
internal import Projections

// MARK: Channels and threads

extension ClientReading {
  /// Returns a message that the user may see; the content of a deleted one only if the user may restore it.
  ///
  /// A message that is permanently deleted, truncated or visible only to another user is refused as unknown.
  public func message(_ key: Message.Key) throws(ReadError) -> Message { try shown(reachable(key)) }

  /// Returns messages of a channel that the user sees.
  ///
  /// Deleted messages are included as placeholders; permanently deleted or truncated ones and those visible only to
  /// another user are not, and no page can be centred on them.
  public func messages(
    in channel: Channel.ID, _ span: MessageSpan = .latest, limit: Int
  ) throws(ReadError) -> MessagePage {
    _ = try seen(channel)
    try needsCentre(of: span, in: channel)
    return try shown(
      read(chat.messages(in: channel, span, limit: limit, for: user)))
  }

  /// Returns replies in the thread of a message, as for a channel; the parent may be deleted, even permanently.
  public func replies(
    to parent: Message.Key, _ span: MessageSpan = .latest, limit: Int
  ) throws(ReadError) -> MessagePage {
    _ = try known(parent)
    try needsCentre(of: span, in: parent.channel)
    return try shown(
      read(chat.replies(to: parent, span, limit: limit, for: user)))
  }

  /// Throws unless the user may know of the message on which a page is centred.
  private func needsCentre(of span: MessageSpan, in channel: Channel.ID) throws(ReadError) {
    if case .around(let id) = span { _ = try known(Message.Key(channel, id)) }
  }

  private func shown(_ page: consuming MessagePage) throws(ReadError) -> MessagePage {
    page.messages = try shown(page.messages)
    return page
  }
}

// MARK: Pins, mentions and threads

extension ClientReading {
  /// Returns pinned messages of a channel, without deleted ones.
  public func pinned(
    in channel: Channel.ID, after cursor: PinCursor? = nil, limit: Int
  ) throws(ReadError) -> PinPage {
    _ = try seen(channel)
    var page = try read(chat.pinned(in: channel, at: instant, after: cursor, limit: limit))
    page.messages = try remaining(page.messages)
    return page
  }

  /// Returns messages that mention the user or a group to which the user belongs, in all channels of which the user is
  /// a member and that the user sees; without deleted ones, and of a group without those from before the user joined.
  public func mentions(after cursor: MentionCursor? = nil, limit: Int) throws(ReadError) -> MentionPage {
    var page = try read(chat.mentions(for: viewer, after: cursor, limit: limit))
    page.messages = try remaining(page.messages)
    return page
  }

  /// Returns threads in which the user replied or whose parent the user wrote, in all channels of which the user is a
  /// member and that the user sees.
  public func threads(after cursor: ThreadCursor? = nil, limit: Int) throws(ReadError) -> ThreadPage {
    var page = try read(chat.threads(for: viewer, at: instant, after: cursor, limit: limit))
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

  /// Returns messages whose text has, for every word of a query, a word with that prefix: of a channel, or of all that
  /// the user sees. It requires the projection ``/ChatProjections/ChatSearch``. Deleted messages are not found.
  public func messages(
    matching query: String, in channel: Channel.ID? = nil, by author: User.ID? = nil,
    after cursor: SearchCursor? = nil, limit: Int
  ) throws(ReadError) -> SearchPage {
    if let channel { _ = try seen(channel) }
    var page = try read(
      chat.messages(matching: query, in: channel, by: author, after: cursor, limit: limit, for: viewer))
    page.messages = try remaining(page.messages)
    return page
  }
}

// MARK: Reactions, readers and history

extension ClientReading {
  /// Returns the reactions to a message, of one kind or of any.
  public func reactions(
    to key: Message.Key, as kind: Reaction.Kind? = nil, after user: User.ID? = nil, limit: Int
  ) throws(ReadError) -> ReactionPage {
    _ = try readable(key)
    return try read(chat.reactions(to: key, as: kind, after: user, limit: limit))
  }

  /// Returns the members other than the author who have read a message, as far as the channel's configuration shares
  /// it.
  public func readers(of message: Message.Key, after user: User.ID? = nil, limit: Int) throws(ReadError) -> MarkerPage {
    _ = try reachable(message)
    return try read(chat.readers(of: message, after: user, limit: limit))
  }

  /// Returns the members other than the author to whom a message was delivered, as far as the channel's configuration
  /// shares it.
  public func receivers(
    of message: Message.Key, after user: User.ID? = nil, limit: Int
  ) throws(ReadError) -> MarkerPage {
    _ = try reachable(message)
    return try read(chat.receivers(of: message, after: user, limit: limit))
  }

  /// Returns the positions of the events that changed a message, in order; for its author and for users who may edit or
  /// delete any message. Those of flags and reviews are among them for users who may moderate the channel.
  public func biography(of key: Message.Key) throws(ReadError) -> [Position] {
    let message = try readable(key)
    let permissions = try permissions(in: key.channel)
    try rethrow(permissions.needsRight(toReadHistoryOfMessageOf: message.author), as: ReadError.refused)
    let moderates = (try? permissions.needs(.moderate)) != nil
    return try read(chat.biography(of: key, withReviews: moderates))
  }
}
