// The stored form of events and intents of saved and scheduled messages.
internal import Bytes
internal import Chat

// MARK: Saved messages

extension SavedMessage.Event {
  /// Reads an event of a shape, in the stream of the user who saved the message.
  static func read(
    _ shape: Shape, by user: User.ID, _ fields: inout FieldReader
  ) throws(PayloadDefect) -> ChatEvent.Change {
    let key = SavedMessage.Key(by: user, try fields.messageKey())
    switch shape {
    case .messageSaved1:
      return .saved(key, .saved(note: try fields.optionalText(3), remindAt: try fields.expiry(4).end))
    case .messageUnsaved1: return .saved(key, .removed)
    case .messageReminded1: return .saved(key, .reminded)
    default: throw .misfit
    }
  }

  /// Writes the event and returns its shape.
  func write(on key: SavedMessage.Key, to writer: inout ByteWriter) -> Shape {
    writer.messageKey(key.message)
    switch self {
    case .saved(let note, let remindAt):
      writer.optionalText(3, note)
      writer.expiry(4, Expiry(until: remindAt))
      return .messageSaved1
    case .removed: return .messageUnsaved1
    case .reminded: return .messageReminded1
    }
  }
}

extension SavedMessage.Intent: StoredIntent {
  static var message: StaticString { "SavedMessageIntent" }

  private enum Kind: UInt64, StoredCase {
    case save = 1, remove, remind
  }

  init(from fields: inout FieldReader) throws(PayloadDefect) {
    switch try fields.kind() as Kind {
    case .save: self = .save(note: try fields.optionalText(3), remindAt: try fields.expiry(4).end)
    case .remove: self = .remove
    case .remind: self = .remind
    }
  }

  func write(to writer: inout ByteWriter) {
    switch self {
    case .save(let note, let remindAt):
      writer.kind(Kind.save)
      writer.optionalText(3, note)
      writer.expiry(4, Expiry(until: remindAt))
    case .remove: writer.kind(Kind.remove)
    case .remind: writer.kind(Kind.remind)
    }
  }
}

// MARK: Scheduled messages

extension ScheduledMessage.Event {
  /// Reads an event of a shape, in the stream of the author.
  static func read(
    _ shape: Shape, by author: User.ID, _ fields: inout FieldReader
  ) throws(PayloadDefect) -> ChatEvent.Change {
    let key = ScheduledMessage.Key(by: author, try fields.messageKey())
    switch shape {
    case .messageScheduled1:
      return .scheduled(key, .scheduled(try fields.value(3), at: try fields.instant(4)))
    case .scheduleCancelled1: return .scheduled(key, .cancelled)
    case .scheduledMessageSent1: return .scheduled(key, .delivered)
    case .scheduledMessageFailed1: return .scheduled(key, .failed(try fields.value(3)))
    default: throw .misfit
    }
  }

  /// Writes the event and returns its shape.
  func write(on key: ScheduledMessage.Key, to writer: inout ByteWriter) -> Shape {
    writer.messageKey(key.message)
    switch self {
    case .scheduled(let content, let instant):
      writer.value(3, content)
      writer.instant(4, instant)
      return .messageScheduled1
    case .cancelled: return .scheduleCancelled1
    case .delivered: return .scheduledMessageSent1
    case .failed(let failure):
      writer.value(3, failure)
      return .scheduledMessageFailed1
    }
  }
}

extension ScheduledMessage.Intent: StoredIntent {
  static var message: StaticString { "ScheduledMessageIntent" }

  private enum Kind: UInt64, StoredCase {
    case schedule = 1, cancel, deliver
  }

  init(from fields: inout FieldReader) throws(PayloadDefect) {
    switch try fields.kind() as Kind {
    case .schedule: self = .schedule(try fields.value(3), at: try fields.instant(4))
    case .cancel: self = .cancel
    case .deliver: self = .deliver
    }
  }

  func write(to writer: inout ByteWriter) {
    switch self {
    case .schedule(let content, let instant):
      writer.kind(Kind.schedule)
      writer.value(3, content)
      writer.instant(4, instant)
    case .cancel: writer.kind(Kind.cancel)
    case .deliver: writer.kind(Kind.deliver)
    }
  }
}

// MARK: Messages of any channel

extension FieldReader {
  /// Reads the channel and the id of a message from the first two fields.
  @_lifetime(self: copy self)
  fileprivate mutating func messageKey() throws(PayloadDefect) -> Message.Key {
    Message.Key(try id(1), try id(2))
  }
}

extension ByteWriter {
  /// Writes the channel and the id of a message to the first two fields.
  fileprivate mutating func messageKey(_ key: Message.Key) {
    id(1, key.channel)
    id(2, key.id)
  }
}
