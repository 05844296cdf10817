// Threat: a sequence of blocks that were damaged, or made by another program, ends the check of a log.
import Testing

@testable import EventLog

struct `The check of a chain` {
  @Test func `versions that do not ascend by one are reported, the largest version included`() {
    // Regression: after a damaged block a stream continues with any version, and the number after the largest one
    // overflowed, so that the check of the log trapped instead of reporting the block.
    for (first, second) in [(UInt64.max, UInt64.max), (.max, 1), (7, 9), (7, 7)] {
      var parts = BlockParts()
      parts.records = [first, second].map { recordMessage(version: $0) }
      var chain = ChainCheck()
      chain.begin(BlockParts.genesis)
      #expect(throws: BlockDefect.cutShort(byteCount: 0)) {
        try chain.check([UInt8]().span.bytes, endingAt: .zero) { _ in }
      }
      chain.begin(BlockParts.genesis)
      #expect(
        throws: BlockDefect.malformed("event 2 has version \(second) of stream stream, after version \(first)")
      ) {
        try chain.check(parts.encoded().span.bytes, endingAt: Position(rawValue: 2)) { _ in }
      }
    }
  }
}
