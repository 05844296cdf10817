// The current user's controller.
public import Chat
public import ChatProjections

/// The client's own user: profile, devices, mutes, unread counts and drafts.
///
/// It is a value. The list of loaded drafts belongs to the client, so all controllers of one client share it;
/// everything else is read again at each call.
public struct CurrentUserController: Sendable {
  /// The client of the user.
  public let client: Client

  /// Returns the user; nil if it does not exist.
  public func get() async throws(ReadError) -> User? {
    let id = client.user
    return try await client.ask { reading throws(ReadError) in try reading.user(id) }
  }

  /// Creates the user; a no-op if the user exists with the same profile.
  @discardableResult
  public func create(_ profile: User.Profile) async throws(SubmitError) -> Submitted {
    try await client.submit(.user(client.user, .create(profile)))
  }

  /// Creates the user with a name.
  @discardableResult
  public func create(name: UserText) async throws(SubmitError) -> Submitted {
    try await create(User.Profile(name: name))
  }

  /// Changes the user's profile.
  @discardableResult
  public func change(_ profile: User.Profile) async throws(SubmitError) -> Submitted {
    try await client.submit(.user(client.user, .change(profile)))
  }

  /// Registers a device of the user.
  @discardableResult
  public func add(_ device: Device.ID, _ info: Device.Info) async throws(SubmitError) -> Submitted {
    try await client.submit(.device(Device.Key(client.user, device), .add(info)))
  }

  /// Unregisters a device of the user.
  @discardableResult
  public func remove(_ device: Device.ID) async throws(SubmitError) -> Submitted {
    try await client.submit(.device(Device.Key(client.user, device), .remove))
  }
}

// MARK: Mutes, unread counts and mentions

extension CurrentUserController {
  /// Returns the user's mutes: of users, then of channels.
  public func mutes() async throws(ReadError) -> [Mute] {
    try await client.ask { reading throws(ReadError) in try reading.mutes() }
  }

  /// Returns the user's unread counts.
  public func unread() async throws(ReadError) -> Unread {
    try await client.ask { reading throws(ReadError) in try reading.unread() }
  }

  /// Returns messages that mention the user or a group to which the user belongs, the last sent first.
  public func mentions(after cursor: MentionCursor? = nil, limit: Int = 30) async throws(ReadError) -> MentionPage {
    try await client.ask { reading throws(ReadError) in try reading.mentions(after: cursor, limit: limit) }
  }

  /// Returns threads in which the user participates.
  public func threads(after cursor: ThreadCursor? = nil, limit: Int = 30) async throws(ReadError) -> ThreadPage {
    try await client.ask { reading throws(ReadError) in try reading.threads(after: cursor, limit: limit) }
  }

  /// Returns the messages that the user saved, the last saved first.
  public func savedMessages(after cursor: SavedCursor? = nil, limit: Int = 30) async throws(ReadError) -> SavedPage {
    try await client.ask { reading throws(ReadError) in try reading.savedMessages(after: cursor, limit: limit) }
  }

  /// Returns the messages that the user scheduled and that were not sent.
  public func scheduledMessages() async throws(ReadError) -> [ScheduledMessage] {
    try await client.ask { reading throws(ReadError) in try reading.scheduledMessages() }
  }

  /// Returns the users whom the user blocks.
  public func blockedUsers() async throws(ReadError) -> [User.ID] {
    try await client.ask { reading throws(ReadError) in try reading.blockedUsers() }
  }

  /// Returns the channels to which the user is invited.
  public func invitations(withDeclined: Bool = false) async throws(ReadError) -> [ChannelPreview] {
    try await client.ask { reading throws(ReadError) in try reading.invitations(withDeclined: withDeclined) }
  }

  /// Marks every channel and thread read through its newest message; returns nil if there was nothing unread.
  @discardableResult
  public func markAllRead() async throws(SubmitError) -> Submitted? {
    let intents: [ChatIntent]
    do throws(ReadError) { intents = try await intentsThatReadAll() } catch {
      switch error {
      case .refused(let refusal): throw .refused(refusal, intent: 0)
      case .projections(let error): throw .failed(nil, error)
      }
    }
    return try await submitGranted(intents)
  }

  /// Submits intents in one append, without those that are refused; throws the last refusal if all are.
  package func submitGranted(_ intents: [ChatIntent]) async throws(SubmitError) -> Submitted? {
    var intents = intents
    while !intents.isEmpty {
      do throws(SubmitError) { return try await client.submit(intents) } catch {
        // The user can have left a channel after the intents were read.
        guard case .refused(_, let index) = error, intents.count > 1 else { throw error }
        intents.remove(at: index)
      }
    }
    return nil
  }

  /// Returns the intents that mark every channel and thread read through its newest message.
  package func intentsThatReadAll() async throws(ReadError) -> [ChatIntent] {
    try await client.ask { reading throws(ReadError) in try reading.intentsThatReadAll() }
  }

  /// Returns users whose id or name begins with the typed text, best match first.
  public func users(matching typed: UserText, limit: Int = 10) async throws(ReadError) -> [User] {
    try await client.ask { reading throws(ReadError) in try reading.users(matching: typed, limit: limit) }
  }
}
