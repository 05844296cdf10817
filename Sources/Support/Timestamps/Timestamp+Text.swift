// Timestamps parsed from text.

extension Timestamp: LosslessStringConvertible {
  /// Creates an instant from a text in the form of ``description``, in UTC with microseconds; nil when it is invalid.
  public init?(_ text: String) {
    var copy = text
    // The form is checked by formatting the result, so that an instant has exactly one text.
    guard let parsed = copy.withUTF8({ Self(parsing: $0) }), parsed.description == text else { return nil }
    self = parsed
  }

  private init?(parsing text: UnsafeBufferPointer<UInt8>) {
    // The text after the year always has the same length: -01-02T03:04:05.000006Z
    let start = text.count - 23
    guard (4...7).contains(start) else { return nil }
    func number(_ offset: Int, _ count: Int) -> Int64? {
      var number: Int64 = 0
      for byte in text[offset..<offset + count] {
        guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
        number = number * 10 + Int64(byte - UInt8(ascii: "0"))
      }
      return number
    }
    let sign = text[0] == UInt8(ascii: "-") ? 1 : 0
    guard let digits = number(sign, start - sign), let month = number(start + 1, 2), let day = number(start + 4, 2),
      let hour = number(start + 7, 2), let minute = number(start + 10, 2), let second = number(start + 13, 2),
      let fraction = number(start + 16, 6), (1...12).contains(month)
    else { return nil }
    let year = sign == 0 ? digits : -digits
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
