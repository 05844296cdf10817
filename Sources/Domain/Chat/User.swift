// Users, with their profiles and roles.

// MARK: Identity

extension User {
  /// The permanent id of a user.
  public typealias ID = Chat.ID<User>
}

// MARK: State

/// A participant: a person or a bot.
public struct User: Hashable, Sendable {
  /// The permanent id of the user.
  public let id: ID
  /// The name, image and extra values of the user.
  public var profile: Profile
  /// The role of the user in every channel.
  public var role: Role
  /// Whether the user is deactivated and cannot act.
  public var isDeactivated: Bool
  /// The time of creation.
  public let created: Timestamp
  /// The time of the last change to the row.
  public var changed: Timestamp

  package init(id: ID, profile: Profile, role: Role, isDeactivated: Bool, created: Timestamp, changed: Timestamp) {
    (self.id, self.profile, self.role, self.isDeactivated) = (id, profile, role, isDeactivated)
    (self.created, self.changed) = (created, changed)
  }

  /// The name, or the id if the name is blank.
  package var shownName: UserText { profile.name.isBlank ? UserText(id.text) : profile.name }

  /// The name, image and extra values of a user.
  public struct Profile: Hashable, Sendable {
    /// The display name.
    public var name: UserText
    /// The address of an image of the user.
    public var image: UserText?
    /// The extra values of the app.
    public var extra: Extra

    /// Creates a profile from its parts.
    public init(name: UserText, image: UserText? = nil, extra: Extra = [:]) {
      (self.name, self.image, self.extra) = (name, image, extra)
    }
  }
}

// MARK: Events

extension User {
  /// An event of a user.
  public enum Event: Hashable, Sendable {
    /// The user was created.
    case created(Profile, Role)
    /// The profile was replaced.
    case changed(Profile)
    /// The role was changed.
    case roleChanged(Role)
    /// The user was deactivated.
    case deactivated
    /// The user was reactivated.
    case reactivated
  }
}

// MARK: Intents

extension User {
  /// An intent on a user.
  public enum Intent: Hashable, Sendable {
    /// Creates an ordinary user.
    case create(Profile)
    /// Replaces the profile.
    case change(Profile)
    /// Changes the role.
    case changeRole(Role)
    /// Deactivates the user, who cannot act any more.
    case deactivate
    /// Reactivates the user.
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
    if id.isReserved, state[id] == nil { throw .reservedUser(id) }
    // A user has no row before creation, so users may create themselves.
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
  func fold(on id: User.ID, _ origin: EventOrigin, into state: inout some ChatStateStore) {
    if case .created(let profile, let role) = self {
      state[id] = User(
        id: id, profile: profile, role: role, isDeactivated: false, created: origin.at, changed: origin.at)
    } else {
      state[id]?.apply(self, at: origin.at)
    }
  }
}

extension User {
  mutating func apply(_ event: Event, at instant: Timestamp) {
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
