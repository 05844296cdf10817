// Points in time and how far they are apart, in microseconds.

/// A point in time: microseconds since the beginning of 1970, UTC.
public struct Instant: RawRepresentable, Hashable, Comparable, Sendable {
  /// The microseconds.
  public let rawValue: Int64

  /// The point so many microseconds after the beginning of 1970.
  public init(rawValue: Int64) { self.rawValue = rawValue }

  /// Whether one is earlier.
  public static func < (a: Instant, b: Instant) -> Bool { a.rawValue < b.rawValue }

  /// The point so much later; the last there is when that would be past it.
  public static func + (a: Instant, b: Microseconds) -> Instant {
    Instant(rawValue: a.rawValue.addingClamped(b.rawValue))
  }

  /// How much later one is than the other.
  public static func - (a: Instant, b: Instant) -> Microseconds {
    let (difference, overflow) = a.rawValue.subtractingReportingOverflow(b.rawValue)
    return Microseconds(rawValue: overflow ? (a > b ? .max : .min) : difference)
  }
}

/// A span of time in microseconds.
public struct Microseconds: RawRepresentable, Hashable, Comparable, Sendable {
  /// How many.
  public let rawValue: Int64

  /// A span of so many microseconds.
  public init(rawValue: Int64) { self.rawValue = rawValue }

  /// A span of so many seconds; the longest there is when they are more.
  public static func seconds(_ count: Int64) -> Microseconds {
    let (product, overflow) = count.multipliedReportingOverflow(by: 1_000_000)
    return Microseconds(rawValue: overflow ? (count < 0 ? .min : .max) : product)
  }

  /// Whether one is shorter.
  public static func < (a: Microseconds, b: Microseconds) -> Bool { a.rawValue < b.rawValue }
}

extension Instant: CustomStringConvertible {
  /// The point as RFC 3339 writes it, in UTC, to the microsecond.
  public var description: String {
    let perDay: Int64 = 86_400_000_000
    let timeOfDay = (rawValue % perDay + perDay) % perDay
    // Exact even where the product would not fit: the quotient is floored by hand.
    let day = rawValue / perDay - (rawValue % perDay < 0 ? 1 : 0)
    let (seconds, fraction) = timeOfDay.quotientAndRemainder(dividingBy: 1_000_000)
    let time = [seconds / 3600, seconds / 60 % 60, seconds % 60].map { $0.padded(to: 2) }
    return "\(date(ofDay: day))T\(time.joined(separator: ":")).\(fraction.padded(to: 6))Z"
  }
}

/// The Gregorian date of a day counted from the beginning of 1970, in cycles of 400 years that begin in March.
private func date(ofDay day: Int64) -> String {
  let sinceMarch0 = day + 719_468
  let cycle = (sinceMarch0 >= 0 ? sinceMarch0 : sinceMarch0 - 146_096) / 146_097
  let dayOfCycle = sinceMarch0 - cycle * 146_097
  let yearOfCycle = (dayOfCycle - dayOfCycle / 1460 + dayOfCycle / 36_524 - dayOfCycle / 146_096) / 365
  let dayOfYear = dayOfCycle - (365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100)
  let monthFromMarch = (5 * dayOfYear + 2) / 153
  let dayOfMonth = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
  let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
  let year = cycle * 400 + yearOfCycle + (month <= 2 ? 1 : 0)
  return [year.padded(to: 4), month.padded(to: 2), dayOfMonth.padded(to: 2)].joined(separator: "-")
}

extension Int64 {
  fileprivate func padded(to count: Int) -> String {
    let digits = String(magnitude)
    return (self < 0 ? "-" : "") + String(repeating: "0", count: Swift.max(0, count - digits.count)) + digits
  }

  internal func addingClamped(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }
}

/// Something that lasts up to an instant, or without end: a mute, a ban, a pin.
///
/// Whether it lasts is a question with an instant. At its very end it is over.
public struct Expiry: Hashable, Sendable {
  /// When it ends; nil when it does not.
  public let end: Instant?

  /// A term with an end, or none.
  public init(until end: Instant?) { self.end = end }

  /// Without end.
  public static let endless = Expiry(until: nil)

  /// Up to an end.
  public static func until(_ end: Instant) -> Expiry { Expiry(until: end) }

  /// Whether it lasts at an instant.
  public func lasts(at instant: Instant) -> Bool { end.map { instant < $0 } ?? true }
}
