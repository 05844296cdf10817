// Messages that stand out: those that are pinned, and those that mention somebody.
public import Chat
public import Views

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
  /// Messages of a channel that are pinned at an instant; not those that are deleted.
  public func pinned(
    in channel: Channel.ID, at instant: Instant, after cursor: PinCursor? = nil, limit: Int
  ) throws(ViewError) -> PinPage {
    var page = PinPage()
    guard let row = try self.channel(channel), limit > 0 else { return page }
    var last: PinKey?
    try forEach(in: ChatState.pins, under: KeyPrefix(channel), from: cursor?.key) { entry throws(ViewError) in
      guard entry.key != cursor?.key,
        let message = try reading.row(of: Message.Key(channel, entry.key.message), in: ChatState.messages),
        message.presence == .present, message.isPinned(at: instant), message.number > row.truncated
      else { return true }
      if page.messages.count == limit {
        page.next = last.map { PinCursor(key: $0) }
        return false
      }
      page.messages.append(message)
      last = entry.key
      return true
    }
    return page
  }

  /// Messages that mention somebody, in all channels of which they are a member; not those that are deleted, nor what
  /// only its author sees.
  public func mentions(
    of user: User.ID, after cursor: MentionCursor? = nil, limit: Int
  ) throws(ViewError) -> MentionPage {
    var page = MentionPage()
    guard limit > 0 else { return page }
    var last: MentionTimeKey?
    var channels: [Channel.ID: Channel?] = [:]
    try forEach(in: ChatState.mentionTimes, under: KeyPrefix(user), from: cursor?.key) { entry throws(ViewError) in
      let key = entry.key.message
      guard entry.key != cursor?.key,
        let channel = try channels.remembering(
          key.channel,
          { () throws(ViewError) in
            try member(Member.Key(key.channel, user)) == nil ? nil : channel(key.channel)
          }), let message = try reading.row(of: key, in: ChatState.messages),
        message.presence == .present, message.isVisible(to: user), message.number > channel.truncated
      else { return true }
      if page.messages.count == limit {
        page.next = last.map { MentionCursor(key: $0) }
        return false
      }
      page.messages.append(message)
      last = entry.key
      return true
    }
    return page
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
