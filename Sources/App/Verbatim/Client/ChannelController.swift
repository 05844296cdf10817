// A channel's controller: its settings, members and moderation.
public import Chat
public import ChatProjections

/// A channel as one user sees it, with the commands for it.
public struct ChannelController: Sendable {
  /// The client of the user.
  public let client: Client
  /// The channel's id.
  public let id: Channel.ID

  /// Returns the channel.
  public func get() async throws(ReadError) -> Channel {
    try await client.ask { reading throws(ReadError) in try reading.channel(id) }
  }

  /// Returns the controller of a thread in the channel.
  public func thread(_ parent: Message.ID) -> ThreadController {
    ThreadController(channel: self, parent: Message.Key(id, parent))
  }

  /// Opens the user's composer for the channel or a thread, whose events are recorded at once; throws if the client has
  /// no device.
  package func openComposer(thread: Message.ID? = nil) async throws(SubmitError) -> OpenComposer {
    guard let device = client.device else { throw .noDevice(client.user) }
    return try await client.workspace.openComposer(Composer.Key(of: client.user, on: device, in: id, thread: thread))
  }
}

// MARK: Channel

extension ChannelController {
  /// Creates the channel with the user as its owner; a no-op if the user created it with the same kind, profile and
  /// configuration, whatever its members are now.
  @discardableResult
  public func create(
    _ kind: Channel.Kind = "team", _ profile: Channel.Profile = Channel.Profile(),
    config: ChannelConfig = ChannelConfig(), members: [User.ID] = []
  ) async throws(SubmitError) -> Submitted {
    try await submit(.create(kind, profile, config, members: members))
  }

  /// Changes the channel's profile.
  @discardableResult
  public func change(_ profile: Channel.Profile) async throws(SubmitError) -> Submitted {
    try await submit(.change(profile))
  }

  /// Changes the channel's configuration.
  @discardableResult
  public func configure(_ config: ChannelConfig) async throws(SubmitError) -> Submitted {
    try await submit(.configure(config))
  }

  /// Sets the number of seconds that a member waits between two messages; 0 turns slow mode off.
  @discardableResult
  public func setSlowMode(_ seconds: UInt32) async throws(SubmitError) -> Submitted {
    try await submit(.setSlowMode(seconds))
  }

  /// Freezes the channel: nobody may send, edit or react.
  @discardableResult
  public func freeze() async throws(SubmitError) -> Submitted { try await submit(.freeze) }

  /// Unfreezes the channel.
  @discardableResult
  public func unfreeze() async throws(SubmitError) -> Submitted { try await submit(.unfreeze) }

  /// Hides the channel's messages from everyone: up to one message, or all.
  @discardableResult
  public func truncate(through message: Message.ID? = nil) async throws(SubmitError) -> Submitted {
    try await submit(.truncate(through: message))
  }

  /// Deletes the channel.
  @discardableResult
  public func delete() async throws(SubmitError) -> Submitted { try await submit(.delete) }

  private func submit(_ intent: Channel.Intent) async throws(SubmitError) -> Submitted {
    try await client.submit(.channel(id, intent))
  }
}

// MARK: Members

extension ChannelController {
  /// Returns members with some roles, or all members.
  public func members(
    in roles: Set<Role>? = nil, after user: User.ID? = nil, limit: Int = 100
  ) async throws(ReadError) -> MemberPage {
    try await client.ask { reading throws(ReadError) in
      try reading.members(of: id, in: roles, after: user, limit: limit)
    }
  }

  /// Returns other members whose id or name begins with the typed text, best match first: for mentions.
  public func members(matching typed: UserText, limit: Int = 10) async throws(ReadError) -> [User] {
    try await client.ask { reading throws(ReadError) in try reading.members(of: id, matching: typed, limit: limit) }
  }

  /// Returns a member; nil if the user is not a member.
  public func member(_ user: User.ID) async throws(ReadError) -> Member? {
    let key = Member.Key(id, user)
    return try await client.ask { reading throws(ReadError) in try reading.member(key) }
  }

  /// Returns the other users who are typing in the channel.
  public func typing() async throws(ReadError) -> [TypingUser] {
    try await client.ask { reading throws(ReadError) in try reading.typing(in: id) }
  }

  /// Adds users to the channel: all of them, or none.
  @discardableResult
  public func add(_ users: User.ID..., as role: Role = .member) async throws(SubmitError) -> Submitted {
    try await add(users, as: role)
  }

  /// Adds users to the channel: all of them, or none.
  @discardableResult
  public func add(_ users: [User.ID], as role: Role = .member) async throws(SubmitError) -> Submitted {
    try await client.submit(users.map { .member(Member.Key(id, $0), .add(role)) })
  }

  /// Removes users from the channel: all of them, or none.
  @discardableResult
  public func remove(_ users: User.ID...) async throws(SubmitError) -> Submitted { try await remove(users) }

  /// Removes users from the channel: all of them, or none.
  @discardableResult
  public func remove(_ users: [User.ID]) async throws(SubmitError) -> Submitted {
    try await client.submit(users.map { .member(Member.Key(id, $0), .remove) })
  }

  /// Changes a member's role.
  @discardableResult
  public func changeRole(of user: User.ID, to role: Role) async throws(SubmitError) -> Submitted {
    try await client.submit(.member(Member.Key(id, user), .changeRole(role)))
  }

  /// Leaves the channel.
  @discardableResult
  public func leave() async throws(SubmitError) -> Submitted { try await submitOwn(.leave) }

  /// Hides the channel from the user's list until a new message arrives.
  @discardableResult
  public func hide() async throws(SubmitError) -> Submitted { try await submitOwn(.hide) }

  /// Shows the channel in the user's list again.
  @discardableResult
  public func show() async throws(SubmitError) -> Submitted { try await submitOwn(.show) }

  /// Invites users to the channel, who join by accepting: all of them, or none.
  @discardableResult
  public func invite(_ users: User.ID..., as role: Role = .member) async throws(SubmitError) -> Submitted {
    try await invite(users, as: role)
  }

  /// Invites users to the channel, who join by accepting: all of them, or none.
  @discardableResult
  public func invite(_ users: [User.ID], as role: Role = .member) async throws(SubmitError) -> Submitted {
    try await client.submit(users.map { .member(Member.Key(id, $0), .invite(role)) })
  }

  /// Joins the channel, which is public or to which the user is invited.
  @discardableResult
  public func join() async throws(SubmitError) -> Submitted { try await submitOwn(.join) }

  /// Declines the user's invitation to the channel.
  @discardableResult
  public func decline() async throws(SubmitError) -> Submitted { try await submitOwn(.decline) }

  /// Pins the channel to the top of the user's list.
  @discardableResult
  public func pin() async throws(SubmitError) -> Submitted { try await submitOwn(.pin) }

  /// Unpins the channel in the user's list.
  @discardableResult
  public func unpin() async throws(SubmitError) -> Submitted { try await submitOwn(.unpin) }

  /// Moves the channel to the user's archive, where it stays until it is moved back.
  @discardableResult
  public func archive() async throws(SubmitError) -> Submitted { try await submitOwn(.archive) }

  /// Moves the channel from the user's archive back to the list.
  @discardableResult
  public func unarchive() async throws(SubmitError) -> Submitted { try await submitOwn(.unarchive) }

  internal func submitOwn(_ intent: Member.Intent) async throws(SubmitError) -> Submitted {
    try await client.submit(.member(Member.Key(id, client.user), intent))
  }
}

// MARK: Moderation

extension ChannelController {
  /// Bans a user from everything but reading in the channel, until an expiry or permanently.
  @discardableResult
  public func ban(
    _ user: User.ID, for expiry: Expiry = .endless, reason: UserText? = nil
  ) async throws(SubmitError) -> Submitted {
    try await client.submit(.ban(Ban.Key(of: user, from: .channel(id)), .impose(expiry, reason: reason)))
  }

  /// Lifts the user's ban from the channel.
  @discardableResult
  public func liftBan(of user: User.ID) async throws(SubmitError) -> Submitted {
    try await client.submit(.ban(Ban.Key(of: user, from: .channel(id)), .lift))
  }

  /// Returns the banned users; requires the permission to ban.
  public func bans(after user: User.ID? = nil, limit: Int = 100) async throws(ReadError) -> BanPage {
    try await client.ask { reading throws(ReadError) in
      try reading.bans(from: .channel(id), after: user, limit: limit)
    }
  }

  /// Returns the ban that limits the user to reading; nil if there is none.
  public func ownBan() async throws(ReadError) -> Ban? {
    try await client.ask { reading throws(ReadError) in try reading.ban(in: id) }
  }

  /// Mutes the channel for the user, until an expiry or permanently.
  @discardableResult
  public func mute(for expiry: Expiry = .endless) async throws(SubmitError) -> Submitted {
    try await client.submit(.mute(Mute.Key(by: client.user, of: .channel(id)), .begin(expiry)))
  }

  /// Unmutes the channel.
  @discardableResult
  public func unmute() async throws(SubmitError) -> Submitted {
    try await client.submit(.mute(Mute.Key(by: client.user, of: .channel(id)), .end))
  }
}
