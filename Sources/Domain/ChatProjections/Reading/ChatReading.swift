// The queries of a conversation, all at one position.
internal import Bytes
public import Chat
public import EventLog
internal import Tables
public import Projections

/// A reader of a conversation at one position.
///
/// Queries that depend on the time take an instant: typing users, mutes, bans, pins, unread counts. Long results are
/// paged; the cursor of the next page stays valid whatever is appended in between.
public struct ChatReading: ~Escapable {
  /// The position of the state.
  public var position: Position { reading.position }
  internal let reading: ProjectionReader
  /// The reader of the full-text search tables, at the same position.
  internal let words: ProjectionReader

  @_lifetime(copy reading, copy words)
  internal init(_ reading: ProjectionReader, words: ProjectionReader) { (self.reading, self.words) = (reading, words) }
}

extension ProjectionReader {
  /// The queries of the conversation; requires ``ChatState`` among the projections.
  public var chat: ChatReading {
    @_lifetime(copy self)
    get { ChatReading(self, words: self) }
  }

  /// Returns the queries of the conversation with ``ChatSearch`` in another reader, which is at the same position.
  @_lifetime(copy self, copy words)
  package func chat(findingWordsIn words: ProjectionReader) -> ChatReading { ChatReading(self, words: words) }
}

// MARK: Single rows

extension ChatReading {
  /// Returns a user; nil when there was never one with this id.
  public func user(_ id: User.ID) throws(ProjectionError) -> User? { try reading.row(of: id, in: ChatState.users) }

  /// Returns a channel that is not deleted.
  public func channel(_ id: Channel.ID) throws(ProjectionError) -> Channel? {
    let channel = try reading.row(of: id, in: ChatState.channels)
    return channel?.deleted == nil ? channel : nil
  }

  /// Returns a consumer; nil when it never began or has ended.
  public func consumer(_ id: Consumer.ID) throws(ProjectionError) -> Consumer? {
    try reading.row(of: id, in: ChatState.consumers)
  }

  /// Returns all consumers, in the order of their ids.
  public func consumers() throws(ProjectionError) -> [Consumer] {
    var consumers: [Consumer] = []
    try reading.forEachRow(of: ChatState.consumers) { _, consumer in
      consumers.append(consumer)
      return true
    }
    return consumers
  }

  /// Returns a channel, deleted or not.
  package func anyChannel(_ id: Channel.ID) throws(ProjectionError) -> Channel? {
    try reading.row(of: id, in: ChatState.channels)
  }

  /// Returns whether a user is or was a member of a channel.
  package func isOrWasMember(_ key: Member.Key) throws(ProjectionError) -> Bool {
    try reading.row(of: key, in: ChatState.members) != nil
  }

  /// Returns a draft, or the tombstone of a deleted one.
  package func anyDraft(_ key: Draft.Key) throws(ProjectionError) -> Draft? {
    try reading.row(of: key, in: ChatState.drafts)
  }

  /// Returns a present member of a channel.
  public func member(_ key: Member.Key) throws(ProjectionError) -> Member? {
    let member = try reading.row(of: key, in: ChatState.members)
    return member?.isMember == true ? member : nil
  }

  /// Returns a message, deleted or not, as long as its channel is not deleted.
  public func message(_ key: Message.Key) throws(ProjectionError) -> Message? {
    guard try channel(key.channel) != nil else { return nil }
    return try reading.row(of: key, in: ChatState.messages)
  }
}

// MARK: Channels

extension ChatReading {
  /// Calls the closure with each channel of which a user is a member, in the order of their ids.
  internal func forEachChannel(
    of user: User.ID, _ body: (Channel, Member) throws(ProjectionError) -> Void
  ) throws(ProjectionError) {
    try forEach(in: ChatState.memberships, under: KeyPrefix(user)) { entry throws(ProjectionError) in
      let id = entry.key.channel
      if let channel = try channel(id), let member = try member(Member.Key(id, user)) { try body(channel, member) }
      return true
    }
  }
}

// MARK: Ranges

extension ChatReading {
  /// Calls the closure with each row of a table under a key prefix, in key order or reversed, until it returns false.
  ///
  /// Starts upwards at the first key that is not less than a given one, downwards at the last that is less.
  internal func forEach<Row: ChatRow>(
    in table: ProjectionTable<ChatState, Row>, under prefix: KeyPrefix, from start: Row.RowKey? = nil,
    _ order: RowOrder = .upwards, _ body: (Row) throws(ProjectionError) -> Bool
  ) throws(ProjectionError) {
    var from = order == .upwards ? prefix.bytes : prefix.end
    if let start { from = start.withKeyBytes { Array($0) } }
    try reading.forEachRow(of: table, from: from, order) { (key, row: Row) throws(ProjectionError) in
      if !prefix.begins(key) { return false }
      return try body(row)
    }
  }
}

extension ChatReading {
  /// Returns a page of the rows under a key prefix and after a key: the non-nil results of the closure, up to the
  /// limit, and the key after which there are more.
  internal func page<Row: ChatRow, Item>(
    of table: ProjectionTable<ChatState, Row>, under prefix: KeyPrefix, after cursor: Row.RowKey?, limit: Int,
    by key: (Row) -> Row.RowKey, _ item: (Row) throws(ProjectionError) -> Item?
  ) throws(ProjectionError) -> (items: [Item], next: Row.RowKey?) {
    var page: (items: [Item], next: Row.RowKey?) = ([], nil)
    guard limit > 0 else { return page }
    var last: Row.RowKey?
    try forEach(in: table, under: prefix, from: cursor) { row throws(ProjectionError) in
      let rowKey = key(row)
      guard rowKey != cursor, let item = try item(row) else { return true }
      if page.items.count == limit {
        page.next = last
        return false
      }
      page.items.append(item)
      last = rowKey
      return true
    }
    return page
  }
}

/// A prefix of keys: their first parts.
internal struct KeyPrefix {
  /// The parts, each followed by a space.
  let bytes: [UInt8]

  /// Creates the prefix of keys whose first part is an id.
  init<First>(_ first: ID<First>) { bytes = Self.bytes { $0.first(first) } }

  /// Creates the prefix of keys whose first parts are two ids.
  init<First, Second>(_ first: ID<First>, _ second: ID<Second>) {
    bytes = Self.bytes {
      $0.first(first)
      $0.then(second)
    }
  }

  /// Creates the prefix of keys whose first part is an id and whose second is empty.
  init<First>(nothingAfter first: ID<First>) {
    bytes = Self.bytes {
      $0.first(first)
      $0.thenNothing()
    }
  }

  /// The prefix of keys whose first part is empty.
  static var nothing: KeyPrefix { KeyPrefix(bytes: [UInt8(ascii: " ")]) }

  /// Creates a prefix of bytes.
  init(bytes: [UInt8]) { self.bytes = bytes }

  /// Creates the prefix of keys that begin with another key.
  init(of key: some ChatKey) { bytes = Self.bytes { key.spell(to: &$0) } }

  /// Returns the bytes of the parts that the closure writes, followed by a space.
  static func bytes(_ spell: (inout KeyWriter) -> Void) -> [UInt8] {
    withUnsafeTemporaryAllocation(byteCount: KeyWriter.byteCountMax, alignment: 8) { room in
      var writer = KeyWriter(room)
      spell(&writer)
      writer.thenNothing()
      return Array(writer.bytes)
    }
  }

  /// A key after all keys under the prefix: the last space becomes the byte after a space.
  var end: [UInt8] { bytes.dropLast() + [UInt8(ascii: " ") + 1] }

  func begins(_ key: UnsafeRawBufferPointer) -> Bool { key.starts(with: bytes) }
}
