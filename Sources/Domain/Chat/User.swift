// Users: who takes part, and what they say of themselves.

// MARK: Identity

extension User {
  /// What a user is called for good.
  public typealias ID = Chat.ID<User>
}

// MARK: State

/// Somebody who takes part: a person or a bot.
public struct User: Hashable, Sendable {
  /// What they are called for good.
  public let id: ID
  /// What they say of themselves.
  public var profile: Profile
  /// What they may do in every channel.
  public var role: Role
  /// Whether they may not act any more.
  public var isDeactivated: Bool
  /// When they were created.
  public let created: Instant
  /// When anything of this changed last.
  public var changed: Instant

  package init(id: ID, profile: Profile, role: Role, isDeactivated: Bool, created: Instant, changed: Instant) {
    (self.id, self.profile, self.role, self.isDeactivated) = (id, profile, role, isDeactivated)
    (self.created, self.changed) = (created, changed)
  }

  /// What a user says of themselves.
  public struct Profile: Hashable, Sendable {
    /// The name that others see.
    public var name: UserText
    /// Where a picture of them is.
    public var image: UserText?
    /// What an app adds.
    public var extra: Extra

    /// A profile with its parts.
    public init(name: UserText, image: UserText? = nil, extra: Extra = [:]) {
      (self.name, self.image, self.extra) = (name, image, extra)
    }
  }
}

// MARK: Events

extension User {
  /// What can happen to a user.
  public enum Event: Hashable, Sendable {
    /// They came to be.
    case created(Profile, Role)
    /// They say something else of themselves.
    case changed(Profile)
    /// They may do something else in every channel.
    case roleChanged(Role)
    /// They may not act any more.
    case deactivated
    /// They may act again.
    case reactivated
  }
}

// MARK: Intents

extension User {
  /// What one can want of a user.
  public enum Intent: Hashable, Sendable {
    /// That they come to be, as an ordinary user.
    case create(Profile)
    /// That they say something else of themselves.
    case change(Profile)
    /// That they may do something else in every channel.
    case changeRole(Role)
    /// That they may not act any more.
    case deactivate
    /// That they may act again.
    case reactivate
  }
}

// MARK: Decide

extension Decision {
  func decide(_ intent: User.Intent, on id: User.ID) throws(Refusal) -> [User.Event] {
    if case .create(let profile) = intent { return try create(profile, as: id) }
    let user = try known(id)
    switch intent {
    case .create: return []
    case .change(let profile):
      try needsRight(toActFor: id)
      try check(profile)
      return profile == user.profile ? [] : [.changed(profile)]
    case .changeRole(let role):
      try needsAdministrator()
      return role == user.role ? [] : [.roleChanged(role)]
    case .deactivate:
      try needsAdministrator()
      return user.isDeactivated ? [] : [.deactivated]
    case .reactivate:
      try needsAdministrator()
      return user.isDeactivated ? [.reactivated] : []
    }
  }

  private func create(_ profile: User.Profile, as id: User.ID) throws(Refusal) -> [User.Event] {
    // Nobody stands in the state before they are created, so anyone may create themselves.
    if actor.user != id { try needsAdministrator() }
    try check(profile)
    if let user = state[id] {
      guard user.profile == profile else { throw .userExists(id) }
      return []
    }
    return [.created(profile, .user)]
  }

  private func check(_ profile: User.Profile) throws(Refusal) {
    try check(name: profile.name)
    if let image = profile.image { try check(line: image) }
    try check(profile.extra)
  }
}

// MARK: Fold

extension User.Event {
  func fold(on id: User.ID, _ stamp: EventOrigin, into state: inout some ChatStateStore) {
    if case .created(let profile, let role) = self {
      state[id] = User(
        id: id, profile: profile, role: role, isDeactivated: false, created: stamp.at, changed: stamp.at)
    } else {
      state[id]?.apply(self, at: stamp.at)
    }
  }
}

extension User {
  mutating func apply(_ event: Event, at instant: Instant) {
    switch event {
    case .created: return
    case .changed(let profile): self.profile = profile
    case .roleChanged(let role): self.role = role
    case .deactivated: isDeactivated = true
    case .reactivated: isDeactivated = false
    }
    changed = instant
  }
}
