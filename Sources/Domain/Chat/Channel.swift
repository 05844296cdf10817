// Channels, in which members exchange messages.
internal import Digests

// MARK: Identity

extension Channel {
  /// The permanent id of a channel.
  public typealias ID = Chat.ID<Channel>

  /// The id of a kind of channel: `messaging`, `livestream`, or an app's own.
  public typealias Kind = Chat.ID<KindName>

  /// The phantom type of ``Kind``.
  public enum KindName: Sendable {}
}

extension ID where Named == Channel {
  /// Returns the id of the direct channel of some users, whatever their order: the hash of their ids.
  ///
  /// Its members do not change, so that the same users always have the same direct channel. Its first member to create
  /// it does so; the intent of another member is then a no-op.
  public static func direct(among users: some Sequence<User.ID>) -> ID {
    let names = Set(users).sorted().map(\.text).joined(separator: "/")
    var text = names
    let hash = text.withUTF8 { ChainHash(of: UnsafeRawBufferPointer($0), after: nil) }
    let digits = hash.withBytes { bytes in
      bytes.prefix(28).map { (byte: UInt8) -> String in
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }
    }
    return ID(stringLiteral: directPrefix + digits.joined())
  }

  /// Whether the id is that of a direct channel.
  public var isDirect: Bool {
    // The first comparison answers for most channels, whose members are folded.
    text.utf8.first == Self.directPrefix.utf8.first && text.utf8.starts(with: Self.directPrefix.utf8)
  }

  private static var directPrefix: String { "direct." }
}

extension ID where Named == Channel.KindName {
  /// The kind of a direct channel.
  public static var direct: Channel.Kind { "direct" }
}

// MARK: State

/// A channel, in which members exchange messages.
public struct Channel: Hashable, Sendable {
  /// The permanent id of the channel.
  public let id: ID
  /// The kind of the channel.
  public let kind: Kind
  /// The name, image and extra values of the channel.
  public var profile: Profile
  /// The configuration of the channel.
  public var config: ChannelConfig
  /// Whether sending, editing and reacting are refused for now.
  public var isFrozen = false
  /// The author who created the channel.
  public let creator: Author
  /// The time of creation.
  public let created: Timestamp
  /// The time of the last change to the channel itself, not to its messages.
  public var changed: Timestamp
  /// The time of deletion; the row stays, so that the id is not reused.
  public var deleted: Timestamp?
  /// The number of the newest message.
  public var newest = Message.Number.zero
  /// The number of the newest message visible to all, that is not ephemeral.
  public var newestForAll = Message.Number.zero
  /// The number of the newest truncated message.
  public var truncated = Message.Number.zero
  /// The number of members.
  public var memberCount: UInt32 = 0
  /// The members of a direct channel, in the order of joining; empty for any other channel.
  public var participants: [User.ID] = []

  package init(
    id: ID, kind: Kind, profile: Profile, config: ChannelConfig, creator: Author, created: Timestamp, changed: Timestamp
  ) {
    (self.id, self.kind, self.profile, self.config) = (id, kind, profile, config)
    (self.creator, self.created, self.changed) = (creator, created, changed)
  }

  /// The name, image and extra values of a channel.
  public struct Profile: Hashable, Sendable {
    /// The display name.
    public var name: UserText
    /// The address of an image of the channel.
    public var image: UserText?
    /// The extra values of the app.
    public var extra: Extra

    /// Creates a profile from its parts.
    public init(name: UserText = "", image: UserText? = nil, extra: Extra = [:]) {
      (self.name, self.image, self.extra) = (name, image, extra)
    }
  }
}

// MARK: Events

extension Channel {
  /// An event of a channel.
  public enum Event: Hashable, Sendable {
    /// The channel was created.
    case created(Kind, Profile, ChannelConfig)
    /// The profile was replaced.
    case changed(Profile)
    /// The configuration was replaced.
    case configured(ChannelConfig)
    /// The slow mode was set: members wait this many seconds between two messages.
    case slowModeSet(UInt32)
    /// The channel was frozen: sending, editing and reacting are refused.
    case frozen
    /// The channel was unfrozen.
    case unfrozen
    /// The messages up to this number were truncated: no user sees them any more.
    case truncated(through: Message.Number)
    /// The channel was deleted.
    case deleted
  }
}

// MARK: Intents

extension Channel {
  /// An intent on a channel.
  public enum Intent: Hashable, Sendable {
    /// Creates the channel with these members; the author becomes its owner.
    case create(Kind, Profile, ChannelConfig, members: [User.ID])
    /// Replaces the profile.
    case change(Profile)
    /// Replaces the configuration.
    case configure(ChannelConfig)
    /// Sets the slow mode: members wait this many seconds between two messages.
    case setSlowMode(UInt32)
    /// Freezes the channel: sending, editing and reacting are refused.
    case freeze
    /// Unfreezes the channel.
    case unfreeze
    /// Truncates the messages up to this one, or all (nil): no user sees them any more.
    case truncate(through: Message.ID?)
    /// Deletes the channel.
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
    let permissions = permissions(in: channel)
    try permissions.needs(.changeChannel)
    return try decide(intent, on: channel, permissions).map { .channel(id, $0) }
  }

  private func decide(
    _ intent: Channel.Intent, on channel: Channel, _ permissions: ChannelPermissions
  ) throws(Refusal) -> [Channel.Event] {
    switch intent {
    case .create: return []
    case .change(let profile):
      try check(profile)
      return profile == channel.profile ? [] : [.changed(profile)]
    case .configure(let config):
      try check(config, of: channel.id)
      return config == channel.config ? [] : [.configured(config)]
    case .setSlowMode(let seconds):
      return seconds == channel.config.slowMode ? [] : [.slowModeSet(seconds)]
    case .freeze: return channel.isFrozen ? [] : [.frozen]
    case .unfreeze: return channel.isFrozen ? [.unfrozen] : []
    case .truncate(let last):
      let number = try truncation(of: channel, through: last, permissions)
      return number > channel.truncated ? [.truncated(through: number)] : []
    case .delete: return [.deleted]
    }
  }

  private func truncation(
    of channel: Channel, through last: Message.ID?, _ permissions: ChannelPermissions
  ) throws(Refusal) -> Message.Number {
    guard let last else { return channel.newest }
    let key = Message.Key(channel.id, last)
    // On a retry the message is truncated already, and cannot be reached.
    if let number = state[key]?.number, number <= channel.truncated { return number }
    return try reachable(key, in: channel, permissions).number
  }

  private func create(
    _ id: Channel.ID, _ kind: Channel.Kind, _ profile: Channel.Profile, _ config: ChannelConfig,
    _ members: [User.ID]
  ) throws(Refusal) -> [ChatEvent.Change] {
    try check(profile)
    try check(members.count, by: .membersPerAdd, max: rules.limits.membersPerAddMax)
    let all = Set(members + [actor.user].compactMap { $0 })
    if id.isDirect {
      guard id == .direct(among: all) else { throw .otherMembers(id) }
      if all.count == 2 { for other in members where other != actor.user { try needsNoBlock(by: other) } }
      // Whoever of the members is first creates the channel.
      if let channel = state[id] {
        if channel.deleted != nil { throw .channelDeleted(id) }
        return []
      }
    }
    try check(config, of: id)
    if let channel = state[id] {
      let isSame =
        channel.deleted == nil && channel.creator.user == actor.user
        && (channel.kind, channel.profile, channel.config) == (kind, profile, config)
      guard isSame else { throw .channelExists(id) }
      return []
    }
    if let ban = ban(from: [.everywhere]) { throw .banned(ban) }
    var changes: [ChatEvent.Change] = [.channel(id, .created(kind, profile, config))]
    let role: Role = id.isDirect ? .member : .owner
    if let creator = actor.user { changes.append(.member(Member.Key(id, creator), .added(role))) }
    var added = Set([actor.user].compactMap { $0 })
    for member in members where added.insert(member).inserted {
      _ = try known(member)
      try needsNoBlock(by: member)
      changes.append(.member(Member.Key(id, member), .added(.member)))
    }
    return changes
  }

  /// Throws for a direct channel that everybody could join.
  private func check(_ config: ChannelConfig, of id: Channel.ID) throws(Refusal) {
    if config.isPublic, id.isDirect { throw .directChannel(id) }
  }

  private func check(_ profile: Channel.Profile) throws(Refusal) {
    try check(name: profile.name)
    if let image = profile.image { try check(line: image) }
    try check(profile.extra)
  }
}

// MARK: Fold

extension Channel.Event {
  func fold(on id: Channel.ID, _ origin: EventOrigin, into state: inout some ChatStateStore) {
    if case .created(let kind, let profile, let config) = self {
      state[id] = Channel(
        id: id, kind: kind, profile: profile, config: config, creator: origin.actor, created: origin.at,
        changed: origin.at)
    } else {
      state[id]?.apply(self, at: origin.at)
    }
  }
}

extension Channel {
  mutating func apply(_ event: Event, at instant: Timestamp) {
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
  /// The first violated invariant of the row, in words; nil when the row is valid.
  public var defect: String? {
    if newestForAll > newest {
      return "channel \(id) has \(newestForAll) as newest for all, beyond its newest message \(newest)"
    }
    return truncated > newest
      ? "channel \(id) is truncated through \(truncated), its newest message is \(newest)" : nil
  }
}
