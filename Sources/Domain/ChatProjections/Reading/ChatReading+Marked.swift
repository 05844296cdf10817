// Queries for pinned messages and for mentions.
public import Chat
public import Projections

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

/// A page of messages that mention a user, the last sent first.
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

  /// Returns a page of the messages that mention a user, in all channels of which they are a member; not deleted ones,
  /// nor ephemeral ones of other authors.
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
    var channels: [Channel.ID: Channel?] = [:]
    let page = try page(
      of: ChatState.mentionTimes, under: KeyPrefix(user), after: cursor?.key, limit: limit, by: { $0.key }
    ) { entry throws(ProjectionError) -> Message? in
      let key = entry.key.message
      let channel = try channels.remembering(key.channel) { () throws(ProjectionError) in
        guard let member = try member(Member.Key(key.channel, user)), isSeen(member) else { return nil }
        return try self.channel(key.channel)
      }
      guard let channel, let message = try reading.row(of: key, in: ChatState.messages),
        message.presence == .present, message.isVisible(to: user), message.number > channel.truncated
      else { return nil }
      return message
    }
    return MentionPage(messages: page.items, next: page.next.map { MentionCursor(key: $0) })
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
