// The rows of channels and their members.
package import Bytes
public import Chat
package import ChatCodec
internal import Tables

extension Channel: ChatRow {
  init(_ key: ID, from fields: inout FieldReader) throws(PayloadDefect) {
    let (kind, profile, config): (Kind, Profile, ChannelConfig) = (
      try fields.id(1), try fields.value(2), try fields.value(3)
    )
    let isFrozen = try fields.flag(4)
    self.init(
      id: key, kind: kind, profile: profile, config: config, creator: try fields.value(5),
      created: try fields.instant(6), changed: try fields.instant(7))
    self.isFrozen = isFrozen
    deleted = try fields.optionalInstant(8)
    newest = try fields.messageNumber(9)
    newestForAll = try fields.messageNumber(10)
    truncated = try fields.messageNumber(11)
    memberCount = try fields.number(12)
    participants = try fields.ids(13)
  }

  func write(to writer: inout ByteWriter) {
    writer.id(1, kind)
    writer.value(2, profile)
    writer.value(3, config)
    writer.flag(4, isFrozen)
    writer.value(5, creator)
    writer.instant(6, created)
    writer.instant(7, changed)
    writer.optionalInstant(8, deleted)
    writer.messageNumber(9, newest)
    writer.messageNumber(10, newestForAll)
    writer.messageNumber(11, truncated)
    writer.number(12, memberCount)
    writer.ids(13, participants)
  }
}

extension Member: ChatRow {
  init(_ key: Key, from fields: inout FieldReader) throws(PayloadDefect) {
    let role: Role = try fields.id(1)
    let hasLeft = try fields.flag(2)
    self.init(
      key: key, role: role, joined: try fields.instant(3), lastSent: try fields.optionalInstant(4),
      read: try fields.messageNumber(5), readAt: try fields.instant(6), received: try fields.messageNumber(7))
    isMember = !hasLeft
    hidden = try fields.optionalNumber(8).map { Message.Number(rawValue: $0) }
    pinned = try fields.optionalInstant(9)
    archived = try fields.optionalInstant(10)
    invitation = try fields.optionalValue(11)
  }

  func write(to writer: inout ByteWriter) {
    writer.id(1, role)
    writer.flag(2, !isMember)
    writer.instant(3, joined)
    writer.optionalInstant(4, lastSent)
    writer.messageNumber(5, read)
    writer.instant(6, readAt)
    writer.messageNumber(7, received)
    writer.optionalMessageNumber(8, hidden)
    writer.optionalInstant(9, pinned)
    writer.optionalInstant(10, archived)
    writer.rareValue(11, invitation)
  }

  /// Reads from a row whether the user is a member, and the instant of their last message.
  @_lifetime(fields: copy fields)
  static func activity(from fields: inout FieldReader) throws(PayloadDefect) -> (isMember: Bool, sent: Timestamp?) {
    _ = try fields.span(1)
    let hasLeft = try fields.flag(2)
    _ = try fields.instant(3)
    return (!hasLeft, try fields.optionalInstant(4))
  }
}

extension Member.Invitation: StoredValue {
  package static var message: StaticString { "Invitation" }

  package init(from fields: inout FieldReader) throws(PayloadDefect) {
    self.init(
      by: try fields.value(1), at: try fields.instant(2), as: try fields.id(3),
      declined: try fields.optionalInstant(4))
  }

  package func write(to writer: inout ByteWriter) {
    writer.value(1, by)
    writer.instant(2, at)
    writer.id(3, role)
    writer.optionalInstant(4, declined)
  }
}
