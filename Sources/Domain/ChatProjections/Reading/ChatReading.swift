// The questions that one asks of a conversation, all answered at one position.
internal import Bytes
public import Chat
public import EventLog
internal import Tables
public import Projections

/// A conversation as it stands at one position, to be asked.
///
/// What depends on the time is asked for an instant: who is typing, what is muted, banned or pinned, how much waits.
/// Long answers come in pages; a page says where the next begins, and that stays right whatever happens meanwhile.
public struct ChatReading: ~Escapable {
  /// Where the conversation stands.
  public var position: Position { reading.position }
  internal let reading: ProjectionReader
  /// The tables in which words are found; at the same position.
  internal let words: ProjectionReader

  @_lifetime(copy reading, copy words)
  internal init(_ reading: ProjectionReader, words: ProjectionReader) { (self.reading, self.words) = (reading, words) }
}

extension ProjectionReader {
  /// The conversation, to be asked; ``ChatState`` is among the views.
  public var chat: ChatReading {
    @_lifetime(copy self)
    get { ChatReading(self, words: self) }
  }

  /// The conversation, to be asked, where ``ChatSearch`` is among other projections, which are lent at the same position.
  @_lifetime(copy self, copy words)
  package func chat(findingWordsIn words: ProjectionReader) -> ChatReading { ChatReading(self, words: words) }
}

// MARK: Single rows

extension ChatReading {
  /// A user; nil when there was never one with this id.
  public func user(_ id: User.ID) throws(ProjectionError) -> User? { try reading.row(of: id, in: ChatState.users) }

  /// A channel that is not deleted.
  public func channel(_ id: Channel.ID) throws(ProjectionError) -> Channel? {
    let channel = try reading.row(of: id, in: ChatState.channels)
    return channel?.deleted == nil ? channel : nil
  }

  /// A channel, deleted or not.
  package func anyChannel(_ id: Channel.ID) throws(ProjectionError) -> Channel? {
    try reading.row(of: id, in: ChatState.channels)
  }

  /// Whether somebody is or was a member of a channel.
  package func isOrWasMember(_ key: Member.Key) throws(ProjectionError) -> Bool {
    try reading.row(of: key, in: ChatState.members) != nil
  }

  /// A draft, or what is left of a deleted one.
  package func anyDraft(_ key: Draft.Key) throws(ProjectionError) -> Draft? {
    try reading.row(of: key, in: ChatState.drafts)
  }

  /// Somebody who is a member of a channel.
  public func member(_ key: Member.Key) throws(ProjectionError) -> Member? {
    let member = try reading.row(of: key, in: ChatState.members)
    return member?.isMember == true ? member : nil
  }

  /// A message, whatever became of it, as long as its channel is there.
  public func message(_ key: Message.Key) throws(ProjectionError) -> Message? {
    guard try channel(key.channel) != nil else { return nil }
    return try reading.row(of: key, in: ChatState.messages)
  }
}

// MARK: Channels

extension ChatReading {
  /// Lends the channels of which somebody is a member, in the order of their ids.
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
  /// Lends the rows of a table whose keys begin with some parts, in an order of their keys, until the body answers
  /// false.
  ///
  /// Upwards from the first whose key is not less than a given one, downwards from the last that is less.
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
  /// A page of the rows whose keys begin with some parts, behind a key: what the body makes of each row that it does
  /// not pass over, so many at most, and the key behind which there are more.
  internal func page<Row: ChatRow, Item>(
    of table: ProjectionTable<ChatState, Row>, under prefix: KeyPrefix, after cursor: Row.RowKey?, limit: Int,
    by key: (Row) -> Row.RowKey, _ item: (Row) throws(ProjectionError) -> Item?
  ) throws(ProjectionError) -> (items: [Item], next: Row.RowKey?) {
    var page: (items: [Item], next: Row.RowKey?) = ([], nil)
    guard limit > 0 else { return page }
    var last: Row.RowKey?
    try forEach(in: table, under: prefix, from: cursor) { row throws(ProjectionError) in
      let place = key(row)
      guard place != cursor, let item = try item(row) else { return true }
      if page.items.count == limit {
        page.next = last
        return false
      }
      page.items.append(item)
      last = place
      return true
    }
    return page
  }
}

/// The parts that keys begin with.
internal struct KeyPrefix {
  /// The parts, each with a space behind it.
  let bytes: [UInt8]

  /// Keys whose first part is an id.
  init<First>(_ first: ID<First>) { bytes = Self.bytes { $0.first(first) } }

  /// Keys whose first parts are two ids.
  init<First, Second>(_ first: ID<First>, _ second: ID<Second>) {
    bytes = Self.bytes {
      $0.first(first)
      $0.then(second)
    }
  }

  /// Keys whose first part is an id, and the next nothing.
  init<First>(nothingAfter first: ID<First>) {
    bytes = Self.bytes {
      $0.first(first)
      $0.thenNothing()
    }
  }

  /// Keys whose first part is nothing.
  static var nothing: KeyPrefix { KeyPrefix(bytes: [UInt8(ascii: " ")]) }

  /// Keys that begin with some bytes.
  init(bytes: [UInt8]) { self.bytes = bytes }

  /// Keys that begin with another.
  init(of key: some ChatKey) { bytes = Self.bytes { key.spell(to: &$0) } }

  /// The parts that are written, with a space behind them.
  static func bytes(_ spell: (inout KeyWriter) -> Void) -> [UInt8] {
    withUnsafeTemporaryAllocation(byteCount: KeyWriter.byteCountMax, alignment: 8) { room in
      var writer = KeyWriter(room)
      spell(&writer)
      writer.thenNothing()
      return Array(writer.bytes)
    }
  }

  /// A key behind all that begin with it: the space becomes what comes after a space.
  var end: [UInt8] { bytes.dropLast() + [UInt8(ascii: " ") + 1] }

  func begins(_ key: UnsafeRawBufferPointer) -> Bool { key.starts(with: bytes) }
}
