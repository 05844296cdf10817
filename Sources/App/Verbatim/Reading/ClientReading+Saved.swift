// Queries for blocks, reviews, saved and scheduled messages, and votes.
public import Chat
public import ChatProjections
internal import Projections

// MARK: Blocks

extension ClientReading {
  /// Returns the users whom the user blocks, in the order of their ids.
  public func blockedUsers() throws(ReadError) -> [User.ID] { try read(chat.blockedUsers(by: user)) }

  /// Returns whether another user blocks the user, at the head of the log.
  internal func isBlocked(by other: User.ID) throws(ReadError) -> Bool {
    let key = UserBlock.Key(by: other, of: user)
    return try decided { chat throws(ProjectionError) in try chat.block(key) != nil }
  }

  /// Returns the block that keeps the user from writing in a direct channel, at the head of the log; nil if there is
  /// none.
  package func block(in channel: Channel) throws(ReadError) -> UserBlock? {
    for key in channel.blocks(of: user) {
      if let block = try decided({ chat throws(ProjectionError) in try chat.block(key) }) { return block }
    }
    return nil
  }
}

// MARK: Reviews

extension ClientReading {
  /// Returns reviews with open flags, the first opened first: of messages of a channel, for users who moderate there;
  /// of users (nil), for administrators.
  public func openReviews(
    in channel: Channel.ID?, after cursor: ReviewCursor? = nil, limit: Int
  ) throws(ReadError) -> ReviewPage {
    if let channel {
      _ = try seen(channel)
      try needs(.moderate, in: channel)
    } else {
      try needsAdministrator()
    }
    return try read(chat.openReviews(in: channel, after: cursor, limit: limit))
  }

  /// Returns the review of a message or user, with its flags and all decisions, for those who may review it; nil if it
  /// was never flagged.
  public func review(of target: Flag.Target) throws(ReadError) -> ReviewItem? {
    try needsRight(toReview: target)
    return try read(chat.review(of: target))
  }

  /// Throws unless the user may review a message or user.
  internal func needsRight(toReview target: Flag.Target) throws(ReadError) {
    switch target {
    case .message(let key):
      _ = try seen(key.channel)
      try needs(.moderate, in: key.channel)
    case .user: try needsAdministrator()
    }
  }

  /// Throws unless the user is an administrator.
  internal func needsAdministrator() throws(ReadError) {
    guard viewer.rules.isAdministrator(viewer.user) else { throw .refused(.notAdministrator) }
  }
}

// MARK: Saved and scheduled messages

extension ClientReading {
  /// Returns a page of the messages that the user saved, the last saved first.
  public func savedMessages(after cursor: SavedCursor? = nil, limit: Int) throws(ReadError) -> SavedPage {
    var page = try read(chat.savedMessages(of: user, after: cursor, limit: limit))
    for index in page.items.indices {
      let key = page.items[index].saved.key.message
      page.items[index].message = try ReadError.unlessRefused(shown(reachable(key)))
    }
    return page
  }

  /// Returns a message that the user saved; nil if it is not saved.
  public func savedMessage(_ message: Message.Key) throws(ReadError) -> SavedMessage? {
    try read(chat.savedMessage(SavedMessage.Key(by: user, message)))
  }

  /// Returns the messages that the user scheduled and that were not sent, by channel and id.
  public func scheduledMessages() throws(ReadError) -> [ScheduledMessage] {
    try read(chat.scheduledMessages(of: user))
  }
}

// MARK: Reading all

extension ClientReading {
  /// Returns the intents that mark every channel and thread read through its newest message.
  internal func intentsThatReadAll() throws(ReadError) -> [ChatIntent] {
    var intents: [ChatIntent] = []
    var filter = ChannelFilter(isHidden: nil, isArchived: nil)
    filter.unreadOnly = true
    for item in try channels(where: filter, limit: .max).channels {
      guard let newest = item.newest, newest.number > item.member.read else { continue }
      intents.append(.member(item.member.key, .read(through: newest.key.id)))
    }
    for thread in try threads(limit: .max).threads where thread.unreadReplyCount > 0 {
      let key = ThreadMarker.Key(of: user, in: thread.parent.key)
      intents.append(.thread(key, .read(through: thread.newest.key.id)))
    }
    return intents
  }
}

// MARK: Polls and threads

extension ClientReading {
  /// Returns the user's votes in a poll; nil if there are none.
  public func vote(in message: Message.Key) throws(ReadError) -> Vote? {
    _ = try readable(message)
    return try read(chat.vote(Vote.Key(in: message, by: user)))
  }

  /// Returns votes in a poll, for one option or for any; in an anonymous poll only the user's own.
  public func votes(
    in message: Message.Key, for option: Poll.Option.ID? = nil, after voter: User.ID? = nil, limit: Int
  ) throws(ReadError) -> VotePage {
    guard let poll = try readable(message).poll else { throw .refused(.noPoll(message)) }
    guard poll.rules.isAnonymous else {
      return try read(chat.votes(in: message, for: option, after: voter, limit: limit))
    }
    let own = try read(chat.vote(Vote.Key(in: message, by: user)))
    let isAsked = own.map { vote in option.map { vote.options.contains($0) } ?? true } ?? false
    var page = VotePage()
    if let own, isAsked, voter == nil, limit > 0 { page.votes = [own] }
    return page
  }

  /// Returns the user's read marker in a thread; nil before it has one.
  public func threadMarker(in parent: Message.Key) throws(ReadError) -> ThreadMarker? {
    _ = try known(parent)
    return try read(chat.threadMarker(ThreadMarker.Key(of: user, in: parent)))
  }
}
