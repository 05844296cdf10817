// Which blocks have been checked since the log was opened.
internal import EventLog
internal import Locks

/// Remembers blocks that were checked, by the positions of their last events: a bit for each position.
///
/// Blocks never change, and to check a large one costs more than to read an event of it: who looks up single events
/// checks each block once.
internal final class CheckedBlocks: Sendable {
  // Pages of 4,096 bits, made when first needed.
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
