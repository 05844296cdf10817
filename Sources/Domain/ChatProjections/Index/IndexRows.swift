// The rows of the index of messages and people.
internal import Bytes
internal import Chat
internal import ChatCodec
internal import EventLog
internal import Tables

/// A row whose key holds all its data.
struct Entry<RowKey: ChatKey>: ChatRow {
  let key: RowKey

  init(_ key: RowKey) { self.key = key }

  init(_ key: RowKey, from fields: inout FieldReader) throws(PayloadDefect) { self.init(key) }

  func write(to writer: inout ByteWriter) {}
}

/// The message at a timeline or thread position, and the event that put it there.
struct TimelineEntry<RowKey: ChatKey>: ChatRow {
  let key: RowKey
  let message: Message.ID
  let position: Position

  init(_ key: RowKey, _ message: Message.ID, since position: Position) {
    (self.key, self.message, self.position) = (key, message, position)
  }

  init(_ key: RowKey, from fields: inout FieldReader) throws(PayloadDefect) {
    self.init(key, try fields.id(1), since: Position(rawValue: try fields.number(2)))
  }

  func write(to writer: inout ByteWriter) {
    writer.id(1, message)
    writer.number(2, position.rawValue)
  }
}

extension TimelineEntry {
  /// Returns the id of the message in a stored value; nil when there is none.
  @_lifetime(copy stored)
  static func messageID(in stored: RawSpan) -> RawSpan? {
    var fields = FieldReader(stored)
    return try? fields.span(1)
  }
}

/// The message that concerns a user.
struct ConcernEntry: ChatRow {
  let key: ConcernKey
  let message: Message.ID

  init(_ key: ConcernKey, _ message: Message.ID) { (self.key, self.message) = (key, message) }

  init(_ key: ConcernKey, from fields: inout FieldReader) throws(PayloadDefect) {
    self.init(key, try fields.id(1))
  }

  func write(to writer: inout ByteWriter) { writer.id(1, message) }
}

/// A user's participation in a thread.
struct Participation: ChatRow {
  let key: ThreadKey
  /// The number of their replies that are present.
  var replies: UInt32 = 0
  /// Whether they wrote the parent message.
  var isParentAuthor = false

  init(_ key: ThreadKey) { self.key = key }

  init(_ key: ThreadKey, from fields: inout FieldReader) throws(PayloadDefect) {
    self.key = key
    replies = try fields.number(1)
    isParentAuthor = try fields.flag(2)
  }

  func write(to writer: inout ByteWriter) {
    writer.number(1, replies)
    writer.flag(2, isParentAuthor)
  }
}

/// The instant of the last message of a channel that is visible to more than its author.
struct LastMessageTime: ChatRow {
  let channel: Channel.ID
  private(set) var at: Timestamp
  /// The numbers of such messages that were sent earlier than the one before, in ascending order: the clock of the log
  /// was corrected between the two.
  private(set) var falls: [Message.Number]

  init(_ channel: Channel.ID, at instant: Timestamp, falls: [Message.Number] = []) {
    (self.channel, at, self.falls) = (channel, instant, falls)
  }

  /// Records a message.
  mutating func add(_ number: Message.Number, at instant: Timestamp) {
    if instant < at { falls.append(number) }
    at = instant
  }

  init(_ key: Channel.ID, from fields: inout FieldReader) throws(PayloadDefect) {
    self.init(key, at: try fields.instant(1))
    while let number: UInt64 = try fields.optionalNumber(2) { falls.append(Message.Number(rawValue: number)) }
  }

  func write(to writer: inout ByteWriter) {
    writer.instant(1, at)
    for number in falls { writer.optionalNumber(2, number.rawValue) }
  }
}

/// The bit set of the messages that count as unread, among a stretch of 512.
struct UnreadBits: ChatRow {
  /// The number of messages that one row covers.
  static let stretch: UInt64 = 512

  let key: UnreadBitsKey
  private var words = SIMD8<UInt64>()

  init(_ key: UnreadBitsKey) { self.key = key }

  /// Returns the number of the stretch of a message.
  static func stretch(of number: Message.Number) -> UInt64 { number.rawValue / stretch }

  /// Whether a message of the stretch counts as unread.
  subscript(number: Message.Number) -> Bool {
    get { words[Self.word(number)] & Self.bit(number) != 0 }
    set {
      if newValue {
        words[Self.word(number)] |= Self.bit(number)
      } else {
        words[Self.word(number)] &= ~Self.bit(number)
      }
    }
  }

  /// Whether no message counts as unread.
  var isEmpty: Bool { words == SIMD8() }

  /// Returns the number of counted messages after a number.
  func count(after number: Message.Number) -> Int {
    let first = key.stretch * Self.stretch
    if number.rawValue < first { return words.indices.reduce(0) { $0 + words[$1].nonzeroBitCount } }
    if number.rawValue >= first + Self.stretch - 1 { return 0 }
    let bit = Int(number.rawValue - first) + 1
    let split = words[bit / 64] >> UInt64(bit % 64)
    return (bit / 64 + 1..<8).reduce(split.nonzeroBitCount) { $0 + words[$1].nonzeroBitCount }
  }

  private static func word(_ number: Message.Number) -> Int { Int(number.rawValue % stretch / 64) }

  private static func bit(_ number: Message.Number) -> UInt64 { 1 << (number.rawValue % 64) }

  init(_ key: UnreadBitsKey, from fields: inout FieldReader) throws(PayloadDefect) {
    self.key = key
    for index in words.indices { words[index] = try fields.number(UInt8(index + 1)) }
  }

  func write(to writer: inout ByteWriter) {
    for index in words.indices { writer.number(UInt64(index + 1), words[index]) }
  }
}

/// A name by which a user is found, with the name by which matches are sorted.
struct NameEntry: ChatRow {
  let key: NameKey
  private let name: [UInt8]

  /// Creates the row of a name of a user whose whole name, folded and truncated, is given.
  init(_ key: NameKey, name: [UInt8]) { (self.key, self.name) = (key, key.kind == .name ? [] : name) }

  /// The user's name, folded and truncated.
  var order: [UInt8] { key.kind == .name ? key.text : name }

  init(_ key: NameKey, from fields: inout FieldReader) throws(PayloadDefect) {
    // Of a row by the whole name, the key has it.
    self.init(key, name: key.kind == .name ? [] : try fields.bytes(1))
  }

  func write(to writer: inout ByteWriter) { writer.bytes(1, name) }
}
