// The stored form of events and intents of blocks and reviews.
package import Bytes
package import Chat

// MARK: Blocks

extension UserBlock.Event {
  /// Reads an event of a shape, in the stream of the user who blocks.
  static func read(
    _ shape: Shape, by user: User.ID, _ fields: inout FieldReader
  ) throws(PayloadDefect) -> ChatEvent.Change {
    let key = UserBlock.Key(by: user, of: try fields.id(1))
    switch shape {
    case .userBlocked1: return .block(key, .began)
    case .userUnblocked1: return .block(key, .ended)
    default: throw .misfit
    }
  }

  /// Writes the event and returns its shape.
  func write(on key: UserBlock.Key, to writer: inout ByteWriter) -> Shape {
    writer.id(1, key.blocked)
    switch self {
    case .began: return .userBlocked1
    case .ended: return .userUnblocked1
    }
  }
}

extension UserBlock.Key: StoredKey, StoredValue {
  package static var message: StaticString { "BlockKey" }

  package init(from fields: inout FieldReader) throws(PayloadDefect) {
    self.init(by: try fields.id(1), of: try fields.id(2))
  }

  package func write(to writer: inout ByteWriter) {
    writer.id(1, user)
    writer.id(2, blocked)
  }
}

extension UserBlock.Intent: StoredIntent {
  static var message: StaticString { "BlockIntent" }

  private enum Kind: UInt64, StoredCase {
    case begin = 1, end
  }

  init(from fields: inout FieldReader) throws(PayloadDefect) {
    switch try fields.kind() as Kind {
    case .begin: self = .begin
    case .end: self = .end
    }
  }

  func write(to writer: inout ByteWriter) {
    switch self {
    case .begin: writer.kind(Kind.begin)
    case .end: writer.kind(Kind.end)
    }
  }
}

// MARK: Reviews

extension Review.Event {
  /// Reads an event of a shape, in the stream of a channel, of which a message is reviewed.
  static func read(
    _ shape: Shape, in channel: Channel.ID, _ fields: inout FieldReader
  ) throws(PayloadDefect) -> ChatEvent.Change {
    .review(.message(Message.Key(channel, try fields.id(1))), try read(shape, &fields))
  }

  /// Reads an event of a shape, in the stream of the reviewed user.
  static func read(
    _ shape: Shape, of user: User.ID, _ fields: inout FieldReader
  ) throws(PayloadDefect) -> ChatEvent.Change {
    .review(.user(user), try read(shape, &fields))
  }

  private static func read(_ shape: Shape, _ fields: inout FieldReader) throws(PayloadDefect) -> Review.Event {
    switch shape {
    case .reviewClaimed1: return .claimed
    case .reviewReleased1: return .released
    case .flagsResolved1: return .resolved(try fields.id(2), note: try fields.optionalText(3))
    default: throw .misfit
    }
  }

  /// Writes the event and returns its shape.
  func write(on target: Flag.Target, to writer: inout ByteWriter) -> Shape {
    if case .message(let key) = target { writer.id(1, key.id) }
    switch self {
    case .claimed: return .reviewClaimed1
    case .released: return .reviewReleased1
    case .resolved(let outcome, let note):
      writer.id(2, outcome)
      writer.optionalText(3, note)
      return .flagsResolved1
    }
  }
}

extension Flag.Target: StoredKey, StoredValue {
  package static var message: StaticString { "FlagTarget" }

  package init(from fields: inout FieldReader) throws(PayloadDefect) {
    if let user: User.ID = try fields.optionalID(1) {
      self = .user(user)
    } else {
      self = .message(try fields.value(2))
    }
  }

  package func write(to writer: inout ByteWriter) {
    switch self {
    case .user(let id): writer.id(1, id)
    case .message(let key): writer.value(2, key)
    }
  }
}

extension Review.Intent: StoredIntent {
  static var message: StaticString { "ReviewIntent" }

  private enum Kind: UInt64, StoredCase {
    case claim = 1, release, resolve
  }

  init(from fields: inout FieldReader) throws(PayloadDefect) {
    switch try fields.kind() as Kind {
    case .claim: self = .claim
    case .release: self = .release
    case .resolve: self = .resolve(try fields.id(3), note: try fields.optionalText(4))
    }
  }

  func write(to writer: inout ByteWriter) {
    switch self {
    case .claim: writer.kind(Kind.claim)
    case .release: writer.kind(Kind.release)
    case .resolve(let outcome, let note):
      writer.kind(Kind.resolve)
      writer.id(3, outcome)
      writer.optionalText(4, note)
    }
  }
}
