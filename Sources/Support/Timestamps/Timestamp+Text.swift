// Timestamps parsed from text.

extension Timestamp: LosslessStringConvertible {
  /// Creates an instant from a text in the form of ``description``, in UTC with microseconds; nil when it is invalid.
  public init?(_ text: String) {
    // The form is checked by formatting the result, so that an instant has exactly one text.
    guard let parsed = Self(parsing: Array(text.utf8)), parsed.description == text else { return nil }
    self = parsed
  }

  private init?(parsing text: [UInt8]) {
    // The text after the year always has the same length: -01-02T03:04:05.000006Z
    let start = text.count - 23
    guard start >= 4, let year = Int64(String(decoding: text[..<start], as: UTF8.self)) else { return nil }
    func number(_ offset: Int, _ count: Int) -> Int64? {
      Int64(String(decoding: text[start + offset..<start + offset + count], as: UTF8.self))
    }
    guard let month = number(1, 2), let day = number(4, 2), let hour = number(7, 2), let minute = number(10, 2),
      let second = number(13, 2), let fraction = number(16, 6), (-400_000...400_000).contains(year),
      (1...12).contains(month)
    else { return nil }
    let seconds = hour * 3600 + minute * 60 + second
    // The first day begins before the smallest instant, so that the days alone may overflow.
    let microseconds = Int128(daysSince1970(year, month, day)) * 86_400_000_000 + Int128(seconds * 1_000_000 + fraction)
    guard let microseconds = Int64(exactly: microseconds) else { return nil }
    self.init(rawValue: microseconds)
  }
}

/// Returns the day number of a date in the Gregorian calendar, extended to all years.
private func daysSince1970(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
  let shifted = month <= 2 ? year - 1 : year
  let era = (shifted >= 0 ? shifted : shifted - 399) / 400
  let yearOfEra = shifted - era * 400
  let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
  let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
  return era * 146_097 + dayOfEra - 719_468
}
