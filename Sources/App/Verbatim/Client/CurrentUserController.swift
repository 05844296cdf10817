// The person themselves.
public import Chat
public import ChatProjections

/// A person, to themselves: who they are, where they are reached, what they mute, what waits for them, what they have
/// not sent yet.
///
/// It remembers which of their drafts were loaded; all else is asked anew each time.
public final class CurrentUserController: Sendable {
  /// Who it is.
  public let client: Client
  internal let draftList: DraftList

  internal init(_ client: Client) { (self.client, draftList) = (client, DraftList(of: client)) }

  /// The user.
  public func get() async throws(ReadError) -> User? {
    let id = client.user
    return try await client.ask { reading throws(ReadError) in try reading.user(id) }
  }

  /// Creates them; who is created already, with the same profile, stays as they are.
  @discardableResult
  public func create(_ profile: User.Profile) async throws(SubmitError) -> Submitted {
    try await client.submit(.user(client.user, .create(profile)))
  }

  /// Creates them with a name.
  @discardableResult
  public func create(name: UserText) async throws(SubmitError) -> Submitted {
    try await create(User.Profile(name: name))
  }

  /// Says something else of them.
  @discardableResult
  public func change(_ profile: User.Profile) async throws(SubmitError) -> Submitted {
    try await client.submit(.user(client.user, .change(profile)))
  }

  /// Says where they are reached on a device.
  @discardableResult
  public func add(_ device: Device.ID, _ info: Device.Info) async throws(SubmitError) -> Submitted {
    try await client.submit(.device(Device.Key(client.user, device), .add(info)))
  }

  /// Reaches them on a device no more.
  @discardableResult
  public func remove(_ device: Device.ID) async throws(SubmitError) -> Submitted {
    try await client.submit(.device(Device.Key(client.user, device), .remove))
  }
}

// MARK: What concerns them

extension CurrentUserController {
  /// What they mute: users, then channels.
  public func mutes() async throws(ReadError) -> [Mute] {
    try await client.ask { reading throws(ReadError) in try reading.mutes() }
  }

  /// How much waits for them.
  public func unread() async throws(ReadError) -> Unread {
    try await client.ask { reading throws(ReadError) in try reading.unread() }
  }

  /// Messages that mention them.
  public func mentions(after cursor: MentionCursor? = nil, limit: Int = 30) async throws(ReadError) -> MentionPage {
    try await client.ask { reading throws(ReadError) in try reading.mentions(after: cursor, limit: limit) }
  }

  /// Threads that they take part in.
  public func threads(after cursor: ThreadCursor? = nil, limit: Int = 30) async throws(ReadError) -> ThreadPage {
    try await client.ask { reading throws(ReadError) in try reading.threads(after: cursor, limit: limit) }
  }

  /// Users, whoever they are, whose id or name begins with what was typed, the best first.
  public func users(matching typed: UserText, limit: Int = 10) async throws(ReadError) -> [User] {
    try await client.ask { reading throws(ReadError) in try reading.users(matching: typed, limit: limit) }
  }
}
