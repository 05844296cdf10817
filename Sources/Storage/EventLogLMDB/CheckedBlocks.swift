// The set of blocks that have been checked since the log was opened.
internal import EventLog
internal import Locks

/// A set of checked blocks, by the positions of their last events: one bit per position.
///
/// Blocks never change, and checking a large one costs more than reading an event of it: reads of single events check
/// each block once.
internal final class CheckedBlocks: Sendable {
  // Pages of 4,096 bits, allocated on first use.
  private let pages = Locked<[UInt64: [UInt64]]>([:])

  func contains(_ last: Position) -> Bool {
    pages.withLock { pages in
      guard let page = pages[last.rawValue >> 12] else { return false }
      return page[Int(last.rawValue >> 6 & 63)] & 1 << (last.rawValue & 63) != 0
    }
  }

  func insert(_ last: Position) {
    pages.withLock { pages in
      pages[last.rawValue >> 12, default: Array(repeating: 0, count: 64)][Int(last.rawValue >> 6 & 63)] |=
        1 << (last.rawValue & 63)
    }
  }
}
