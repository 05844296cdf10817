// The rows of messages, of their client ids, and of reactions.
package import Bytes
public import Chat
package import ChatCodec
internal import Tables

extension Message: ChatRow {
  init(_ key: Key, from fields: inout FieldReader) throws(PayloadDefect) {
    let content: Content = try fields.value(1)
    self.init(
      key: key, author: try fields.optionalID(2), content: content, number: try fields.messageNumber(3),
      sent: try fields.instant(4), delivery: .settled)
    edited = try fields.optionalInstant(5)
    editCount = try fields.number(6)
    presence = try Presence(from: &fields)
    pin = try fields.optionalValue(9)
    reactions = try fields.values(10)
    replyCount = try fields.number(11)
    delivery = try Delivery(from: &fields)
    poll = try fields.optionalValue(14)
    if try fields.flag(15) { presence = .erased }
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
