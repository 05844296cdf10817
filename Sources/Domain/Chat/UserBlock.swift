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

extension Channel {
  /// The keys of the blocks that keep a user from writing: those between the two users of a direct channel, the other
  /// user's first.
  package func blocks(of user: User.ID) -> [UserBlock.Key] {
    guard participants.count == 2 else { return [] }
    return participants.filter { $0 != user }.flatMap { other in
      [UserBlock.Key(by: other, of: user), UserBlock.Key(by: user, of: other)]
    }
  }
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
