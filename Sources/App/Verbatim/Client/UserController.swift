// Another user.
public import Chat

/// A user, to a person.
public struct UserController: Sendable {
  /// To whom.
  public let client: Client
  /// Which user.
  public let id: User.ID

  /// The user; nil when there was never one with this id.
  public func get() async throws(ReadError) -> User? {
    let id = id
    return try await client.ask { reading throws(ReadError) in try reading.user(id) }
  }

  /// Does not want to be told of what they say, for a while or for good.
  @discardableResult
  public func mute(for term: Expiry = .endless) async throws(SubmitError) -> Submitted {
    try await client.submit(.mute(Mute.Key(by: client.user, of: .user(id)), .begin(term)))
  }

  /// Wants to be told of it again.
  @discardableResult
  public func unmute() async throws(SubmitError) -> Submitted {
    try await client.submit(.mute(Mute.Key(by: client.user, of: .user(id)), .end))
  }

  /// The mute that the person has for them; nil when they have none.
  public func ownMute() async throws(ReadError) -> Mute? {
    let id = id
    return try await client.ask { reading throws(ReadError) in try reading.mute(of: .user(id)) }
  }

  /// Flags them for those who keep order.
  @discardableResult
  public func flag(reason: UserText? = nil) async throws(SubmitError) -> Submitted {
    try await client.submit(.flag(Flag.Key(by: client.user, on: .user(id)), .raise(reason: reason)))
  }
}

// MARK: For administrators

extension UserController {
  /// Creates them.
  @discardableResult
  public func create(_ profile: User.Profile) async throws(SubmitError) -> Submitted {
    try await client.submit(.user(id, .create(profile)))
  }

  /// Lets them do something else in every channel.
  @discardableResult
  public func changeRole(to role: Role) async throws(SubmitError) -> Submitted {
    try await client.submit(.user(id, .changeRole(role)))
  }

  /// Lets them do nothing any more.
  @discardableResult
  public func deactivate() async throws(SubmitError) -> Submitted { try await client.submit(.user(id, .deactivate)) }

  /// Lets them do again what they may.
  @discardableResult
  public func reactivate() async throws(SubmitError) -> Submitted { try await client.submit(.user(id, .reactivate)) }

  /// Lets them do no more than read, everywhere, for a while or for good.
  @discardableResult
  public func ban(for term: Expiry = .endless, reason: UserText? = nil) async throws(SubmitError) -> Submitted {
    try await client.submit(.ban(Ban.Key(of: id, from: .everywhere), .impose(term, reason: reason)))
  }

  /// Lets them do again what they may, where nothing else keeps them.
  @discardableResult
  public func liftBan() async throws(SubmitError) -> Submitted {
    try await client.submit(.ban(Ban.Key(of: id, from: .everywhere), .lift))
  }
}
