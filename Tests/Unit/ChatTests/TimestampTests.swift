// Tests of instants: the calendar, the bounds of the integers, and expiries.
import Chat
import Testing

struct Instants {
  @Test(arguments: [
    (0, "1970-01-01T00:00:00.000000Z"), (1, "1970-01-01T00:00:00.000001Z"), (-1, "1969-12-31T23:59:59.999999Z"),
    (1_700_000_000_000_000, "2023-11-14T22:13:20.000000Z"), (951_782_400_000_000, "2000-02-29T00:00:00.000000Z"),
    (4_107_542_399_999_999, "2100-02-28T23:59:59.999999Z"), (4_107_542_400_000_000, "2100-03-01T00:00:00.000000Z"),
    (253_402_300_799_999_999, "9999-12-31T23:59:59.999999Z"), (-62_167_219_200_000_000, "0000-01-01T00:00:00.000000Z"),
    (-62_167_219_200_000_001, "-0001-12-31T23:59:59.999999Z"), (Int64.max, "294247-01-10T04:00:54.775807Z"),
    (Int64.min, "-290308-12-21T19:59:05.224192Z"),
  ])
  func `an instant is described as a date and a time`(microseconds: Int64, text: String) {
    #expect(Timestamp(rawValue: microseconds).description == text)
  }

  @Test func `days follow each other as in the calendar, for 801 years`() {
    var day = Int64(-135_140)  // 1600-01-01
    for year in 1600...2400 {
      let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
      for (month, length) in zip(1..., [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]) {
        let first = Timestamp(rawValue: day * 86_400_000_000)
        let last = Timestamp(rawValue: (day + Int64(length)) * 86_400_000_000 - 1)
        let name = "\(year)-\(month < 10 ? "0" : "")\(month)"
        guard first.description == "\(name)-01T00:00:00.000000Z",
          last.description == "\(name)-\(length)T23:59:59.999999Z"
        else {
          Issue.record("\(name): \(first) to \(last)")
          return
        }
        day += Int64(length)
      }
    }
  }

  @Test func `additions are clamped to the bounds`() {
    let (first, last) = (Timestamp(rawValue: .min), Timestamp(rawValue: .max))
    #expect(Timestamp.start + .seconds(2) == Timestamp(rawValue: Timestamp.start.rawValue + 2_000_000))
    #expect(Timestamp.start + Microseconds(rawValue: -1) < .start)
    #expect(last + Microseconds(rawValue: 1) == last && last + .seconds(.max) == last)
    #expect(first + Microseconds(rawValue: -1) == first && first + .seconds(.min) == first)
    #expect(Timestamp.start.plus(3) - .start == .seconds(3) && .start - Timestamp.start.plus(3) == .seconds(-3))
    #expect(last - first == Microseconds(rawValue: .max) && first - last == Microseconds(rawValue: .min))
  }

  @Test func `seconds are converted to microseconds, clamped to the bounds`() {
    #expect(Microseconds.seconds(1).rawValue == 1_000_000 && Microseconds.seconds(-1).rawValue == -1_000_000)
    #expect(Microseconds.seconds(.max).rawValue == .max && Microseconds.seconds(.min).rawValue == .min)
    #expect(Microseconds.seconds(Int64(UInt32.max)).rawValue == 4_294_967_295_000_000)
    #expect(Microseconds(rawValue: 1) < Microseconds(rawValue: 2))
  }

  @Test func `an expiry lasts until the microsecond before its end`() {
    let end = Timestamp.start
    #expect(Expiry.until(end).lasts(at: end.plus(microseconds: -1)))
    #expect(!Expiry.until(end).lasts(at: end) && !Expiry.until(end).lasts(at: end.plus(microseconds: 1)))
    #expect(Expiry.until(Timestamp(rawValue: .min)).lasts(at: Timestamp(rawValue: .min)) == false)
    #expect(Expiry.endless.lasts(at: Timestamp(rawValue: .max)) && Expiry.endless == Expiry(until: nil))
    #expect(Expiry.until(end).end == end && Expiry.endless.end == nil)
  }

  @Test func `the later edit wins, and at one instant that of the greater device`() {
    let early = Edit(at: .start, on: "b")
    #expect(early < Edit(at: .start.plus(microseconds: 1), on: "a"))
    #expect(Edit(at: .start, on: "a") < early && !(early < Edit(at: .start, on: "a")))
    #expect(Edit(at: .start, on: nil) < early && !(early < Edit(at: .start, on: nil)))
    #expect(!(early < early) && !(Edit(at: .start, on: nil) < Edit(at: .start, on: nil)))
  }
}
