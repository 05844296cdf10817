// Threat: a progress that misleads, or stands where programs read.
import Testing

@testable import VerbatimCommand

struct `A line of progress` {
  @Test(
    arguments: [
      (0, 1000, 1, "0 of 1,000 events, 0 a second"),
      (500, 1000, 2, "500 of 1,000 events, 250 a second, 2 s left"),
      (1_234_567, 9_999_999, 10, "1,234,567 of 9,999,999 events, 123,456 a second, 72 s left"),
      (1000, 1_000_000, 1, "1,000 of 1,000,000 events, 1,000 a second, 17 min left"),
      (1000, 1000, 3, "1,000 of 1,000 events, 333 a second, 0 s left"),
      (1001, 1000, 3, "1,001 of 1,000 events, 333 a second, 0 s left"),
    ] as [(UInt64, UInt64, Int, String)])
  func `says how far it came, how fast it goes and how long the rest takes`(
    count: UInt64, total: UInt64, seconds: Int, text: String
  ) {
    #expect(ProgressLine.text("events", count, of: total, after: .seconds(seconds)) == text)
  }

  @Test func `says nothing of the rest where nobody knows how much there is`() {
    #expect(ProgressLine.text("lines", 42, of: nil, after: .seconds(2)) == "42 lines, 21 a second")
    #expect(ProgressLine.text("lines", 42, of: nil, after: .zero) == "42 lines, 42,000 a second")
  }
}
