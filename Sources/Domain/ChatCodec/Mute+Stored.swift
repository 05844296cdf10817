// The stored form of events of mutes, bans and flags.
internal import Bytes
internal import Chat

// MARK: Mutes

extension Mute.Event {
  /// Reads an event of a shape, in the stream of the user who muted.
  static func read(
    _ shape: Shape, by user: User.ID, _ fields: inout FieldReader
  ) throws(PayloadDefect) -> ChatEvent.Change {
    switch shape {
    case .userMuted2: return .mute(Mute.Key(by: user, of: .user(try fields.id(1))), .began(try fields.expiry(2)))
    case .userUnmuted1: return .mute(Mute.Key(by: user, of: .user(try fields.id(1))), .ended)
    case .channelMuted1: return .mute(Mute.Key(by: user, of: .channel(try fields.id(1))), .began(try fields.expiry(2)))
    case .channelUnmuted1: return .mute(Mute.Key(by: user, of: .channel(try fields.id(1))), .ended)
    default: throw .misfit
    }
  }

  /// Writes the event and returns its shape.
  func write(on key: Mute.Key, to writer: inout ByteWriter) -> Shape {
    let isOfUser: Bool
    switch key.target {
    case .user(let id):
      writer.id(1, id)
      isOfUser = true
    case .channel(let id):
      writer.id(1, id)
      isOfUser = false
    }
    switch self {
    case .began(let expiry):
      writer.expiry(2, expiry)
      return isOfUser ? .userMuted2 : .channelMuted1
    case .ended: return isOfUser ? .userUnmuted1 : .channelUnmuted1
    }
  }
}

// MARK: Bans

extension Ban.Event {
  /// Reads an event of a shape, in the stream of the banned user.
  static func read(
    _ shape: Shape, of user: User.ID, _ fields: inout FieldReader
  ) throws(PayloadDefect) -> ChatEvent.Change {
    let key = Ban.Key(of: user, from: .everywhere)
    switch shape {
    case .userBanned1: return .ban(key, .imposed(try fields.expiry(1), reason: try fields.optionalText(2)))
    case .userUnbanned1: return .ban(key, .lifted)
    default: throw .misfit
    }
  }

  /// Reads an event of a shape, in the stream of a channel.
  static func read(
    _ shape: Shape, in channel: Channel.ID, _ fields: inout FieldReader
  ) throws(PayloadDefect) -> ChatEvent.Change {
    switch shape {
    case .memberBanned1:
      let key = Ban.Key(of: try fields.id(1), from: .channel(channel))
      return .ban(key, .imposed(try fields.expiry(2), reason: try fields.optionalText(3)))
    case .memberUnbanned1: return .ban(Ban.Key(of: try fields.id(1), from: .channel(channel)), .lifted)
    default: throw .misfit
    }
  }

  /// Writes the event and returns its shape.
  func write(on key: Ban.Key, to writer: inout ByteWriter) -> Shape {
    switch (self, key.scope) {
    case (.imposed(let expiry, let reason), .everywhere):
      writer.expiry(1, expiry)
      writer.optionalText(2, reason)
      return .userBanned1
    case (.imposed(let expiry, let reason), .channel):
      writer.id(1, key.user)
      writer.expiry(2, expiry)
      writer.optionalText(3, reason)
      return .memberBanned1
    case (.lifted, .everywhere): return .userUnbanned1
    case (.lifted, .channel):
      writer.id(1, key.user)
      return .memberUnbanned1
    }
  }
}

// MARK: Flags

extension Flag.Event {
  /// Reads an event of a shape, in the stream of the flagged user.
  static func read(
    _ shape: Shape, on user: User.ID, _ fields: inout FieldReader
  ) throws(PayloadDefect) -> ChatEvent.Change {
    guard shape == .userFlagged1 else { throw .misfit }
    return .flag(Flag.Key(by: try fields.id(1), on: .user(user)), .raised(reason: try fields.optionalText(2)))
  }

  /// Reads an event of a shape, in the stream of a channel.
  static func read(
    _ shape: Shape, in channel: Channel.ID, _ fields: inout FieldReader
  ) throws(PayloadDefect) -> ChatEvent.Change {
    guard shape == .messageFlagged1 else { throw .misfit }
    let message = Message.Key(channel, try fields.id(1))
    return .flag(Flag.Key(by: try fields.id(2), on: .message(message)), .raised(reason: try fields.optionalText(3)))
  }

  /// Writes the event and returns its shape.
  func write(on key: Flag.Key, to writer: inout ByteWriter) -> Shape {
    switch (self, key.target) {
    case (.raised(let reason), .user):
      writer.id(1, key.user)
      writer.optionalText(2, reason)
      return .userFlagged1
    case (.raised(let reason), .message(let message)):
      writer.id(1, message.id)
      writer.id(2, key.user)
      writer.optionalText(3, reason)
      return .messageFlagged1
    }
  }
}
