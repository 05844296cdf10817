// Mutes: users and channels whose notifications a user does not want.

// MARK: Identity

extension Mute {
  /// The primary key of a mute: user and target.
  public struct Key: Hashable, Sendable {
    /// The user who muted the target.
    public let user: User.ID
    /// The muted user or channel.
    public let target: Target

    /// Creates the key of a user's mute of a target.
    public init(by user: User.ID, of target: Target) { (self.user, self.target) = (user, target) }
  }

  /// The target of a mute.
  public enum Target: Hashable, Sendable {
    /// Messages of another user are muted.
    case user(User.ID)
    /// A channel is muted.
    case channel(Channel.ID)
  }
}

// MARK: State

/// A mute: the user wants no notifications about the target until it expires.
///
/// An expired mute has no effect; its row stays until the mute is ended or begins again.
public struct Mute: Hashable, Sendable {
  /// The key of the mute.
  public let key: Key
  /// The time at which the mute began.
  public var since: Timestamp
  /// The expiry of the mute.
  public var term: Expiry

  package init(key: Key, since: Timestamp, term: Expiry) { (self.key, self.since, self.term) = (key, since, term) }

  /// Returns whether the mute is in effect at an instant.
  public func holds(at instant: Timestamp) -> Bool { term.lasts(at: instant) }
}

// MARK: Events

extension Mute {
  /// An event of a mute.
  public enum Event: Hashable, Sendable {
    /// The mute began, with its expiry.
    case began(Expiry)
    /// The mute was ended.
    case ended
  }
}

// MARK: Intents

extension Mute {
  /// An intent on a mute.
  public enum Intent: Hashable, Sendable {
    /// Begins the mute with an expiry, or replaces its expiry.
    case begin(Expiry)
    /// Ends the mute.
    case end
  }
}

// MARK: Decide

extension Decision {
  func decide(_ intent: Mute.Intent, on key: Mute.Key) throws(Refusal) -> [Mute.Event] {
    _ = try known(key.user)
    try needsRight(toActFor: key.user)
    let existing = state[key].flatMap { $0.holds(at: instant) ? $0 : nil }
    switch intent {
    case .begin(let expiry):
      try check(key)
      try check(expiry)
      return existing?.term == expiry ? [] : [.began(expiry)]
    case .end:
      return existing == nil ? [] : [.ended]
    }
  }

  private func check(_ key: Mute.Key) throws(Refusal) {
    switch key.target {
    case .user(let target):
      if target == key.user { throw .oneself }
      _ = try known(target)
    case .channel(let id):
      let permissions = permissions(in: try known(id))
      try permissions.needsFlag(.mutes)
      try permissions.needs(.mute)
    }
  }
}

// MARK: Fold

extension Mute.Event {
  func fold(on key: Mute.Key, _ origin: EventOrigin, into state: inout some ChatStateStore) {
    switch self {
    case .began(let expiry): state[key] = Mute(key: key, since: origin.at, term: expiry)
    case .ended: state[key] = nil
    }
  }
}
