// One channel: what it is, who is in it.
public import Chat
public import ChatProjections

/// A channel, to one person.
public struct ChannelController: Sendable {
  /// Whose view of it this is.
  public let client: Client
  /// Which channel.
  public let id: Channel.ID

  /// The channel.
  public func get() async throws(ReadError) -> Channel {
    let id = id
    return try await client.ask { reading throws(ReadError) in try reading.channel(id) }
  }

  /// A thread in it.
  public func thread(_ parent: Message.ID) -> ThreadController {
    ThreadController(channel: self, parent: Message.Key(id, parent))
  }

  /// Opens the person's composer for it, to record what is done in it at once; a client without a device has none.
  public func openComposer(thread: Message.ID? = nil) async throws(SubmitError) -> OpenComposer {
    guard let device = client.device else { throw .noDevice(client.user) }
    return try await client.workspace.openComposer(Composer.Key(of: client.user, on: device, in: id, thread: thread))
  }
}

// MARK: What it is

extension ChannelController {
  /// Creates it, with the person as its owner.
  @discardableResult
  public func create(
    _ kind: Channel.Kind = "team", _ profile: Channel.Profile = Channel.Profile(),
    config: ChannelConfig = ChannelConfig(), members: [User.ID] = []
  ) async throws(SubmitError) -> Submitted {
    try await submit(.create(kind, profile, config, members: members))
  }

  /// Says something else of it.
  @discardableResult
  public func change(_ profile: Channel.Profile) async throws(SubmitError) -> Submitted {
    try await submit(.change(profile))
  }

  /// Allows something else in it.
  @discardableResult
  public func configure(_ config: ChannelConfig) async throws(SubmitError) -> Submitted {
    try await submit(.configure(config))
  }

  /// Lets members wait so many seconds between two messages; 0 for no wait.
  @discardableResult
  public func setSlowMode(_ seconds: UInt32) async throws(SubmitError) -> Submitted {
    try await submit(.setSlowMode(seconds))
  }

  /// Lets nobody send, edit or react.
  @discardableResult
  public func freeze() async throws(SubmitError) -> Submitted { try await submit(.freeze) }

  /// Lets them again.
  @discardableResult
  public func unfreeze() async throws(SubmitError) -> Submitted { try await submit(.unfreeze) }

  /// Shows its messages to nobody any more: up to one, or all that it has.
  @discardableResult
  public func truncate(through message: Message.ID? = nil) async throws(SubmitError) -> Submitted {
    try await submit(.truncate(through: message))
  }

  /// Deletes it.
  @discardableResult
  public func delete() async throws(SubmitError) -> Submitted { try await submit(.delete) }

  private func submit(_ intent: Channel.Intent) async throws(SubmitError) -> Submitted {
    try await client.submit(.channel(id, intent))
  }
}

// MARK: Who is in it

extension ChannelController {
  /// Members, of some roles or of all.
  public func members(
    in roles: Set<Role>? = nil, after user: User.ID? = nil, limit: Int = 100
  ) async throws(ReadError) -> MemberPage {
    let id = id
    return try await client.ask { reading throws(ReadError) in
      try reading.members(of: id, in: roles, after: user, limit: limit)
    }
  }

  /// Other members whose id or name begins with what was typed, the best first: whom to mention.
  public func members(matching typed: UserText, limit: Int = 10) async throws(ReadError) -> [User] {
    let id = id
    return try await client.ask { reading throws(ReadError) in
      try reading.members(of: id, matching: typed, limit: limit)
    }
  }

  /// Somebody who is a member; nil when they are none.
  public func member(_ user: User.ID) async throws(ReadError) -> Member? {
    let key = Member.Key(id, user)
    return try await client.ask { reading throws(ReadError) in try reading.member(key) }
  }

  /// Who types in it now, of the others.
  public func typing() async throws(ReadError) -> [TypingUser] {
    let id = id
    return try await client.ask { reading throws(ReadError) in try reading.typing(in: id) }
  }

  /// Takes users in; all of them, or none.
  @discardableResult
  public func add(_ users: User.ID..., as role: Role = .member) async throws(SubmitError) -> Submitted {
    try await add(users, as: role)
  }

  /// Takes users in; all of them, or none.
  @discardableResult
  public func add(_ users: [User.ID], as role: Role = .member) async throws(SubmitError) -> Submitted {
    try await client.submit(users.map { .member(Member.Key(id, $0), .add(role)) })
  }

  /// Takes users out; all of them, or none.
  @discardableResult
  public func remove(_ users: User.ID...) async throws(SubmitError) -> Submitted { try await remove(users) }

  /// Takes users out; all of them, or none.
  @discardableResult
  public func remove(_ users: [User.ID]) async throws(SubmitError) -> Submitted {
    try await client.submit(users.map { .member(Member.Key(id, $0), .remove) })
  }

  /// Lets a member do something else.
  @discardableResult
  public func changeRole(of user: User.ID, to role: Role) async throws(SubmitError) -> Submitted {
    try await client.submit(.member(Member.Key(id, user), .changeRole(role)))
  }

  /// Goes out of it.
  @discardableResult
  public func leave() async throws(SubmitError) -> Submitted { try await submitOwn(.leave) }

  /// Takes it off the person's list until something new is said.
  @discardableResult
  public func hide() async throws(SubmitError) -> Submitted { try await submitOwn(.hide) }

  /// Puts it on the person's list again.
  @discardableResult
  public func show() async throws(SubmitError) -> Submitted { try await submitOwn(.show) }

  internal func submitOwn(_ intent: Member.Intent) async throws(SubmitError) -> Submitted {
    try await client.submit(.member(Member.Key(id, client.user), intent))
  }
}

// MARK: Keeping order

extension ChannelController {
  /// Lets a user do no more than read, for a while or for good.
  @discardableResult
  public func ban(
    _ user: User.ID, for term: Expiry = .endless, reason: UserText? = nil
  ) async throws(SubmitError) -> Submitted {
    try await client.submit(.ban(Ban.Key(of: user, from: .channel(id)), .impose(term, reason: reason)))
  }

  /// Lets a user do again what they may.
  @discardableResult
  public func liftBan(of user: User.ID) async throws(SubmitError) -> Submitted {
    try await client.submit(.ban(Ban.Key(of: user, from: .channel(id)), .lift))
  }

  /// Who is banned, for those who may ban.
  public func bans(after user: User.ID? = nil, limit: Int = 100) async throws(ReadError) -> BanPage {
    let id = id
    return try await client.ask { reading throws(ReadError) in
      try reading.bans(from: .channel(id), after: user, limit: limit)
    }
  }

  /// The ban that keeps the person from more than reading; nil when none does.
  public func ownBan() async throws(ReadError) -> Ban? {
    let id = id
    return try await client.ask { reading throws(ReadError) in try reading.ban(in: id) }
  }

  /// Does not want to be told of what is said in it, for a while or for good.
  @discardableResult
  public func mute(for term: Expiry = .endless) async throws(SubmitError) -> Submitted {
    try await client.submit(.mute(Mute.Key(by: client.user, of: .channel(id)), .begin(term)))
  }

  /// Wants to be told of it again.
  @discardableResult
  public func unmute() async throws(SubmitError) -> Submitted {
    try await client.submit(.mute(Mute.Key(by: client.user, of: .channel(id)), .end))
  }
}
