// Keys that change each day, so that the content of past days can be erased alone.
internal import Digests
package import Timestamps

/// A number of days since the beginning of 1970, UTC.
package struct Day: Hashable, Comparable, Sendable {
  package let rawValue: Int32

  package init(rawValue: Int32) { self.rawValue = rawValue }

  /// Creates the day of a time.
  package init(of time: Timestamp) {
    let day = time.rawValue / Self.microseconds - (time.rawValue % Self.microseconds < 0 ? 1 : 0)
    // The times that 64 bits can hold are within 300,000 years.
    rawValue = Int32(day)
  }

  /// The time at which the day begins.
  package var start: Timestamp {
    let (start, overflow) = Int64(rawValue).multipliedReportingOverflow(by: Self.microseconds)
    return Timestamp(rawValue: overflow ? .min : start)
  }

  /// The day after it.
  package var next: Day { Day(rawValue: rawValue + 1) }

  private static let microseconds: Int64 = 86_400_000_000

  package static func < (a: Day, b: Day) -> Bool { a.rawValue < b.rawValue }
}

/// The key of a day, from which those of all later days can be computed, and that of no earlier one.
internal struct DayKey: Sendable {
  /// The earliest day whose key can still be computed.
  private(set) var first: Day
  private(set) var key: SecretKey
  /// The key that was computed last.
  private var last: (day: Day, key: SecretKey)

  init(_ key: SecretKey, from day: Day) { (first, self.key, last) = (day, key, (day, key)) }

  /// The number of days through the year 9999: a damaged log may name any other.
  private static let reach: Int64 = 3_000_000

  /// Returns the key of a day; nil when it was destroyed, or is no day of this calendar.
  mutating func key(of day: Day) -> SecretKey? {
    Int64(day.rawValue) < Self.reach ? computed(for: day) : nil
  }

  private mutating func computed(for day: Day) -> SecretKey? {
    guard day >= first else { return nil }
    if day < last.day { last = (first, key) }
    while last.day < day { last = (last.day.next, last.key.derived(for: "next day")) }
    return last.key
  }

  /// Destroys the keys of all days before one.
  mutating func destroy(before day: Day) {
    guard day > first, let key = computed(for: day) else { return }
    self = DayKey(key, from: day)
  }
}
