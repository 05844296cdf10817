// Bans: who may only read, in a channel or everywhere.

// MARK: Identity

extension Ban {
  /// Who is banned where.
  public struct Key: Hashable, Sendable {
    /// Who.
    public let user: User.ID
    /// Where.
    public let scope: Scope

    /// The ban of a user.
    public init(of user: User.ID, from scope: Scope) { (self.user, self.scope) = (user, scope) }
  }

  /// Where somebody can be banned.
  public enum Scope: Hashable, Sendable {
    /// In a channel.
    case channel(Channel.ID)
    /// In every channel.
    case everywhere
  }
}

// MARK: State

/// Somebody may only read for a while, or for good.
///
/// A ban whose end has come is none; the row stays until it is lifted or imposed again.
public struct Ban: Hashable, Sendable {
  /// Who is banned where.
  public let key: Key
  /// Who banned them.
  public var by: Author
  /// Since when.
  public var since: Instant
  /// How long.
  public var term: Expiry
  /// Why.
  public var reason: UserText?

  package init(key: Key, by actor: Author, since: Instant, term: Expiry, reason: UserText?) {
    (self.key, by, self.since, self.term, self.reason) = (key, actor, since, term, reason)
  }

  /// Whether it holds at an instant.
  public func holds(at instant: Instant) -> Bool { term.lasts(at: instant) }
}

// MARK: Events

extension Ban {
  /// What can happen to a ban.
  public enum Event: Hashable, Sendable {
    /// It holds from now on, this long.
    case imposed(Expiry, reason: UserText?)
    /// It holds no more.
    case lifted
  }
}

// MARK: Intents

extension Ban {
  /// What one can want of a ban.
  public enum Intent: Hashable, Sendable {
    /// That it holds from now on, this long.
    case impose(Expiry, reason: UserText?)
    /// That it holds no more.
    case lift
  }
}

// MARK: Decide

extension Decision {
  func decide(_ intent: Ban.Intent, on key: Ban.Key) throws(Refusal) -> [Ban.Event] {
    _ = try known(key.user)
    switch key.scope {
    case .everywhere: try needsAdministrator()
    case .channel(let id):
      let channel = try known(id)
      try needs(.ban, in: channel)
      try needsRight(toRule: key.user, in: channel)
    }
    let standing = state[key].flatMap { $0.holds(at: instant) ? $0 : nil }
    switch intent {
    case .impose(let term, let reason):
      if key.user == actor.user { throw .oneself }
      try check(term)
      if let reason { try check(line: reason) }
      return standing?.term == term && standing?.reason == reason ? [] : [.imposed(term, reason: reason)]
    case .lift:
      return standing == nil ? [] : [.lifted]
    }
  }
}

// MARK: Fold

extension Ban.Event {
  func fold(on key: Ban.Key, _ stamp: EventOrigin, into state: inout some ChatStateStore) {
    switch self {
    case .imposed(let term, let reason):
      state[key] = Ban(key: key, by: stamp.actor, since: stamp.at, term: term, reason: reason)
    case .lifted: state[key] = nil
    }
  }
}
