// Bans, in one channel or in all: a banned user may only read.

// MARK: Identity

extension Ban {
  /// The primary key of a ban: user and scope.
  public struct Key: Hashable, Sendable {
    /// The banned user.
    public let user: User.ID
    /// The scope of the ban.
    public let scope: Scope

    /// Creates the key of a user's ban.
    public init(of user: User.ID, from scope: Scope) { (self.user, self.scope) = (user, scope) }
  }

  /// The scope of a ban.
  public enum Scope: Hashable, Sendable {
    /// The ban applies to one channel.
    case channel(Channel.ID)
    /// The ban applies to every channel.
    case everywhere
  }
}

// MARK: State

/// A ban: the user may only read until it expires.
///
/// An expired ban has no effect; its row stays until the ban is lifted or imposed again.
public struct Ban: Hashable, Sendable {
  /// The key of the ban.
  public let key: Key
  /// The author who imposed the ban.
  public var by: Author
  /// The time at which the ban was imposed.
  public var since: Timestamp
  /// The expiry of the ban.
  public var term: Expiry
  /// The reason given for the ban.
  public var reason: UserText?

  package init(key: Key, by actor: Author, since: Timestamp, term: Expiry, reason: UserText?) {
    (self.key, by, self.since, self.term, self.reason) = (key, actor, since, term, reason)
  }

  /// Returns whether the ban is in effect at an instant.
  public func holds(at instant: Timestamp) -> Bool { term.lasts(at: instant) }
}

// MARK: Events

extension Ban {
  /// An event of a ban.
  public enum Event: Hashable, Sendable {
    /// The ban was imposed, with its expiry.
    case imposed(Expiry, reason: UserText?)
    /// The ban was lifted.
    case lifted
  }
}

// MARK: Intents

extension Ban {
  /// An intent on a ban.
  public enum Intent: Hashable, Sendable {
    /// Imposes the ban with an expiry, or replaces expiry and reason.
    case impose(Expiry, reason: UserText?)
    /// Lifts the ban.
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
      let permissions = permissions(in: channel)
      try permissions.needs(.ban)
      try needsRight(toRule: key.user, with: permissions)
    }
    let existing = state[key].flatMap { $0.holds(at: instant) ? $0 : nil }
    switch intent {
    case .impose(let expiry, let reason):
      if key.user == actor.user { throw .oneself }
      try check(expiry)
      if let reason { try check(line: reason) }
      return existing?.term == expiry && existing?.reason == reason ? [] : [.imposed(expiry, reason: reason)]
    case .lift:
      return existing == nil ? [] : [.lifted]
    }
  }
}

// MARK: Fold

extension Ban.Event {
  func fold(on key: Ban.Key, _ origin: EventOrigin, into state: inout some ChatStateStore) {
    switch self {
    case .imposed(let expiry, let reason):
      state[key] = Ban(key: key, by: origin.actor, since: origin.at, term: expiry, reason: reason)
    case .lifted: state[key] = nil
    }
  }
}
