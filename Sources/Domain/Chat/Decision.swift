// The decider, and the checks of author, channel and message shared by all decisions.

/// Returns the events of an intent, none if its effect already holds, or throws a refusal.
///
/// The decider is pure: it takes the instant as an argument, reads no clock and changes nothing. It is deterministic,
/// and once the events are folded, the same intent is a no-op.
public func decide(
  _ intent: ChatIntent, by actor: Author, at instant: Instant, given state: some ChatStateStore
) throws(Refusal) -> [ChatEvent] {
  let stamp = EventOrigin(by: actor, at: instant)
  return try Decision(by: stamp, given: state).changes(for: intent).map { ChatEvent($0, stamp) }
}

/// A decision: author, instant, state and rules.
struct Decision<S: ChatStateStore> {
  let actor: Author
  let instant: Instant
  let state: S
  let rules: Rules

  init(by stamp: EventOrigin, given state: S) {
    (actor, instant, self.state, rules) = (stamp.actor, stamp.at, state, state.rules)
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

  /// Returns a message that the author can access: present, or deleted and restorable.
  ///
  /// Erased, truncated and other users' ephemeral messages are refused as if they had never existed. An author who may
  /// not read the channel learns only that, except about their own messages.
  func reachable(_ key: Message.Key, in channel: Channel) throws(Refusal) -> Message {
    let message = shown(key, in: channel)
    if message?.author != actor.user { try needs(.read, in: channel) }
    guard let message, message.presence != .gone else { throw .unknownMessage(key) }
    return message
  }

  /// Returns a message that is neither truncated nor another user's ephemeral one; it may be erased.
  func shown(_ key: Message.Key, in channel: Channel) -> Message? {
    guard let message = state[key], message.number > channel.truncated, isForActor(message) else { return nil }
    return message
  }

  /// Returns whether the author may see a message: an ephemeral one only its own author and the app.
  func isForActor(_ message: Message) -> Bool {
    message.content.kind != .ephemeral || actor == .system || message.author == actor.user
  }
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
    return try rules.administrators.contains(known(id).role)
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

  /// Throws if the author has no capability in a channel and is not a member: outsiders learn nothing about it.
  func needsEntry(to channel: Channel) throws(Refusal) {
    guard let user = actor.user, capabilities(of: user, in: channel).isEmpty else { return }
    let key = Member.Key(channel.id, user)
    if state[key]?.isMember != true { throw .notMember(key) }
  }

  /// Throws unless the author has a capability in a channel; the app has all.
  func needs(_ capability: Capability, in channel: Channel) throws(Refusal) {
    guard let user = actor.user else { return }
    if capability != .read { try needsNoBan(in: channel) }
    guard !capabilities(of: user, in: channel).contains(capability) else { return }
    let key = Member.Key(channel.id, user)
    if state[key]?.isMember != true { throw .notMember(key) }
    throw .notAllowed(capability, in: channel.id)
  }

  /// Throws if the author is banned and may only read.
  func needsNoBan(in channel: Channel) throws(Refusal) {
    try needsNoBan(from: [.everywhere, .channel(channel.id)])
  }

  func needs(
    own: Capability, any: Capability, for message: Message, in channel: Channel
  ) throws(Refusal) {
    guard let user = actor.user else { return }
    let asAnybody = message.author != user || capabilities(of: user, in: channel).contains(any)
    try needs(asAnybody ? any : own, in: channel)
  }

  /// Returns the capabilities of a user in a channel, bans aside.
  func capabilities(of user: User.ID, in channel: Channel) -> Capabilities {
    rules.capabilities(of: state[user], as: state[Member.Key(channel.id, user)])
  }

  func needsNoBan(from scopes: [Ban.Scope]) throws(Refusal) {
    guard let user = actor.user else { return }
    let bans = scopes.lazy.compactMap { state[Ban.Key(of: user, from: $0)] }
    if let ban = bans.first(where: { $0.holds(at: instant) }) { throw .banned(ban) }
  }

  /// Throws unless the author has all capabilities of another user: users cannot act on those with more capabilities.
  func needsRight(toRule user: User.ID, in channel: Channel) throws(Refusal) {
    guard let ruler = actor.user, ruler != user else { return }
    let (ruling, ruled) = (capabilities(of: ruler, in: channel), capabilities(of: user, in: channel))
    guard ruled.isSubset(of: ruling) else { throw .outranked(by: user) }
  }

  /// Throws unless the author has all capabilities of a role: users cannot grant more than they have.
  func needsRight(toGive role: Role, in channel: Channel) throws(Refusal) {
    guard let given = rules.memberCapabilities[role] else { throw .unknownRole(role) }
    guard let giver = actor.user else { return }
    guard given.isSubset(of: capabilities(of: giver, in: channel)) else { throw .roleTooHigh(role) }
  }
}

// MARK: Channel settings and message state

extension Decision {
  func needsFlag(_ flag: ChannelFlag, in channel: Channel) throws(Refusal) {
    if actor == .system || channel.config.has(flag) { return }
    try needsEntry(to: channel)
    throw .off(flag, in: channel.id)
  }

  func needsThaw(of channel: Channel) throws(Refusal) {
    if actor == .system || !channel.isFrozen { return }
    try needsEntry(to: channel)
    throw .channelFrozen(channel.id)
  }

  func needsPresence(of message: Message) throws(Refusal) {
    guard message.presence == .present else { throw .messageDeleted(message.key) }
  }

  func needsVisibleToAll(_ message: Message) throws(Refusal) {
    guard message.content.kind != .ephemeral else { throw .messageIsEphemeral(message.key) }
  }
}
