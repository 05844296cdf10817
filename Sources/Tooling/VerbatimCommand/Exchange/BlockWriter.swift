// Writes the blocks of an import or of a generated conversation, many per commit.
internal import EventLog
internal import EventLogLMDB

/// A writer of blocks to a log, many per append.
struct BlockWriter {
  private let log: any Log
  /// The head that the first pending block follows.
  private var before: Head?
  private var blocks: [[UInt8]] = []
  private var byteCount = 0

  init(to log: any Log) { self.log = log }

  /// Adds a block; returns whether it is on disk, with all blocks before it.
  mutating func add(_ block: BlockView, after head: Head) throws(Failure) -> Bool {
    if blocks.isEmpty { before = head }
    blocks.append(block.bytes.withUnsafeBytes { Array($0) })
    byteCount += block.bytes.byteCount
    guard blocks.count >= 256 || byteCount >= 1 << 20 else { return false }
    try finish()
    return true
  }

  /// Writes the pending blocks.
  mutating func finish() throws(Failure) {
    guard let before, !blocks.isEmpty else { return }
    try asked { () throws(LogError) in
      if let log = log as? LMDBLog { return try log.append(copies: blocks, after: before) }
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
