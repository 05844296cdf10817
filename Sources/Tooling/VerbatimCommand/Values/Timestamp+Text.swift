// Points in time: parsed from RFC 3339, and formatted for people.
internal import Chat
internal import EventLog
internal import Foundation

extension Timestamp: ArgumentValue {
  init(argument text: String) throws(ValueDefect) {
    guard let instant = Timestamp(rfc3339: text) else {
      throw ValueDefect(expected: "an instant, as 2026-11-22T12:30:00Z or 2026-11-22T14:30:00+02:00")
    }
    self = instant
  }

  /// Parses RFC 3339 with up to six fractional digits of a second; nil for invalid text.
  init?(rfc3339 text: String) {
    guard let parts = text.wholeMatch(of: /(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.(\d{1,6}))?(.+)/),
      let offset = Timestamp.seconds(ofZone: parts.8)
    else { return nil }
    let numbers = [parts.1, parts.2, parts.3, parts.4, parts.5, parts.6].compactMap { Int64($0) }
    guard numbers.count == 6, numbers[3] < 24, numbers[4] < 60, numbers[5] < 60,
      let day = Timestamp.day(year: numbers[0], month: numbers[1], day: numbers[2])
    else { return nil }
    let fraction = parts.7.flatMap { Int64($0 + String(repeating: "0", count: 6 - $0.count)) } ?? 0
    let seconds = day * 86_400 + numbers[3] * 3_600 + numbers[4] * 60 + numbers[5] - offset
    self.init(rawValue: seconds * 1_000_000 + fraction)
  }

  private static func seconds(ofZone text: Substring) -> Int64? {
    if text == "Z" || text == "z" { return 0 }
    guard let parts = text.wholeMatch(of: /([+-])(\d\d):(\d\d)/), let hours = Int64(parts.2),
      let minutes = Int64(parts.3),
      hours < 24, minutes < 60
    else { return nil }
    return (parts.1 == "-" ? -1 : 1) * (hours * 3_600 + minutes * 60)
  }

  /// Returns the number of days since the first of January 1970; nil where the month has no such day.
  private static func day(year: Int64, month: Int64, day: Int64) -> Int64? {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let lengths: [Int64] = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    guard (1...12).contains(month), day >= 1, day <= lengths[Int(month) - 1] else { return nil }
    let before = year - 1
    let leaps = before / 4 - before / 100 + before / 400
    // The first of January 1970 is the 719,163rd day.
    return year == 0
      ? nil : before * 365 + leaps + lengths.prefix(Int(month) - 1).reduce(0, +) + day - 719_163
  }
}

/// A formatter of times for people, in one time zone.
struct Times: Sendable {
  let zone: TimeZone

  /// Creates a formatter for a zone; by default this machine's.
  init(_ zone: Zone?) { self.zone = zone?.timeZone ?? .current }

  /// Returns the instant to the second, as 2026-11-22 12:30:05.
  func callAsFunction(_ instant: Timestamp) -> String {
    let seconds = zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(instant.rawValue) / 1_000_000))
    let shifted = instant + .seconds(Int64(seconds))
    return String(shifted.description.prefix { $0 != "." }.replacing("T", with: " "))
  }

  /// Returns the end of an expiry.
  func callAsFunction(_ expiry: Expiry) -> String { expiry.end.map { "until " + self($0) } ?? "permanently" }
}
