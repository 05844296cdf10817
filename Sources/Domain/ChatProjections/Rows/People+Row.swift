// The rows of users, devices, mutes, bans, flags and consumers.
internal import Bytes
public import Chat
internal import ChatCodec
internal import Tables
internal import TextFolding

extension User: ChatRow {
  init(_ key: ID, from fields: inout FieldReader) throws(PayloadDefect) {
    self.init(
      id: key, profile: try fields.value(1), role: try fields.id(2), isDeactivated: try fields.flag(3),
      created: try fields.instant(4), changed: try fields.instant(5))
  }

  func write(to writer: inout ByteWriter) {
    writer.value(1, profile)
    writer.id(2, role)
    writer.flag(3, isDeactivated)
    writer.instant(4, created)
    writer.instant(5, changed)
  }

  /// Reads the name of a row, folded; nil for a user who is deactivated.
  @_lifetime(fields: copy fields)
  static func foldedName(from fields: inout FieldReader) throws(PayloadDefect) -> FoldedText? {
    guard let profile = try fields.span(1) else { throw fields.absence(of: 1) }
    var inner = FieldReader(profile)
    let name = try inner.span(1)?.withUnsafeBytes { FoldedText(utf8: $0) } ?? FoldedText("")
    _ = try fields.span(2)
    return try fields.flag(3) ? nil : name
  }
}

extension Device: ChatRow {
  init(_ key: Key, from fields: inout FieldReader) throws(PayloadDefect) {
    self.init(key: key, info: try fields.value(1), added: try fields.instant(2))
  }

  func write(to writer: inout ByteWriter) {
    writer.value(1, info)
    writer.instant(2, added)
  }
}

extension Mute: ChatRow {
  init(_ key: Key, from fields: inout FieldReader) throws(PayloadDefect) {
    self.init(key: key, since: try fields.instant(1), term: try fields.expiry(2))
  }

  func write(to writer: inout ByteWriter) {
    writer.instant(1, since)
    writer.expiry(2, term)
  }
}

extension Ban: ChatRow {
  init(_ key: Key, from fields: inout FieldReader) throws(PayloadDefect) {
    self.init(
      key: key, by: try fields.value(1), since: try fields.instant(2), term: try fields.expiry(3),
      reason: try fields.optionalText(4))
  }

  func write(to writer: inout ByteWriter) {
    writer.value(1, by)
    writer.instant(2, since)
    writer.expiry(3, term)
    writer.optionalText(4, reason)
  }
}

extension Flag: ChatRow {
  init(_ key: Key, from fields: inout FieldReader) throws(PayloadDefect) {
    self.init(key: key, reason: try fields.optionalText(1), raised: try fields.instant(2), round: try fields.number(3))
  }

  func write(to writer: inout ByteWriter) {
    writer.optionalText(1, reason)
    writer.instant(2, raised)
    writer.number(3, round)
  }
}

extension Consumer: ChatRow {
  init(_ id: ID, from fields: inout FieldReader) throws(PayloadDefect) {
    self.init(
      id: id, owner: try fields.optionalID(1), began: try fields.instant(2), handled: try fields.number(3),
      advanced: try fields.instant(4))
  }

  func write(to writer: inout ByteWriter) {
    writer.optionalID(1, owner)
    writer.instant(2, began)
    writer.number(3, handled)
    writer.instant(4, advanced)
  }
}
