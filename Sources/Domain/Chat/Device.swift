// Devices, on which users receive notifications.

// MARK: Identity

extension Device {
  /// The id of a device.
  public typealias ID = Chat.ID<Device>

  /// The primary key of a device: user and device id.
  public struct Key: Hashable, Codable, Sendable {
    /// The owner of the device.
    public let user: User.ID
    /// The id of the device.
    public let id: ID

    /// Creates the key of a user's device.
    public init(_ user: User.ID, _ id: ID) { (self.user, self.id) = (user, id) }
  }
}

// MARK: State

/// A device on which a user is notified.
public struct Device: Hashable, Sendable {
  /// The key of the device.
  public let key: Key
  /// The name and push registration of the device.
  public var info: Info
  /// The time at which the device was added.
  public let added: Timestamp

  package init(key: Key, info: Info, added: Timestamp) { (self.key, self.info, self.added) = (key, info, added) }

  /// The name and push registration of a device.
  public struct Info: Hashable, Sendable {
    /// The name that the user gave the device.
    public var name: UserText
    /// The name of the push service, if any.
    public var pushService: UserText?
    /// The token of the device at the push service.
    public var pushToken: UserText?

    /// Creates the information about a device.
    public init(name: UserText, pushService: UserText? = nil, pushToken: UserText? = nil) {
      (self.name, self.pushService, self.pushToken) = (name, pushService, pushToken)
    }
  }
}

// MARK: Events

extension Device {
  /// An event of a device.
  public enum Event: Hashable, Sendable {
    /// The device was added, or its information was replaced.
    case added(Info)
    /// The device was removed.
    case removed
  }
}

// MARK: Intents

extension Device {
  /// An intent on a device.
  public enum Intent: Hashable, Sendable {
    /// Adds the device, or replaces its information.
    case add(Info)
    /// Removes the device.
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
  func fold(on key: Device.Key, _ origin: EventOrigin, into state: inout some ChatStateStore) {
    switch self {
    case .added(let info): state[key] = Device(key: key, info: info, added: state[key]?.added ?? origin.at)
    case .removed: state[key] = nil
    }
  }
}
