// Flags: what somebody wants a moderator to look at.

// MARK: Identity

extension Flag {
  /// Who flagged what.
  public struct Key: Hashable, Sendable {
    /// Who.
    public let user: User.ID
    /// What.
    public let target: Target

    /// The flag of a user on a target.
    public init(by user: User.ID, on target: Target) { (self.user, self.target) = (user, target) }
  }

  /// What can be flagged.
  public enum Target: Hashable, Sendable {
    /// A message.
    case message(Message.Key)
    /// A user.
    case user(User.ID)
  }
}

// MARK: State

/// Somebody wants a moderator to look at something.
public struct Flag: Hashable, Sendable {
  /// Who flagged what.
  public let key: Key
  /// Why.
  public let reason: UserText?
  /// When.
  public let raised: Instant

  package init(key: Key, reason: UserText?, raised: Instant) {
    (self.key, self.reason, self.raised) = (key, reason, raised)
  }
}

// MARK: Events

extension Flag {
  /// What can happen to a flag.
  public enum Event: Hashable, Sendable {
    /// It stands from now on.
    case raised(reason: UserText?)
  }
}

// MARK: Intents

extension Flag {
  /// What one can want of a flag.
  public enum Intent: Hashable, Sendable {
    /// That it stands; one that stands keeps its reason.
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
      try needs(.flag, in: channel)
      _ = try reachable(target, in: channel)
    case .user(let target):
      if target == key.user { throw .oneself }
      _ = try known(target)
    }
    switch intent {
    case .raise(let reason):
      if let reason { try check(line: reason) }
      return state[key] == nil ? [.raised(reason: reason)] : []
    }
  }
}

// MARK: Fold

extension Flag.Event {
  func fold(on key: Flag.Key, _ stamp: EventOrigin, into state: inout some ChatStateStore) {
    switch self {
    case .raised(let reason): state[key] = Flag(key: key, reason: reason, raised: stamp.at)
    }
  }
}
