// Threat: a number overflows, or a date is formatted wrongly.
import Foundation
import SeededRandom
import Testing

@testable import EventLog

@Suite struct `Position arithmetic` {
  @Test func `advancing a position saturates at the largest position`() {
    #expect(Position.zero.next == .first)
    #expect(Position.first.advanced(by: 0) == .first)
    #expect(Position(rawValue: .max - 1).next.rawValue == .max)
    #expect(Position(rawValue: .max).next.rawValue == .max)
    #expect(Position(rawValue: .max - 5).advanced(by: .max).rawValue == .max)
    #expect(Position(rawValue: 7).advanced(by: .max).rawValue == UInt64(Int.max) + 7)
  }

  @Test func `positions and versions are ordered and formatted as their numbers`() {
    let numbers: [UInt64] = [0, 1, 9, 10, 1 << 63, .max]
    #expect(numbers.shuffled().map(Position.init).sorted().map(\.rawValue) == numbers)
    #expect(numbers.shuffled().map(StreamVersion.init).sorted().map(\.rawValue) == numbers)
    #expect(numbers.map { Position(rawValue: $0).description } == numbers.map { "\($0)" })
    #expect(numbers.map { StreamVersion(rawValue: $0).description } == numbers.map { "\($0)" })
    #expect(StreamVersion.zero < .first && Position.zero < .first)
  }
}

@Suite struct `Timestamp text` {
  @Test(
    arguments: [
      (0, "1970-01-01T00:00:00.000000Z"),
      (-1, "1969-12-31T23:59:59.999999Z"),
      (1, "1970-01-01T00:00:00.000001Z"),
      (951_782_400_000_000, "2000-02-29T00:00:00.000000Z"),
      (951_868_799_999_999, "2000-02-29T23:59:59.999999Z"),
      (951_868_800_000_000, "2000-03-01T00:00:00.000000Z"),
      (1_709_164_800_000_000, "2024-02-29T00:00:00.000000Z"),
      (4_107_542_399_000_000, "2100-02-28T23:59:59.000000Z"),
      (4_107_542_400_000_000, "2100-03-01T00:00:00.000000Z"),
      (-2_203_891_200_000_000, "1900-03-01T00:00:00.000000Z"),
      (253_402_300_799_999_999, "9999-12-31T23:59:59.999999Z"),
      (253_402_300_800_000_000, "10000-01-01T00:00:00.000000Z"),
      (-62_135_596_800_000_000, "0001-01-01T00:00:00.000000Z"),
      (-62_167_219_200_000_000, "0000-01-01T00:00:00.000000Z"),
      (-62_167_219_200_000_001, "-0001-12-31T23:59:59.999999Z"),
    ] as [(Int64, String)])
  func `a timestamp is formatted as in RFC 3339`(microseconds: Int64, text: String) {
    #expect(Timestamp(rawValue: microseconds).description == text)
    #expect(Timestamp(text)?.rawValue == microseconds)
  }

  @Test func `every formatted timestamp is parsed to the same timestamp`() {
    var random = SeededRandom.printingSeed()
    for _ in 0..<10_000 {
      let instant = Timestamp(rawValue: Int64(bitPattern: random.number()))
      #expect(Timestamp(instant.description) == instant)
    }
    for instant in [Int64.min, .min + 1, .max, .max - 1].map(Timestamp.init) {
      #expect(Timestamp(instant.description) == instant)
    }
  }

  @Test(arguments: [
    "", "2026", "2026-01-01", "2026-01-01T00:00:00Z", "2026-01-01T00:00:00.000000", "2026-02-29T00:00:00.000000Z",
    "2026-13-01T00:00:00.000000Z", "2026-00-01T00:00:00.000000Z", "2026-01-01T24:00:00.000000Z",
    "2026-01-01t00:00:00.000000Z", " 2026-01-01T00:00:00.000000Z", "+2026-01-01T00:00:00.000000Z",
    "02026-01-01T00:00:00.000000Z", "2026-01-01T00:00:60.000000Z", "2026-01-01T00:00:00.00000éZ",
    "999999-01-01T00:00:00.000000Z", "9223372036854775807-01-01T00:00:00.000000Z", "294247-01-10T04:00:54.775808Z",
  ])
  func `a text in another form is not parsed as a timestamp`(text: String) { #expect(Timestamp(text) == nil) }

  /// A damaged block may hold any number here, and its error describes it.
  @Test(
    arguments: [
      (.max, "294247-01-10T04:00:54.775807Z"), (.min, "-290308-12-21T19:59:05.224192Z"),
    ] as [(Int64, String)])
  func `the smallest and largest timestamps are formatted`(microseconds: Int64, text: String) {
    #expect(Timestamp(rawValue: microseconds).description == text)
  }

  @Test func `timestamps are formatted as by Foundation`() {
    var random = SeededRandom.printingSeed()
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    formatter.dateFormat = "yyyy-MM-dd'T'HH:mm:ss"
    // From 1600 on, where Foundation's calendar is Gregorian, too.
    let (first, past) = (-11_676_096_000, 253_402_300_800)
    for _ in 0..<2000 {
      let second = first + random.below(past - first)
      let microsecond = random.below(1_000_000)
      let expected = formatter.string(from: Date(timeIntervalSince1970: Double(second)))
      let fraction = String(String(1_000_000 + microsecond).dropFirst())
      let timestamp = Timestamp(rawValue: Int64(second * 1_000_000 + microsecond))
      #expect(timestamp.description == "\(expected).\(fraction)Z")
    }
  }

  @Test func `the current timestamp is that of Foundation`() {
    let before = Date()
    let now = Timestamp.now
    let after = Date()
    let seconds = Double(now.rawValue) / 1e6
    #expect(before.timeIntervalSince1970 - 0.001 <= seconds && seconds <= after.timeIntervalSince1970 + 0.001)
  }
}
