// A log on disk: blocks in LMDB, each commit fully synced.
internal import Digests
internal import Dispatch
public import EventLog
internal import Errors
internal import Files
internal import LMDB
internal import Locks
internal import Tables

/// A log in a directory, one block per durable commit; any number of processes may use it at once.
///
/// `OnDiskLayout` describes the files. The log knows its blocks, its index and the writer lock; it does not interpret
/// events.
public final class LMDBLog: Log {
  /// The identity and creation time of the log.
  public let genesis: Genesis
  /// The directory of the log.
  public let path: String

  private let opened: Locked<OpenEnvironment?>
  internal let table: Table
  /// The mark of the last durable transaction, once a process of this boot has appended.
  internal let marks = Locked(Marks())
  internal let options: Options
  /// The directory of the data derived from the log: that of the log, unless it is read-only.
  package var derivedPath: String { derived?.path ?? path }
  private let derived: DerivedDirectory?
  /// The writer lock; nil for a read-only log.
  internal let writerLock: FileLock?
  /// The table store of the index, while one is open.
  internal let indexStore = Locked(IndexStore())
  private let writerQueue: FileLock?
  private let thread = DispatchSemaphore(value: 1)
  /// The number of the thread that holds the writer lock; 0 for none.
  private let holder = Locked<UInt>(0)
  private let appended = Signal()
  private let checked = CheckedBlocks()
  internal let known: Locked<Known>

  internal struct IndexStore { weak var tableStore: TableStore? }

  /// The head as of a transaction, and the failure after which the log must be reopened.
  internal struct Known {
    var transaction = -1
    var head: Head
    var failure: LogError?
    /// The time at which the head was last seen to move.
    var lastMove = ContinuousClock.now
    var lastReap = ContinuousClock.now
    var hasAppended = false
    /// The time at which the path was last compared with the open file.
    var lastLook = ContinuousClock.now

    mutating func move(to head: Head, transaction: Int) {
      guard transaction > self.transaction else { return }
      if head != self.head { lastMove = .now }
      self.transaction = transaction
      self.head = head
    }
  }

  internal init(
    path: String, environment: consuming Environment, table: Table, genesis: Genesis, options: Options
  ) throws(LMDBError) {
    self.path = path
    opened = Locked(OpenEnvironment(environment))
    self.table = table
    self.genesis = genesis
    self.options = options
    (derived, writerLock, writerQueue) = try LMDBError.mapping { () throws(FileError) in
      (
        options.isReadOnly || options.derivesElsewhere
          ? try DerivedDirectory(of: genesis, in: options.cacheDirectory) : nil,
        options.isReadOnly ? nil : try FileLock(path: path + "/writer-lock"),
        options.isReadOnly ? nil : try FileLock(path: path + "/writer-queue")
      )
    }
    known = Locked(Known(head: Head(of: genesis)))
  }

  /// Returns the end of the log.
  public func head() throws(LogError) -> Head {
    let last = try lastTransaction()
    let known: Head? = try self.known.withLock { known throws(LogError) in
      try requireUsable(&known)
      return known.transaction == last ? known.head : nil
    }
    if let known { return known }
    let (transaction, head) = try readHead()
    self.known.withLock { $0.move(to: head, transaction: transaction) }
    return head
  }

  /// Appends a block after a head; it is durable when the call returns.
  public func append(_ block: BlockView, after head: Head) throws(LogError) {
    try requireWritable()
    try requireRoom(for: block)
    let opened = try open()
    try holdingWriterLock { () throws(LogError) in
      do throws(CommitError) {
        let transaction = try commit(block.bytes.byteCount, after: head, opened) { cursor throws(LMDBError) in
          try block.bytes.withUnsafeBytes { bytes throws(LMDBError) in
            try cursor.append(bytes, for: BlockKey(block.last))
          }
          return block.head
        }
        known.withLock { $0.move(to: block.head, transaction: transaction) }
      } catch {
        switch error {
        case .headMoved: throw .headMoved(try readHead().head)
        case .notAppended(let error): throw failed(error, isUncertain: false, opened)
        case .uncertain(let error): throw failed(error, isUncertain: true, opened)
        }
      }
    }
    try requireInPlace(opened)
    appended.raise()
    reapNowAndThen()
  }

  /// Completes an append whose process died in the middle of it.
  ///
  /// Such a process leaves a commit that LMDB has in force and that is not durable, so that it is not visible. It may
  /// also not have published the transaction number to LMDB's readers, which the next writer to lock LMDB's mutex does
  /// (“Keep mti_txnid updated, otherwise next writer can overwrite data which latest meta page refers to”).
  public func completeInterruptedCommit() throws(LogError) {
    try requireWritable()
    let opened = try open()
    if try lastTransaction() == opened.environment.lastTransaction() { return }
    try holdingWriterLock { () throws(LogError) in
      try rethrow(settle(opened), as: { (error: LMDBError) in failed(error, isUncertain: false, opened) })
    }
  }

  /// Runs the closure while this thread holds the writer lock, which it may hold already.
  internal func holdingWriterLock(_ body: () throws(LogError) -> Void) throws(LogError) {
    if holder.withLock({ $0 == CurrentThread.number }) { return try body() }
    var result = Result<Void, LogError>.success(())
    try withWriterLock { result = Result { () throws(LogError) in try body() } }
    try result.get()
  }

  /// Whether the log was opened read-only.
  public var isReadOnly: Bool { options.isReadOnly }

  /// The keys of the content of events, where it is encrypted.
  public let content = LogContent()

  private func requireWritable() throws(LogError) {
    if isReadOnly { throw .readOnly(path: path) }
    try requireUsable()
  }

  private func requireUsable() throws(LogError) {
    try known.withLock { known throws(LogError) in try requireUsable(&known) }
  }

  /// Throws after a failure that requires reopening; from time to time also checks that the path still names the open
  /// file.
  private func requireUsable(_ known: inout Known) throws(LogError) {
    if let failure = known.failure { throw failure }
    if try mark()?.failed != nil {
      let failure = LogError.storage(
        StorageFailure(
          "A sync of \(path) failed, in this process or another: close the log in all of them, then open it again."))
      known.failure = failure
      throw failure
    }
    let now = ContinuousClock.now
    guard known.lastLook.duration(to: now) > .milliseconds(50) else { return }
    known.lastLook = now
    if try open().environment.isInPlace { return }
    known.failure = .replaced(path: path)
    throw .replaced(path: path)
  }

  /// Throws when the path no longer names the open file: what was written to the open file is not in the log at the
  /// path.
  internal func requireInPlace(_ opened: OpenEnvironment) throws(LogError) {
    if opened.environment.isInPlace { return }
    known.withLock { $0.failure = .replaced(path: path) }
    throw .replaced(path: path)
  }

  /// Frees the slots of readers that died, which would make the file grow with every commit.
  private func reapNowAndThen() {
    let isTime = known.withLock { known in
      let now = ContinuousClock.now
      guard known.lastReap.duration(to: now) > .seconds(60) else { return false }
      known.lastReap = now
      return true
    }
    if isTime { _ = try? open().environment.reapStaleReaders() }
  }

  /// Passes the blocks in order to the closure; a read transaction lasts for a few blocks at most.
  public func blocks(
    from position: Position, _ direction: Direction, checks: Checks,
    _ body: (BlockView) throws(LogError) -> Step
  ) throws(LogError) {
    var next: Position? = max(position, .first)
    if position == .zero, direction == .backward { return }
    try requireUsable()
    let opened = try open()
    var isFirst = true
    while let from = next {
      var result = Result<Position?, LogError>.success(nil)
      try access { () throws(LMDBError) in
        try opened.environment.read { transaction throws(LMDBError) in
          try transaction.withCursor(over: table) { cursor throws(LMDBError) in
            let end = try durable(before: transaction.number, opened)?.position
            result = try lend(&cursor, from: from, to: end, direction, checks, isFirst: isFirst, body)
          }
        }
      }
      next = try result.get()
      isFirst = false
    }
  }

  /// The maximum number of blocks per read transaction: a long transaction would make the file grow.
  private static let blocksPerTransaction = 256

  /// Passes some blocks, up to a position if one is given, to the closure; returns the position at which to continue,
  /// nil at the end.
  private func lend(
    _ cursor: inout Cursor, from position: Position, to end: Position?, _ direction: Direction, _ checks: Checks,
    isFirst: Bool, _ body: (BlockView) throws(LogError) -> Step
  ) throws(LMDBError) -> Result<Position?, LogError> {
    var expected = position
    let isBeyond = end.map { $0 < position } ?? false
    var isThere = isBeyond ? false : try cursor.move(toFirstFrom: BlockKey(position))
    if !isThere, direction == .backward, isFirst {
      isThere = try cursor.move(toEnd: end)
      if isThere, let last = BlockKey(cursor.key) { expected = last.position }
    }
    for number in 0..<Self.blocksPerTransaction {
      guard isThere, let last = BlockKey(cursor.key)?.position, last > .zero, last <= end ?? last else {
        return .success(nil)
      }
      do throws(LogError) {
        // Only for the first block of a read: in a scan, the lookup would cost as much as it saves.
        let mayKnow = isFirst && number == 0 && checks == .full
        let isChecked = mayKnow && checked.contains(last)
        let block = try BlockView(cursor.value, checks: isChecked ? .none : checks, at: last)
        if mayKnow, !isChecked { checked.insert(last) }
        if checks == .full, expected < block.first || block.last < expected {
          throw .damaged(at: expected, .wrongPosition(expected: expected, found: block.first))
        }
        if try body(block) == .stop { return .success(nil) }
        switch direction {
        case .forward: expected = block.last.next
        case .backward: expected = Position(rawValue: block.first.rawValue - 1)
        }
      } catch {
        return .failure(error)
      }
      if expected == .zero { return .success(nil) }
      isThere = try direction == .forward ? cursor.moveToNext() : cursor.moveToPrevious()
    }
    return .success(expected)
  }

  /// Blocks until the log ends past a position or the deadline has passed.
  ///
  /// An append in the same process wakes it. For appends of other processes it polls the number of LMDB's last
  /// transaction, which costs nanoseconds: each millisecond after recent commits, and every three otherwise.
  public func wait(beyond position: Position, until deadline: ContinuousClock.Instant) throws(LogError) -> Bool {
    while true {
      let seen = try lastTransaction()
      if try head().position > position { return true }
      let now = ContinuousClock.now
      if now >= deadline { return false }
      let quiet = known.withLock { $0.lastMove.duration(to: now) }
      let pause: Duration = quiet < .milliseconds(500) ? .milliseconds(1) : .milliseconds(3)
      appended.sleep(for: min(pause, now.duration(to: deadline))) { (try? lastTransaction()) != seen }
    }
  }

  /// Runs the closure while no other thread or process holds the writer lock.
  ///
  /// A waiting writer holds the queue lock, so that the previous holder of the writer lock cannot take it again first.
  public func withWriterLock(_ body: () -> Void) throws(LogError) {
    guard let writerLock, let writerQueue else { throw .readOnly(path: path) }
    let deadline = ContinuousClock.now.advanced(by: options.writerLockTimeout)
    // The file locks belong to this log, not to a thread of it.
    guard thread.wait(for: options.writerLockTimeout) else { throw writerLockHeld(writerLock.holder) }
    defer { thread.signal() }
    guard writerQueue.lock(until: deadline) else { throw writerLockHeld(writerLock.holder ?? writerQueue.holder) }
    writerQueue.recordHolder()
    let isMine = writerLock.lock(until: deadline)
    writerQueue.unlock()
    guard isMine else { throw writerLockHeld(writerLock.holder) }
    defer { writerLock.unlock() }
    writerLock.recordHolder()
    holder.withLock { $0 = CurrentThread.number }
    defer { holder.withLock { $0 = 0 } }
    body()
  }

  private func writerLockHeld(_ process: Int32?) -> LogError {
    .writerLockHeld(
      WriterLockHolder(process: process.map(FileSystem.describe) ?? "unknown", waited: options.writerLockTimeout))
  }

  /// Closes the log and releases its file; later calls throw. Every acknowledged append is on the disk already.
  public func close() {
    // By the mark, damage of the last commit can be told from an incomplete one.
    if known.withLock({ $0.hasAppended }) { try? mark()?.sync() }
    known.withLock { $0.failure = closed }
    opened.withLock { $0 = nil }
  }

  /// Returns the open environment, which is closed after the last access to it when the log was closed meanwhile.
  internal func open() throws(LogError) -> OpenEnvironment {
    guard let environment = opened.withLock({ $0 }) else { throw closed }
    return environment
  }

  private var closed: LogError { .storage(StorageFailure("\(path) was closed: open it again.")) }
}

extension LMDBLog {
  /// Returns the head as of the newest durable transaction.
  internal func readHead() throws(LogError) -> (transaction: Int, head: Head) {
    var found: (transaction: Int, head: Head?) = (0, nil)
    var (end, isWhole) = (Position?.none, true)
    var result = Result<Void, LogError>.success(())
    let opened = try open()
    try access { () throws(LMDBError) in
      try opened.environment.read { transaction throws(LMDBError) in
        let entries = try transaction.statistics(of: table).entries
        found.transaction = transaction.number
        try transaction.withCursor(over: table) { cursor throws(LMDBError) in
          if let earlier = try durable(before: transaction.number, opened) {
            (found.transaction, end, isWhole) = (earlier.transaction, earlier.position, false)
          }
          guard try cursor.move(toEnd: end), let last = BlockKey(cursor.key)?.position, last > .zero else { return }
          result = Result { () throws(LogError) in
            let block = try BlockView(cursor.value, checks: .full, at: last)
            // One entry is the genesis. A tree that lost its newest blocks to a damaged page has the wrong count.
            guard block.ordinal == entries - 1 || !isWhole else {
              throw .damaged(at: block.last, .wrongOrdinal(expected: entries - 1, found: block.ordinal))
            }
            found.head = block.head
          }
        }
        if found.head == nil, entries > 1, isWhole, case .success = result {
          result = .failure(.damaged(at: .first, .malformed("the log has \(entries) entries and no last entry")))
        }
      }
    }
    try result.get()
    return (found.transaction, found.head ?? Head(of: genesis))
  }
}

extension Cursor {
  /// Moves to the block that ends at a position, or to the last one for nil.
  fileprivate mutating func move(toEnd position: Position?) throws(LMDBError) -> Bool {
    guard let position else { return try moveToLast() }
    return try move(to: BlockKey(position))
  }

  /// Moves to the last block and returns whether the log ends with a head.
  internal mutating func isAt(end head: Head, _ genesis: Genesis) throws(LMDBError) -> Bool {
    guard try moveToLast(), let last = BlockKey(key)?.position, last == head.position else { return false }
    if last == .zero { return head == Head(of: genesis) }
    guard value.byteCount >= Frame.tailCount else { throw .corrupted }
    return value.withUnsafeBytes { Frame.storedHash(of: $0) } == head.hash
  }
}
