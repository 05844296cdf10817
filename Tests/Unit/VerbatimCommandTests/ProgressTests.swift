// Threat: a progress line is wrong.
import Foundation
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

  @Test func `reports beside a terminal are lines of JSON, four a second at most, where they are asked for`() throws {
    func written(reports: Bool) throws -> String {
      let pipe = Pipe()
      var context = Context()
      (context.errors, context.reportsProgress) = (pipe.fileHandleForWriting.fileDescriptor, reports)
      let start = ContinuousClock.now
      let line = ProgressLine("events", in: context, now: start)
      line.reach(1, of: 9, now: start)
      line.reach(2, of: 9, now: start + .seconds(1))
      line.reach(3, of: 9, now: start + .milliseconds(1100))
      line.reach(4, of: nil, now: start + .seconds(2))
      line.end()
      try pipe.fileHandleForWriting.close()
      return String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    }
    #expect(try written(reports: true) == "{\"done\":2,\"of\":9}\n{\"done\":4}\n")
    #expect(try written(reports: false) == "")
  }
}
