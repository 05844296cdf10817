// The end of a mute, a ban or a pin.

/// The expiry of a mute, a ban or a pin: an instant, or none.
///
/// An expiry is evaluated at an instant; at its end it has passed.
public struct Expiry: Hashable, Sendable {
  /// The end; nil when there is none.
  public let end: Timestamp?

  /// Creates an expiry with an end, or without (nil).
  public init(until end: Timestamp?) { self.end = end }

  /// The expiry without an end.
  public static let endless = Expiry(until: nil)

  /// Returns an expiry at an end.
  public static func until(_ end: Timestamp) -> Expiry { Expiry(until: end) }

  /// Returns whether an instant is before the end.
  public func lasts(at instant: Timestamp) -> Bool { end.map { instant < $0 } ?? true }
}
