// Deciding: what an intent comes to, and what every decision asks of actor, channel and message.

/// What an intent comes to: the events that happen, none if it holds already, or a refusal.
///
/// It is pure: the instant is given, no clock is read, and nothing is changed. Asking twice for the same gives the
/// same, and once the events are folded, nothing.
public func decide(
  _ intent: ChatIntent, by actor: Author, at instant: Instant, given state: some ChatStateStore
) throws(Refusal) -> [ChatEvent] {
  let stamp = EventOrigin(by: actor, at: instant)
  return try Decision(by: stamp, given: state).changes(for: intent).map { ChatEvent($0, stamp) }
}

/// A decision under way: who wants something, when, and what stands.
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

  /// Nobody stands in the state before they create themselves.
  private func createsActor(_ intent: ChatIntent) -> Bool {
    if case .user(let id, .create) = intent { id == actor.user } else { false }
  }
}

// MARK: What there is

extension Decision {
  func known(_ id: User.ID) throws(Refusal) -> User {
    guard let user = state[id] else { throw .unknownUser(id) }
    return user
  }

  /// A channel that is there.
  func known(_ id: Channel.ID) throws(Refusal) -> Channel {
    guard let channel = state[id] else { throw .unknownChannel(id) }
    if channel.deleted != nil { throw .channelDeleted(id) }
    return channel
  }

  /// A message that the actor can get at: there, or deleted so that it can be restored.
  ///
  /// What is gone, truncated away or only another's to see is refused as if it had never been. Who may not read the
  /// channel learns only that, unless they ask for what they wrote.
  func reachable(_ key: Message.Key, in channel: Channel) throws(Refusal) -> Message {
    let message = shown(key, in: channel)
    if message?.author != actor.user { try needs(.read, in: channel) }
    guard let message, message.presence != .gone else { throw .unknownMessage(key) }
    return message
  }

  /// A message that was not truncated away and is not only another's to see; it may be gone.
  func shown(_ key: Message.Key, in channel: Channel) -> Message? {
    guard let message = state[key], message.number > channel.truncated, isForActor(message) else { return nil }
    return message
  }

  /// Whether the actor may know of a message: of one that only its author sees, nobody else does.
  func isForActor(_ message: Message) -> Bool {
    message.content.kind != .ephemeral || actor == .system || message.author == actor.user
  }
}

// MARK: What the actor needs

extension Decision {
  /// The actor exists and may act.
  private func needsActiveActor() throws(Refusal) {
    guard let id = actor.user else { return }
    if try known(id).isDeactivated { throw .userDeactivated(id) }
  }

  /// The actor is the app or an administrator.
  func needsAdministrator() throws(Refusal) {
    guard try isAdministrator() else { throw .notAdministrator }
  }

  private func isAdministrator() throws(Refusal) -> Bool {
    guard let id = actor.user else { return true }
    return try rules.administrators.contains(known(id).role)
  }

  /// The actor is this user, the app or an administrator.
  func needsRight(toActFor user: User.ID) throws(Refusal) {
    guard actor.user != user else { return }
    guard try isAdministrator() else { throw .notYours(user) }
  }

  /// The actor wrote this message, or is the app or an administrator.
  func needsRight(toActForAuthorOf message: Message) throws(Refusal) {
    guard let author = message.author else { return try needsAdministrator() }
    try needsRight(toActFor: author)
  }

  /// The actor may do anything at all in a channel; nobody else learns what it is like and what is in it.
  func needsEntry(to channel: Channel) throws(Refusal) {
    guard let user = actor.user, capabilities(of: user, in: channel).isEmpty else { return }
    let key = Member.Key(channel.id, user)
    if state[key]?.isMember != true { throw .notMember(key) }
  }

  /// The actor may do something in a channel; the app may do everything.
  func needs(_ capability: Capability, in channel: Channel) throws(Refusal) {
    guard let user = actor.user else { return }
    if capability != .read { try needsNoBan(in: channel) }
    guard !capabilities(of: user, in: channel).contains(capability) else { return }
    let key = Member.Key(channel.id, user)
    if state[key]?.isMember != true { throw .notMember(key) }
    throw .notAllowed(capability, in: channel.id)
  }

  /// The actor may do more than read.
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

  /// What a user may do in a channel, were they not banned.
  func capabilities(of user: User.ID, in channel: Channel) -> Capabilities {
    rules.capabilities(of: state[user], as: state[Member.Key(channel.id, user)])
  }

  func needsNoBan(from scopes: [Ban.Scope]) throws(Refusal) {
    guard let user = actor.user else { return }
    let bans = scopes.lazy.compactMap { state[Ban.Key(of: user, from: $0)] }
    if let ban = bans.first(where: { $0.holds(at: instant) }) { throw .banned(ban) }
  }

  /// The actor may do all that another may; so nobody is ruled by somebody who may do less.
  func needsRight(toRule user: User.ID, in channel: Channel) throws(Refusal) {
    guard let ruler = actor.user, ruler != user else { return }
    let (ruling, ruled) = (capabilities(of: ruler, in: channel), capabilities(of: user, in: channel))
    guard ruled.isSubset(of: ruling) else { throw .outranked(by: user) }
  }

  /// The actor may do all that a role allows; so nobody gives away more than they have.
  func needsRight(toGive role: Role, in channel: Channel) throws(Refusal) {
    guard let given = rules.memberCapabilities[role] else { throw .unknownRole(role) }
    guard let giver = actor.user else { return }
    guard given.isSubset(of: capabilities(of: giver, in: channel)) else { throw .roleTooHigh(role) }
  }
}

// MARK: What the channel and the message allow

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
