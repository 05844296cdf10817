// A clock that only tests advance.
public import Chat
internal import Locks

/// A clock that stands still until a test advances it.
public final class TestClock: Sendable {
  private let instant: Locked<Timestamp>

  /// Creates a clock; the default time is noon of 1 January 2026 in UTC.
  public init(at instant: Timestamp = Timestamp(rawValue: 1_767_268_800_000_000)) { self.instant = Locked(instant) }

  /// The current time.
  public var now: Timestamp { instant.withLock { $0 } }

  /// Advances the clock; a negative duration sets it back.
  public func advance(by duration: Duration) {
    let (seconds, attoseconds) = duration.components
    instant.withLock {
      $0 = Timestamp(rawValue: $0.rawValue + seconds * 1_000_000 + attoseconds / 1_000_000_000_000)
    }
  }
}
