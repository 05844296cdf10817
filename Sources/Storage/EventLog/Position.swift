// The numbers of a log: where an event stands, in the log and in its stream, and when it was recorded.

/// Where an event stands in the log: 1, 2, 3 … without a gap, in the order of commits.
///
/// 0 stands before the first event.
public struct Position: RawRepresentable, Hashable, Comparable, Sendable {
  /// The number.
  public let rawValue: UInt64

  /// A position with a number.
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// Before the first event.
  public static let zero = Position(rawValue: 0)

  /// Where the first event stands.
  public static let first = Position(rawValue: 1)

  /// The position behind this one; itself for the last there can be.
  public var next: Position { advanced(by: 1) }

  /// The position so many events later; the last there can be when that is past it.
  public func advanced(by count: Int) -> Position {
    let (sum, overflow) = rawValue.addingReportingOverflow(UInt64(count))
    return Position(rawValue: overflow ? .max : sum)
  }

  /// Whether one stands before the other.
  public static func < (a: Position, b: Position) -> Bool { a.rawValue < b.rawValue }
}

/// How many events a stream has, and so where its last event stands in it: 0 for a stream never written.
public struct StreamVersion: RawRepresentable, Hashable, Comparable, Sendable {
  /// The count.
  public let rawValue: UInt64

  /// A version with a count.
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// The version of a stream that was never written.
  public static let zero = StreamVersion(rawValue: 0)

  /// The version of a stream with one event.
  public static let first = StreamVersion(rawValue: 1)

  /// Whether one count is less than the other.
  public static func < (a: StreamVersion, b: StreamVersion) -> Bool { a.rawValue < b.rawValue }
}

/// An instant: microseconds since the beginning of 1970, UTC.
public struct Timestamp: RawRepresentable, Hashable, Comparable, Sendable {
  /// The microseconds.
  public let rawValue: Int64

  /// An instant so many microseconds after the beginning of 1970.
  public init(rawValue: Int64) { self.rawValue = rawValue }

  /// Whether one is earlier.
  public static func < (a: Timestamp, b: Timestamp) -> Bool { a.rawValue < b.rawValue }
}

extension Position: CustomStringConvertible {
  /// The number.
  public var description: String { String(rawValue) }
}

extension StreamVersion: CustomStringConvertible {
  /// The count.
  public var description: String { String(rawValue) }
}

extension Timestamp: CustomStringConvertible {
  /// The instant as RFC 3339 writes it, in UTC, to the microsecond.
  public var description: String {
    let day: Int64 = 86_400_000_000
    let days = rawValue.flooredQuotient(by: day)
    let (year, month, dayOfMonth) = civilDate(daysSince1970: days)
    // The days before the first instant there is begin before it: their product would not fit.
    let rest = rawValue % day + (rawValue % day < 0 ? day : 0)
    let second = rest / 1_000_000
    return digits(year, 4) + "-" + digits(month, 2) + "-" + digits(dayOfMonth, 2) + "T"
      + digits(second / 3600, 2) + ":" + digits(second / 60 % 60, 2) + ":" + digits(second % 60, 2) + "."
      + digits(rest % 1_000_000, 6) + "Z"
  }
}

extension Int64 {
  fileprivate func flooredQuotient(by divisor: Int64) -> Int64 {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}

private func digits(_ value: Int64, _ count: Int) -> String {
  let text = String(value.magnitude)
  return (value < 0 ? "-" : "") + String(repeating: "0", count: max(0, count - text.count)) + text
}

/// The date in the Gregorian calendar, extended to all years; years are counted from March, so that the leap day is
/// a year's last.
private func civilDate(daysSince1970: Int64) -> (year: Int64, month: Int64, day: Int64) {
  let shifted = daysSince1970 + 719_468
  let era = shifted.flooredQuotient(by: 146_097)
  let dayOfEra = shifted - era * 146_097
  let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
  let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
  let monthFromMarch = (5 * dayOfYear + 2) / 153
  let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
  let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  return (year, month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
}
