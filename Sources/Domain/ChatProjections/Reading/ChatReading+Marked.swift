// Queries for pinned messages and for mentions.
public import Chat
public import Projections
internal import Tables

/// A page of pinned messages, the last pinned first.
public struct PinPage: Hashable, Sendable {
  /// The messages of the page.
  public var messages: [Message] = []
  /// The cursor of the next page; nil on the last page.
  public var next: PinCursor?
}

/// The pinned message after which a page begins.
public struct PinCursor: Hashable, Sendable {
  fileprivate let key: PinKey
}

/// A page of messages that mention a user or a group of theirs, the last sent first.
public struct MentionPage: Hashable, Sendable {
  /// The messages of the page.
  public var messages: [Message] = []
  /// The cursor of the next page; nil on the last page.
  public var next: MentionCursor?
}

/// The mention after which a page begins.
public struct MentionCursor: Hashable, Sendable {
  fileprivate let key: MentionTimeKey
}

extension ChatReading {
  /// Returns a page of the messages of a channel pinned at an instant; not deleted or ephemeral ones.
  public func pinned(
    in channel: Channel.ID, at instant: Timestamp, after cursor: PinCursor? = nil, limit: Int
  ) throws(ProjectionError) -> PinPage {
    guard let row = try self.channel(channel) else { return PinPage() }
    let page = try page(
      of: ChatState.pins, under: KeyPrefix(channel), after: cursor?.key, limit: limit, by: { $0.key }
    ) { entry throws(ProjectionError) -> Message? in
      guard let message = try reading.row(of: Message.Key(channel, entry.key.message), in: ChatState.messages),
        message.presence == .present, message.isVisible(to: nil), message.isPinned(at: instant),
        message.number > row.truncated
      else { return nil }
      return message
    }
    return PinPage(messages: page.items, next: page.next.map { PinCursor(key: $0) })
  }

  /// Returns a page of the messages that mention a user or a group to which they belong, in all channels of which they
  /// are a member; not deleted ones, nor ephemeral ones of other authors.
  ///
  /// A mention of a group concerns neither the author nor those who joined after it, by the times of both. Those of the
  /// groups are found by channel, so that a page costs some reads for each channel of the user.
  public func mentions(
    of user: User.ID, after cursor: MentionCursor? = nil, limit: Int
  ) throws(ProjectionError) -> MentionPage {
    try mentions(of: user, after: cursor, limit: limit) { _ in true }
  }

  /// Returns the page of ``mentions(of:after:limit:)``, limited to channels that the viewer may read.
  package func mentions(
    for viewer: Viewer, after cursor: MentionCursor?, limit: Int
  ) throws(ProjectionError) -> MentionPage {
    try mentions(of: viewer.user.id, after: cursor, limit: limit) { viewer.sees($0.key.channel, as: $0) }
  }

  private func mentions(
    of user: User.ID, after cursor: MentionCursor?, limit: Int, ifSeen isSeen: (Member) -> Bool
  ) throws(ProjectionError) -> MentionPage {
    var found = NewestMentions(of: user, after: cursor?.key, limit: limit)
    if limit <= 0 { return found.page }
    var channels: [Channel.ID: Channel?] = [:]
    try forEach(in: ChatState.mentionTimes, under: KeyPrefix(user), from: cursor?.key) {
      entry throws(ProjectionError) in
      let key = entry.key.message
      let channel = try channels.remembering(key.channel) { () throws(ProjectionError) in
        guard let member = try member(Member.Key(key.channel, user)), isSeen(member) else { return nil }
        return try self.channel(key.channel)
      }
      if let channel, let message = try reading.row(of: key, in: ChatState.messages),
        message.presence == .present, message.isVisible(to: user), message.number > channel.truncated
      {
        found.add(message)
      }
      return found.mayInclude(entry.key.sent)
    }
    try forEachChannel(of: user) { channel, member throws(ProjectionError) in
      if isSeen(member) { try addGroupMentions(of: member, in: channel, to: &found) }
    }
    return found.page
  }

  /// Adds the messages that mention a group of a member, the last first, as long as they may be on the page.
  private func addGroupMentions(
    of member: Member, in channel: Channel, to found: inout NewestMentions
  ) throws(ProjectionError) {
    for stretch in try stretches(of: channel) {
      // In a stretch, the page begins before the first message that is later than the cursor.
      var end = stretch.upperBound
      if let cursor = found.cursor { end = try first(of: stretch, sentAfter: cursor.sent, in: channel) }
      for group in member.groups {
        try addMentions(of: group, in: channel, stretch.lowerBound..<end, for: member, to: &found)
      }
    }
  }

  private func addMentions(
    of group: User.ID, in channel: Channel, _ numbers: Range<Message.Number>, for member: Member,
    to found: inout NewestMentions
  ) throws(ProjectionError) {
    let start = ConcernKey(group, TimelineKey(channel.id, numbers.upperBound))
    try forEach(in: ChatState.mentions, under: KeyPrefix(group, channel.id), from: start, .downwards) {
      row throws(ProjectionError) in
      guard let message = try reading.row(of: Message.Key(channel.id, row.message), in: ChatState.messages)
      else { return true }
      guard message.number >= numbers.lowerBound, message.sent >= member.joined, found.mayInclude(message.sent)
      else { return false }
      let user = member.key.user
      if message.presence == .present, message.author != user, message.isVisible(to: user) { found.add(message) }
      return true
    }
  }
}

/// The newest mentions found so far after a cursor: those of a page, and one more.
private struct NewestMentions {
  let cursor: MentionTimeKey?
  private let user: User.ID
  private let limit: Int
  private var messages: [(key: MentionTimeKey, message: Message)] = []

  init(of user: User.ID, after cursor: MentionTimeKey?, limit: Int) {
    (self.user, self.cursor, self.limit) = (user, cursor, limit)
  }

  /// Adds a message unless it is before the cursor, there already, or older than all of a full page.
  mutating func add(_ message: Message) {
    let key = MentionTimeKey(user, message.sent, message.key)
    if let cursor, !cursor.comesBefore(key) { return }
    let index = messages.firstIndex { !$0.key.comesBefore(key) } ?? messages.count
    if index < messages.count, messages[index].key == key { return }
    messages.insert((key, message), at: index)
    if messages.count - 1 > limit { messages.removeLast() }
  }

  /// Returns whether messages that were sent at an instant may be among them.
  func mayInclude(_ instant: Timestamp) -> Bool { messages.count <= limit || instant >= messages[limit].key.sent }

  var page: MentionPage {
    let hasMore = messages.count > limit && limit > 0
    return MentionPage(
      messages: messages.prefix(max(0, limit)).map(\.message),
      next: hasMore ? MentionCursor(key: messages[limit - 1].key) : nil)
  }
}

extension MentionTimeKey {
  /// Returns whether the key sorts before another of the same user.
  fileprivate func comesBefore(_ other: MentionTimeKey) -> Bool {
    (other.sent, message.channel, message.id) < (sent, other.message.channel, other.message.id)
  }
}

extension Dictionary {
  /// Returns the value of a key, which is computed once.
  internal mutating func remembering<E: Error>(_ key: Key, _ ask: () throws(E) -> Value) throws(E) -> Value {
    if let value = self[key] { return value }
    let value = try ask()
    self[key] = value
    return value
  }
}
