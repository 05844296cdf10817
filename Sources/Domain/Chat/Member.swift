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

/// A current, former or invited member of a channel: the row outlives the membership, so that rejoining resets no slow
/// mode.
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
  /// The time at which the member pinned the channel to the top of their list.
  public var pinned: Timestamp?
  /// The time at which the member moved the channel to their archive.
  public var archived: Timestamp?
  /// The invitation that the user has not accepted; nil for a member.
  public var invitation: Invitation? {
    get { boxedInvitation.value }
    set { boxedInvitation = Boxed(newValue) }
  }
  private var boxedInvitation = Boxed<Invitation>()

  package init(
    key: Key, role: Role, joined: Timestamp, lastSent: Timestamp?, read: Message.Number, readAt: Timestamp,
    received: Message.Number
  ) {
    (self.key, self.role, self.joined, self.lastSent) = (key, role, joined, lastSent)
    (self.read, self.readAt, self.received) = (read, readAt, received)
  }

  /// An invitation to a channel, which the user accepts by joining.
  public struct Invitation: Hashable, Sendable {
    /// The author of the invitation.
    public let by: Author
    /// The time of the invitation.
    public let at: Timestamp
    /// The role in which the user joins.
    public let role: Role
    /// The time at which the user declined; a declined invitation can still be accepted.
    public var declined: Timestamp?

    package init(by author: Author, at instant: Timestamp, as role: Role, declined: Timestamp? = nil) {
      (self.by, at, self.role, self.declined) = (author, instant, role, declined)
    }
  }

  /// Returns whether the member hides a channel.
  public func hides(_ channel: Channel) -> Bool { hidden.map { channel.newestForAll <= $0 } ?? false }
}

// MARK: Events

extension Member {
  /// An event of a member.
  public enum Event: Hashable, Sendable {
    /// The user became a member in this role: they joined if they are the author, else they were added.
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
    /// The user was invited in this role.
    case invited(Role)
    /// The user declined the invitation.
    case declined
    /// The channel was pinned to the top of the member's list.
    case pinned
    /// The channel was unpinned in the member's list.
    case unpinned
    /// The channel was moved to the member's archive.
    case archived
    /// The channel was moved back to the member's list.
    case unarchived
  }
}

// MARK: Intents

extension Member {
  /// An intent on a member.
  public enum Intent: Hashable, Sendable {
    /// Adds the user as a member in this role.
    case add(Role)
    /// Removes the member, or withdraws the invitation.
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
    /// Invites the user in this role.
    case invite(Role)
    /// Joins a public channel, or accepts an invitation.
    case join
    /// Declines an invitation.
    case decline
    /// Pins the channel to the top of the list.
    case pin
    /// Unpins the channel.
    case unpin
    /// Moves the channel to the archive, where it stays until it is moved back.
    case archive
    /// Moves the channel back to the list.
    case unarchive
  }
}

// MARK: Decide

extension Decision {
  func decide(_ intent: Member.Intent, on key: Member.Key) throws(Refusal) -> [Member.Event] {
    let channel = try known(key.channel)
    _ = try known(key.user)
    switch intent {
    case .add, .remove, .changeRole, .invite: return try decideByOthers(intent, on: key, in: channel)
    case .join, .decline:
      try needsRight(toActFor: key.user)
      return try decideByInvited(intent, on: key, in: channel)
    case .leave, .read, .receive, .markUnread, .hide, .show, .pin, .unpin, .archive, .unarchive:
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
      try needsOpenMembership(of: channel)
      try needsNoBlock(by: key.user)
      try needsRight(toGive: role, with: permissions)
      try needsRight(toOffer: role, to: state[key], in: channel, permissions)
      return [.added(role)]
    case .invite(let role):
      try permissions.needs(.invite)
      if let member {
        guard member.role == role else { throw .memberExists(key) }
        return []
      }
      try needsOpenMembership(of: channel)
      try needsNoBlock(by: key.user)
      try needsRight(toGive: role, with: permissions)
      return try invite(state[key], to: channel, as: role, permissions)
    case .remove:
      guard member != nil else { return try withdraw(state[key]?.invitation, permissions) }
      try permissions.needs(.ban)
      try needsOpenMembership(of: channel)
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

  /// Throws for a direct channel, whose members do not change.
  func needsOpenMembership(of channel: Channel) throws(Refusal) {
    if channel.id.isDirect { throw .directChannel(channel.id) }
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
    case .leave:
      try needsOpenMembership(of: channel)
      return [.left]
    case .hide: return member.hides(channel) ? [] : [.hidden]
    case .show: return member.hides(channel) ? [.shown] : []
    case .pin: return member.pinned == nil ? [.pinned] : []
    case .unpin: return member.pinned == nil ? [] : [.unpinned]
    case .archive: return member.archived == nil ? [.archived] : []
    case .unarchive: return member.archived == nil ? [] : [.unarchived]
    case .read(let last):
      try permissions.needsFlag(.readEvents)
      return try number(through: last, in: channel, permissions) > member.read ? [.read(through: last)] : []
    case .receive(let last):
      try permissions.needsFlag(.deliveryEvents)
      return try number(through: last, in: channel, permissions) > member.received ? [.received(through: last)] : []
    case .markUnread(let first):
      try permissions.needsFlag(.readEvents)
      try permissions.needs(.read)
      let number = try reachable(Message.Key(channel.id, first), in: channel, permissions).number
      return member.read == number.previous ? [] : [.markedUnread(from: first)]
    default: return []
    }
  }

  private func number(
    through message: Message.ID, in channel: Channel, _ permissions: ChannelPermissions
  ) throws(Refusal) -> Message.Number {
    try permissions.needs(.read)
    return try lastRead(Message.Key(channel.id, message), in: channel).number
  }
}

// MARK: Fold

extension Member.Event {
  func fold(on key: Member.Key, _ origin: EventOrigin, into state: inout some ChatStateStore) {
    let newest = needsNewest ? state[key.channel]?.newest ?? .zero : .zero
    let number = message.flatMap { state[Message.Key(key.channel, $0)]?.number }
    let growth = state[key].apply(self, on: key, origin, number: number, newest: newest)
    if growth != 0 { state[key.channel]?.memberCount.add(growth) }
    if growth > 0, key.channel.isDirect { state[key.channel]?.participants.append(key.user) }
  }

  /// Whether folding reads the number of the channel's newest message.
  private var needsNewest: Bool {
    switch self {
    case .added, .invited, .hidden: true
    case .removed, .left, .roleChanged, .read, .received, .markedUnread, .shown, .declined, .pinned, .unpinned,
      .archived, .unarchived:
      false
    }
  }

  /// The message at the marker that the event moves.
  private var message: Message.ID? {
    switch self {
    case .read(let id), .received(let id), .markedUnread(let id): id
    case .added, .removed, .left, .roleChanged, .hidden, .shown, .invited, .declined, .pinned, .unpinned, .archived,
      .unarchived:
      nil
    }
  }
}

extension Member? {
  /// Applies an event in one access to the row and returns the change of the member count.
  fileprivate mutating func apply(
    _ event: Member.Event, on key: Member.Key, _ origin: EventOrigin, number: Message.Number?, newest: Message.Number
  ) -> Int {
    let instant = origin.at
    let wasMember = self?.isMember ?? false
    if case .added(let role) = event {
      // Unread counts start at joining: earlier messages are readable, but do not count as unread.
      self = Member(
        key: key, role: role, joined: instant, lastSent: self?.lastSent, read: newest, readAt: instant,
        received: newest)
    } else if case .invited(let role) = event {
      var member =
        self
        ?? Member(key: key, role: role, joined: instant, lastSent: nil, read: newest, readAt: instant, received: newest)
      if self == nil { member.isMember = false }
      member.invitation = Member.Invitation(by: origin.actor, at: instant, as: role)
      self = member
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
    case .added, .invited: return
    case .removed, .left: (isMember, invitation) = (false, nil)
    case .roleChanged(let role): self.role = role
    case .read: if let number { (read, readAt) = (number, instant) }
    case .received: if let number { received = number }
    case .markedUnread: if let number { (read, readAt) = (number.previous, instant) }
    case .hidden: hidden = newest
    case .shown: hidden = nil
    case .declined: invitation?.declined = instant
    case .pinned: pinned = instant
    case .unpinned: pinned = nil
    case .archived: archived = instant
    case .unarchived: archived = nil
    }
  }
}
