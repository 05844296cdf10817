// Channels: where members talk.

// MARK: Identity

extension Channel {
  /// What a channel is called for good.
  public typealias ID = Chat.ID<Channel>

  /// What a kind of channel is called: `messaging`, `livestream`, an app's own.
  public typealias Kind = Chat.ID<KindName>

  /// What the ids of kinds of channels name.
  public enum KindName: Sendable {}
}

// MARK: State

/// A place where members talk.
public struct Channel: Hashable, Sendable {
  /// What it is called for good.
  public let id: ID
  /// What kind of channel it is.
  public let kind: Kind
  /// What is said of it.
  public var profile: Profile
  /// What it allows.
  public var config: ChannelConfig
  /// Whether nobody may send, edit or react for now.
  public var isFrozen = false
  /// Who created it.
  public let creator: Author
  /// When it was created.
  public let created: Instant
  /// When it, not what is said in it, changed last.
  public var changed: Instant
  /// When it was deleted; its row stays, so that its id is not taken again.
  public var deleted: Instant?
  /// The number of its newest message.
  public var newest = Message.Number.zero
  /// The number of its newest message that not only its author sees.
  public var newestForAll = Message.Number.zero
  /// The number of the newest message that was truncated away.
  public var truncated = Message.Number.zero
  /// How many members it has.
  public var memberCount: UInt32 = 0

  package init(
    id: ID, kind: Kind, profile: Profile, config: ChannelConfig, creator: Author, created: Instant, changed: Instant
  ) {
    (self.id, self.kind, self.profile, self.config) = (id, kind, profile, config)
    (self.creator, self.created, self.changed) = (creator, created, changed)
  }

  /// What is said of a channel.
  public struct Profile: Hashable, Sendable {
    /// The name that is shown.
    public var name: UserText
    /// Where a picture of it is.
    public var image: UserText?
    /// What an app adds.
    public var extra: Extra

    /// What is said of a channel.
    public init(name: UserText = "", image: UserText? = nil, extra: Extra = [:]) {
      (self.name, self.image, self.extra) = (name, image, extra)
    }
  }
}

// MARK: Events

extension Channel {
  /// What can happen to a channel.
  public enum Event: Hashable, Sendable {
    /// It came to be.
    case created(Kind, Profile, ChannelConfig)
    /// Something else is said of it.
    case changed(Profile)
    /// It allows something else.
    case configured(ChannelConfig)
    /// Members wait so many seconds between two messages.
    case slowModeSet(UInt32)
    /// Nobody may send, edit or react.
    case frozen
    /// They may again.
    case unfrozen
    /// Its messages up to this one are shown to nobody any more.
    case truncated(through: Message.Number)
    /// It is gone.
    case deleted
  }
}

// MARK: Intents

extension Channel {
  /// What one can want of a channel.
  public enum Intent: Hashable, Sendable {
    /// That it comes to be, with these members and whoever asks as its owner.
    case create(Kind, Profile, ChannelConfig, members: [User.ID])
    /// That something else is said of it.
    case change(Profile)
    /// That it allows something else.
    case configure(ChannelConfig)
    /// That members wait so many seconds between two messages.
    case setSlowMode(UInt32)
    /// That nobody may send, edit or react.
    case freeze
    /// That they may again.
    case unfreeze
    /// That its messages up to this one, or all that it has, are shown to nobody any more.
    case truncate(through: Message.ID?)
    /// That it is gone.
    case delete
  }
}

// MARK: Decide

extension Decision {
  func decide(_ intent: Channel.Intent, on id: Channel.ID) throws(Refusal) -> [ChatEvent.Change] {
    if case .create(let kind, let profile, let config, let members) = intent {
      return try create(id, kind, profile, config, members)
    }
    if case .delete = intent, state[id]?.deleted != nil { return [] }
    let channel = try known(id)
    try needs(.changeChannel, in: channel)
    return try decide(intent, on: channel).map { .channel(id, $0) }
  }

  private func decide(_ intent: Channel.Intent, on channel: Channel) throws(Refusal) -> [Channel.Event] {
    switch intent {
    case .create: return []
    case .change(let profile):
      try check(profile)
      return profile == channel.profile ? [] : [.changed(profile)]
    case .configure(let config):
      return config == channel.config ? [] : [.configured(config)]
    case .setSlowMode(let seconds):
      return seconds == channel.config.slowMode ? [] : [.slowModeSet(seconds)]
    case .freeze: return channel.isFrozen ? [] : [.frozen]
    case .unfreeze: return channel.isFrozen ? [.unfrozen] : []
    case .truncate(let last):
      let number = try truncation(of: channel, through: last)
      return number > channel.truncated ? [.truncated(through: number)] : []
    case .delete: return [.deleted]
    }
  }

  private func truncation(of channel: Channel, through last: Message.ID?) throws(Refusal) -> Message.Number {
    guard let last else { return channel.newest }
    let key = Message.Key(channel.id, last)
    // Wanted a second time, it is truncated away already, and cannot be reached.
    if let number = state[key]?.number, number <= channel.truncated { return number }
    return try reachable(key, in: channel).number
  }

  private func create(
    _ id: Channel.ID, _ kind: Channel.Kind, _ profile: Channel.Profile, _ config: ChannelConfig,
    _ members: [User.ID]
  ) throws(Refusal) -> [ChatEvent.Change] {
    try check(profile)
    try check(members.count, by: .membersPerAdd, max: rules.limits.membersPerAddMax)
    if let channel = state[id] {
      let isSame =
        channel.deleted == nil && channel.creator.user == actor.user
        && (channel.kind, channel.profile, channel.config) == (kind, profile, config)
      guard isSame else { throw .channelExists(id) }
      return []
    }
    try needsNoBan(from: [.everywhere])
    var changes: [ChatEvent.Change] = [.channel(id, .created(kind, profile, config))]
    if let owner = actor.user { changes.append(.member(Member.Key(id, owner), .added(.owner))) }
    var added = Set([actor.user].compactMap { $0 })
    for member in members where added.insert(member).inserted {
      _ = try known(member)
      changes.append(.member(Member.Key(id, member), .added(.member)))
    }
    return changes
  }

  private func check(_ profile: Channel.Profile) throws(Refusal) {
    try check(name: profile.name)
    if let image = profile.image { try check(line: image) }
    try check(profile.extra)
  }
}

// MARK: Fold

extension Channel.Event {
  func fold(on id: Channel.ID, _ stamp: EventOrigin, into state: inout some ChatStateStore) {
    if case .created(let kind, let profile, let config) = self {
      state[id] = Channel(
        id: id, kind: kind, profile: profile, config: config, creator: stamp.actor, created: stamp.at,
        changed: stamp.at)
    } else {
      state[id]?.apply(self, at: stamp.at)
    }
  }
}

extension Channel {
  mutating func apply(_ event: Event, at instant: Instant) {
    switch event {
    case .created: return
    case .changed(let profile): self.profile = profile
    case .configured(let config): self.config = config
    case .slowModeSet(let seconds): config.slowMode = seconds
    case .frozen: isFrozen = true
    case .unfrozen: isFrozen = false
    case .truncated(let number): truncated = max(truncated, number)
    case .deleted: deleted = instant
    }
    changed = instant
  }
}

// MARK: Invariants

extension Channel {
  /// What is wrong with the row, in words; nil when nothing is.
  public var defect: String? {
    if newestForAll > newest { return "channel \(id) shows all \(newestForAll), its newest message is \(newest)" }
    return truncated > newest
      ? "channel \(id) is truncated through \(truncated), its newest message is \(newest)" : nil
  }
}
