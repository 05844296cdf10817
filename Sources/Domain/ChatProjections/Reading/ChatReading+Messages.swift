// Queries for messages of a channel and replies in a thread, page by page.
internal import Bytes
public import Chat
internal import ChatCodec
public import Projections
internal import Tables

/// The range of messages to return.
public enum MessageSpan: Hashable, Sendable {
  /// The last messages.
  case latest
  /// The last messages before a number.
  case before(Message.Number)
  /// The first messages after a number.
  case after(Message.Number)
  /// The messages sent at an instant or later: those behind the last one that everybody sees and that was sent before.
  case from(Timestamp)
  /// A message, with as many before it as after it.
  case around(Message.ID)
}

/// A page of consecutive messages.
public struct MessagePage: Hashable, Sendable {
  /// The messages of the page, in the order in which they were sent.
  public var messages: [Message] = []
  /// The number ``MessageSpan/before(_:)`` which older messages are found; nil when there are none.
  public var older: Message.Number?
  /// The number ``MessageSpan/after(_:)`` which newer messages are found; nil when there are none.
  public var newer: Message.Number?

  /// Creates a page of messages with nothing before or after it.
  public init(messages: [Message] = []) { self.messages = messages }
}

extension ChatReading {
  /// Returns a page of the messages of a channel that a viewer sees; without a viewer, of those that everybody sees.
  ///
  /// Deleted messages are included as placeholders; messages deleted for good or truncated away are not, nor are
  /// replies shown in their thread only. The page of a deleted channel is empty.
  public func messages(
    in channel: Channel.ID, _ span: MessageSpan = .latest, limit: Int, for viewer: User.ID? = nil
  ) throws(ProjectionError) -> MessagePage {
    guard let row = try self.channel(channel) else { return MessagePage() }
    return try page(of: .messages(in: channel), in: row, span, limit: limit, for: viewer)
  }

  /// Returns a page of the replies in a thread, by the rules of ``messages(in:_:limit:for:)``.
  public func replies(
    to parent: Message.Key, _ span: MessageSpan = .latest, limit: Int, for viewer: User.ID? = nil
  ) throws(ProjectionError) -> MessagePage {
    guard let row = try self.channel(parent.channel) else { return MessagePage() }
    return try page(
      of: MessageTimeline(table: ChatState.replies, prefix: KeyPrefix(of: parent)) { ReplyKey(parent, $0) },
      in: row, span, limit: limit, for: viewer)
  }
}

// MARK: Pages

/// A timeline or thread: an ordered table of messages, by number.
private struct MessageTimeline<Key: ChatKey> {
  let table: ProjectionTable<ChatState, TimelineEntry<Key>>
  let prefix: KeyPrefix
  let key: (Message.Number) -> Key
}

extension MessageTimeline<TimelineKey> {
  static func messages(in channel: Channel.ID) -> Self {
    Self(table: ChatState.timeline, prefix: KeyPrefix(channel)) { TimelineKey(channel, $0) }
  }
}

extension ChatReading {
  private func page<Key: ChatKey>(
    of timeline: MessageTimeline<Key>, in channel: Channel, _ span: MessageSpan, limit: Int, for viewer: User.ID?
  ) throws(ProjectionError) -> MessagePage {
    let limit = max(0, limit)
    var page = MessagePage()
    switch span {
    case .latest: page.add(older: try some(of: timeline, .downwards, nil, in: channel, limit, viewer), limit)
    case .before(let number):
      page.add(older: try some(of: timeline, .downwards, number, in: channel, limit, viewer), limit)
      let isLast = try some(of: timeline, .upwards, number, in: channel, 0, viewer).isEmpty
      page.newer = isLast ? nil : page.messages.last?.number ?? number.previous
    case .from(let instant):
      let first = try self.first(of: timeline, from: instant, in: channel)
      return try self.page(of: timeline, in: channel, .after(first.previous), limit: limit, for: viewer)
    case .after(let number):
      page.add(newer: try some(of: timeline, .upwards, number.next, in: channel, limit, viewer), limit)
      let isFirst = try some(of: timeline, .downwards, number.next, in: channel, 0, viewer).isEmpty
      page.older = isFirst ? nil : page.messages.first?.number ?? number.next
    case .around(let id):
      let message = try reading.row(of: Message.Key(channel.id, id), in: ChatState.messages)
      guard let number = message?.number, number > channel.truncated else { return page }
      let newer = try some(of: timeline, .upwards, number, in: channel, limit, viewer)
      let older = try some(of: timeline, .downwards, number, in: channel, limit, viewer)
      // Where one side has few messages, the other gets the rest of the limit.
      let newerCount = min(newer.count, max(limit / 2 + limit % 2, limit - older.count))
      page.add(newer: newer, newerCount)
      page.add(older: older, limit - newerCount)
    }
    return page
  }

  /// Returns the number behind the last message that everybody sees and that was sent before an instant.
  private func first<Key: ChatKey>(
    of timeline: MessageTimeline<Key>, from instant: Timestamp, in channel: Channel
  ) throws(ProjectionError) -> Message.Number {
    for stretch in try stretches(of: channel) {
      let first = try first(of: timeline, from: instant, in: channel, stretch)
      if first > stretch.lowerBound { return first }
    }
    return channel.truncated.next
  }

  /// Returns the lowest number of a stretch without messages before it in the stretch that were sent before an instant.
  private func first<Key: ChatKey>(
    of timeline: MessageTimeline<Key>, from instant: Timestamp, in channel: Channel, _ stretch: Range<Message.Number>
  ) throws(ProjectionError) -> Message.Number {
    var (low, high) = (stretch.lowerBound, stretch.upperBound)
    while low < high {
      let middle = Message.Number(rawValue: low.rawValue + (high.rawValue - low.rawValue) / 2)
      let message = try some(of: timeline, .upwards, middle, in: channel, 0, nil).first
      if let message, message.number < high, message.sent < instant { low = message.number.next } else { high = middle }
    }
    return low
  }

  /// Returns the stretches of a channel's message numbers, the last first, in each of which times ascend: those of the
  /// messages that everybody sees. A correction of the clock begins another one.
  internal func stretches(of channel: Channel) throws(ProjectionError) -> [Range<Message.Number>] {
    var stretches: [Range<Message.Number>] = []
    let first = channel.truncated.next
    var end = channel.newest.next
    let falls = try reading.row(of: channel.id, in: ChatState.lastSaid)?.falls ?? []
    for start in falls.reversed() + [first] where max(start, first) < end {
      stretches.append(max(start, first)..<end)
      end = max(start, first)
    }
    return stretches
  }

  /// Returns the number of the first message of a stretch, in the channel, that was sent after an instant; the end of
  /// the stretch without one.
  internal func first(
    of stretch: Range<Message.Number>, sentAfter instant: Timestamp, in channel: Channel
  ) throws(ProjectionError) -> Message.Number {
    let timeline = MessageTimeline.messages(in: channel.id)
    let first = try first(of: timeline, from: instant + Microseconds(rawValue: 1), in: channel, stretch)
    let message = try some(of: timeline, .upwards, first, in: channel, 0, nil).first
    return min(message?.number ?? stretch.upperBound, stretch.upperBound)
  }

  /// Returns messages from a number on, upwards or downwards; one more than the limit, if there is one.
  private func some<Key: ChatKey>(
    of timeline: MessageTimeline<Key>, _ order: RowOrder, _ number: Message.Number?, in channel: Channel, _ limit: Int,
    _ viewer: User.ID?
  ) throws(ProjectionError) -> [Message] {
    if order == .upwards, let number, number <= channel.truncated {
      return try some(of: timeline, order, channel.truncated.next, in: channel, limit, viewer)
    }
    // In the past, the rows behind the newest message are those of later ones.
    let number = number ?? (order == .upwards ? .zero : channel.newest.next)
    let start = timeline.key(number).withKeyBytes { Array($0) }
    var messages: [Message] = []
    messages.reserveCapacity(min(limit, 100) + 1)
    let prefix = timeline.prefix
    try reading.withRows(of: timeline.table, and: ChatState.messages) { entries, rows throws(TablesError) in
      var messageRows = MessageRows(of: channel.id)
      var isThere = try start.withKeyBytes { key in
        Result { () throws(TablesError) in try entries.move(from: key, order) }
      }
      .get()
      while isThere, entries.key.withUnsafeBytes({ prefix.begins($0) }) {
        if let message = try messageRows.message(at: entries, in: &rows, order) {
          if message.number <= channel.truncated { return }
          if message.isVisible(to: viewer) { messages.append(message) }
          if messages.count > limit { return }
        }
        isThere = try entries.moveOn(order)
      }
    }
    return messages
  }
}

/// A reader of consecutive messages of a channel, whose rows are usually adjacent.
private struct MessageRows {
  private let channel: Channel.ID
  private let prefix: [UInt8]
  private var isFirst = true

  init(of channel: Channel.ID) { (self.channel, prefix) = (channel, KeyPrefix(channel).bytes) }

  /// Reads the message of a timeline row; nil when there is none. The next row in the order is tried first.
  // Inlined, so that the message is made where it is used: each move copies 350 bytes.
  @inline(__always)
  mutating func message(
    at entry: borrowing RowCursor, in rows: inout RowCursor, _ order: RowOrder
  ) throws(TablesError) -> Message? {
    guard let id = TimelineEntry<TimelineKey>.messageID(in: entry.value) else { throw entry.malformed }
    var isThere = try isFirst ? false : rows.moveOn(order)
    isFirst = false
    if !isThere || !isKey(of: rows, id) {
      let key = prefix + id.withUnsafeBytes { Array($0) }
      let found = key.withUnsafeBytes { key in Result { () throws(TablesError) in try rows.find(key) } }
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

  /// Returns whether the current row is that of a message in the channel.
  private func isKey(of rows: borrowing RowCursor, _ id: RawSpan) -> Bool {
    rows.key.withUnsafeBytes { key in
      guard key.count == prefix.count + id.byteCount else { return false }
      let (start, end) = (key.prefix(prefix.count), key.suffix(id.byteCount))
      return prefix.withUnsafeBytes { UnsafeRawBufferPointer(rebasing: start).hasSameBytes(as: $0) }
        && id.withUnsafeBytes { UnsafeRawBufferPointer(rebasing: end).hasSameBytes(as: $0) }
    }
  }
}

extension MessagePage {
  /// Prepends messages, given newest first, up to the limit.
  fileprivate mutating func add(older found: consuming [Message], _ limit: Int) {
    let hasMore = found.cut(to: limit)
    found.turnAround()
    if messages.isEmpty { messages = found } else { messages.insert(contentsOf: found, at: 0) }
    older = hasMore ? messages.first?.number : nil
  }

  /// Appends messages up to the limit.
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
        // Safe because both elements are in the array and differ; each is moved out and then initialized.
        let message = low.move()
        low.moveInitialize(from: high, count: 1)
        high.initialize(to: message)
        (low, high) = (low + 1, high - 1)
      }
    }
  }

  /// Removes the messages beyond the limit; returns whether there were any.
  fileprivate mutating func cut(to limit: Int) -> Bool {
    if count <= limit { return false }
    removeLast(count - limit)
    return true
  }
}
