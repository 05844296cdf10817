// A clock that never runs behind the log, and a source of ascending ids.
package import EventLog
internal import Locks
package import Timestamps

/// A monotonic clock, never behind the last recorded instant, and a source of ids that ascend with it.
///
/// Readings of the system clock are not remembered: an error of it lasts no longer than the error itself.
package final class MonotonicClock: Sendable {
  private let clock: @Sendable () -> Timestamp
  private let randomBits: @Sendable () -> UInt64
  private let last = Locked(Last())

  private struct Last {
    /// The last recorded instant, and the log position up to which it is known.
    var instant = Timestamp(rawValue: .min)
    var position = Position.zero
    var id = Int64.min
  }

  init(_ clock: @escaping @Sendable () -> Timestamp, _ randomBits: @escaping @Sendable () -> UInt64) {
    (self.clock, self.randomBits) = (clock, randomBits)
  }

  /// Returns the time of the clock, or the last recorded instant if that is later.
  package func now() -> Timestamp {
    let now = clock()
    return last.withLock { max(now, $0.instant) }
  }

  /// Advances to an instant, possibly of another clock; returns the latest known instant.
  @discardableResult
  func see(_ instant: Timestamp) -> Timestamp {
    last.withLock { last in
      last.instant = max(last.instant, instant)
      return last.instant
    }
  }

  /// Adopts the time of the log's head, which is earlier than before if the log's clock was corrected.
  func see(_ head: Head) {
    last.withLock { last in
      guard head.position >= last.position else { return }
      (last.instant, last.position) = (head.recorded, head.position)
    }
  }

  /// Returns a new id of 15 characters that sorts after all ids made here before.
  ///
  /// The first nine characters are the time in microseconds, up to the year 2540, the others are random. No two ids
  /// made here have the same time, and strings of 15 bytes need no heap allocation.
  package func id() -> String {
    let (time, noise) = (UInt64(nextTime()) & (1 << 54 - 1), randomBits())
    return String(unsafeUninitializedCapacity: 15) { buffer in
      for index in 0..<9 { buffer[index] = letter(time >> UInt64(6 * (8 - index))) }
      for index in 0..<6 { buffer[9 + index] = letter(noise >> UInt64(58 - 6 * index)) }
      return 15
    }
  }

  /// Returns a new append id that sorts after all ids made here before.
  package func appendID() -> AppendID {
    .timeOrdered(at: Timestamp(rawValue: nextTime()), random: randomBits())
  }

  /// Returns the time in microseconds, or the last id's time plus one if that is later.
  private func nextTime() -> Int64 {
    let now = now().rawValue
    return last.withLock { last in
      last.id = max(last.id &+ 1, max(0, now))
      return last.id
    }
  }
}

/// Returns the character for six bits; characters sort in the order of the bits.
private func letter(_ bits: UInt64) -> UInt8 {
  letters.utf8Start[Int(bits & 63)]
}

private let letters: StaticString = "-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz"
