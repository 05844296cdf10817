// Messages that stand out: those that are pinned, and those that mention somebody.
public import Chat
public import Projections

/// Messages that are pinned, the one that was pinned last first.
public struct PinPage: Hashable, Sendable {
  /// The messages.
  public var messages: [Message] = []
  /// Where the next page begins; nil when there is none.
  public var next: PinCursor?
}

/// Behind which pinned message a page begins.
public struct PinCursor: Hashable, Sendable {
  fileprivate let key: PinKey
}

/// Messages that mention somebody, the one that was sent last first.
public struct MentionPage: Hashable, Sendable {
  /// The messages.
  public var messages: [Message] = []
  /// Where the next page begins; nil when there is none.
  public var next: MentionCursor?
}

/// Behind which mention a page begins.
public struct MentionCursor: Hashable, Sendable {
  fileprivate let key: MentionTimeKey
}

extension ChatReading {
  /// Messages of a channel that are pinned at an instant; not those that are deleted, nor what only its author sees.
  public func pinned(
    in channel: Channel.ID, at instant: Instant, after cursor: PinCursor? = nil, limit: Int
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

  /// Messages that mention somebody, in all channels of which they are a member; not those that are deleted, nor what
  /// only its author sees.
  public func mentions(
    of user: User.ID, after cursor: MentionCursor? = nil, limit: Int
  ) throws(ProjectionError) -> MentionPage {
    try mentions(of: user, after: cursor, limit: limit) { _ in true }
  }

  /// As ``mentions(of:after:limit:)``, in the channels in which somebody may read.
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
  /// What a key has, asked for once.
  internal mutating func remembering<E: Error>(_ key: Key, _ ask: () throws(E) -> Value) throws(E) -> Value {
    if let value = self[key] { return value }
    let value = try ask()
    self[key] = value
    return value
  }
}
