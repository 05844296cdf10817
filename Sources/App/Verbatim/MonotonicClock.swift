// Instants that are never before what was recorded, and ids that rise, whatever the machine's clock does.
internal import Chat
internal import EventLog
internal import Locks

/// Instants that are never before the last one that was recorded, and ids that rise with them.
///
/// What the clock says is not remembered: a clock that was wrong for a moment is wrong for that moment only.
internal final class MonotonicClock: Sendable {
  private let clock: @Sendable () -> Instant
  private let randomBits: @Sendable () -> UInt64
  private let last = Locked(Last())

  private struct Last {
    /// The last instant that was recorded, and up to which position of the log that is known.
    var instant = Instant(rawValue: .min)
    var position = Position.zero
    var id = Int64.min
  }

  init(_ clock: @escaping @Sendable () -> Instant, _ randomBits: @escaping @Sendable () -> UInt64) {
    (self.clock, self.randomBits) = (clock, randomBits)
  }

  /// The instant that the clock says, or the last that was recorded if that is later.
  func now() -> Instant {
    let now = clock()
    return last.withLock { max(now, $0.instant) }
  }

  /// Takes note of an instant, which may be of another clock; answers the latest that is known.
  @discardableResult
  func see(_ instant: Instant) -> Instant {
    last.withLock { last in
      last.instant = max(last.instant, instant)
      return last.instant
    }
  }

  /// Takes note of the end of the log, whose time is before that of an earlier one where the log's clock was corrected.
  func see(_ head: Head) {
    last.withLock { last in
      guard head.position >= last.position else { return }
      (last.instant, last.position) = (Instant(rawValue: head.recorded.rawValue), head.position)
    }
  }

  /// A new id of 15 characters, which comes behind all that were made here before.
  ///
  /// The first nine characters are the time in microseconds, up to the year 2540, the others are random. No two of a
  /// workspace have the same time, and strings of 15 bytes need no memory of their own.
  func id() -> String {
    let (time, noise) = (UInt64(nextTime()) & (1 << 54 - 1), randomBits())
    return String(unsafeUninitializedCapacity: 15) { room in
      for place in 0..<9 { room[place] = letter(time >> UInt64(6 * (8 - place))) }
      for place in 0..<6 { room[9 + place] = letter(noise >> UInt64(58 - 6 * place)) }
      return 15
    }
  }

  /// A new id of an append, which comes behind all that were made here before.
  func appendID() -> AppendID {
    .timeOrdered(at: Timestamp(rawValue: nextTime()), random: randomBits())
  }

  /// The time in microseconds, or one more than that of the last id.
  private func nextTime() -> Int64 {
    let now = now().rawValue
    return last.withLock { last in
      last.id = max(last.id &+ 1, max(0, now))
      return last.id
    }
  }
}

/// The letter for six bits; letters have the order of the bits that they stand for.
private func letter(_ bits: UInt64) -> UInt8 {
  letters.utf8Start[Int(bits & 63)]
}

private let letters: StaticString = "-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz"
