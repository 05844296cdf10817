// A copy of a log, block for block, in a log of either kind.

/// A log that has the first blocks of another one, and gets those that are missing.
package struct LogCopy {
  /// The end of the copy.
  package private(set) var end: Head
  private let (log, copy): (any Log, any Log)

  /// Creates the copy of a log; nil when the copy is not the beginning of it.
  package init?(of log: any Log, in copy: any Log) throws(LogError) {
    (self.log, self.copy) = (log, copy)
    end = try copy.head()
    guard copy.genesis == log.genesis else { return nil }
    if end != Head(of: log.genesis), try log.head(at: end.position) != end { return nil }
  }

  /// Copies the blocks that the copy does not have, each of which is checked, and passed to `prepare` before it is
  /// written; ends early when `reached`, which gets the position up to which they are on the disk, returns false.
  package mutating func copyBlocks(
    preparing prepare: (BlockView) throws(LogError) -> Void = { _ in }, _ reached: (Position) -> Bool
  ) throws(LogError) {
    var writer = BlockWriter(to: copy)
    var end = end
    try log.blocks(following: end) { block, before throws(LogError) in
      try prepare(block)
      let isWritten = try writer.add(block, after: before)
      end = block.head
      return isWritten && !reached(end.position) ? .stop : .next
    }
    try writer.finish()
    self.end = end
    _ = reached(end.position)
  }
}
