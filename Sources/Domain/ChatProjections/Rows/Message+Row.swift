// The rows of messages, of their client ids, and of reactions.
package import Bytes
public import Chat
package import ChatCodec
internal import Tables

extension Message: ChatRow {
  init(_ key: Key, from fields: inout FieldReader) throws(PayloadDefect) {
    // In the order of the numbers, and then at once: a message that is changed after it was made is copied.
    let content: Content = try fields.value(1)
    let author: User.ID? = try fields.optionalID(2)
    let number = try fields.messageNumber(3)
    let sent = try fields.instant(4)
    let edited = try fields.optionalInstant(5)
    let editCount: UInt32 = try fields.number(6)
    let presence = try Presence(from: &fields)
    let pin: Pin? = try fields.optionalValue(9)
    let reactions: [Total] = try fields.values(10)
    let replyCount: UInt32 = try fields.number(11)
    let delivery = try Delivery(from: &fields)
    let poll: Poll? = try fields.optionalValue(14)
    let isErased = try fields.flag(15)
    self.init(
      key: key, author: author, content: content, number: number, sent: sent, edited: edited, editCount: editCount,
      presence: isErased ? .erased : presence, pin: pin, reactions: reactions, replyCount: replyCount, poll: poll,
      delivery: delivery)
  }

  func write(to writer: inout ByteWriter) {
    writer.value(1, content)
    writer.optionalID(2, author)
    writer.messageNumber(3, number)
    writer.instant(4, sent)
    writer.optionalInstant(5, edited)
    writer.number(6, editCount)
    presence.write(to: &writer)
    writer.rareValue(9, pin)
    writer.values(10, reactions)
    writer.number(11, replyCount)
    delivery.write(to: &writer)
    writer.rareValue(14, poll)
    writer.flag(15, presence == .erased)
  }
}

// MARK: Parts

/// The presence, stored as fields of the message's row.
extension Message.Presence {
  fileprivate init(from fields: inout FieldReader) throws(PayloadDefect) {
    if let origin: EventOrigin = try fields.optionalValue(7) {
      self = .deleted(origin)
    } else {
      self = try fields.flag(8) ? .gone : .present
    }
  }

  fileprivate func write(to writer: inout ByteWriter) {
    switch self {
    case .present, .erased: return
    case .deleted(let origin): writer.value(7, origin)
    case .gone: writer.flag(8, true)
    }
  }
}

/// The delivery, stored as fields of the message's row.
extension Message.Delivery {
  fileprivate init(from fields: inout FieldReader) throws(PayloadDefect) {
    if try fields.flag(12) {
      self = .pending
    } else {
      self = try fields.optionalText(13).map { .failed(reason: $0) } ?? .settled
    }
  }

  fileprivate func write(to writer: inout ByteWriter) {
    switch self {
    case .settled: return
    case .pending: writer.flag(12, true)
    case .failed(let reason): writer.optionalText(13, reason)
    }
  }
}

extension Message.Pin: StoredValue {
  package static var message: StaticString { "Pin" }

  package init(from fields: inout FieldReader) throws(PayloadDefect) {
    self.init(stamp: try fields.value(1), term: try fields.expiry(2))
  }

  package func write(to writer: inout ByteWriter) {
    writer.value(1, stamp)
    writer.expiry(2, term)
  }
}

extension Message.Total: StoredValue {
  package static var message: StaticString { "Total" }

  package init(from fields: inout FieldReader) throws(PayloadDefect) {
    self.init(kind: try fields.id(1), count: try fields.number(2), score: try fields.number(3))
  }

  package func write(to writer: inout ByteWriter) {
    writer.id(1, kind)
    writer.number(2, count)
    writer.number(3, score)
  }
}

// MARK: Ids of authors

/// The key of the message that has a client id.
extension Message.Key: ChatRow {
  init(_ key: Message.ClientKey, from fields: inout FieldReader) throws(PayloadDefect) {
    self.init(try fields.id(1), try fields.id(2))
  }

  func write(to writer: inout ByteWriter) {
    writer.id(1, channel)
    writer.id(2, id)
  }
}

// MARK: Reactions

extension Reaction: ChatRow {
  init(_ key: Key, from fields: inout FieldReader) throws(PayloadDefect) {
    self.init(key: key, scores: try fields.values(1))
  }

  func write(to writer: inout ByteWriter) { writer.values(1, scores) }
}

extension Reaction.Score: StoredValue {
  package static var message: StaticString { "Score" }

  package init(from fields: inout FieldReader) throws(PayloadDefect) {
    self.init(kind: try fields.id(1), score: try fields.number(2), at: try fields.instant(3))
  }

  package func write(to writer: inout ByteWriter) {
    writer.id(1, kind)
    writer.number(2, score)
    writer.instant(3, at)
  }
}
