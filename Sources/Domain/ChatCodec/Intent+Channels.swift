// The stored form of intents on channels, members, messages and reactions.
internal import Bytes
internal import Chat

// MARK: Channels

extension Channel.Intent: StoredIntent {
  static var message: StaticString { "ChannelIntent" }

  private enum Kind: UInt64, StoredCase {
    case create = 1, change, configure, setSlowMode, freeze, unfreeze, truncate, delete
  }

  init(from fields: inout FieldReader) throws(PayloadDefect) {
    switch try fields.kind() as Kind {
    case .create:
      self = .create(try fields.id(3), try fields.value(4), try fields.value(5), members: try fields.ids(6))
    case .change: self = .change(try fields.value(4))
    case .configure: self = .configure(try fields.value(5))
    case .setSlowMode: self = .setSlowMode(try fields.number(7))
    case .freeze: self = .freeze
    case .unfreeze: self = .unfreeze
    case .truncate: self = .truncate(through: try fields.optionalID(8))
    case .delete: self = .delete
    }
  }

  func write(to writer: inout ByteWriter) {
    switch self {
    case .create(let kind, let profile, let config, let members):
      writer.kind(Kind.create)
      writer.id(3, kind)
      writer.value(4, profile)
      writer.value(5, config)
      writer.ids(6, members)
    case .change(let profile):
      writer.kind(Kind.change)
      writer.value(4, profile)
    case .configure(let config):
      writer.kind(Kind.configure)
      writer.value(5, config)
    case .setSlowMode(let seconds):
      writer.kind(Kind.setSlowMode)
      writer.number(7, seconds)
    case .freeze: writer.kind(Kind.freeze)
    case .unfreeze: writer.kind(Kind.unfreeze)
    case .truncate(let last):
      writer.kind(Kind.truncate)
      writer.optionalID(8, last)
    case .delete: writer.kind(Kind.delete)
    }
  }
}

// MARK: Members

extension Member.Intent: StoredIntent {
  static var message: StaticString { "MemberIntent" }

  private enum Kind: UInt64, StoredCase {
    case add = 1, remove, leave, changeRole, read, receive, markUnread, hide, show
    case invite, join, decline, pin, unpin, archive, unarchive
  }

  init(from fields: inout FieldReader) throws(PayloadDefect) {
    switch try fields.kind() as Kind {
    case .add: self = .add(try fields.id(3))
    case .remove: self = .remove
    case .leave: self = .leave
    case .changeRole: self = .changeRole(try fields.id(3))
    case .read: self = .read(through: try fields.id(4))
    case .receive: self = .receive(through: try fields.id(4))
    case .markUnread: self = .markUnread(from: try fields.id(4))
    case .hide: self = .hide
    case .show: self = .show
    case .invite: self = .invite(try fields.id(3))
    case .join: self = .join
    case .decline: self = .decline
    case .pin: self = .pin
    case .unpin: self = .unpin
    case .archive: self = .archive
    case .unarchive: self = .unarchive
    }
  }

  func write(to writer: inout ByteWriter) {
    switch self {
    case .add(let role):
      writer.kind(Kind.add)
      writer.id(3, role)
    case .remove: writer.kind(Kind.remove)
    case .leave: writer.kind(Kind.leave)
    case .changeRole(let role):
      writer.kind(Kind.changeRole)
      writer.id(3, role)
    case .read(let last):
      writer.kind(Kind.read)
      writer.id(4, last)
    case .receive(let last):
      writer.kind(Kind.receive)
      writer.id(4, last)
    case .markUnread(let first):
      writer.kind(Kind.markUnread)
      writer.id(4, first)
    case .hide: writer.kind(Kind.hide)
    case .show: writer.kind(Kind.show)
    case .invite(let role):
      writer.kind(Kind.invite)
      writer.id(3, role)
    case .join: writer.kind(Kind.join)
    case .decline: writer.kind(Kind.decline)
    case .pin: writer.kind(Kind.pin)
    case .unpin: writer.kind(Kind.unpin)
    case .archive: writer.kind(Kind.archive)
    case .unarchive: writer.kind(Kind.unarchive)
    }
  }
}

// MARK: Messages

extension Message.Intent: StoredIntent {
  static var message: StaticString { "MessageIntent" }

  private enum Kind: UInt64, StoredCase {
    case send = 1, edit, delete, restore, pin, unpin, acknowledge, fail, retry
    case sendEphemeral, shuffleEphemeral, cancelEphemeral, forward, openPoll, addPollOption, closePoll
  }

  init(from fields: inout FieldReader) throws(PayloadDefect) {
    switch try fields.kind() as Kind {
    case .send: self = .send(try fields.value(3))
    case .edit: self = .edit(try fields.value(4))
    case .delete: self = .delete(forGood: try fields.flag(5))
    case .restore: self = .restore
    case .pin: self = .pin(try fields.expiry(6))
    case .unpin: self = .unpin
    case .acknowledge: self = .acknowledge
    case .fail: self = .fail(reason: try fields.text(7))
    case .retry: self = .retry
    case .sendEphemeral: self = .sendEphemeral
    case .shuffleEphemeral: self = .shuffleEphemeral(try fields.values(8))
    case .cancelEphemeral: self = .cancelEphemeral
    case .openPoll: self = .openPoll(try fields.values(11), try fields.value(12))
    case .addPollOption: self = .addPollOption(try fields.value(13))
    case .closePoll: self = .closePoll
    case .forward: self = .forward(Message.Key(try fields.id(9), try fields.id(10)))
    }
  }

  func write(to writer: inout ByteWriter) {
    switch self {
    case .send(let content):
      writer.kind(Kind.send)
      writer.value(3, content)
    case .edit(let edits):
      writer.kind(Kind.edit)
      writer.value(4, edits)
    case .delete(let forGood):
      writer.kind(Kind.delete)
      writer.flag(5, forGood)
    case .restore: writer.kind(Kind.restore)
    case .pin(let expiry):
      writer.kind(Kind.pin)
      writer.expiry(6, expiry)
    case .unpin: writer.kind(Kind.unpin)
    case .acknowledge: writer.kind(Kind.acknowledge)
    case .fail(let reason):
      writer.kind(Kind.fail)
      writer.text(7, reason)
    case .retry: writer.kind(Kind.retry)
    case .sendEphemeral: writer.kind(Kind.sendEphemeral)
    case .shuffleEphemeral(let attachments):
      writer.kind(Kind.shuffleEphemeral)
      writer.values(8, attachments)
    case .cancelEphemeral: writer.kind(Kind.cancelEphemeral)
    case .openPoll(let options, let rules):
      writer.kind(Kind.openPoll)
      writer.values(11, options)
      writer.value(12, rules)
    case .addPollOption(let option):
      writer.kind(Kind.addPollOption)
      writer.value(13, option)
    case .closePoll: writer.kind(Kind.closePoll)
    case .forward(let source):
      writer.kind(Kind.forward)
      writer.id(9, source.channel)
      writer.id(10, source.id)
    }
  }
}

// MARK: Reactions

extension Reaction.Intent: StoredIntent {
  static var message: StaticString { "ReactionIntent" }

  private enum Kind: UInt64, StoredCase {
    case add = 1, remove
  }

  init(from fields: inout FieldReader) throws(PayloadDefect) {
    switch try fields.kind() as Kind {
    case .add: self = .add(try fields.id(3), score: try fields.number(4))
    case .remove: self = .remove(try fields.id(3))
    }
  }

  func write(to writer: inout ByteWriter) {
    switch self {
    case .add(let kind, let score):
      writer.kind(Kind.add)
      writer.id(3, kind)
      writer.number(4, score)
    case .remove(let kind):
      writer.kind(Kind.remove)
      writer.id(3, kind)
    }
  }
}
