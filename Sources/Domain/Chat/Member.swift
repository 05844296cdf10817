// Members: who is in a channel, in what role, and up to where they have read.

// MARK: Identity

extension Member {
  /// Who in which channel.
  public struct Key: Hashable, Sendable {
    /// In which channel.
    public let channel: Channel.ID
    /// Who.
    public let user: User.ID

    /// A user in a channel.
    public init(_ channel: Channel.ID, _ user: User.ID) { (self.channel, self.user) = (channel, user) }
  }
}

// MARK: State

/// Somebody who is in a channel, or was: the row stays when they go, so that coming back resets no slow mode.
public struct Member: Hashable, Sendable {
  /// Who in which channel.
  public let key: Key
  /// What they may do in it.
  public var role: Role
  /// Whether they are in it.
  public var isMember = true
  /// Since when they are in it, or were.
  public var joined: Instant
  /// When they sent their last message; what waits for a slow mode is counted from here.
  public var lastSent: Instant?
  /// The newest message that they read.
  public var read: Message.Number
  /// When they moved that marker.
  public var readAt: Instant
  /// The newest message that reached them.
  public var received: Message.Number
  /// The newest message when they hid the channel; it is shown again when all see a newer one.
  public var hidden: Message.Number?

  package init(
    key: Key, role: Role, joined: Instant, lastSent: Instant?, read: Message.Number, readAt: Instant,
    received: Message.Number
  ) {
    (self.key, self.role, self.joined, self.lastSent) = (key, role, joined, lastSent)
    (self.read, self.readAt, self.received) = (read, readAt, received)
  }

  /// Whether they hide a channel.
  public func hides(_ channel: Channel) -> Bool { hidden.map { channel.newestForAll <= $0 } ?? false }
}

// MARK: Events

extension Member {
  /// What can happen to a member.
  public enum Event: Hashable, Sendable {
    /// They are in the channel, in this role.
    case added(Role)
    /// Somebody took them out.
    case removed
    /// They went of their own accord.
    case left
    /// They may do something else.
    case roleChanged(Role)
    /// They read up to here.
    case read(through: Message.ID)
    /// Messages reached them up to here.
    case received(through: Message.ID)
    /// They want to read again from here.
    case markedUnread(from: Message.ID)
    /// They do not want to see the channel in their list.
    case hidden
    /// They want to see it again.
    case shown
  }
}

// MARK: Intents

extension Member {
  /// What one can want of a member.
  public enum Intent: Hashable, Sendable {
    /// That they are in the channel, in this role.
    case add(Role)
    /// That they are not, whoever wants it.
    case remove
    /// That they go of their own accord.
    case leave
    /// That they may do something else.
    case changeRole(Role)
    /// That they read up to here.
    case read(through: Message.ID)
    /// That messages reached them up to here.
    case receive(through: Message.ID)
    /// That they want to read again from here.
    case markUnread(from: Message.ID)
    /// That the channel is not in their list until something new is said.
    case hide
    /// That it is.
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
    let member = state[key].flatMap { $0.isMember ? $0 : nil }
    switch intent {
    case .add(let role):
      try needs(.invite, in: channel)
      if let member {
        guard member.role == role else { throw .memberExists(key) }
        return []
      }
      try needsRight(toGive: role, in: channel)
      return [.added(role)]
    case .remove:
      try needs(.ban, in: channel)
      guard member != nil else { return [] }
      try needsRight(toRule: key.user, in: channel)
      return [.removed]
    case .changeRole(let role):
      try needs(.changeChannel, in: channel)
      guard let member else { throw .notMember(key) }
      try needsRight(toRule: key.user, in: channel)
      try needsRight(toGive: role, in: channel)
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
    switch intent {
    case .leave: return [.left]
    case .hide: return member.hides(channel) ? [] : [.hidden]
    case .show: return member.hides(channel) ? [.shown] : []
    case .read(let last):
      try needsFlag(.readEvents, in: channel)
      return try number(of: last, for: key, in: channel) > member.read ? [.read(through: last)] : []
    case .receive(let last):
      try needsFlag(.deliveryEvents, in: channel)
      return try number(of: last, for: key, in: channel) > member.received ? [.received(through: last)] : []
    case .markUnread(let first):
      try needsFlag(.readEvents, in: channel)
      let number = try number(of: first, for: key, in: channel)
      return member.read == number.previous ? [] : [.markedUnread(from: first)]
    default: return []
    }
  }

  private func number(
    of message: Message.ID, for key: Member.Key, in channel: Channel
  ) throws(Refusal) -> Message.Number {
    try needs(.read, in: channel)
    return try reachable(Message.Key(channel.id, message), in: channel).number
  }
}

// MARK: Fold

extension Member.Event {
  func fold(on key: Member.Key, _ stamp: EventOrigin, into state: inout some ChatStateStore) {
    let newest = needsNewest ? state[key.channel]?.newest ?? .zero : .zero
    let number = message.flatMap { state[Message.Key(key.channel, $0)]?.number }
    let growth = state[key].apply(self, on: key, at: stamp.at, number: number, newest: newest)
    if growth != 0 { state[key.channel]?.memberCount.add(growth) }
  }

  /// Whether it has to know the newest message of the channel.
  private var needsNewest: Bool {
    switch self {
    case .added, .hidden: true
    case .removed, .left, .roleChanged, .read, .received, .markedUnread, .shown: false
    }
  }

  /// The message up to or from which it tells.
  private var message: Message.ID? {
    switch self {
    case .read(let id), .received(let id), .markedUnread(let id): id
    case .added, .removed, .left, .roleChanged, .hidden, .shown: nil
    }
  }
}

extension Member? {
  /// Makes a change, in one access to the row; answers by how many members it lets the channel grow.
  fileprivate mutating func apply(
    _ event: Member.Event, on key: Member.Key, at instant: Instant, number: Message.Number?, newest: Message.Number
  ) -> Int {
    let wasMember = self?.isMember ?? false
    if case .added(let role) = event {
      // Unread counts begin with joining: what was said before is there to read, and not waiting to be read.
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
    _ event: Event, at instant: Instant, number: Message.Number?, newest: Message.Number
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
