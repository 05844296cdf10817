// Messages of a channel and replies in a thread, page by page.
public import Chat
public import Views
internal import Tables

/// Which messages one asks for.
public enum MessageSpan: Hashable, Sendable {
  /// The last ones.
  case latest
  /// The last ones before this one.
  case before(Message.Number)
  /// The first ones behind this one.
  case after(Message.Number)
  /// This one, with as many before it as behind it.
  case around(Message.ID)
}

/// Some messages that follow one another.
public struct MessagePage: Hashable, Sendable {
  /// The messages, in the order in which they were sent.
  public var messages: [Message] = []
  /// What older ones come ``MessageSpan/before(_:)``; nil when there are none.
  public var older: Message.Number?
  /// What newer ones come ``MessageSpan/after(_:)``; nil when there are none.
  public var newer: Message.Number?

  /// A page of messages; nothing comes before or behind.
  public init(messages: [Message] = []) { self.messages = messages }
}

extension ChatReading {
  /// Messages of a channel: those that somebody sees, or everybody where nobody is named.
  ///
  /// Deleted ones are among them, to stand as placeholders; those deleted for good or truncated away are not, nor are
  /// replies that stand in their thread alone. Nothing is there of a channel that is deleted.
  public func messages(
    in channel: Channel.ID, _ span: MessageSpan = .latest, limit: Int, for viewer: User.ID? = nil
  ) throws(ViewError) -> MessagePage {
    guard let row = try self.channel(channel) else { return MessagePage() }
    return try page(
      of: Places(table: ChatState.timeline, prefix: KeyPrefix(channel)) { PlaceKey(channel, $0) },
      in: row, span, limit: limit, for: viewer)
  }

  /// Replies in the thread of a message, as messages of a channel.
  public func replies(
    to parent: Message.Key, _ span: MessageSpan = .latest, limit: Int, for viewer: User.ID? = nil
  ) throws(ViewError) -> MessagePage {
    guard let row = try self.channel(parent.channel) else { return MessagePage() }
    return try page(
      of: Places(table: ChatState.replies, prefix: KeyPrefix(of: parent)) { ReplyKey(parent, $0) },
      in: row, span, limit: limit, for: viewer)
  }
}

// MARK: Pages

/// Where messages stand one after the other.
private struct Places<Key: ChatKey> {
  let table: ViewTable<ChatState, Placed<Key>>
  let prefix: KeyPrefix
  let key: (Message.Number) -> Key
}

extension ChatReading {
  private func page<Key: ChatKey>(
    of places: Places<Key>, in channel: Channel, _ span: MessageSpan, limit: Int, for viewer: User.ID?
  ) throws(ViewError) -> MessagePage {
    let limit = max(0, limit)
    var page = MessagePage()
    switch span {
    case .latest: page.add(older: try some(of: places, .downwards, nil, in: channel, limit, viewer), limit)
    case .before(let number):
      page.add(older: try some(of: places, .downwards, number, in: channel, limit, viewer), limit)
      let isLast = try some(of: places, .upwards, number, in: channel, 0, viewer).isEmpty
      page.newer = isLast ? nil : page.messages.last?.number ?? number.previous
    case .after(let number):
      page.add(newer: try some(of: places, .upwards, number.next, in: channel, limit, viewer), limit)
      let isFirst = try some(of: places, .downwards, number.next, in: channel, 0, viewer).isEmpty
      page.older = isFirst ? nil : page.messages.first?.number ?? number.next
    case .around(let id):
      let message = try reading.row(of: Message.Key(channel.id, id), in: ChatState.messages)
      guard let number = message?.number, number > channel.truncated else { return page }
      let newer = try some(of: places, .upwards, number, in: channel, limit, viewer)
      let older = try some(of: places, .downwards, number, in: channel, limit, viewer)
      // Where one side has few, the other has the room.
      let newerCount = min(newer.count, max((limit + 1) / 2, limit - older.count))
      page.add(newer: newer, newerCount)
      page.add(older: older, limit - newerCount)
    }
    return page
  }

  /// Messages from a number on, upwards or downwards; one more than so many, if there is one.
  private func some<Key: ChatKey>(
    of places: Places<Key>, _ order: RowOrder, _ number: Message.Number?, in channel: Channel, _ limit: Int,
    _ viewer: User.ID?
  ) throws(ViewError) -> [Message] {
    var messages: [Message] = []
    if order == .upwards, let number, number <= channel.truncated {
      return try some(of: places, order, channel.truncated.next, in: channel, limit, viewer)
    }
    let start = number.map { places.key($0) }
    try forEach(in: places.table, under: places.prefix, from: start, order) { place throws(ViewError) in
      let key = Message.Key(channel.id, place.message)
      guard let message = try reading.row(of: key, in: ChatState.messages) else { return true }
      if message.number <= channel.truncated { return false }
      if message.isVisible(to: viewer) { messages.append(message) }
      return messages.count <= limit
    }
    return messages
  }
}

extension MessagePage {
  /// Puts so many messages before the others, of which the newest comes first.
  fileprivate mutating func add(older found: [Message], _ limit: Int) {
    messages = found.prefix(limit).reversed() + messages
    older = found.count > limit ? messages.first?.number : nil
  }

  /// Puts so many messages behind the others.
  fileprivate mutating func add(newer found: [Message], _ limit: Int) {
    messages += found.prefix(limit)
    newer = found.count > limit ? messages.last?.number : nil
  }
}

extension Message {
  /// Whether somebody sees it: what is ephemeral, its author alone does.
  internal func isVisible(to viewer: User.ID?) -> Bool {
    content.kind != .ephemeral || viewer != nil && author == viewer
  }
}
