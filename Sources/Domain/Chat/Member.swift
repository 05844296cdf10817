// Members of channels, with their roles and read markers.

// MARK: Identity

extension Member {
  /// The primary key of a member: channel and user.
  public struct Key: Hashable, Codable, Sendable {
    /// The channel of the membership.
    public let channel: Channel.ID
    /// The user of the membership.
    public let user: User.ID

    /// Creates the key of a user's membership in a channel.
    public init(_ channel: Channel.ID, _ user: User.ID) { (self.channel, self.user) = (channel, user) }
  }
}

// MARK: State

/// A current or former member of a channel: the row outlives the membership, so that rejoining resets no slow mode.
public struct Member: Hashable, Sendable {
  /// The key of the member.
  public let key: Key
  /// The role in the channel.
  public var role: Role
  /// Whether the membership is current.
  public var isMember = true
  /// The start of the current or last membership.
  public var joined: Timestamp
  /// The time of the last sent message, from which the slow mode is counted.
  public var lastSent: Timestamp?
  /// The number of the newest read message.
  public var read: Message.Number
  /// The time at which the read marker was last moved.
  public var readAt: Timestamp
  /// The number of the newest received message.
  public var received: Message.Number
  /// The newest message when the channel was hidden; a newer one visible to all shows the channel again.
  public var hidden: Message.Number?

  package init(
    key: Key, role: Role, joined: Timestamp, lastSent: Timestamp?, read: Message.Number, readAt: Timestamp,
    received: Message.Number
  ) {
    (self.key, self.role, self.joined, self.lastSent) = (key, role, joined, lastSent)
    (self.read, self.readAt, self.received) = (read, readAt, received)
  }

  /// Returns whether the member hides a channel.
  public func hides(_ channel: Channel) -> Bool { hidden.map { channel.newestForAll <= $0 } ?? false }
}

// MARK: Events

extension Member {
  /// An event of a member.
  public enum Event: Hashable, Sendable {
    /// The user became a member in this role.
    case added(Role)
    /// The member was removed.
    case removed
    /// The member left.
    case left
    /// The role was changed.
    case roleChanged(Role)
    /// The read marker moved up to this message.
    case read(through: Message.ID)
    /// Messages were received up to this one.
    case received(through: Message.ID)
    /// The read marker moved to before this message.
    case markedUnread(from: Message.ID)
    /// The channel was hidden from the member's list.
    case hidden
    /// The channel was shown again in the member's list.
    case shown
  }
}

// MARK: Intents

extension Member {
  /// An intent on a member.
  public enum Intent: Hashable, Sendable {
    /// Adds the user as a member in this role.
    case add(Role)
    /// Removes the member.
    case remove
    /// Leaves the channel.
    case leave
    /// Changes the role.
    case changeRole(Role)
    /// Marks messages up to this one as read.
    case read(through: Message.ID)
    /// Marks messages up to this one as received.
    case receive(through: Message.ID)
    /// Marks messages from this one on as unread.
    case markUnread(from: Message.ID)
    /// Hides the channel from the list until a new message arrives.
    case hide
    /// Shows the hidden channel again.
    case show
  }
}

// MARK: Decide

extension Decision {
  func decide(_ intent: Member.Intent, on key: Member.Key) throws(Refusal) -> [Member.Event] {
    let channel = try known(key.channel)
    _ = try known(key.user)
    switch intent {
    case .add, .remove, .changeRole: return try decideByOthers(intent, on: key, in: channel)
    case .leave, .read, .receive, .markUnread, .hide, .show:
      try needsRight(toActFor: key.user)
      return try decideByThemselves(intent, on: key, in: channel)
    }
  }

  private func decideByOthers(
    _ intent: Member.Intent, on key: Member.Key, in channel: Channel
  ) throws(Refusal) -> [Member.Event] {
    let permissions = permissions(in: channel)
    let member = state[key].flatMap { $0.isMember ? $0 : nil }
    switch intent {
    case .add(let role):
      try permissions.needs(.invite)
      if let member {
        guard member.role == role else { throw .memberExists(key) }
        return []
      }
      try needsRight(toGive: role, with: permissions)
      return [.added(role)]
    case .remove:
      try permissions.needs(.ban)
      guard member != nil else { return [] }
      try needsRight(toRule: key.user, with: permissions)
      return [.removed]
    case .changeRole(let role):
      try permissions.needs(.changeChannel)
      guard let member else { throw .notMember(key) }
      try needsRight(toRule: key.user, with: permissions)
      try needsRight(toGive: role, with: permissions)
      return member.role == role ? [] : [.roleChanged(role)]
    default: return []
    }
  }

  private func decideByThemselves(
    _ intent: Member.Intent, on key: Member.Key, in channel: Channel
  ) throws(Refusal) -> [Member.Event] {
    guard let member = state[key], member.isMember else {
      if case .leave = intent { return [] }
      throw .notMember(key)
    }
    let permissions = permissions(in: channel)
    switch intent {
    case .leave: return [.left]
    case .hide: return member.hides(channel) ? [] : [.hidden]
    case .show: return member.hides(channel) ? [.shown] : []
    case .read(let last):
      try permissions.needsFlag(.readEvents)
      return try number(of: last, in: channel, permissions) > member.read ? [.read(through: last)] : []
    case .receive(let last):
      try permissions.needsFlag(.deliveryEvents)
      return try number(of: last, in: channel, permissions) > member.received ? [.received(through: last)] : []
    case .markUnread(let first):
      try permissions.needsFlag(.readEvents)
      let number = try number(of: first, in: channel, permissions)
      return member.read == number.previous ? [] : [.markedUnread(from: first)]
    default: return []
    }
  }

  private func number(
    of message: Message.ID, in channel: Channel, _ permissions: ChannelPermissions
  ) throws(Refusal) -> Message.Number {
    try permissions.needs(.read)
    return try reachable(Message.Key(channel.id, message), in: channel, permissions).number
  }
}

// MARK: Fold

extension Member.Event {
  func fold(on key: Member.Key, _ origin: EventOrigin, into state: inout some ChatStateStore) {
    let newest = needsNewest ? state[key.channel]?.newest ?? .zero : .zero
    let number = message.flatMap { state[Message.Key(key.channel, $0)]?.number }
    let growth = state[key].apply(self, on: key, at: origin.at, number: number, newest: newest)
    if growth != 0 { state[key.channel]?.memberCount.add(growth) }
  }

  /// Whether folding reads the number of the channel's newest message.
  private var needsNewest: Bool {
    switch self {
    case .added, .hidden: true
    case .removed, .left, .roleChanged, .read, .received, .markedUnread, .shown: false
    }
  }

  /// The message at the marker that the event moves.
  private var message: Message.ID? {
    switch self {
    case .read(let id), .received(let id), .markedUnread(let id): id
    case .added, .removed, .left, .roleChanged, .hidden, .shown: nil
    }
  }
}

extension Member? {
  /// Applies an event in one access to the row and returns the change of the member count.
  fileprivate mutating func apply(
    _ event: Member.Event, on key: Member.Key, at instant: Timestamp, number: Message.Number?, newest: Message.Number
  ) -> Int {
    let wasMember = self?.isMember ?? false
    if case .added(let role) = event {
      // Unread counts start at joining: earlier messages are readable, but do not count as unread.
      self = Member(
        key: key, role: role, joined: instant, lastSent: self?.lastSent, read: newest, readAt: instant,
        received: newest)
    } else {
      self?.apply(event, at: instant, number: number, newest: newest)
    }
    let isMember = self?.isMember ?? false
    return isMember == wasMember ? 0 : isMember ? 1 : -1
  }
}

extension Member {
  fileprivate mutating func apply(
    _ event: Event, at instant: Timestamp, number: Message.Number?, newest: Message.Number
  ) {
    switch event {
    case .added: return
    case .removed, .left: isMember = false
    case .roleChanged(let role): self.role = role
    case .read: if let number { (read, readAt) = (number, instant) }
    case .received: if let number { received = number }
    case .markedUnread: if let number { (read, readAt) = (number.previous, instant) }
    case .hidden: hidden = newest
    case .shown: hidden = nil
    }
  }
}
