// The rows of blocks, reviews, saved and scheduled messages, polls, votes and thread markers.
package import Bytes
public import Chat
package import ChatCodec
internal import Tables

extension UserBlock: ChatRow {
  init(_ key: Key, from fields: inout FieldReader) throws(PayloadDefect) {
    self.init(key: key, since: try fields.instant(1))
  }

  func write(to writer: inout ByteWriter) { writer.instant(1, since) }
}

extension Review: ChatRow {
  init(_ target: Flag.Target, from fields: inout FieldReader) throws(PayloadDefect) {
    self.init(
      of: target, flagCount: try fields.number(1), opened: try fields.instant(2), claim: try fields.optionalValue(3),
      decisions: try fields.values(4))
  }

  func write(to writer: inout ByteWriter) {
    writer.number(1, flagCount)
    writer.instant(2, opened)
    writer.rareValue(3, claim)
    writer.values(4, decisions)
  }
}

extension Review.Decision: StoredValue {
  package static var message: StaticString { "Decision" }

  package init(from fields: inout FieldReader) throws(PayloadDefect) {
    let outcome: Review.Outcome = try fields.id(1)
    self.init(
      outcome, note: try fields.optionalText(2), try fields.value(3), flagCount: try fields.number(4))
  }

  package func write(to writer: inout ByteWriter) {
    writer.id(1, outcome)
    writer.optionalText(2, note)
    writer.value(3, origin)
    writer.number(4, flagCount)
  }
}

extension SavedMessage: ChatRow {
  init(_ key: Key, from fields: inout FieldReader) throws(PayloadDefect) {
    self.init(
      key: key, saved: try fields.instant(1), note: try fields.optionalText(2),
      remindAt: try fields.optionalInstant(3), reminded: try fields.optionalInstant(4))
  }

  func write(to writer: inout ByteWriter) {
    writer.instant(1, saved)
    writer.optionalText(2, note)
    writer.optionalInstant(3, remindAt)
    writer.optionalInstant(4, reminded)
  }
}

extension ScheduledMessage: ChatRow {
  init(_ key: Key, from fields: inout FieldReader) throws(PayloadDefect) {
    let content: Message.Content = try fields.value(1)
    self.init(key: key, content: content, at: try fields.instant(2), failure: try fields.optionalValue(3))
  }

  func write(to writer: inout ByteWriter) {
    writer.value(1, content)
    writer.instant(2, at)
    writer.rareValue(3, failure)
  }
}

extension ThreadMarker: ChatRow {
  init(_ key: Key, from fields: inout FieldReader) throws(PayloadDefect) {
    self.init(key: key, read: try fields.messageNumber(1), readAt: try fields.instant(2))
  }

  func write(to writer: inout ByteWriter) {
    writer.messageNumber(1, read)
    writer.instant(2, readAt)
  }
}

extension Poll: StoredValue {
  package static var message: StaticString { "Poll" }

  package init(from fields: inout FieldReader) throws(PayloadDefect) {
    let options: [Option] = try fields.values(1)
    self.init(options: options, rules: try fields.value(2), closed: try fields.optionalValue(3))
  }

  package func write(to writer: inout ByteWriter) {
    writer.values(1, options)
    writer.value(2, rules)
    writer.rareValue(3, closed)
  }
}

extension Vote: ChatRow {
  init(_ key: Key, from fields: inout FieldReader) throws(PayloadDefect) {
    let options: [Poll.Option.ID] = try fields.ids(1)
    self.init(key: key, options: options, at: try fields.instant(2))
  }

  func write(to writer: inout ByteWriter) {
    writer.ids(1, options)
    writer.instant(2, at)
  }
}
