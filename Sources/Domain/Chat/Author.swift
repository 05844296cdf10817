// The author and time of an event or edit.

/// The author of an event or intent: a user, or the app itself.
public enum Author: Hashable, Sendable {
  /// A user, on one of their devices or on an unknown device (nil).
  case user(User.ID, on: Device.ID?)
  /// The app itself, which has every capability and acts as an administrator.
  case system

  /// Returns a user on an unknown device.
  public static func user(_ id: User.ID) -> Author { .user(id, on: nil) }

  /// The user; nil for the app.
  public var user: User.ID? {
    if case .user(let id, _) = self { id } else { nil }
  }

  /// The device; nil when unknown.
  public var device: Device.ID? {
    if case .user(_, let device) = self { device } else { nil }
  }
}

/// The author and the time of an event.
public struct EventOrigin: Hashable, Sendable {
  /// The author of the event.
  public let actor: Author
  /// The time of the event.
  public let at: Timestamp

  /// Creates an origin from an author and an instant.
  public init(by actor: Author, at instant: Timestamp) { (self.actor, at) = (actor, instant) }
}

/// The time and device of a change made by a user, possibly offline and long before it is recorded.
///
/// Last writer wins: the later of two edits holds, whichever is recorded first. Of two edits at the same instant, the
/// one of the greater device id holds.
public struct Edit: Hashable, Comparable, Sendable {
  /// The time of the edit by the clock of the device.
  public let at: Timestamp
  /// The device of the edit; nil when unknown.
  public let device: Device.ID?

  /// Creates an edit from an instant of a device's clock and the device.
  public init(at instant: Timestamp, on device: Device.ID?) { (at, self.device) = (instant, device) }

  /// Returns whether the first edit gives way to the second.
  public static func < (a: Edit, b: Edit) -> Bool {
    if a.at != b.at { return a.at < b.at }
    guard let device = b.device else { return false }
    return a.device.map { $0 < device } ?? true
  }
}
