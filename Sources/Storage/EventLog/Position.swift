// The numbers of a log: positions, stream versions and timestamps.

/// The position of an event in the log: 1, 2, 3 … without a gap, in the order of commits.
///
/// 0 is the position before the first event.
public struct Position: RawRepresentable, Codable, Hashable, Comparable, Sendable {
  /// The number.
  public let rawValue: UInt64

  /// Creates a position with a number.
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// The position before the first event.
  public static let zero = Position(rawValue: 0)

  /// The position of the first event.
  public static let first = Position(rawValue: 1)

  /// The position after this one; the position itself when it is the largest.
  public var next: Position { advanced(by: 1) }

  /// Returns the position `count` events later, at most the largest position.
  public func advanced(by count: Int) -> Position {
    let (sum, overflow) = rawValue.addingReportingOverflow(UInt64(count))
    return Position(rawValue: overflow ? .max : sum)
  }

  /// Returns whether one position is before the other.
  public static func < (a: Position, b: Position) -> Bool { a.rawValue < b.rawValue }
}

/// The number of events in a stream, which is also the version of its last event: 0 for a stream without events.
public struct StreamVersion: RawRepresentable, Codable, Hashable, Comparable, Sendable {
  /// The count.
  public let rawValue: UInt64

  /// Creates a version with a count.
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// The version of a stream without events.
  public static let zero = StreamVersion(rawValue: 0)

  /// The version of a stream with one event.
  public static let first = StreamVersion(rawValue: 1)

  /// Returns whether one count is less than the other.
  public static func < (a: StreamVersion, b: StreamVersion) -> Bool { a.rawValue < b.rawValue }
}

/// An instant: microseconds since the beginning of 1970, UTC.
public struct Timestamp: RawRepresentable, Codable, Hashable, Comparable, Sendable {
  /// The microseconds.
  public let rawValue: Int64

  /// Creates an instant from microseconds since the beginning of 1970.
  public init(rawValue: Int64) { self.rawValue = rawValue }

  /// Returns whether one instant is earlier than the other.
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
  /// The instant in RFC 3339 form, in UTC, with microseconds.
  public var description: String {
    let day: Int64 = 86_400_000_000
    let days = rawValue.flooredQuotient(by: day)
    let (year, month, dayOfMonth) = civilDate(daysSince1970: days)
    // The product would overflow for the day that holds the smallest instant: that day begins before it.
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

/// Returns the date in the Gregorian calendar, extended to all years; years are counted from March, so that the leap
/// day is the last of a year.
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
