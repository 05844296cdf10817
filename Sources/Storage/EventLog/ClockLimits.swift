// Bounds on how far a clock may be ahead of the log, so that one wrong clock does not give its time to all later
// events.

/// Bounds within which the clock of a writer is accepted; the page <doc:Clocks> has the rule.
public struct ClockLimits: Hashable, Sendable {
  /// The maximum by which the clock may advance further than the monotonic clock between two appends of a store.
  public var stepMax = Duration.seconds(86_400)
  /// The maximum age of the last block at the first append of a store.
  public var pauseMax = Duration.seconds(400 * 86_400)

  /// Creates the default limits: a day, and 400 days.
  public init() {}

  /// The range of plausible times of a log, from 2025 to 2199.
  public static let plausible = Timestamp(rawValue: 1_735_689_600_000_000)..<Timestamp(rawValue: 7_258_118_400_000_000)
}

/// The reason why a clock reading is not recorded.
public enum ClockDefect: Error, Hashable, Sendable {
  /// The clock is further ahead of the last block than the limits allow.
  case ahead(found: Timestamp, last: Timestamp, latest: Timestamp)
  /// The clock is outside the plausible range.
  case implausible(found: Timestamp)
}

extension ClockDefect: CustomStringConvertible {
  /// The error in one sentence: what failed, on what, what to do.
  public var description: String {
    switch self {
    case .ahead(let found, let last, let latest):
      "The clock is at \(found), the last block was recorded at \(last), and a time after \(latest) is implausible: "
        + "nothing was appended; set the clock, or accept it explicitly if it is right."
    case .implausible(let found):
      "The clock is at \(found), which is not between \(ClockLimits.plausible.lowerBound) and "
        + "\(ClockLimits.plausible.upperBound): nothing was appended; set the clock."
    }
  }
}

/// The clock readings of a store: when the store was opened, and what it recorded last.
internal struct ClockHistory {
  private let opened: Duration
  private var last: (recorded: Timestamp, uptime: Duration)?

  /// Creates the history of a store that was opened at a time of the monotonic clock.
  init(opened: Duration) { self.opened = opened }

  /// Throws if a clock reading is further ahead of the last block than the limits allow.
  func check(
    _ now: Timestamp, after head: Head, within limits: ClockLimits, uptime: Duration
  ) throws(ClockDefect) {
    guard now > head.recorded else { return }
    guard now < ClockLimits.plausible.upperBound else { throw .implausible(found: now) }
    guard head.recorded >= ClockLimits.plausible.lowerBound else { return }
    var latest = head.recorded.advanced(by: limits.pauseMax + (uptime - opened))
    // After a correction, the times of the log are before the one that this store recorded.
    if let last, last.recorded <= head.recorded {
      latest = head.recorded.advanced(by: limits.stepMax + (uptime - last.uptime))
    }
    guard now <= latest else { throw .ahead(found: now, last: head.recorded, latest: latest) }
  }

  /// Records a clock reading.
  mutating func record(_ time: Timestamp, uptime: Duration) { last = (time, uptime) }
}

extension Timestamp {
  /// Returns the instant later by a duration, at most the largest instant.
  fileprivate func advanced(by duration: Duration) -> Timestamp {
    let (seconds, attoseconds) = duration.components
    let (product, isProductPast) = seconds.multipliedReportingOverflow(by: 1_000_000)
    let (sum, isSumPast) = rawValue.addingReportingOverflow(product)
    let (total, isPast) = sum.addingReportingOverflow(attoseconds / 1_000_000_000_000)
    return Timestamp(rawValue: isProductPast || isSumPast || isPast ? .max : total)
  }
}
