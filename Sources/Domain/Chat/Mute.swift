// Mutes: what somebody does not want to be told of.

// MARK: Identity

extension Mute {
  /// Who muted what.
  public struct Key: Hashable, Sendable {
    /// Who does not want to be told.
    public let user: User.ID
    /// Of what.
    public let target: Target

    /// The mute that a user has for a target.
    public init(by user: User.ID, of target: Target) { (self.user, self.target) = (user, target) }
  }

  /// What can be muted.
  public enum Target: Hashable, Sendable {
    /// What another user says.
    case user(User.ID)
    /// What is said in a channel.
    case channel(Channel.ID)
  }
}

// MARK: State

/// Somebody does not want to be told of something for a while, or for good.
///
/// A mute whose end has come is none; the row stays until it is ended or begins again.
public struct Mute: Hashable, Sendable {
  /// Who muted what.
  public let key: Key
  /// Since when.
  public var since: Instant
  /// How long.
  public var term: Expiry

  package init(key: Key, since: Instant, term: Expiry) { (self.key, self.since, self.term) = (key, since, term) }

  /// Whether it holds at an instant.
  public func holds(at instant: Instant) -> Bool { term.lasts(at: instant) }
}

// MARK: Events

extension Mute {
  /// What can happen to a mute.
  public enum Event: Hashable, Sendable {
    /// It holds from now on, this long.
    case began(Expiry)
    /// It holds no more.
    case ended
  }
}

// MARK: Intents

extension Mute {
  /// What one can want of a mute.
  public enum Intent: Hashable, Sendable {
    /// That it holds from now on, this long.
    case begin(Expiry)
    /// That it holds no more.
    case end
  }
}

// MARK: Decide

extension Decision {
  func decide(_ intent: Mute.Intent, on key: Mute.Key) throws(Refusal) -> [Mute.Event] {
    _ = try known(key.user)
    try needsRight(toActFor: key.user)
    let standing = state[key].flatMap { $0.holds(at: instant) ? $0 : nil }
    switch intent {
    case .begin(let term):
      try check(key)
      try check(term)
      return standing?.term == term ? [] : [.began(term)]
    case .end:
      return standing == nil ? [] : [.ended]
    }
  }

  private func check(_ key: Mute.Key) throws(Refusal) {
    switch key.target {
    case .user(let target):
      if target == key.user { throw .oneself }
      _ = try known(target)
    case .channel(let id):
      let channel = try known(id)
      try needsFlag(.mutes, in: channel)
      try needs(.mute, in: channel)
    }
  }
}

// MARK: Fold

extension Mute.Event {
  func fold(on key: Mute.Key, _ stamp: EventOrigin, into state: inout some ChatStateStore) {
    switch self {
    case .began(let term): state[key] = Mute(key: key, since: stamp.at, term: term)
    case .ended: state[key] = nil
    }
  }
}
