// Flags: messages and users reported to the moderators.

// MARK: Identity

extension Flag {
  /// The primary key of a flag: user and target.
  public struct Key: Hashable, Sendable {
    /// The user who raised the flag.
    public let user: User.ID
    /// The flagged message or user.
    public let target: Target

    /// Creates the key of a user's flag on a target.
    public init(by user: User.ID, on target: Target) { (self.user, self.target) = (user, target) }
  }

  /// The target of a flag.
  public enum Target: Hashable, Sendable {
    /// A message was flagged.
    case message(Message.Key)
    /// A user was flagged.
    case user(User.ID)
  }
}

// MARK: State

/// A report of a message or a user to the moderators.
public struct Flag: Hashable, Sendable {
  /// The key of the flag.
  public let key: Key
  /// The reason given for the flag.
  public let reason: UserText?
  /// The time at which the flag was raised.
  public let raised: Timestamp
  /// The number of decisions about the target before: the next one resolves this flag.
  public let round: UInt32

  package init(key: Key, reason: UserText?, raised: Timestamp, round: UInt32 = 0) {
    (self.key, self.reason, self.raised, self.round) = (key, reason, raised, round)
  }

  /// Returns whether the flag waits for a decision, in the review of its target.
  public func isOpen(in review: Review?) -> Bool { round == review?.round ?? 0 }
}

// MARK: Events

extension Flag {
  /// An event of a flag.
  public enum Event: Hashable, Sendable {
    /// The flag was raised.
    case raised(reason: UserText?)
  }
}

// MARK: Intents

extension Flag {
  /// An intent on a flag.
  public enum Intent: Hashable, Sendable {
    /// Raises the flag; a no-op if it is raised already and not resolved, which keeps the first reason.
    case raise(reason: UserText?)
  }
}

// MARK: Decide

extension Decision {
  func decide(_ intent: Flag.Intent, on key: Flag.Key) throws(Refusal) -> [Flag.Event] {
    _ = try known(key.user)
    try needsRight(toActFor: key.user)
    switch key.target {
    case .message(let target):
      let channel = try known(target.channel)
      let permissions = permissions(in: channel)
      try permissions.needs(.flag)
      _ = try reachable(target, in: channel, permissions)
    case .user(let target):
      if target == key.user { throw .oneself }
      _ = try known(target)
    }
    switch intent {
    case .raise(let reason):
      if let reason { try check(line: reason) }
      return state[key]?.isOpen(in: state[key.target]) == true ? [] : [.raised(reason: reason)]
    }
  }
}

// MARK: Fold

extension Flag.Event {
  func fold(on key: Flag.Key, _ origin: EventOrigin, into state: inout some ChatStateStore) {
    switch self {
    case .raised(let reason):
      var review = state[key.target] ?? Review(of: key.target, flagCount: 0, opened: origin.at)
      let isNew = state[key]?.isOpen(in: review) != true
      state[key] = Flag(key: key, reason: reason, raised: origin.at, round: review.round)
      guard isNew else { return }
      if review.flagCount == 0 { review.opened = origin.at }
      review.flagCount.add(1)
      state[key.target] = review
    }
  }
}
