// Threat: a progress line is wrong.
import Testing

@testable import VerbatimCommand

struct `A progress line` {
  @Test(
    arguments: [
      (0, 1000, 1, "0 of 1,000 events, 0 a second"),
      (500, 1000, 2, "500 of 1,000 events, 250 a second, 2 s left"),
      (1_234_567, 9_999_999, 10, "1,234,567 of 9,999,999 events, 123,456 a second, 72 s left"),
      (1000, 1_000_000, 1, "1,000 of 1,000,000 events, 1,000 a second, 17 min left"),
      (1000, 1000, 3, "1,000 of 1,000 events, 333 a second, 0 s left"),
      (1001, 1000, 3, "1,001 of 1,000 events, 333 a second, 0 s left"),
    ] as [(UInt64, UInt64, Int, String)])
  func `a progress line has the count, the rate and the remaining time`(
    count: UInt64, total: UInt64, seconds: Int, text: String
  ) {
    #expect(ProgressLine.text("events", count, of: total, after: .seconds(seconds)) == text)
  }

  @Test func `a progress line without a total has no remaining time`() {
    #expect(ProgressLine.text("lines", 42, of: nil, after: .seconds(2)) == "42 lines, 21 a second")
    #expect(ProgressLine.text("lines", 42, of: nil, after: .zero) == "42 lines, 42,000 a second")
  }
}
