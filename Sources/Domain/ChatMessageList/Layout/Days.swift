// The days of a calendar, as far as messages were sent on them.
#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A day of the asked calendar in the asked time zone.
struct Day {
  /// When it begins.
  let start: Date
  /// When the next begins.
  let end: Date
  /// The row that separates it from the day before.
  let separator: MessageRow
}

/// The days that were asked for: each is taken from the calendar once.
struct Days {
  private let calendar: Calendar
  /// What days are named by, whatever calendar divides them, so that a name is never that of two days.
  private let naming: Calendar
  private var days: [Day] = []
  /// Where the last one asked for is: messages that follow one another are often of one day.
  private var recent = 0

  init(by calendar: Calendar) {
    var naming = Calendar(identifier: .gregorian)
    naming.timeZone = calendar.timeZone
    (self.calendar, self.naming) = (calendar, naming)
  }

  /// How many separators were made.
  var count: Int { days.count }

  /// When the day of an instant begins.
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

  /// The day that begins at an instant, and was asked for before.
  func day(from start: Date) -> Day { days[index(from: start) - 1] }

  /// The day with a separator; nil when there is none.
  func day(separatedBy id: MessageRow.ID) -> Day? { days.first { $0.separator.id == id } }

  /// The place of the first day that begins later.
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

  /// A day so far off that the calendar does not know its hours: counted from the beginning of 1970.
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
