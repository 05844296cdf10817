// A log whose reads are counted, and fail when a test wants them to.
import EventLog
import Locks
import Synchronization

/// A log that counts the blocks that are read, and can refuse to read them.
final class ObservedLog: Log {
  private let log: any Log
  private let fails = Locked(false)
  /// The number of blocks that were read.
  let blocks = Atomic<Int>(0)

  init(_ log: any Log) { self.log = log }

  /// Runs the closure while no block can be read.
  @discardableResult
  func whileFailing<R>(_ body: () -> R) -> R {
    fails.withLock { $0 = true }
    defer { fails.withLock { $0 = false } }
    return body()
  }

  var genesis: Genesis { log.genesis }
  var content: LogContent { log.content }
  func head() throws(LogError) -> Head { try log.head() }
  func append(_ block: BlockView, after head: Head) throws(LogError) { try log.append(block, after: head) }

  func blocks(
    from position: Position, _ direction: Direction, checks: Checks, _ body: (BlockView) throws(LogError) -> Step
  ) throws(LogError) {
    if fails.withLock({ $0 }) { throw .storage(StorageFailure("The log cannot be read: try again.")) }
    try log.blocks(from: position, direction, checks: checks) { block throws(LogError) in
      blocks.add(1, ordering: .relaxed)
      return try body(block)
    }
  }

  func wait(beyond position: Position, until deadline: ContinuousClock.Instant) throws(LogError) -> Bool {
    try log.wait(beyond: position, until: deadline)
  }

  func withWriterLock(_ body: () -> Void) throws(LogError) { try log.withWriterLock(body) }
  func close() { log.close() }
}
