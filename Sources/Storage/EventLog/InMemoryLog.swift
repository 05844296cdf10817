// The in-memory log: the reference implementation.
internal import Digests
internal import Locks

/// A log in memory.
///
/// It is a complete log, with blocks, hash chain and writer lock, and the reference for the others: for tests, for
/// state that may be lost, and for experiments.
public final class InMemoryLog: Log {
  /// The identity and creation time of the log.
  public let genesis: Genesis
  /// The keys of the content of events, where it is encrypted.
  public let content = LogContent()

  private struct State {
    var blocks: [StoredBlock] = []
    var head: Head
  }

  private struct StoredBlock {
    let last: Position
    let bytes: [UInt8]
  }

  private let state: Locked<State>
  private let writerLock = Locked(false)
  private let appended = Signal()

  /// Creates an empty log.
  public init(genesis: Genesis = .new()) {
    self.genesis = genesis
    state = Locked(State(head: Head(of: genesis)))
  }

  /// Returns the end of the log.
  public func head() -> Head { state.withLock { $0.head } }

  /// Appends a block after a head.
  public func append(_ block: BlockView, after head: Head) throws(LogError) {
    let stored = StoredBlock(last: block.last, bytes: block.bytes.withUnsafeBytes { Array($0) })
    let next = block.head
    let moved: Head? = state.withLock { state in
      guard state.head == head else { return state.head }
      state.blocks.append(stored)
      state.head = next
      return nil
    }
    if let moved { throw .headMoved(moved) }
    appended.raise()
  }

  /// Passes the blocks in order to the closure.
  public func blocks(
    from position: Position, _ direction: Direction, checks: Checks,
    _ body: (BlockView) throws(LogError) -> Step
  ) throws(LogError) {
    guard var index = indexOfBlock(holding: position, direction) else { return }
    while let stored = block(at: index) {
      let block = try BlockView(stored.bytes.span.bytes, checks: checks, at: stored.last)
      if try body(block) == .stop { return }
      index += direction == .forward ? 1 : -1
    }
  }

  /// Blocks until the log ends past a position or the deadline has passed.
  public func wait(beyond position: Position, until deadline: ContinuousClock.Instant) throws(LogError) -> Bool {
    while true {
      if head().position > position { return true }
      let rest = ContinuousClock.now.duration(to: deadline)
      if rest <= .zero { return false }
      appended.sleep(for: rest) { head().position > position }
    }
  }

  /// Runs the closure while no other thread holds the writer lock.
  public func withWriterLock(_ body: () -> Void) {
    writerLock.withLock { _ in body() }
  }

  /// Does nothing: the log is freed with its last reference.
  public func close() {}

  private func block(at index: Int) -> StoredBlock? {
    state.withLock { $0.blocks.indices.contains(index) ? $0.blocks[index] : nil }
  }

  /// Returns the index of the first block to read: the one that holds the position, or the next one in the direction.
  private func indexOfBlock(holding position: Position, _ direction: Direction) -> Int? {
    state.withLock { state in
      var low = 0
      var high = state.blocks.count
      while low < high {
        let middle = (low + high) / 2
        if state.blocks[middle].last < position { low = middle + 1 } else { high = middle }
      }
      if direction == .backward, low == state.blocks.count { low -= 1 }
      return low < 0 || position == .zero && direction == .backward ? nil : low
    }
  }
}
