// The stored form of events of messages and reactions.
package import Bytes
package import Chat

// MARK: Messages

extension Message.Event {
  /// Reads an event of a shape, in the stream of a channel.
  static func read(
    _ shape: Shape, in channel: Channel.ID, _ fields: inout FieldReader
  ) throws(PayloadDefect) -> ChatEvent.Change {
    let key = Message.Key(channel, try fields.id(1))
    switch shape {
    case .messageSent1: return .message(key, .sent(try Message.Content(from: &fields)))
    case .messageEdited1: return .message(key, .edited(try Message.Edits(from: &fields)))
    case .messageDeleted1: return .message(key, .deleted(forGood: try fields.flag(2)))
    case .messageRestored1: return .message(key, .restored)
    case .messagePinned1: return .message(key, .pinned(try fields.expiry(2)))
    case .messageUnpinned1: return .message(key, .unpinned)
    case .messageAcknowledged1: return .message(key, .acknowledged)
    case .messageFailed1: return .message(key, .failed(reason: try fields.text(2)))
    case .messageRetried1: return .message(key, .retried)
    case .ephemeralSent1: return .message(key, .ephemeralSent)
    case .ephemeralShuffled1: return .message(key, .ephemeralShuffled(try fields.values(2)))
    case .ephemeralCancelled1: return .message(key, .ephemeralCancelled)
    case .pollOpened1: return .message(key, .pollOpened(try fields.values(2), try fields.value(3)))
    case .pollOptionAdded1: return .message(key, .pollOptionAdded(try fields.value(2)))
    case .pollClosed1: return .message(key, .pollClosed)
    default: throw .misfit
    }
  }

  /// Writes the event and returns its shape.
  func write(on key: Message.Key, to writer: inout ByteWriter) -> Shape {
    writer.id(1, key.id)
    switch self {
    case .sent(let content):
      content.write(to: &writer)
      return .messageSent1
    case .edited(let edits):
      edits.write(to: &writer)
      return .messageEdited1
    case .deleted(let forGood):
      writer.flag(2, forGood)
      return .messageDeleted1
    case .restored: return .messageRestored1
    case .pinned(let expiry):
      writer.expiry(2, expiry)
      return .messagePinned1
    case .unpinned: return .messageUnpinned1
    case .acknowledged: return .messageAcknowledged1
    case .failed(let reason):
      writer.text(2, reason)
      return .messageFailed1
    case .retried: return .messageRetried1
    case .ephemeralSent: return .ephemeralSent1
    case .ephemeralShuffled(let attachments):
      writer.values(2, attachments)
      return .ephemeralShuffled1
    case .ephemeralCancelled: return .ephemeralCancelled1
    case .pollOpened(let options, let rules):
      writer.values(2, options)
      writer.value(3, rules)
      return .pollOpened1
    case .pollOptionAdded(let option):
      writer.value(2, option)
      return .pollOptionAdded1
    case .pollClosed: return .pollClosed1
    }
  }
}

// MARK: Content

/// In an event, the fields of the event itself, after the message id; in a row or an intent, a nested message.
extension Message.Content: StoredValue {
  package static var message: StaticString { "MessageContent" }

  package init(from fields: inout FieldReader) throws(PayloadDefect) {
    let kind = try Message.Kind(from: &fields)
    self.init(
      try fields.text(4), kind: kind, mentions: try fields.values(5), attachments: try fields.values(6),
      parent: try fields.optionalID(7), showsInChannel: try fields.flag(8), quoted: try fields.optionalID(9),
      isSilent: try fields.flag(10), extra: try fields.extra(11), client: try fields.optionalID(12),
      isPending: try fields.flag(13), forwarded: try fields.optionalValue(14))
  }

  package func write(to writer: inout ByteWriter) {
    kind.write(to: &writer)
    writer.text(4, text)
    writer.values(5, mentions)
    writer.values(6, attachments)
    writer.optionalID(7, parent)
    writer.flag(8, showsInChannel)
    writer.optionalID(9, quoted)
    writer.flag(10, isSilent)
    writer.extra(11, extra)
    writer.optionalID(12, client)
    writer.flag(13, isPending)
    writer.optionalValue(14, forwarded)
  }
}

extension Message.Forwarded: StoredValue {
  package static var message: StaticString { "Forwarded" }

  package init(from fields: inout FieldReader) throws(PayloadDefect) {
    self.init(Message.Key(try fields.id(1), try fields.id(2)), by: try fields.optionalID(3))
  }

  package func write(to writer: inout ByteWriter) {
    writer.id(1, source.channel)
    writer.id(2, source.id)
    writer.optionalID(3, author)
  }
}

/// The kinds of messages other than an app's own.
private enum KnownKind: UInt64, StoredCase {
  case regular = 1, system, ephemeral
}

extension Message.Kind {
  fileprivate init(from fields: inout FieldReader) throws(PayloadDefect) {
    switch try fields.optionalOption(2) as KnownKind? {
    case .regular: self = .regular
    case .system: self = .system
    case .ephemeral: self = .ephemeral
    case nil: self = .custom(try fields.id(3))
    }
  }

  fileprivate func write(to writer: inout ByteWriter) {
    switch self {
    case .regular: writer.option(2, KnownKind.regular)
    case .system: writer.option(2, KnownKind.system)
    case .ephemeral: writer.option(2, KnownKind.ephemeral)
    case .custom(let kind): writer.id(3, kind)
    }
  }
}

/// In an event, the fields of the event itself, after the message id; in an intent, a nested message.
extension Message.Edits: StoredValue {
  package static var message: StaticString { "MessageEdits" }

  package init(from fields: inout FieldReader) throws(PayloadDefect) {
    self.init(
      text: try fields.optionalText(2), mentions: (try fields.optionalValue(3) as StoredMentions?)?.mentions,
      attachments: (try fields.optionalValue(4) as StoredAttachments?)?.attachments,
      extra: try fields.optionalValue(5))
  }

  package func write(to writer: inout ByteWriter) {
    writer.optionalText(2, text)
    writer.optionalValue(3, mentions.map { StoredMentions($0) })
    writer.optionalValue(4, attachments.map { StoredAttachments($0) })
    writer.optionalExtra(5, extra)
  }
}

// MARK: Reactions

extension Reaction.Event {
  /// Reads an event of a shape, in the stream of a channel.
  static func read(
    _ shape: Shape, in channel: Channel.ID, _ fields: inout FieldReader
  ) throws(PayloadDefect) -> ChatEvent.Change {
    let key = Reaction.Key(to: Message.Key(channel, try fields.id(1)), by: try fields.id(2))
    switch shape {
    case .reactionAdded1: return .reaction(key, .added(try fields.id(3), score: try fields.number(4)))
    case .reactionRemoved1: return .reaction(key, .removed(try fields.id(3)))
    default: throw .misfit
    }
  }

  /// Writes the event and returns its shape.
  func write(on key: Reaction.Key, to writer: inout ByteWriter) -> Shape {
    writer.id(1, key.message.id)
    writer.id(2, key.user)
    switch self {
    case .added(let kind, let score):
      writer.id(3, kind)
      writer.number(4, score)
      return .reactionAdded1
    case .removed(let kind):
      writer.id(3, kind)
      return .reactionRemoved1
    }
  }
}
