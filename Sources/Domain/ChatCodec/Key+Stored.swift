// The stored form of the keys of intents; for events, stream names contain a part of these keys.
package import Bytes
package import Chat

/// The key of an intent.
protocol StoredKey {
  /// Reads the key from a field.
  @_lifetime(fields: copy fields)
  static func read(_ number: UInt8, _ fields: inout FieldReader) throws(PayloadDefect) -> Self

  /// Writes the key to a field.
  func write(_ number: UInt64, to writer: inout ByteWriter)
}

extension ID: StoredKey {
  @_lifetime(fields: copy fields)
  static func read(_ number: UInt8, _ fields: inout FieldReader) throws(PayloadDefect) -> ID { try fields.id(number) }

  func write(_ number: UInt64, to writer: inout ByteWriter) { writer.id(number, self) }
}

extension StoredKey where Self: StoredValue {
  @_lifetime(fields: copy fields)
  static func read(_ number: UInt8, _ fields: inout FieldReader) throws(PayloadDefect) -> Self {
    try fields.value(number)
  }

  func write(_ number: UInt64, to writer: inout ByteWriter) { writer.value(number, self) }
}

// MARK: Keys of users

extension Device.Key: StoredKey, StoredValue {
  package static var message: StaticString { "DeviceKey" }

  package init(from fields: inout FieldReader) throws(PayloadDefect) {
    self.init(try fields.id(1), try fields.id(2))
  }

  package func write(to writer: inout ByteWriter) {
    writer.id(1, user)
    writer.id(2, id)
  }
}

extension Mute.Key: StoredKey, StoredValue {
  package static var message: StaticString { "MuteKey" }

  package init(from fields: inout FieldReader) throws(PayloadDefect) {
    let user: User.ID = try fields.id(1)
    if let muted: User.ID = try fields.optionalID(2) {
      self.init(by: user, of: .user(muted))
    } else {
      self.init(by: user, of: .channel(try fields.id(3)))
    }
  }

  package func write(to writer: inout ByteWriter) {
    writer.id(1, user)
    switch target {
    case .user(let id): writer.id(2, id)
    case .channel(let id): writer.id(3, id)
    }
  }
}

extension Ban.Key: StoredKey, StoredValue {
  package static var message: StaticString { "BanKey" }

  package init(from fields: inout FieldReader) throws(PayloadDefect) {
    let user: User.ID = try fields.id(1)
    self.init(of: user, from: try fields.optionalID(2).map(Ban.Scope.channel) ?? .everywhere)
  }

  package func write(to writer: inout ByteWriter) {
    writer.id(1, user)
    switch scope {
    case .everywhere: return
    case .channel(let id): writer.id(2, id)
    }
  }
}

extension Flag.Key: StoredKey, StoredValue {
  package static var message: StaticString { "FlagKey" }

  package init(from fields: inout FieldReader) throws(PayloadDefect) {
    let flagger: User.ID = try fields.id(1)
    if let flagged: User.ID = try fields.optionalID(2) {
      self.init(by: flagger, on: .user(flagged))
    } else {
      self.init(by: flagger, on: .message(try fields.value(3)))
    }
  }

  package func write(to writer: inout ByteWriter) {
    writer.id(1, user)
    switch target {
    case .user(let id): writer.id(2, id)
    case .message(let key): writer.value(3, key)
    }
  }
}

// MARK: Keys of channels

extension Member.Key: StoredKey, StoredValue {
  package static var message: StaticString { "MemberKey" }

  package init(from fields: inout FieldReader) throws(PayloadDefect) {
    self.init(try fields.id(1), try fields.id(2))
  }

  package func write(to writer: inout ByteWriter) {
    writer.id(1, channel)
    writer.id(2, user)
  }
}

extension Message.Key: StoredKey, StoredValue {
  package static var message: StaticString { "MessageKey" }

  package init(from fields: inout FieldReader) throws(PayloadDefect) {
    self.init(try fields.id(1), try fields.id(2))
  }

  package func write(to writer: inout ByteWriter) {
    writer.id(1, channel)
    writer.id(2, id)
  }
}

extension Reaction.Key: StoredKey {
  @_lifetime(fields: copy fields)
  static func read(_ number: UInt8, _ fields: inout FieldReader) throws(PayloadDefect) -> Reaction.Key {
    (try fields.value(number) as StoredReactionKey).key
  }

  func write(_ number: UInt64, to writer: inout ByteWriter) { writer.value(number, StoredReactionKey(key: self)) }
}

/// A reaction key, whose nested message is the key of the message reacted to.
private struct StoredReactionKey: StoredValue {
  static var message: StaticString { "ReactionKey" }

  let key: Reaction.Key

  init(key: Reaction.Key) { self.key = key }

  init(from fields: inout FieldReader) throws(PayloadDefect) {
    key = Reaction.Key(to: try fields.value(1), by: try fields.id(2))
  }

  func write(to writer: inout ByteWriter) {
    writer.value(1, key.message)
    writer.id(2, key.user)
  }
}

// MARK: Keys of a user and a message

/// A user and a message.
private struct MessageOfUser: StoredValue {
  static var message: StaticString { "MessageOfUserKey" }

  let user: User.ID
  let key: Message.Key

  init(user: User.ID, key: Message.Key) { (self.user, self.key) = (user, key) }

  init(from fields: inout FieldReader) throws(PayloadDefect) {
    user = try fields.id(1)
    key = try fields.value(2)
  }

  func write(to writer: inout ByteWriter) {
    writer.id(1, user)
    writer.value(2, key)
  }
}

extension SavedMessage.Key: StoredKey {
  @_lifetime(fields: copy fields)
  static func read(_ number: UInt8, _ fields: inout FieldReader) throws(PayloadDefect) -> SavedMessage.Key {
    let key: MessageOfUser = try fields.value(number)
    return SavedMessage.Key(by: key.user, key.key)
  }

  func write(_ number: UInt64, to writer: inout ByteWriter) {
    writer.value(number, MessageOfUser(user: user, key: message))
  }
}

extension ScheduledMessage.Key: StoredKey {
  @_lifetime(fields: copy fields)
  static func read(_ number: UInt8, _ fields: inout FieldReader) throws(PayloadDefect) -> ScheduledMessage.Key {
    let key: MessageOfUser = try fields.value(number)
    return ScheduledMessage.Key(by: key.user, key.key)
  }

  func write(_ number: UInt64, to writer: inout ByteWriter) {
    writer.value(number, MessageOfUser(user: author, key: message))
  }
}

extension ThreadMarker.Key: StoredKey {
  @_lifetime(fields: copy fields)
  static func read(_ number: UInt8, _ fields: inout FieldReader) throws(PayloadDefect) -> ThreadMarker.Key {
    let key: MessageOfUser = try fields.value(number)
    return ThreadMarker.Key(of: key.user, in: key.key)
  }

  func write(_ number: UInt64, to writer: inout ByteWriter) {
    writer.value(number, MessageOfUser(user: user, key: parent))
  }
}

extension Vote.Key: StoredKey {
  @_lifetime(fields: copy fields)
  static func read(_ number: UInt8, _ fields: inout FieldReader) throws(PayloadDefect) -> Vote.Key {
    let key: MessageOfUser = try fields.value(number)
    return Vote.Key(in: key.key, by: key.user)
  }

  func write(_ number: UInt64, to writer: inout ByteWriter) {
    writer.value(number, MessageOfUser(user: user, key: message))
  }
}

// MARK: Keys of drafts and composers

extension Draft.Key: StoredKey, StoredValue {
  package static var message: StaticString { "DraftKey" }

  package init(from fields: inout FieldReader) throws(PayloadDefect) {
    self.init(by: try fields.id(1), in: try fields.id(2), thread: try fields.optionalID(3))
  }

  package func write(to writer: inout ByteWriter) {
    writer.id(1, user)
    writer.id(2, channel)
    writer.optionalID(3, thread)
  }
}

extension Composer.Key: StoredKey, StoredValue {
  package static var message: StaticString { "ComposerKey" }

  package init(from fields: inout FieldReader) throws(PayloadDefect) {
    self.init(of: try fields.id(1), on: try fields.id(2), in: try fields.id(3), thread: try fields.optionalID(4))
  }

  package func write(to writer: inout ByteWriter) {
    writer.id(1, user)
    writer.id(2, device)
    writer.id(3, channel)
    writer.optionalID(4, thread)
  }
}

// MARK: Keys of apps

extension AppEvent.Subject: StoredKey, StoredValue {
  package static var message: StaticString { "AppSubject" }

  package init(from fields: inout FieldReader) throws(PayloadDefect) {
    if let id: User.ID = try fields.optionalID(1) {
      self = .user(id)
    } else if let id: Channel.ID = try fields.optionalID(2) {
      self = .channel(id)
    } else {
      self = .app(try fields.id(3))
    }
  }

  package func write(to writer: inout ByteWriter) {
    switch self {
    case .user(let id): writer.id(1, id)
    case .channel(let id): writer.id(2, id)
    case .app(let id): writer.id(3, id)
    }
  }
}
