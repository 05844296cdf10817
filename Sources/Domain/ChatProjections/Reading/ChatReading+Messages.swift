// Messages of a channel and replies in a thread, page by page.
internal import Bytes
public import Chat
internal import ChatCodec
public import Projections
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
  ) throws(ProjectionError) -> MessagePage {
    guard let row = try self.channel(channel) else { return MessagePage() }
    return try page(
      of: Places(table: ChatState.timeline, prefix: KeyPrefix(channel)) { TimelineKey(channel, $0) },
      in: row, span, limit: limit, for: viewer)
  }

  /// Replies in the thread of a message, as messages of a channel.
  public func replies(
    to parent: Message.Key, _ span: MessageSpan = .latest, limit: Int, for viewer: User.ID? = nil
  ) throws(ProjectionError) -> MessagePage {
    guard let row = try self.channel(parent.channel) else { return MessagePage() }
    return try page(
      of: Places(table: ChatState.replies, prefix: KeyPrefix(of: parent)) { ReplyKey(parent, $0) },
      in: row, span, limit: limit, for: viewer)
  }
}

// MARK: Pages

/// Where messages stand one after the other.
private struct Places<Key: ChatKey> {
  let table: ProjectionTable<ChatState, TimelineEntry<Key>>
  let prefix: KeyPrefix
  let key: (Message.Number) -> Key
}

extension ChatReading {
  private func page<Key: ChatKey>(
    of places: Places<Key>, in channel: Channel, _ span: MessageSpan, limit: Int, for viewer: User.ID?
  ) throws(ProjectionError) -> MessagePage {
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
  ) throws(ProjectionError) -> [Message] {
    if order == .upwards, let number, number <= channel.truncated {
      return try some(of: places, order, channel.truncated.next, in: channel, limit, viewer)
    }
    var start = order == .upwards ? places.prefix.bytes : places.prefix.end
    if let number { start = places.key(number).withKeyBytes { Array($0) } }
    var messages: [Message] = []
    messages.reserveCapacity(min(limit, 100) + 1)
    let prefix = places.prefix
    try reading.withRows(of: places.table, and: ChatState.messages) { places, rows throws(TablesError) in
      var messageRows = MessageRows(of: channel.id)
      var isThere = try start.withKeyBytes { key in
        Result { () throws(TablesError) in try places.move(from: key, order) }
      }
      .get()
      while isThere, places.key.withUnsafeBytes({ prefix.begins($0) }) {
        if let message = try messageRows.message(at: places, in: &rows, order) {
          if message.number <= channel.truncated { return }
          if message.isVisible(to: viewer) { messages.append(message) }
          if messages.count > limit { return }
        }
        isThere = try places.moveOn(order)
      }
    }
    return messages
  }
}

/// Reads messages of a channel one after the other, whose rows most often lie side by side.
private struct MessageRows {
  private let channel: Channel.ID
  private var key: [UInt8]
  private let prefixCount: Int

  init(of channel: Channel.ID) {
    self.channel = channel
    key = KeyPrefix(channel).bytes
    prefixCount = key.count
  }

  /// The message that has a place; nil when there is none. The next row in the order is looked at first.
  mutating func message(
    at place: borrowing RowCursor, in rows: inout RowCursor, _ order: RowOrder
  ) throws(TablesError) -> Message? {
    guard let id = TimelineEntry<TimelineKey>.messageID(in: place.value) else { throw place.malformed }
    let isFirst = key.count == prefixCount
    key.removeLast(key.count - prefixCount)
    id.withUnsafeBytes { key.append(contentsOf: $0) }
    var isThere = try isFirst ? false : rows.moveOn(order)
    if !isThere || !isKey(of: rows) {
      let found = key.span.bytes.withUnsafeBytes { key in Result { () throws(TablesError) in try rows.find(key) } }
      isThere = try found.get()
    }
    if !isThere { return nil }
    guard let id = Message.ID(spelledBy: id) else { throw rows.malformed }
    var fields = FieldReader(rows.value)
    do throws(PayloadDefect) {
      let message = try Message(Message.Key(channel, id), from: &fields)
      try fields.end()
      return message
    } catch {
      throw rows.malformed
    }
  }

  private func isKey(of rows: borrowing RowCursor) -> Bool {
    rows.key.withUnsafeBytes { other in key.withUnsafeBytes { $0.hasSameBytes(as: other) } }
  }
}

extension MessagePage {
  /// Puts so many messages before the others, of which the newest comes first.
  fileprivate mutating func add(older found: consuming [Message], _ limit: Int) {
    let hasMore = found.cut(to: limit)
    found.turnAround()
    if messages.isEmpty { messages = found } else { messages.insert(contentsOf: found, at: 0) }
    older = hasMore ? messages.first?.number : nil
  }

  /// Puts so many messages behind the others.
  fileprivate mutating func add(newer found: consuming [Message], _ limit: Int) {
    let hasMore = found.cut(to: limit)
    if messages.isEmpty { messages = found } else { messages += found }
    newer = hasMore ? messages.last?.number : nil
  }
}

extension [Message] {
  /// Reverses the order; messages are moved and not copied, as `reverse` would.
  fileprivate mutating func turnAround() {
    withUnsafeMutableBufferPointer { messages in
      guard var low = messages.baseAddress else { return }
      var high = low + (messages.count - 1)
      while low < high {
        // Safe because both places lie in the array and differ; each is left and then filled.
        let message = low.move()
        low.moveInitialize(from: high, count: 1)
        high.initialize(to: message)
        (low, high) = (low + 1, high - 1)
      }
    }
  }

  /// Leaves so many at most; answers whether there were more.
  fileprivate mutating func cut(to limit: Int) -> Bool {
    if count <= limit { return false }
    removeLast(count - limit)
    return true
  }
}

extension Message {
  /// Whether somebody sees it: what is ephemeral, its author alone does.
  package func isVisible(to viewer: User.ID?) -> Bool {
    content.kind != .ephemeral || viewer != nil && author == viewer
  }
}
