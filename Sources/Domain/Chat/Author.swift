// Who does something, and when.

/// Who does something.
public enum Author: Hashable, Sendable {
  /// A user, on one of their devices or on one that is not told.
  case user(User.ID, on: Device.ID?)
  /// The app itself: it may do everything that the domain allows at all.
  case system

  /// A user on a device that is not told.
  public static func user(_ id: User.ID) -> Author { .user(id, on: nil) }

  /// The user, if it is one.
  public var user: User.ID? {
    if case .user(let id, _) = self { id } else { nil }
  }

  /// The device, if it is told.
  public var device: Device.ID? {
    if case .user(_, let device) = self { device } else { nil }
  }
}

/// Who did something, and when.
public struct EventOrigin: Hashable, Sendable {
  /// Who.
  public let actor: Author
  /// When.
  public let at: Instant

  /// Done by somebody at an instant.
  public init(by actor: Author, at instant: Instant) { (self.actor, at) = (actor, instant) }
}

/// When somebody made a change on their own device, which may be long before it is recorded.
///
/// Of two changes of one thing the later one holds, whichever is recorded first. If both were made at the same
/// instant, that of the device with the greater id does.
public struct Edit: Hashable, Comparable, Sendable {
  /// When, by the device's own clock.
  public let at: Instant
  /// On which device.
  public let device: Device.ID?

  /// An edit at an instant of a device's clock.
  public init(at instant: Instant, on device: Device.ID?) { (at, self.device) = (instant, device) }

  /// Whether one gives way to the other.
  public static func < (a: Edit, b: Edit) -> Bool {
    if a.at != b.at { return a.at < b.at }
    guard let device = b.device else { return false }
    return a.device.map { $0 < device } ?? true
  }
}
