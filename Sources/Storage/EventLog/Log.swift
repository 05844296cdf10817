// A log: a chain of blocks.
public import Digests

/// The end of a log: everything up to it, named by one hash.
public struct Head: Hashable, Sendable {
  /// Where the last event stands.
  public let position: Position
  /// The hash of the last block, which all before it are bound to; the genesis's when there is none.
  public let hash: ChainHash
  /// How many blocks there are.
  public let blocks: Int
  /// When the last block was recorded; the log's birth when there is none.
  public let recorded: Timestamp

  /// A head with its parts.
  public init(position: Position, hash: ChainHash, blocks: Int, recorded: Timestamp) {
    self.position = position
    self.hash = hash
    self.blocks = blocks
    self.recorded = recorded
  }

  /// The head of a log without events.
  public init(of genesis: Genesis) {
    self.init(position: .zero, hash: genesis.hash, blocks: 0, recorded: genesis.created)
  }
}

/// A chain of blocks with compare-and-append.
///
/// Where the blocks are kept is all that logs differ in: streams, expectations, append ids, following and
/// verification stand above, in ``EventStore``, once for all. Calls block and may come from any thread.
public protocol Log: AnyObject, Sendable {
  /// What the log was born with.
  var genesis: Genesis { get }

  /// The end of the log.
  func head() throws(LogError) -> Head

  /// Adds a block behind a head, durably when it returns; throws ``LogError/headMoved(_:)`` and writes nothing
  /// when the log ends elsewhere.
  func append(_ block: BlockView, after head: Head) throws(LogError)

  /// Lends the blocks from the one that holds a position to the end, or back to the beginning, until the closure says
  /// to stop. With ``Checks/full`` every block is validated, and follows the one before it in position, first.
  ///
  /// The closure may take its time and may read the log, but must not append.
  func blocks(
    from position: Position, _ direction: Direction, checks: Checks,
    _ body: (BlockView) throws(LogError) -> Step
  ) throws(LogError)

  /// Waits until the log ends past a position or the deadline has come; answers whether it does.
  func wait(beyond position: Position, until deadline: ContinuousClock.Instant) throws(LogError) -> Bool

  /// Runs the closure while nobody else, in any process, holds the writer lock.
  ///
  /// ``append(_:after:)`` is safe without it: the turn only spares writers from preparing blocks in vain. Nobody gets
  /// it again before somebody who waits; within a bounded time it is given, or ``LogError/writerLockHeld(_:)`` says by whom
  /// it is held.
  func withWriterLock(_ body: () -> Void) throws(LogError)

  /// Settles what became of an append whose process died in the middle of it: what is in the log is seen by all from
  /// now on, and nothing of it comes to be seen later.
  func completeInterruptedCommit() throws(LogError)

  /// Ends the use of the log: where it is kept on a disk, appending to it and asking for its head fail from now on.
  func close()
}

extension Log {
  /// Nothing is unsettled where an append is made by one step.
  public func completeInterruptedCommit() throws(LogError) {}
}

/// Which way to read.
public enum Direction: Hashable, Sendable {
  /// From older to newer.
  case forward
  /// From newer to older.
  case backward
}

/// How much of what is read is checked.
public enum Checks: Hashable, Sendable {
  /// Checksum and form of each block, and that it follows the one before; a log may leave out what it has checked since
  /// it was opened.
  case full
  /// Only what keeps reading within a block's bytes: a damaged block may trap.
  case none
}

/// Whether to go on.
public enum Step: Hashable, Sendable {
  /// Go on with the next.
  case next
  /// This was the last.
  case stop
}

/// What a log can say instead of doing what it was asked.
public enum LogError: Error, Sendable {
  /// Somebody else appended first.
  case headMoved(Head)
  /// A block is not what was written. The position is one that it holds or should hold.
  case damaged(at: Position, BlockDefect)
  /// The file that holds the log is damaged, so that blocks cannot be reached. The text says which file and how.
  case fileDamaged(String)
  /// The index says that an event stands at a position, and the log says otherwise.
  case indexDiffers(at: Position)
  /// The clock is not believed, so that nothing was appended.
  case clock(ClockDefect)
  /// Another writer has the turn and did not give it back in time.
  case writerLockHeld(WriterLockHolder)
  /// The disk or the user's quota is full, or the log's address space is used up; nothing was appended.
  case noSpace(StorageFailure)
  /// The commit failed while it was put in force: whether the append was made is not known before the log is opened
  /// again.
  case outcomeUnknown(StorageFailure)
  /// The log's file was moved, deleted or replaced while it was open.
  case replaced(path: String)
  /// The log was opened for reading alone.
  case readOnly(path: String)
  /// Something that was derived from the log holds more events than the log does.
  case endMissing(MissingTail)
  /// The disk or the system refused.
  case storage(StorageFailure)
}

/// Evidence that the last events of a log are missing: derived data that was made from more events than it holds.
public struct MissingTail: Error, Hashable, Sendable {
  /// The path of the derived data.
  public let path: String
  /// The last position that the data was made from.
  public let position: Position
  /// The end of the log.
  public let end: Position

  /// Evidence with its parts.
  public init(path: String, position: Position, end: Position) {
    (self.path, self.position, self.end) = (path, position, end)
  }
}

extension MissingTail: CustomStringConvertible {
  /// One sentence: what happened, to what, what to do.
  public var description: String {
    "\(path) was made from events up to position \(position), but the log ends at \(end), so its last events are "
      + "missing: salvage the log or restore a newer backup, or, if the shorter log is the one that is wanted, discard "
      + "what was derived from the longer one with `rebuild --discard-ahead`."
  }
}

/// Who holds the writer lock.
public struct WriterLockHolder: Hashable, Sendable {
  /// The process, and what can be said of it: "4711 (verbatim, stopped)".
  public let process: String
  /// How long was waited for it.
  public let waited: Duration

  /// A holder.
  public init(process: String, waited: Duration) {
    self.process = process
    self.waited = waited
  }
}

/// A failure of the disk or the system.
public struct StorageFailure: Error, Sendable {
  /// One sentence: what happened, to what, what to do.
  public let description: String
  /// The error below, if there was one.
  public let underlying: (any Error)?

  /// A failure with its description.
  public init(_ description: String, underlying: (any Error)? = nil) {
    self.description = description
    self.underlying = underlying
  }
}

extension LogError: CustomStringConvertible {
  /// One sentence: what happened, to what, what to do.
  public var description: String {
    switch self {
    case .headMoved(let head):
      "Somebody else appended up to position \(head.position): read what is new and append behind it."
    case .damaged(let position, .otherFormat(let format)):
      "The block of position \(position) was written in format \(format) by a newer program: "
        + "open the log with that one."
    case .damaged(let position, let defect):
      "The block of position \(position) is damaged (\(defect)): verify the log, salvage what is whole, or restore a "
        + "backup."
    case .fileDamaged(let what): "\(what): verify the log, salvage what is whole, or restore a backup."
    case .indexDiffers(let position):
      "The index does not agree with the log at position \(position): close the log and delete its index folder, "
        + "which is then made anew."
    case .clock(let defect): defect.description
    case .writerLockHeld(let holder):
      "The writer lock is held by process \(holder.process) since \(holder.waited) at least: "
        + "let it go on or end it, then try again with the same append id."
    case .replaced(let path):
      "The log's file at \(path) was moved, deleted or replaced while it was open: close the log, open it again, and "
        + "repeat with the same append id what was not acknowledged."
    case .readOnly(let path):
      "The log at \(path) was opened for reading alone, since it cannot be written here: append where it can."
    case .endMissing(let missing): missing.description
    case .noSpace(let failure), .outcomeUnknown(let failure), .storage(let failure): failure.description
    }
  }
}
