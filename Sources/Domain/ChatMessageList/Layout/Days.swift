// The calendar days on which messages were sent.
#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A day of the configured calendar and time zone.
struct Day {
  /// The start of the day.
  let start: Date
  /// The start of the next day.
  let end: Date
  /// The separator row above the day.
  let separator: MessageRow
}

/// A cache of days: each is computed from the calendar once.
struct Days {
  private let calendar: Calendar
  /// The Gregorian calendar from which day names are made, so that no two days of any calendar share a name.
  private let naming: Calendar
  private var days: [Day] = []
  /// The index of the last requested day, since consecutive messages are often of the same day.
  private var recent = 0

  init(by calendar: Calendar) {
    var naming = Calendar(identifier: .gregorian)
    naming.timeZone = calendar.timeZone
    (self.calendar, self.naming) = (calendar, naming)
  }

  /// The number of separators created.
  var count: Int { days.count }

  /// Returns the start of the day of an instant.
  mutating func start(of instant: Date) -> Date {
    if days.indices.contains(recent), days[recent].start <= instant, instant < days[recent].end {
      return days[recent].start
    }
    recent = index(from: instant)
    if recent == 0 || days[recent - 1].end <= instant {
      days.insert(day(of: instant), at: recent)
    } else {
      recent -= 1
    }
    return days[recent].start
  }

  /// Returns the day that starts at an instant; it must have been requested before.
  func day(from start: Date) -> Day { days[index(from: start) - 1] }

  /// Returns the day of a separator; nil if there is none.
  func day(separatedBy id: MessageRow.ID) -> Day? { days.first { $0.separator.id == id } }

  /// Returns the index of the first day that starts later.
  private func index(from instant: Date) -> Int {
    var (low, high) = (0, days.count)
    while low < high {
      let middle = (low + high) / 2
      if days[middle].start <= instant { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private func day(of instant: Date) -> Day {
    guard let interval = calendar.dateInterval(of: .day, for: instant), interval.start <= instant,
      instant < interval.end
    else { return dayWithoutName(of: instant) }
    let parts = naming.dateComponents([.era, .year, .month, .day], from: interval.start)
    let year = (parts.era == 0 ? -1 : 1) * (parts.year ?? 0)
    let name = [(year, 4), (parts.month ?? 0, 2), (parts.day ?? 0, 2)].map { $0.padded(to: $1) }
    return Day(from: interval.start, to: interval.end, named: name.joined(separator: "-"))
  }

  /// Returns a day outside the range of the calendar, counted in 86,400 s from the start of 1970.
  private func dayWithoutName(of instant: Date) -> Day {
    let number = (instant.timeIntervalSince1970 / 86400).rounded(.down)
    let start = Date(timeIntervalSince1970: number * 86400)
    return Day(from: min(start, instant), to: start.addingTimeInterval(86400), named: "day \(Int(number))")
  }
}

extension Day {
  fileprivate init(from start: Date, to end: Date, named name: String) {
    (self.start, self.end) = (start, end)
    var separator = MessageRow("d:" + name, .dateSeparator)
    separator.date = start
    self.separator = separator
  }
}

extension Int {
  fileprivate func padded(to count: Int) -> String {
    let digits = String(magnitude)
    return (self < 0 ? "-" : "") + String(repeating: "0", count: Swift.max(0, count - digits.count)) + digits
  }
}
