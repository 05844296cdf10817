// The questions that a user asks of a conversation, answered with what they may see and no more.
public import Chat
package import ChatProjections
public import EventLog
internal import Projections

/// A conversation as it stands at one position, as one user may see it at an instant.
///
/// It has the questions of ``/ChatProjections/ChatReading``, without what is known of who asks. What a user may not know of
/// is refused as deciding refuses it, or is not among the answers; see <doc:WhatAUserSees>.
public struct ClientReading: ~Escapable {
  /// Where the conversation stands.
  public var position: Position { chat.position }
  /// Who sees.
  public var user: User.ID { viewer.user.id }
  /// For when it is told what depends on the time: who types, what is muted, banned and pinned, how much waits.
  public let instant: Instant
  internal let chat: ChatReading
  internal let viewer: Viewer
  /// The conversation at the end of the log, which decides what may be seen of a past one; nil for one that is no past.
  private let present: ChatReading?
  /// When it is decided what may be seen: bans end.
  private let now: Instant

  /// A conversation as a user may see it, who has to exist and not to be deactivated.
  @_lifetime(copy chat)
  package init(
    _ chat: ChatReading, for user: User.ID, under rules: Rules, at instant: Instant
  ) throws(ReadError) {
    viewer = try Self.viewer(user, in: chat, under: rules)
    (self.chat, self.instant, present, now) = (chat, instant, nil, instant)
  }

  /// A conversation of the past as far as a user may see it today: as their roles, memberships and bans are in the
  /// present one, now, and without what is deleted for good there.
  @_lifetime(copy past, copy present)
  package init(
    past: ChatReading, of present: ChatReading, now: Instant, for user: User.ID, under rules: Rules, at instant: Instant
  ) throws(ReadError) {
    let viewer = try Self.viewer(user, in: present, under: rules)
    do throws(ProjectionError) {
      self.viewer = Viewer(viewer.user, under: rules, seeing: try present.channels(seenBy: viewer))
    } catch {
      throw .projections(error)
    }
    (chat, self.instant, self.present, self.now) = (past, instant, present, now)
  }

  private static func viewer(
    _ user: User.ID, in chat: borrowing ChatReading, under rules: Rules
  ) throws(ReadError) -> Viewer {
    let row: User?
    do throws(ProjectionError) { row = try chat.user(user) } catch { throw .projections(error) }
    guard let row else { throw .refused(.unknownUser(user)) }
    if row.isDeactivated { throw .refused(.userDeactivated(user)) }
    return Viewer(row, under: rules)
  }

  /// Whether the conversation is one of the past.
  internal var isPast: Bool { present != nil }

  /// What a question to the tables answers that decide what may be seen.
  private func decided<R>(_ question: (borrowing ChatReading) throws(ProjectionError) -> R) throws(ReadError) -> R {
    guard let present else { return try answer(question) }
    do throws(ProjectionError) { return try question(present) } catch { throw .projections(error) }
  }

  /// What a question to the tables answers.
  internal func answer<R>(_ question: (borrowing ChatReading) throws(ProjectionError) -> R) throws(ReadError) -> R {
    do throws(ProjectionError) { return try question(chat) } catch { throw .projections(error) }
  }
}

// MARK: Channels

extension ClientReading {
  /// A channel that the user sees.
  internal func seen(_ id: Channel.ID) throws(ReadError) -> Channel {
    let channel = try known(id)
    try needs(.read, in: id)
    return channel
  }

  /// A channel that is there; of the past, without what was truncated away since.
  internal func known(_ id: Channel.ID) throws(ReadError) -> Channel {
    let channel = try answer { chat throws(ProjectionError) in try chat.anyChannel(id) }
    guard var channel else { throw .refused(.unknownChannel(id)) }
    if isPast, let today = try decided({ chat throws(ProjectionError) in try chat.anyChannel(id) }) {
      channel.truncated = max(channel.truncated, today.truncated)
      if today.deleted != nil { throw .refused(.channelDeleted(id)) }
    }
    if channel.deleted != nil { throw .refused(.channelDeleted(id)) }
    return channel
  }

  /// The user may do something in a channel at the instant.
  internal func needs(_ capability: Capability, in id: Channel.ID) throws(ReadError) {
    if capability != .read, let ban = try decidingBan(in: id) { throw .refused(.banned(ban)) }
    let key = Member.Key(id, user)
    let member = try decided { chat throws(ProjectionError) in try chat.member(key) }
    if viewer.capabilities(as: member).contains(capability) { return }
    throw .refused(member == nil ? .notMember(key) : .notAllowed(capability, in: id))
  }

  /// What the user may do in a channel at the instant.
  internal func capabilities(in id: Channel.ID) throws(ReadError) -> Capabilities {
    let member = try decided { chat throws(ProjectionError) in try chat.member(Member.Key(id, user)) }
    let capabilities = viewer.capabilities(as: member)
    return try decidingBan(in: id) == nil ? capabilities : capabilities.intersection([.read])
  }

  /// The ban that keeps the user from more than reading.
  private func decidingBan(in id: Channel.ID) throws(ReadError) -> Ban? {
    try decided { chat throws(ProjectionError) in try chat.ban(of: user, in: id, at: now) }
  }
}

// MARK: Messages

extension ClientReading {
  /// A message that the user may know of; it may be gone.
  ///
  /// What is truncated away or only another's to see is refused as if it had never been.
  internal func known(_ key: Message.Key) throws(ReadError) -> Message {
    let channel = try seen(key.channel)
    let message = try answer { chat throws(ProjectionError) in try chat.message(key) }
    guard let message, message.number > channel.truncated, message.isVisible(to: user) else {
      throw .refused(.unknownMessage(key))
    }
    return try deletedSince(message)
  }

  /// A message that the user may know of and that is not gone, with all that was said in it.
  internal func reachable(_ key: Message.Key) throws(ReadError) -> Message {
    let message = try known(key)
    if message.presence == .gone { throw .refused(.unknownMessage(key)) }
    return message
  }

  /// A message of which the user may see what was said.
  internal func readable(_ key: Message.Key) throws(ReadError) -> Message {
    let message = try reachable(key)
    guard try mayRead(message) else { throw .refused(.messageDeleted(key)) }
    return message
  }

  /// A message as the user sees it: of one that is deleted, and that they may not restore, not what was said.
  internal func shown(_ message: Message) throws(ReadError) -> Message {
    try mayRead(message) ? message : message.withheld
  }

  /// Messages as the user sees them; of the past, without those that are gone since.
  internal func shown(_ messages: consuming [Message]) throws(ReadError) -> [Message] {
    if isPast {
      let past = try messages.map { message throws(ReadError) in try deletedSince(message) }
      messages = past.filter { $0.presence != .gone }
    }
    for index in messages.indices where messages[index].presence != .present {
      messages[index] = try shown(messages[index])
    }
    return messages
  }

  /// A message of the past as deleted as it is at the end of the log; any other as it is.
  internal func deletedSince(_ message: Message) throws(ReadError) -> Message {
    guard isPast else { return message }
    let key = message.key
    let (today, truncated) = try decided { chat throws(ProjectionError) in
      (try chat.message(key), try chat.anyChannel(key.channel)?.truncated ?? .zero)
    }
    var message = message
    switch today?.presence {
    case .present where message.number > truncated: break
    case .deleted(let stamp) where message.number > truncated:
      if message.presence == .present { message.presence = .deleted(stamp) }
    default: message.presence = .gone
    }
    return message
  }

  /// The messages that are still there; all of them where there is no past.
  internal func remaining(_ messages: [Message]) throws(ReadError) -> [Message] {
    guard isPast else { return messages }
    return try messages.kept { message throws(ReadError) in
      try deletedSince(message).presence == .present
    }
  }

  /// The message, if it is still there.
  internal func remaining(_ message: Message?) throws(ReadError) -> Message? {
    guard let message else { return nil }
    return try remaining([message]).first
  }

  /// Whether the user sees what a message says: it is there, or they may bring it back.
  private func mayRead(_ message: Message) throws(ReadError) -> Bool {
    let stamp: EventOrigin
    switch message.presence {
    case .present: return true
    case .gone: return false
    case .deleted(let deleted): stamp = deleted
    }
    let capabilities = try capabilities(in: message.key.channel)
    if capabilities.contains(.deleteAny) { return true }
    // What somebody else deleted is not the author's to bring back.
    return message.author == user && stamp.actor.user == user && capabilities.contains(.deleteOwn)
  }
}

extension Array {
  /// The elements that are wanted.
  internal func kept(_ isWanted: (Element) throws(ReadError) -> Bool) throws(ReadError) -> [Element] {
    var kept: [Element] = []
    for element in self where try isWanted(element) { kept.append(element) }
    return kept
  }
}

extension Message {
  /// The message without what was said in it and to it: where it stands, who wrote it, when, and what became of it.
  fileprivate var withheld: Message {
    var message = self
    message.content = content.erased
    (message.pin, message.reactions, message.delivery) = (nil, [], .settled)
    return message
  }
}
