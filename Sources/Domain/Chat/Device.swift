// Devices: where a user is reached.

// MARK: Identity

extension Device {
  /// What a device is called.
  public typealias ID = Chat.ID<Device>

  /// Which device of which user.
  public struct Key: Hashable, Sendable {
    /// Whose it is.
    public let user: User.ID
    /// What it is called.
    public let id: ID

    /// A device of a user.
    public init(_ user: User.ID, _ id: ID) { (self.user, self.id) = (user, id) }
  }
}

// MARK: State

/// A device on which a user is reached.
public struct Device: Hashable, Sendable {
  /// Which one.
  public let key: Key
  /// What is known of it.
  public var info: Info
  /// When it was added.
  public let added: Instant

  package init(key: Key, info: Info, added: Instant) { (self.key, self.info, self.added) = (key, info, added) }

  /// What is known of a device.
  public struct Info: Hashable, Sendable {
    /// What its user calls it.
    public var name: UserText
    /// Through which service it is notified, if through any.
    public var pushService: UserText?
    /// What it is called there.
    public var pushToken: UserText?

    /// What is known of a device.
    public init(name: UserText, pushService: UserText? = nil, pushToken: UserText? = nil) {
      (self.name, self.pushService, self.pushToken) = (name, pushService, pushToken)
    }
  }
}

// MARK: Events

extension Device {
  /// What can happen to a device.
  public enum Event: Hashable, Sendable {
    /// It was added, or something else is known of it.
    case added(Info)
    /// It is its user's no more.
    case removed
  }
}

// MARK: Intents

extension Device {
  /// What one can want of a device.
  public enum Intent: Hashable, Sendable {
    /// That it is known, with this.
    case add(Info)
    /// That it is its user's no more.
    case remove
  }
}

// MARK: Decide

extension Decision {
  func decide(_ intent: Device.Intent, on key: Device.Key) throws(Refusal) -> [Device.Event] {
    _ = try known(key.user)
    try needsRight(toActFor: key.user)
    switch intent {
    case .add(let info):
      for line in [info.name, info.pushService, info.pushToken] {
        if let line { try check(line: line) }
      }
      return state[key]?.info == info ? [] : [.added(info)]
    case .remove:
      return state[key] == nil ? [] : [.removed]
    }
  }
}

// MARK: Fold

extension Device.Event {
  func fold(on key: Device.Key, _ stamp: EventOrigin, into state: inout some ChatStateStore) {
    switch self {
    case .added(let info): state[key] = Device(key: key, info: info, added: state[key]?.added ?? stamp.at)
    case .removed: state[key] = nil
    }
  }
}
