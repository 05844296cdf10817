// Points in time and durations, in microseconds.

/// A point in time: microseconds since 1970-01-01 UTC.
public struct Timestamp: RawRepresentable, Codable, Hashable, Comparable, Sendable {
  /// The microseconds since 1970-01-01 UTC.
  public let rawValue: Int64

  /// Creates an instant from the microseconds since 1970-01-01 UTC.
  public init(rawValue: Int64) { self.rawValue = rawValue }

  /// Returns whether the first instant is earlier.
  public static func < (a: Timestamp, b: Timestamp) -> Bool { a.rawValue < b.rawValue }

  /// Returns the instant later by a duration, clamped to the range of the type.
  public static func + (a: Timestamp, b: Microseconds) -> Timestamp {
    Timestamp(rawValue: a.rawValue.addingClamped(b.rawValue))
  }

  /// Returns the duration between two instants, clamped to the range of the type.
  public static func - (a: Timestamp, b: Timestamp) -> Microseconds {
    let (difference, overflow) = a.rawValue.subtractingReportingOverflow(b.rawValue)
    return Microseconds(rawValue: overflow ? (a > b ? .max : .min) : difference)
  }
}

/// A duration in microseconds.
public struct Microseconds: RawRepresentable, Hashable, Comparable, Sendable {
  /// The number of microseconds.
  public let rawValue: Int64

  /// Creates a duration from a number of microseconds.
  public init(rawValue: Int64) { self.rawValue = rawValue }

  /// Returns a duration in seconds, clamped to the range of the type.
  public static func seconds(_ count: Int64) -> Microseconds {
    let (product, overflow) = count.multipliedReportingOverflow(by: 1_000_000)
    return Microseconds(rawValue: overflow ? (count < 0 ? .min : .max) : product)
  }

  /// Returns whether the first duration is shorter.
  public static func < (a: Microseconds, b: Microseconds) -> Bool { a.rawValue < b.rawValue }
}

extension Timestamp: CustomStringConvertible {
  /// The instant as RFC 3339 text, in UTC, to the microsecond.
  public var description: String {
    let perDay: Int64 = 86_400_000_000
    let timeOfDay = (rawValue % perDay + perDay) % perDay
    // The quotient is floored by hand, because the product would overflow.
    let day = rawValue / perDay - (rawValue % perDay < 0 ? 1 : 0)
    let (seconds, fraction) = timeOfDay.quotientAndRemainder(dividingBy: 1_000_000)
    let (year, month, dayOfMonth) = date(ofDay: day)
    // Years have at most six digits and a sign.
    return String(unsafeUninitializedCapacity: 32) { text in
      var count = 0
      text.append(year, digits: 4, &count)
      for (separator, number): (Unicode.Scalar, Int64) in [
        ("-", month), ("-", dayOfMonth), ("T", seconds / 3600), (":", seconds / 60 % 60), (":", seconds % 60),
      ] {
        text.append(separator, &count)
        text.append(number, digits: 2, &count)
      }
      text.append(".", &count)
      text.append(fraction, digits: 6, &count)
      text.append("Z", &count)
      return count
    }
  }
}

extension UnsafeMutableBufferPointer<UInt8> {
  fileprivate func append(_ character: Unicode.Scalar, _ count: inout Int) {
    self[count] = UInt8(ascii: character)
    count += 1
  }

  /// Appends a number with at least so many digits.
  fileprivate func append(_ number: Int64, digits: Int, _ count: inout Int) {
    if number < 0 { append("-", &count) }
    var (digits, bound) = (digits, 1)
    for _ in 0..<digits { bound *= 10 }
    while number.magnitude >= bound { (digits, bound) = (digits + 1, bound * 10) }
    var rest = number.magnitude
    for index in (count..<count + digits).reversed() {
      self[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
    count += digits
  }
}

/// Returns the Gregorian date of a day since 1970-01-01, by cycles of 400 years that begin in March.
private func date(ofDay day: Int64) -> (year: Int64, month: Int64, day: Int64) {
  let sinceMarch0 = day + 719_468
  let cycle = (sinceMarch0 >= 0 ? sinceMarch0 : sinceMarch0 - 146_096) / 146_097
  let dayOfCycle = sinceMarch0 - cycle * 146_097
  let yearOfCycle = (dayOfCycle - dayOfCycle / 1460 + dayOfCycle / 36_524 - dayOfCycle / 146_096) / 365
  let dayOfYear = dayOfCycle - (365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100)
  let monthFromMarch = (5 * dayOfYear + 2) / 153
  let dayOfMonth = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
  let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
  let year = cycle * 400 + yearOfCycle + (month <= 2 ? 1 : 0)
  return (year, month, dayOfMonth)
}

extension Int64 {
  internal func addingClamped(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }
}
