// The decider, and the checks of author and message shared by all decisions.

/// Returns the events of an intent, none if its effect already holds, or throws a refusal.
///
/// The decider is pure: it takes the instant as an argument, reads no clock and changes nothing. It is deterministic,
/// and once the events are folded, the same intent is a no-op.
public func decide(
  _ intent: ChatIntent, by actor: Author, at instant: Timestamp, given state: some ChatStateStore
) throws(Refusal) -> [ChatEvent] {
  let origin = EventOrigin(by: actor, at: instant)
  return try Decision(by: origin, given: state).changes(for: intent).map { ChatEvent($0, origin) }
}

/// A decision: author, instant, state and rules.
struct Decision<S: ChatStateStore> {
  let actor: Author
  let instant: Timestamp
  let state: S
  let rules: Rules

  init(by origin: EventOrigin, given state: S) {
    (actor, instant, self.state, rules) = (origin.actor, origin.at, state, state.rules)
  }

  func changes(for intent: ChatIntent) throws(Refusal) -> [ChatEvent.Change] {
    if !createsActor(intent) { try needsActiveActor() }
    return switch intent {
    case .user(let id, let intent): try decide(intent, on: id).map { .user(id, $0) }
    case .device(let key, let intent): try decide(intent, on: key).map { .device(key, $0) }
    case .mute(let key, let intent): try decide(intent, on: key).map { .mute(key, $0) }
    case .ban(let key, let intent): try decide(intent, on: key).map { .ban(key, $0) }
    case .flag(let key, let intent): try decide(intent, on: key).map { .flag(key, $0) }
    case .channel(let id, let intent): try endingDrafts(decide(intent, on: id))
    case .member(let key, let intent): try endingDrafts(decide(intent, on: key).map { .member(key, $0) })
    case .message(let key, let intent): try endingDrafts(decide(intent, on: key).map { .message(key, $0) })
    case .reaction(let key, let intent): try decide(intent, on: key).map { .reaction(key, $0) }
    case .draft(let key, let intent): try decide(intent, on: key).map { .draft(key, $0) }
    case .composer(let key, let intent): try decide(intent, on: key).map { .composer(key, $0) }
    case .consumer(let id, let intent): try decide(intent, on: id).map { .consumer(id, $0) }
    case .block(let key, let intent): try decide(intent, on: key).map { .block(key, $0) }
    case .review(let key, let intent): try decide(intent, on: key).map { .review(key, $0) }
    case .saved(let key, let intent): try decide(intent, on: key).map { .saved(key, $0) }
    case .scheduled(let key, let intent): try decide(intent, on: key)
    case .thread(let key, let intent): try decide(intent, on: key).map { .thread(key, $0) }
    case .vote(let key, let intent): try decide(intent, on: key).map { .vote(key, $0) }
    case .app(let subject, let event): try decide(event, on: subject).map { .app(subject, $0) }
    }
  }

  /// Returns whether the author creates their own user, who has no row before.
  private func createsActor(_ intent: ChatIntent) -> Bool {
    if case .user(let id, .create) = intent { id == actor.user } else { false }
  }
}

// MARK: Existence

extension Decision {
  func known(_ id: User.ID) throws(Refusal) -> User {
    guard let user = state[id] else { throw .unknownUser(id) }
    return user
  }

  /// Returns a channel that exists and is not deleted.
  func known(_ id: Channel.ID) throws(Refusal) -> Channel {
    guard let channel = state[id] else { throw .unknownChannel(id) }
    if channel.deleted != nil { throw .channelDeleted(id) }
    return channel
  }

  /// Returns the author's permissions in a channel.
  func permissions(in channel: Channel) -> ChannelPermissions {
    guard let user = actor.user else {
      var permissions = ChannelPermissions(of: nil, in: channel.id, at: instant)
      permissions.isAdministrator = true
      permissions.apply(channel)
      return permissions
    }
    var permissions = ChannelPermissions(
      of: user, state[user], as: state[Member.Key(channel.id, user)], in: channel.id, under: rules, at: instant)
    permissions.apply(channel)
    permissions.ban = ban(from: [.everywhere, .channel(channel.id)])
    for key in channel.blocks(of: user) where permissions.block == nil { permissions.block = state[key] }
    return permissions
  }

  /// Returns the author's ban in effect from one of some scopes.
  func ban(from scopes: [Ban.Scope]) -> Ban? {
    guard let user = actor.user else { return nil }
    for scope in scopes {
      if let ban = state[Ban.Key(of: user, from: scope)], ban.holds(at: instant) { return ban }
    }
    return nil
  }

  /// Returns a message that the author can access: present, or deleted and restorable.
  ///
  /// Erased, truncated and other users' ephemeral messages are refused as if they had never existed. An author who may
  /// not read the channel learns only that, except about their own messages.
  func reachable(
    _ key: Message.Key, in channel: Channel, _ permissions: ChannelPermissions
  ) throws(Refusal) -> Message {
    let message = shown(key, in: channel)
    if message?.author != actor.user { try permissions.needs(.read) }
    guard let message, message.presence != .gone else { throw .unknownMessage(key) }
    return message
  }

  /// Returns the message up to which a reader reads or receives: also one that was deleted for good meanwhile, which
  /// leaves those before it unread otherwise.
  func lastRead(_ key: Message.Key, in channel: Channel) throws(Refusal) -> Message {
    guard let message = shown(key, in: channel) else { throw .unknownMessage(key) }
    return message
  }

  /// Returns a message that is neither truncated nor another user's ephemeral one; it may be erased.
  func shown(_ key: Message.Key, in channel: Channel) -> Message? {
    guard let message = state[key], message.number > channel.truncated, isForActor(message) else { return nil }
    return message
  }

  /// Returns whether the author may see a message: an ephemeral one only its own author and the app.
  func isForActor(_ message: Message) -> Bool { actor == .system || message.isVisible(to: actor.user) }
}

// MARK: Permissions of the actor

extension Decision {
  /// Throws unless the author exists and is active.
  private func needsActiveActor() throws(Refusal) {
    guard let id = actor.user else { return }
    if try known(id).isDeactivated { throw .userDeactivated(id) }
  }

  /// Throws unless the author is the app or an administrator.
  func needsAdministrator() throws(Refusal) {
    guard try isAdministrator() else { throw .notAdministrator }
  }

  private func isAdministrator() throws(Refusal) -> Bool {
    guard let id = actor.user else { return true }
    return try rules.isAdministrator(known(id))
  }

  /// Throws unless the author is this user, the app or an administrator.
  func needsRight(toActFor user: User.ID) throws(Refusal) {
    guard actor.user != user else { return }
    guard try isAdministrator() else { throw .notYours(user) }
  }

  /// Throws unless the author wrote this message, or is the app or an administrator.
  func needsRight(toActForAuthorOf message: Message) throws(Refusal) {
    guard let author = message.author else { return try needsAdministrator() }
    try needsRight(toActFor: author)
  }

  /// Throws unless the author has all capabilities of another user: users cannot act on those with more capabilities.
  func needsRight(toRule user: User.ID, with permissions: ChannelPermissions) throws(Refusal) {
    if actor.user == user { return }
    let ruled = rules.capabilities(of: state[user], as: state[Member.Key(permissions.channel, user)])
    guard ruled.isSubset(of: permissions.capabilities) else { throw .outranked(by: user) }
  }

  /// Throws unless the author has all capabilities of a role: users cannot grant more than they have.
  func needsRight(toGive role: Role, with permissions: ChannelPermissions) throws(Refusal) {
    guard let given = rules.memberCapabilities[role] else { throw .unknownRole(role) }
    guard given.isSubset(of: permissions.capabilities) else { throw .roleTooHigh(role) }
  }
}

// MARK: Message state

extension Decision {
  func needsPresence(of message: Message) throws(Refusal) {
    guard message.presence == .present else { throw .messageDeleted(message.key) }
  }

  func needsVisibleToAll(_ message: Message) throws(Refusal) {
    guard message.content.kind != .ephemeral else { throw .messageIsEphemeral(message.key) }
  }
}
