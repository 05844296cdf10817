// Blocks: users from whom a user wants to hear nothing.

// MARK: Identity

extension UserBlock {
  /// The primary key of a block: the user who blocks and the blocked user.
  public struct Key: Hashable, Codable, Sendable {
    /// The user who blocked the other.
    public let user: User.ID
    /// The blocked user.
    public let blocked: User.ID

    /// Creates the key of a user's block of another user.
    public init(by user: User.ID, of blocked: User.ID) { (self.user, self.blocked) = (user, blocked) }
  }
}

// MARK: State

/// A block: neither user can write to the other in their direct channel, the blocked user cannot add or invite the
/// other, and the other gets no notifications about messages of the blocked user.
public struct UserBlock: Hashable, Sendable {
  /// The key of the block.
  public let key: Key
  /// The time at which the block began.
  public let since: Timestamp

  package init(key: Key, since: Timestamp) { (self.key, self.since) = (key, since) }
}

// MARK: Events

extension UserBlock {
  /// An event of a block.
  public enum Event: Hashable, Sendable {
    /// The block began.
    case began
    /// The block was ended.
    case ended
  }
}

// MARK: Intents

extension UserBlock {
  /// An intent on a block.
  public enum Intent: Hashable, Sendable {
    /// Begins the block.
    case begin
    /// Ends the block.
    case end
  }
}

// MARK: Decide

extension Decision {
  func decide(_ intent: UserBlock.Intent, on key: UserBlock.Key) throws(Refusal) -> [UserBlock.Event] {
    _ = try known(key.user)
    try needsRight(toActFor: key.user)
    switch intent {
    case .begin:
      if key.blocked == key.user { throw .oneself }
      _ = try known(key.blocked)
      return state[key] == nil ? [.began] : []
    case .end: return state[key] == nil ? [] : [.ended]
    }
  }

  /// Throws if a user blocked the author.
  func needsNoBlock(by user: User.ID) throws(Refusal) {
    guard let author = actor.user, state[UserBlock.Key(by: user, of: author)] != nil else { return }
    throw .blocked(by: user)
  }

  /// Throws if the channel is the direct channel of two users, one of whom blocked the other.
  func needsNoBlock(in channel: Channel) throws(Refusal) {
    guard let author = actor.user, channel.participants.count == 2 else { return }
    for other in channel.participants where other != author {
      try needsNoBlock(by: other)
      if state[UserBlock.Key(by: author, of: other)] != nil { throw .blocking(other) }
    }
  }
}

// MARK: Fold

extension UserBlock.Event {
  func fold(on key: UserBlock.Key, _ origin: EventOrigin, into state: inout some ChatStateStore) {
    switch self {
    case .began: state[key] = UserBlock(key: key, since: origin.at)
    case .ended: state[key] = nil
    }
  }
}
