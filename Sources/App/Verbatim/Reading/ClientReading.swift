// The queries of a user: reading a conversation within the user's permissions.
public import Chat
package import ChatProjections
public import EventLog
internal import Errors
internal import Projections

/// A conversation at one position, as one user may see it at an instant.
///
/// It has the queries of ``/ChatProjections/ChatReading``, without the parameters that identify the user. Data that the
/// user may not see is refused with the same refusal as in deciding, or omitted from results; see <doc:WhatAUserSees>.
public struct ClientReading: ~Escapable {
  /// The position of the conversation.
  public var position: Position { chat.position }
  /// The id of the user.
  public var user: User.ID { viewer.user.id }
  /// The instant for everything that depends on time: typing, mutes, bans, pins, unread counts.
  public let instant: Timestamp
  package let chat: ChatReading
  package let viewer: Viewer
  /// The conversation at the head of the log, which decides what may be seen of a past one; nil if this is the present
  /// one.
  private let present: ChatReading?
  /// The instant at which permissions are evaluated, as bans expire.
  private let now: Timestamp

  /// Creates a reading for a user, who must exist and not be deactivated.
  @_lifetime(copy chat)
  package init(
    _ chat: ChatReading, for user: User.ID, under rules: Rules, at instant: Timestamp
  ) throws(ReadError) {
    viewer = try Self.viewer(user, in: chat, under: rules)
    (self.chat, self.instant, present, now) = (chat, instant, nil, instant)
  }

  /// Creates a reading of a past conversation with the user's present permissions: roles, memberships and bans are
  /// those of `present` at `now`, and messages deleted for good there are omitted.
  @_lifetime(copy past, copy present)
  package init(
    past: ChatReading, of present: ChatReading, now: Timestamp, for user: User.ID, under rules: Rules,
    at instant: Timestamp
  ) throws(ReadError) {
    let viewer = try Self.viewer(user, in: present, under: rules)
    let channels = try rethrow(present.channels(seenBy: viewer), as: ReadError.projections)
    self.viewer = Viewer(viewer.user, under: rules, seeing: channels)
    (chat, self.instant, self.present, self.now) = (past, instant, present, now)
  }

  private static func viewer(
    _ user: User.ID, in chat: borrowing ChatReading, under rules: Rules
  ) throws(ReadError) -> Viewer {
    guard let row = try rethrow(chat.user(user), as: ReadError.projections) else {
      throw .refused(.unknownUser(user))
    }
    if row.isDeactivated { throw .refused(.userDeactivated(user)) }
    return Viewer(row, under: rules)
  }

  /// Whether the conversation is a past one.
  internal var isPast: Bool { present != nil }

  /// Runs a query against the tables that decide permissions.
  internal func decided<R>(_ query: (borrowing ChatReading) throws(ProjectionError) -> R) throws(ReadError) -> R {
    guard let present else { return try read(query(chat)) }
    return try read(query(present))
  }

}

// MARK: Channels

extension ClientReading {
  /// Returns a channel that the user sees.
  package func seen(_ id: Channel.ID) throws(ReadError) -> Channel {
    let channel = try known(id)
    try needs(.read, in: id)
    return channel
  }

  /// Returns an existing channel; of a past one, without the messages truncated since.
  package func known(_ id: Channel.ID) throws(ReadError) -> Channel {
    let channel = try read(chat.anyChannel(id))
    guard var channel else { throw .refused(.unknownChannel(id)) }
    if isPast, let today = try decided({ chat throws(ProjectionError) in try chat.anyChannel(id) }) {
      channel.truncated = max(channel.truncated, today.truncated)
      if today.deleted != nil { throw .refused(.channelDeleted(id)) }
    }
    if channel.deleted != nil { throw .refused(.channelDeleted(id)) }
    return channel
  }

  /// Returns whether a channel is public at the head of the log.
  internal func isPublicNow(_ id: Channel.ID) throws(ReadError) -> Bool {
    try decided { chat throws(ProjectionError) in try chat.channel(id)?.isListed ?? false }
  }

  /// Throws unless the user has a capability in a channel at the instant.
  internal func needs(_ capability: Capability, in id: Channel.ID) throws(ReadError) {
    let permissions = try permissions(in: id, withBan: !capability.withstandsBan)
    try rethrow(permissions.needs(capability), as: ReadError.refused)
  }

  /// Returns the user's permissions in a channel at the instant; the state of the channel itself is left open.
  ///
  /// A ban is read only if it matters.
  package func permissions(in id: Channel.ID, withBan: Bool = true) throws(ReadError) -> ChannelPermissions {
    let member = try decided { chat throws(ProjectionError) in try chat.member(Member.Key(id, user)) }
    var permissions = viewer.permissions(as: member, in: id, at: now)
    if withBan { permissions.ban = try decidingBan(in: id) }
    return permissions
  }

  /// Returns the ban that limits the user to reading.
  private func decidingBan(in id: Channel.ID) throws(ReadError) -> Ban? {
    try decided { chat throws(ProjectionError) in try chat.ban(of: user, in: id, at: now) }
  }
}

// MARK: Messages

extension ClientReading {
  /// Returns a message that the user may know of; it may be permanently deleted.
  ///
  /// Truncated messages and messages visible only to another user are refused as unknown.
  package func known(_ key: Message.Key) throws(ReadError) -> Message {
    let channel = try seen(key.channel)
    let message = try read(chat.message(key))
    guard let message, message.number > channel.truncated, message.isVisible(to: user) else {
      throw .refused(.unknownMessage(key))
    }
    return try deletedSince(message)
  }

  /// Returns a message that the user may know of and that is not permanently deleted, with its content.
  internal func reachable(_ key: Message.Key) throws(ReadError) -> Message {
    let message = try known(key)
    if message.presence == .gone { throw .refused(.unknownMessage(key)) }
    return message
  }

  /// Returns a message whose content the user may see.
  internal func readable(_ key: Message.Key) throws(ReadError) -> Message {
    let message = try reachable(key)
    guard try mayRead(message) else { throw .refused(.messageDeleted(key)) }
    return message
  }

  /// Returns a message as the user sees it: the content of a deleted one only if the user may restore it, and the
  /// reason of a failed delivery only to its author.
  package func shown(_ message: Message) throws(ReadError) -> Message {
    guard try mayRead(message) else { return message.withheld }
    return hidesReason(of: message) ? message.withoutReason : message
  }

  /// Returns messages as the user sees them; of the past, without those permanently deleted since.
  package func shown(_ messages: consuming [Message]) throws(ReadError) -> [Message] {
    if isPast {
      let past = try messages.map { message throws(ReadError) in try deletedSince(message) }
      messages = past.filter { $0.presence != .gone }
    }
    for index in messages.indices where !isWhole(messages[index]) {
      messages[index] = try shown(messages[index])
    }
    return messages
  }

  /// Returns whether the user sees all of a message, whatever their permissions.
  private func isWhole(_ message: Message) -> Bool {
    if message.presence != .present { return false }
    return !hidesReason(of: message)
  }

  /// Returns whether the reason of a failed delivery is withheld: it is in the words of another author.
  private func hidesReason(of message: Message) -> Bool {
    if case .failed = message.delivery { message.author != user } else { false }
  }

  /// Returns a past message with its deletion as of the head of the log; a present message unchanged.
  internal func deletedSince(_ message: Message) throws(ReadError) -> Message {
    guard isPast else { return message }
    let key = message.key
    let (today, truncated) = try decided { chat throws(ProjectionError) in
      (try chat.message(key), try chat.anyChannel(key.channel)?.truncated ?? .zero)
    }
    var message = message
    switch today?.presence {
    case .present where message.number > truncated: break
    case .deleted(let origin) where message.number > truncated:
      if message.presence == .present { message.presence = .deleted(origin) }
    case .erased where message.number > truncated: message.presence = .erased
    default: message.presence = .gone
    }
    return message
  }

  /// Returns the messages that still exist at the head of the log, all of them in a present reading, without others'
  /// reasons of failed deliveries.
  internal func remaining(_ messages: consuming [Message]) throws(ReadError) -> [Message] {
    if isPast {
      messages = try messages.kept { message throws(ReadError) in
        try deletedSince(message).presence == .present
      }
    }
    for index in messages.indices where hidesReason(of: messages[index]) {
      messages[index] = messages[index].withoutReason
    }
    return messages
  }

  /// Returns the message, if it still exists at the head of the log.
  internal func remaining(_ message: Message?) throws(ReadError) -> Message? {
    guard let message else { return nil }
    return try remaining([message]).first
  }

  /// Returns whether the user may see a message's content: it is not deleted, or the user may restore it.
  private func mayRead(_ message: Message) throws(ReadError) -> Bool {
    switch message.presence {
    case .present: return true
    case .gone, .erased: return false
    case .deleted(let origin):
      let permissions = try permissions(in: message.key.channel)
      return (try? permissions.needsRight(toRestoreMessageOf: message.author, deletedBy: origin.actor)) != nil
    }
  }
}

extension Array {
  /// Returns the elements for which a throwing predicate holds.
  internal func kept(_ isWanted: (Element) throws(ReadError) -> Bool) throws(ReadError) -> [Element] {
    var kept: [Element] = []
    for element in self where try isWanted(element) { kept.append(element) }
    return kept
  }
}

extension Message {
  /// The message, whose delivery failed, without the reason.
  fileprivate var withoutReason: Message {
    var message = self
    message.delivery = .failed(reason: "")
    return message
  }

  /// The message without content, reactions and pin: only its key, order, author, times and deletion remain.
  fileprivate var withheld: Message {
    var message = self
    message.content = content.erased
    (message.pin, message.poll, message.reactions, message.delivery) = (nil, nil, [], .settled)
    return message
  }
}
