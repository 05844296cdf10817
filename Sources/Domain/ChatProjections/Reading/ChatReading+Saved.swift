// Queries for blocks, reviews, saved and scheduled messages, votes and thread markers.
public import Chat
public import Projections

/// A saved message with the message itself.
public struct SavedItem: Hashable, Sendable {
  /// The saved message.
  public let saved: SavedMessage
  /// The message; nil when its channel was deleted, and for a client also when the user cannot see it any more.
  public package(set) var message: Message?
}

/// A page of saved messages, the last saved first.
public struct SavedPage: Hashable, Sendable {
  /// The saved messages of the page.
  public package(set) var items: [SavedItem] = []
  /// The cursor of the next page; nil on the last page.
  public var next: SavedCursor?
}

/// The saved message after which a page begins.
public struct SavedCursor: Hashable, Sendable {
  internal let key: SavedTimeKey
}

/// The review of a flagged message or user, with its flags.
public struct ReviewItem: Hashable, Sendable {
  /// The review.
  public let review: Review
  /// The flags, open or resolved, in the order of their users' ids.
  public let flags: [Flag]

  /// The flags that wait for a decision.
  public var openFlags: [Flag] { flags.filter { $0.isOpen(in: review) } }
}

/// A page of reviews with open flags, the first opened first.
public struct ReviewPage: Hashable, Sendable {
  /// The reviews of the page.
  public var items: [ReviewItem] = []
  /// The cursor of the next page; nil on the last page.
  public var next: ReviewCursor?
}

/// The review after which a page begins.
public struct ReviewCursor: Hashable, Sendable {
  internal let key: OpenReviewKey
}

/// A reminder or a scheduled message that is due at some time.
public enum Due: Hashable, Sendable {
  /// The user is to be reminded of the message.
  case reminder(SavedMessage.Key, at: Timestamp)
  /// The message is to be sent.
  case message(ScheduledMessage.Key, at: Timestamp)
}

// MARK: Blocks

extension ChatReading {
  /// Returns a block; nil if there is none.
  package func block(_ key: UserBlock.Key) throws(ProjectionError) -> UserBlock? {
    try reading.row(of: key, in: ChatState.blocks)
  }

  /// Returns the users whom a user blocks, in the order of their ids.
  public func blockedUsers(by user: User.ID) throws(ProjectionError) -> [User.ID] {
    var blocked: [User.ID] = []
    try forEach(in: ChatState.blocks, under: KeyPrefix(user)) { block in
      blocked.append(block.key.blocked)
      return true
    }
    return blocked
  }
}

// MARK: Reviews

extension ChatReading {
  /// Returns the review of a message or user, with its flags and decisions; nil if it was never flagged.
  public func review(of target: Flag.Target) throws(ProjectionError) -> ReviewItem? {
    guard let review = try reading.row(of: target, in: ChatState.reviews) else { return nil }
    return try item(review)
  }

  /// Returns reviews with open flags: of messages of a channel, or of users (nil).
  public func openReviews(
    in channel: Channel.ID?, after cursor: ReviewCursor? = nil, limit: Int
  ) throws(ProjectionError) -> ReviewPage {
    if let channel, try self.channel(channel) == nil { return ReviewPage() }
    let prefix: KeyPrefix = channel.map { KeyPrefix($0) } ?? .nothing
    let page = try page(
      of: ChatState.openReviews, under: prefix, after: cursor?.key, limit: limit, by: { $0.key }
    ) { (entry: Entry<OpenReviewKey>) throws(ProjectionError) -> ReviewItem? in
      try review(of: entry.key.target)
    }
    return ReviewPage(items: page.items, next: page.next.map { ReviewCursor(key: $0) })
  }

  private func item(_ review: Review) throws(ProjectionError) -> ReviewItem {
    var flags: [Flag] = []
    try forEach(in: ChatState.flags, under: KeyPrefix(of: review.target)) { flag in
      flags.append(flag)
      return true
    }
    return ReviewItem(review: review, flags: flags)
  }
}

// MARK: Saved and scheduled messages

extension ChatReading {
  /// Returns a page of the messages that a user saved.
  public func savedMessages(
    of user: User.ID, after cursor: SavedCursor? = nil, limit: Int
  ) throws(ProjectionError) -> SavedPage {
    let page = try page(
      of: ChatState.savedTimes, under: KeyPrefix(user), after: cursor?.key, limit: limit, by: { $0.key }
    ) { (entry: Entry<SavedTimeKey>) throws(ProjectionError) -> SavedItem? in
      let key = entry.key.key
      guard let saved = try reading.row(of: key, in: ChatState.savedMessages) else { return nil }
      return SavedItem(saved: saved, message: try message(key.message))
    }
    return SavedPage(items: page.items, next: page.next.map { SavedCursor(key: $0) })
  }

  /// Returns a message that a user saved; nil if it is not saved.
  public func savedMessage(_ key: SavedMessage.Key) throws(ProjectionError) -> SavedMessage? {
    try reading.row(of: key, in: ChatState.savedMessages)
  }

  /// Returns the messages that an author scheduled and that were not sent, by channel and id.
  public func scheduledMessages(of author: User.ID) throws(ProjectionError) -> [ScheduledMessage] {
    var messages: [ScheduledMessage] = []
    try forEach(in: ChatState.scheduledMessages, under: KeyPrefix(author)) { message in
      messages.append(message)
      return true
    }
    return messages
  }

  /// Returns the reminders and scheduled messages of all users that are due by an instant, the first due first.
  public func dues(through instant: Timestamp) throws(ProjectionError) -> [Due] {
    var dues: [Due] = []
    try forEach(in: ChatState.dues, under: .nothing) { entry in
      let (key, at) = (entry.key, entry.key.at)
      guard at <= instant else { return false }
      dues.append(
        key.isReminder
          ? .reminder(SavedMessage.Key(by: key.user, key.message), at: at)
          : .message(ScheduledMessage.Key(by: key.user, key.message), at: at))
      return true
    }
    return dues
  }
}

// MARK: Polls and threads

extension ChatReading {
  /// Returns the votes of a user in a poll; nil if there are none.
  public func vote(_ key: Vote.Key) throws(ProjectionError) -> Vote? { try reading.row(of: key, in: ChatState.votes) }

  /// Returns votes in a poll, for one option or for any, in the order of the users' ids.
  public func votes(
    in message: Message.Key, for option: Poll.Option.ID? = nil, after user: User.ID? = nil, limit: Int
  ) throws(ProjectionError) -> VotePage {
    let page = try page(
      of: ChatState.votes, under: KeyPrefix(of: message), after: user.map { Vote.Key(in: message, by: $0) },
      limit: limit, by: { $0.key }
    ) { vote in option.map { vote.options.contains($0) } ?? true ? vote : nil }
    return VotePage(votes: page.items, next: page.next?.user)
  }

  /// Returns a user's read marker in a thread; nil before it has one.
  public func threadMarker(_ key: ThreadMarker.Key) throws(ProjectionError) -> ThreadMarker? {
    try reading.row(of: key, in: ChatState.threadMarkers)
  }

  /// Returns the number through which a member has read a thread: that of their read marker in the thread, or without
  /// one since they joined, in the channel.
  package func newestRead(
    by member: Member, inThreadOf parent: Message.Key
  ) throws(ProjectionError) -> Message.Number {
    member.newestRead(try threadMarker(ThreadMarker.Key(of: member.key.user, in: parent)))
  }
}

/// A page of votes in a poll, in the order of the users' ids.
public struct VotePage: Hashable, Sendable {
  /// The votes of the page.
  public var votes: [Vote] = []
  /// The user after whom the next page begins; nil on the last page.
  public var next: User.ID?

  /// Creates a page of votes, by default an empty one.
  package init(votes: [Vote] = [], next: User.ID? = nil) { (self.votes, self.next) = (votes, next) }
}
