// The stored form of polls, and of events and intents of votes and thread markers.
package import Bytes
package import Chat

// MARK: Polls

extension Poll.Option: StoredValue {
  package static var message: StaticString { "PollOption" }

  package init(from fields: inout FieldReader) throws(PayloadDefect) {
    let id: ID = try fields.id(1)
    self.init(id, try fields.text(2), votes: try fields.number(3))
  }

  package func write(to writer: inout ByteWriter) {
    writer.id(1, id)
    writer.text(2, text)
    writer.number(3, votes)
  }
}

extension Poll.Rules: StoredValue {
  package static var message: StaticString { "PollRules" }

  package init(from fields: inout FieldReader) throws(PayloadDefect) {
    self.init(
      votesPerUserMax: try fields.number(1), isAnonymous: try fields.flag(2), isExtensible: try fields.flag(3),
      expiry: try fields.expiry(4))
  }

  package func write(to writer: inout ByteWriter) {
    writer.number(1, votesPerUserMax)
    writer.flag(2, isAnonymous)
    writer.flag(3, isExtensible)
    writer.expiry(4, expiry)
  }
}

// MARK: Votes

extension Vote.Event {
  /// Reads an event of a shape, in the stream of a channel.
  static func read(
    _ shape: Shape, in channel: Channel.ID, _ fields: inout FieldReader
  ) throws(PayloadDefect) -> ChatEvent.Change {
    guard shape == .voteCast1 else { throw .misfit }
    let key = Vote.Key(in: Message.Key(channel, try fields.id(1)), by: try fields.id(2))
    return .vote(key, .cast(try fields.ids(3)))
  }

  /// Writes the event and returns its shape.
  func write(on key: Vote.Key, to writer: inout ByteWriter) -> Shape {
    writer.id(1, key.message.id)
    writer.id(2, key.user)
    switch self {
    case .cast(let options):
      writer.ids(3, options)
      return .voteCast1
    }
  }
}

extension Vote.Intent: StoredIntent {
  static var message: StaticString { "VoteIntent" }

  private enum Kind: UInt64, StoredCase {
    case cast = 1
  }

  init(from fields: inout FieldReader) throws(PayloadDefect) {
    switch try fields.kind() as Kind {
    case .cast: self = .cast(try fields.ids(3))
    }
  }

  func write(to writer: inout ByteWriter) {
    switch self {
    case .cast(let options):
      writer.kind(Kind.cast)
      writer.ids(3, options)
    }
  }
}

// MARK: Thread markers

extension ThreadMarker.Event {
  /// Reads an event of a shape, in the stream of a channel.
  static func read(
    _ shape: Shape, in channel: Channel.ID, _ fields: inout FieldReader
  ) throws(PayloadDefect) -> ChatEvent.Change {
    let user: User.ID = try fields.id(1)
    let key = ThreadMarker.Key(of: user, in: Message.Key(channel, try fields.id(2)))
    switch shape {
    case .threadRead1: return .thread(key, .read(through: try fields.id(3)))
    case .threadMarkedUnread1: return .thread(key, .markedUnread(from: try fields.id(3)))
    default: throw .misfit
    }
  }

  /// Writes the event and returns its shape.
  func write(on key: ThreadMarker.Key, to writer: inout ByteWriter) -> Shape {
    writer.id(1, key.user)
    writer.id(2, key.parent.id)
    switch self {
    case .read(let last):
      writer.id(3, last)
      return .threadRead1
    case .markedUnread(let first):
      writer.id(3, first)
      return .threadMarkedUnread1
    }
  }
}

extension ThreadMarker.Intent: StoredIntent {
  static var message: StaticString { "ThreadIntent" }

  private enum Kind: UInt64, StoredCase {
    case read = 1, markUnread
  }

  init(from fields: inout FieldReader) throws(PayloadDefect) {
    switch try fields.kind() as Kind {
    case .read: self = .read(through: try fields.id(3))
    case .markUnread: self = .markUnread(from: try fields.id(3))
    }
  }

  func write(to writer: inout ByteWriter) {
    switch self {
    case .read(let last):
      writer.kind(Kind.read)
      writer.id(3, last)
    case .markUnread(let first):
      writer.kind(Kind.markUnread)
      writer.id(3, first)
    }
  }
}
