// The log protocol: a chain of blocks with compare-and-append.
public import Digests

/// The end of a log: its last position and the chain hash that covers all blocks.
public struct Head: Hashable, Sendable {
  /// The position of the last event.
  public let position: Position
  /// The chain hash of the last block, which covers all blocks before it; the genesis hash when there is no block.
  public let hash: ChainHash
  /// The number of blocks.
  public let blocks: Int
  /// The time at which the last block was recorded; the creation time of the log when there is no block.
  public let recorded: Timestamp

  /// Creates a head from its parts.
  public init(position: Position, hash: ChainHash, blocks: Int, recorded: Timestamp) {
    self.position = position
    self.hash = hash
    self.blocks = blocks
    self.recorded = recorded
  }

  /// Creates the head of a log without events.
  public init(of genesis: Genesis) {
    self.init(position: .zero, hash: genesis.hash, blocks: 0, recorded: genesis.created)
  }
}

/// A chain of blocks with compare-and-append.
///
/// Implementations differ only in where blocks are stored: streams, expectations, append ids, following and
/// verification are implemented once, on top, in ``EventStore``. Calls block and may be made from any thread.
public protocol Log: AnyObject, Sendable {
  /// The identity and creation time of the log.
  var genesis: Genesis { get }

  /// Whether the log was opened read-only.
  var isReadOnly: Bool { get }

  /// Returns the end of the log.
  func head() throws(LogError) -> Head

  /// Returns the end of the log, or an earlier head of it where asking for the end would take a round trip.
  ///
  /// It is enough for an append, which proves that the head was the end.
  func lastSeenHead() throws(LogError) -> Head

  /// Appends a block after a head; the block is durable when the call returns. Throws ``LogError/headMoved(_:)`` and
  /// writes nothing when the log has another head.
  func append(_ block: BlockView, after head: Head) throws(LogError)

  /// Passes the blocks from the one that holds a position to the end, or back to the first, to the closure until it
  /// returns ``Step/stop``. With ``Checks/full`` every block is first validated, including that it follows the one
  /// before it in position.
  ///
  /// A block is valid for the duration of the closure. The closure may be slow and may read the log, but must not
  /// append.
  func blocks(
    from position: Position, _ direction: Direction, checks: Checks,
    _ body: (BlockView) throws(LogError) -> Step
  ) throws(LogError)

  /// Blocks until the log ends past a position or the deadline has passed; returns whether the log ends past it.
  func wait(beyond position: Position, until deadline: ContinuousClock.Instant) throws(LogError) -> Bool

  /// Runs the closure while no other thread or process holds the writer lock.
  ///
  /// ``append(_:after:)`` is safe without the lock: the lock only spares writers from preparing blocks in vain. It is
  /// fair: no writer gets it again before one that waits. It is acquired within a bounded time, or the call throws
  /// ``LogError/writerLockHeld(_:)`` with the holder.
  func withWriterLock(_ body: () -> Void) throws(LogError)

  /// Completes an append whose process died in the middle of it: after the call, either every reader sees the append or
  /// none ever will, and all that a reader saw before the call is durable.
  func completeInterruptedCommit() throws(LogError)

  /// The keys of the content of events, where it is encrypted.
  var content: LogContent { get }

  /// Closes the log: for a log on a disk, appending and reading the head throw from then on.
  func close()
}

extension Log {
  /// The default of false, for logs that can always be appended to.
  public var isReadOnly: Bool { false }

  /// Returns the end of the log.
  public func lastSeenHead() throws(LogError) -> Head { try head() }

  /// Does nothing: an append that is one step cannot be interrupted.
  public func completeInterruptedCommit() throws(LogError) {}
}

/// A log that can be behind one that it follows, as on a standby: what it lacks then is not lost.
package protocol FollowingLog: Log {
  /// Returns the error of a log that ends before what was read or derived here.
  func error(of missing: MissingTail) -> LogError
}

extension Log {
  /// Returns the error of a log that ends before what was read or derived here.
  package func error(of missing: MissingTail) -> LogError {
    (self as? any FollowingLog)?.error(of: missing) ?? .tailMissing(missing)
  }
}

/// The direction of a read.
public enum Direction: Hashable, Sendable {
  /// From older to newer events.
  case forward
  /// From newer to older events.
  case backward
}

/// The amount of validation while reading.
public enum Checks: Hashable, Sendable {
  /// The checksum and form of each block, and that it follows the one before; a log may skip blocks that it has checked
  /// since it was opened.
  case full
  /// Only the bounds of a block's bytes: reading a damaged block may trap.
  case none
}

/// Whether an iteration continues.
public enum Step: Hashable, Sendable {
  /// Continue with the next element.
  case next
  /// Stop after this element.
  case stop
}

/// An error of a log.
public enum LogError: Error, Sendable {
  /// Another writer appended first; the new head is attached.
  case headMoved(Head)
  /// A block does not have the bytes that were written. The position is one that the block holds or should hold.
  case damaged(at: Position, BlockDefect)
  /// The file that holds the log is damaged, so that blocks cannot be reached. The text names the file and the damage.
  case fileDamaged(String)
  /// The index has an event at a position, and the log does not agree.
  case indexDiffers(at: Position)
  /// The clock is implausible; nothing was appended.
  case clock(ClockDefect)
  /// Another writer holds the writer lock and did not release it before the timeout.
  case writerLockHeld(WriterLockHolder)
  /// The disk or the user's quota is full, or the log's address space is used up; nothing was appended.
  case noSpace(StorageFailure)
  /// The commit failed while it was being put in force: whether the append was made is unknown until the log is
  /// opened again.
  case outcomeUnknown(StorageFailure)
  /// The log's file was moved, deleted or replaced while the log was open.
  case replaced(path: String)
  /// The log was opened read-only.
  case readOnly(path: String)
  /// Data derived from the log holds more events than the log.
  case tailMissing(MissingTail)
  /// The log's content is encrypted, and it was opened without its keys; nothing was appended.
  case keysMissing
  /// The disk or the operating system reported an error.
  case storage(StorageFailure)
}

/// Evidence that the last events of a log are missing: derived data was built from more events than the log holds.
public struct MissingTail: Hashable, Sendable {
  /// The path of the derived data.
  public let path: String
  /// The last position that the derived data was built from.
  public let position: Position
  /// The end of the log.
  public let end: Position

  /// Creates the evidence from its parts.
  public init(path: String, position: Position, end: Position) {
    (self.path, self.position, self.end) = (path, position, end)
  }
}

extension MissingTail: CustomStringConvertible {
  /// The error in one sentence: what failed, on what, what to do.
  public var description: String {
    "\(path) was made from events up to position \(position), but the log ends at \(end), so its last events are "
      + "missing: salvage the log or restore a newer backup, or, if the shorter log is intended, remove the tables "
      + "of the longer one with `rebuild --discard-ahead`."
  }
}

/// The process that holds the writer lock.
public struct WriterLockHolder: Hashable, Sendable {
  /// The process id with the process name and state: "4711 (verbatim, stopped)".
  public let process: String
  /// The time that the caller waited for the lock.
  public let waited: Duration

  /// Creates a holder from its parts.
  public init(process: String, waited: Duration) {
    self.process = process
    self.waited = waited
  }
}

/// A failure of the disk or the operating system.
public struct StorageFailure: Sendable {
  /// The error in one sentence: what failed, on what, what to do.
  public let description: String
  /// The underlying error, if there is one.
  public let underlying: (any Error)?

  /// Creates a failure with its description.
  public init(_ description: String, underlying: (any Error)? = nil) {
    self.description = description
    self.underlying = underlying
  }

  /// Creates a failure with the description of an error.
  package init(of error: some Error & CustomStringConvertible) {
    self.init(error.description, underlying: error)
  }
}

extension LogError: CustomStringConvertible {
  /// The error in one sentence: what failed, on what, what to do.
  public var description: String {
    switch self {
    case .headMoved(let head):
      "Another writer appended up to position \(head.position): read the new events and append after them."
    case .damaged(let position, .otherFormat(let format)):
      "The block of position \(position) was written in format \(format) by a newer program: "
        + "open the log with that program."
    case .damaged(let position, let defect):
      "The block of position \(position) is damaged (\(defect)): verify the log, salvage the intact blocks, or "
        + "restore a "
        + "backup."
    case .fileDamaged(let what): "\(what): verify the log, salvage the intact blocks, or restore a backup."
    case .indexDiffers(let position):
      "The index does not match the log at position \(position): close the log and delete its index directory, "
        + "which is then rebuilt."
    case .clock(let defect): defect.description
    case .writerLockHeld(let holder):
      "The writer lock is held by process \(holder.process) since \(holder.waited) at least: "
        + "let it finish or end it, then retry with the same append id."
    case .replaced(let path):
      "The log's file at \(path) was moved, deleted or replaced while it was open: close the log, open it again, and "
        + "retry unacknowledged appends with the same append ids."
    case .keysMissing:
      "The content of the log is encrypted, and the log was opened without its keys: open the workspace instead."
    case .readOnly(let path):
      "The log at \(path) is open read-only, since it is not writable here: append where it is writable."
    case .tailMissing(let missing): missing.description
    case .noSpace(let failure), .outcomeUnknown(let failure), .storage(let failure): failure.description
    }
  }
}
