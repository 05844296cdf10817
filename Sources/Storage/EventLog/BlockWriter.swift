// Writing blocks that another log has, many per commit where the log can.

/// A log that can append several blocks in one commit.
package protocol BatchLog: Log {
  /// Appends the bytes of consecutive blocks after a head: all of them, durable when the call returns, or none.
  ///
  /// The caller is responsible for their validity.
  func append(copies blocks: [[UInt8]], after head: Head) throws(LogError)
}

/// A writer of blocks to a log, many per append.
package struct BlockWriter {
  private let log: any Log
  /// The head that the first pending block follows.
  private var before: Head?
  private var blocks: [[UInt8]] = []
  private var byteCount = 0

  package init(to log: any Log) { self.log = log }

  /// Adds a block; returns whether it is on disk, with all blocks before it.
  package mutating func add(_ block: BlockView, after head: Head) throws(LogError) -> Bool {
    if blocks.isEmpty { before = head }
    blocks.append(block.bytes.withUnsafeBytes { Array($0) })
    byteCount += block.bytes.byteCount
    guard blocks.count >= 256 || byteCount >= 1 << 20 else { return false }
    try finish()
    return true
  }

  /// Writes the pending blocks.
  package mutating func finish() throws(LogError) {
    guard let before, !blocks.isEmpty else { return }
    if let log = log as? any BatchLog {
      try log.append(copies: blocks, after: before)
    } else {
      var head = before
      for bytes in blocks {
        guard let block = try? BlockView(bytes.span.bytes) else { preconditionFailure("an added block has no head") }
        try log.append(block, after: head)
        head = block.head
      }
    }
    blocks.removeAll(keepingCapacity: true)
    byteCount = 0
  }
}
