// The stored form of member events.
internal import Bytes
internal import Chat

extension Member.Event {
  /// Reads an event of a shape, in the stream of a channel.
  static func read(
    _ shape: Shape, in channel: Channel.ID, _ fields: inout FieldReader
  ) throws(PayloadDefect) -> ChatEvent.Change {
    let key = Member.Key(channel, try fields.id(1))
    switch shape {
    case .memberAdded1: return .member(key, .added(try fields.id(2)))
    case .memberRemoved1: return .member(key, .removed)
    case .memberLeft1: return .member(key, .left)
    case .memberRoleChanged1: return .member(key, .roleChanged(try fields.id(2)))
    case .memberRead1: return .member(key, .read(through: try fields.id(2)))
    case .memberReceived1: return .member(key, .received(through: try fields.id(2)))
    case .memberMarkedUnread1: return .member(key, .markedUnread(from: try fields.id(2)))
    case .memberInvited1: return .member(key, .invited(try fields.id(2)))
    case .invitationDeclined1: return .member(key, .declined)
    default: throw .misfit
    }
  }

  /// Reads an event of a shape, in the stream of the member.
  static func read(
    _ shape: Shape, of user: User.ID, _ fields: inout FieldReader
  ) throws(PayloadDefect) -> ChatEvent.Change {
    let key = Member.Key(try fields.id(1), user)
    switch shape {
    case .channelHidden1: return .member(key, .hidden)
    case .channelShown1: return .member(key, .shown)
    case .channelPinned1: return .member(key, .pinned)
    case .channelUnpinned1: return .member(key, .unpinned)
    case .channelArchived1: return .member(key, .archived)
    case .channelUnarchived1: return .member(key, .unarchived)
    default: throw .misfit
    }
  }

  /// Writes the event and returns its shape.
  func write(on key: Member.Key, to writer: inout ByteWriter) -> Shape {
    switch self {
    case .added(let role):
      writer.ids(key.user, role)
      return .memberAdded1
    case .removed:
      writer.id(1, key.user)
      return .memberRemoved1
    case .left:
      writer.id(1, key.user)
      return .memberLeft1
    case .roleChanged(let role):
      writer.ids(key.user, role)
      return .memberRoleChanged1
    case .read(let last):
      writer.ids(key.user, last)
      return .memberRead1
    case .received(let last):
      writer.ids(key.user, last)
      return .memberReceived1
    case .markedUnread(let first):
      writer.ids(key.user, first)
      return .memberMarkedUnread1
    case .hidden:
      writer.id(1, key.channel)
      return .channelHidden1
    case .shown:
      writer.id(1, key.channel)
      return .channelShown1
    case .invited(let role):
      writer.ids(key.user, role)
      return .memberInvited1
    case .declined:
      writer.id(1, key.user)
      return .invitationDeclined1
    case .pinned:
      writer.id(1, key.channel)
      return .channelPinned1
    case .unpinned:
      writer.id(1, key.channel)
      return .channelUnpinned1
    case .archived:
      writer.id(1, key.channel)
      return .channelArchived1
    case .unarchived:
      writer.id(1, key.channel)
      return .channelUnarchived1
    }
  }
}

extension ByteWriter {
  fileprivate mutating func ids<Other>(_ user: User.ID, _ other: ID<Other>) {
    id(1, user)
    id(2, other)
  }
}
