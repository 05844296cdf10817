// The controller of another user.
public import Chat

/// Another user as the client's user sees it, with the commands for it.
public struct UserController: Sendable {
  /// The client that reads and submits.
  public let client: Client
  /// The other user's id.
  public let id: User.ID

  /// Returns the user; nil if no user with this id was ever created.
  public func get() async throws(ReadError) -> User? {
    try await client.ask { reading throws(ReadError) in try reading.user(id) }
  }

  /// Mutes the user, until an expiry or permanently.
  @discardableResult
  public func mute(for expiry: Expiry = .endless) async throws(SubmitError) -> Submitted {
    try await client.submit(.mute(Mute.Key(by: client.user, of: .user(id)), .begin(expiry)))
  }

  /// Unmutes the user.
  @discardableResult
  public func unmute() async throws(SubmitError) -> Submitted {
    try await client.submit(.mute(Mute.Key(by: client.user, of: .user(id)), .end))
  }

  /// Returns the client's mute of the user; nil if there is none.
  public func ownMute() async throws(ReadError) -> Mute? {
    try await client.ask { reading throws(ReadError) in try reading.mute(of: .user(id)) }
  }

  /// Blocks the user: neither can write to the other in their direct channel.
  @discardableResult
  public func block() async throws(SubmitError) -> Submitted {
    try await client.submit(.block(UserBlock.Key(by: client.user, of: id), .begin))
  }

  /// Ends the block of the user.
  @discardableResult
  public func unblock() async throws(SubmitError) -> Submitted {
    try await client.submit(.block(UserBlock.Key(by: client.user, of: id), .end))
  }

  /// Flags the user for the moderators.
  @discardableResult
  public func flag(reason: UserText? = nil) async throws(SubmitError) -> Submitted {
    try await client.submit(.flag(Flag.Key(by: client.user, on: .user(id)), .raise(reason: reason)))
  }
}

// MARK: Administration

extension UserController {
  /// Creates the user.
  @discardableResult
  public func create(_ profile: User.Profile) async throws(SubmitError) -> Submitted {
    try await client.submit(.user(id, .create(profile)))
  }

  /// Changes the user's role in the whole chat.
  @discardableResult
  public func changeRole(to role: Role) async throws(SubmitError) -> Submitted {
    try await client.submit(.user(id, .changeRole(role)))
  }

  /// Deactivates the user: every command of the user is refused.
  @discardableResult
  public func deactivate() async throws(SubmitError) -> Submitted { try await client.submit(.user(id, .deactivate)) }

  /// Reactivates the user.
  @discardableResult
  public func reactivate() async throws(SubmitError) -> Submitted { try await client.submit(.user(id, .reactivate)) }

  /// Bans the user from everything but reading in all channels, until an expiry or permanently.
  @discardableResult
  public func ban(for expiry: Expiry = .endless, reason: UserText? = nil) async throws(SubmitError) -> Submitted {
    try await client.submit(.ban(Ban.Key(of: id, from: .everywhere), .impose(expiry, reason: reason)))
  }

  /// Lifts the user's chat-wide ban; other bans remain.
  @discardableResult
  public func liftBan() async throws(SubmitError) -> Submitted {
    try await client.submit(.ban(Ban.Key(of: id, from: .everywhere), .lift))
  }
}
