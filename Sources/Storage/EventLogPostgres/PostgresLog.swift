// A log on a PostgreSQL server: blocks in a table, under one head row.
internal import Digests
public import EventLog
internal import Errors
internal import Files
internal import Locks

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A log on a PostgreSQL server; any number of processes on any number of machines may use it at once.
///
/// `EventLogPostgres` describes the tables and what each failure of a server or a connection can do. The log knows its
/// blocks and its head; it does not interpret events.
public final class PostgresLog: Log, BatchLog {
  /// The identity and creation time of the log.
  public let genesis: Genesis
  /// The keys of the content of events, where it is encrypted.
  public let content = LogContent()
  /// The address of the log.
  public let address: PostgresAddress
  /// Whether the log can only be read here: on a standby, or for a user without the right to append.
  public let isReadOnly: Bool
  /// Settings of the server with which acknowledged events can be lost, each a sentence; empty when there is none.
  public let warnings: [String]

  /// The directory, shared by all machines, for the contents of attachments; nil when they are in the database.
  public let blobDirectory: String?

  /// The directory of this machine for the data derived from the log.
  package let derivedPath: String

  internal let id: Int64
  internal let options: Options
  internal let pool: ConnectionPool
  internal let known: Locked<Known>
  private let turn: WriterTurn
  /// The number of blocks that are appended under the lock between machines after another one was first.
  internal static let contended = 64
  internal let channel: Channel
  internal let acknowledged: AcknowledgedHead
  internal let recent: RecentBlocks

  /// The newest head that was seen, and the fence of the log's row.
  internal struct Known {
    var head: Head
    var fence: Int64
    /// The number of further blocks that are appended under the lock between machines.
    var contention = 0
    var isClosed = false
  }

  /// The options of opening a log.
  public struct Options: Sendable {
    /// Whether a missing log, or its schema, is created.
    public var creates = false
    /// The genesis of a created log; a new identity when nil.
    public var genesis: Genesis?
    /// The directory, shared by all machines under the same path, for the contents of attachments of a created log;
    /// they are in the database when nil.
    public var blobDirectory: String?
    /// The time for which a statement is tried again after the connection to the server was lost.
    public var retryTimeout = Duration.seconds(30)
    /// The time to wait for other writers of this process before throwing an error.
    public var writerLockTimeout = Duration.seconds(10)
    /// The directory of this machine for data derived from logs, each of which has a directory there; when nil, that of
    /// the user's caches: `$XDG_CACHE_HOME/verbatim`, or `~/.cache/verbatim`.
    public var cacheDirectory: String?
    /// Whether a server that does not have what it acknowledged to this machine is opened nevertheless.
    package var acceptsMissingTail = false

    /// Creates the default options.
    public init(creates: Bool = false, genesis: Genesis? = nil) {
      self.creates = creates
      self.genesis = genesis
    }
  }

  internal init(
    at address: PostgresAddress, _ row: LogRow, _ genesis: Genesis, _ server: ServerSettings, _ pool: ConnectionPool,
    _ options: Options, _ derivedPath: String
  ) throws(FileError) {
    let id = row.id
    (self.address, self.id, self.genesis, self.pool, self.options) = (address, id, genesis, pool, options)
    blobDirectory = row.blobDirectory
    self.derivedPath = derivedPath
    acknowledged = try AcknowledgedHead(in: derivedPath)
    recent = try RecentBlocks(in: derivedPath)
    (isReadOnly, warnings) = (server.isReadOnly, server.warnings(at: address))
    known = Locked(Known(head: Head(of: genesis), fence: 0))
    channel = Channel("verbatim_\(id)", of: address, canListen: !server.isStandby)
    turn = WriterTurn(of: id, in: pool, timeout: options.writerLockTimeout)
  }

  deinit { close() }

  /// Returns the end of the log.
  public func head() throws(LogError) -> Head { try head(retryingFor: nil) }

  /// Returns the end of the log; retries for a time at most, if one is given.
  private func head(retryingFor time: Duration?) throws(LogError) -> Head {
    try run(for: time) { connection, _ throws(PostgresError) in try readHead(connection) }.get()
  }

  /// The newest head that this process has seen.
  public func lastSeenHead() throws(LogError) -> Head {
    let known = known.withLock { $0 }
    if known.isClosed { throw failedReading(.connection("it was closed")) }
    return known.head
  }

  /// Passes the blocks in order to the closure; they are read in batches of about a megabyte, and of two megabytes and
  /// a block at most.
  public func blocks(
    from position: Position, _ direction: Direction, checks: Checks,
    _ body: (BlockView) throws(LogError) -> Step
  ) throws(LogError) {
    var expected = max(position, .first)
    if position == .zero, direction == .backward { return }
    var (count, isFirst) = (2, true)
    let seen = known.withLock { $0.head.position }
    while expected > .zero {
      let rows = try read(from: expected, direction, count, isFirst: isFirst)
      if rows.count == 0 { return }
      var byteCount = 0
      for row in 0..<rows.count {
        let bytes = rows.bytes(row, 1)
        byteCount += bytes.count
        let last = Position(rawValue: UInt64(bitPattern: rows.integer(row, 0)))
        if isFirst, direction == .backward { expected = min(expected, last) }
        isFirst = false
        let block = try BlockView(bytes.bytes, checks: checks, at: last)
        guard block.last == last, block.first <= expected, expected <= last else {
          throw .damaged(at: expected, .wrongPosition(expected: expected, found: block.first))
        }
        if try body(block) == .stop { return }
        switch direction {
        case .forward: expected = block.last.next
        case .backward: expected = Position(rawValue: block.first.rawValue - 1)
        }
        if expected == .zero { return }
      }
      let isShort = rows.count < count && byteCount < Schema.batchByteCount
      // A server that ends before what was seen is noticed by the next read.
      if isShort, direction == .forward, expected > seen { return }
      count = Self.batch(after: rows.count, byteCount, count)
    }
  }

  /// Blocks until the log ends past a position or the deadline has passed.
  ///
  /// An append in the same process wakes it, and a notification of the server about one elsewhere. Where the server
  /// sends none, the head is read every 10 milliseconds. A server that cannot be reached is an error soon after the
  /// deadline, or after ``Options/retryTimeout`` if that is earlier.
  public func wait(beyond position: Position, until deadline: ContinuousClock.Instant) throws(LogError) -> Bool {
    while true {
      let seen = channel.notificationCount
      let rest = ContinuousClock.now.duration(to: deadline)
      // A connection that was lost meanwhile is replaced, also at the deadline.
      if try head(retryingFor: max(rest, .seconds(1))).position > position { return true }
      if rest <= .zero { return false }
      channel.wait(for: rest, since: seen)
    }
  }

  /// Runs the closure while no other thread of this process holds the writer lock and, where another machine appended
  /// lately, while no other machine does, unless that takes longer than a second: the head row is guard enough.
  public func withWriterLock(_ body: () -> Void) throws(LogError) {
    if isReadOnly { throw .readOnly(path: address.description) }
    let isContended = known.withLock { known in
      known.contention = max(0, known.contention - 1)
      return known.contention > 0
    }
    let start = isContended ? ContinuousClock.now : nil
    let hasTurn = turn.begin(amongMachines: isContended) {
      // Another machine had the lock: its blocks are read first, and it will want it again.
      if let start, start.duration(to: .now) > .milliseconds(1) { known.withLock { $0.contention = Self.contended } }
      _ = try? head()
    }
    guard hasTurn else {
      throw .writerLockHeld(
        WriterLockHolder(process: FileSystem.describe(process: getpid()), waited: options.writerLockTimeout))
    }
    defer { turn.end() }
    body()
  }

  /// Throws when the server does not have what it acknowledged to this machine.
  internal func requireAcknowledged() throws(LogError) {
    let head = try head()
    if options.acceptsMissingTail { return }
    guard let (position, hash) = acknowledged.head else {
      try requireAcknowledgedElsewhere(head)
      // While this one has no event, others with the same copy are asked again.
      if head.position > .zero { acknowledged.record(head) }
      return
    }
    if try hasBlock(endingAt: position, hash) { return }
    let missing = MissingTail(path: acknowledged.path, position: position, end: head.position)
    if head.position >= position { throw .tailMissing(missing) }
    throw try run { connection, _ throws(PostgresError) in try shorterLog(missing, connection) }
  }

  /// Throws when a database that this machine has not used yet does not have what another one with the same copy
  /// acknowledged to it: it is used beside that one, or was restored in its place.
  private func requireAcknowledgedElsewhere(_ head: Head) throws(LogError) {
    for directory in otherDerivedPaths {
      guard let (position, hash) = AcknowledgedHead.read(in: directory), try !hasBlock(endingAt: position, hash) else {
        continue
      }
      throw .storage(
        StorageFailure(
          "The database of \(address) has the identity of another one, to which this machine appended up to position "
            + "\(position), and not those events: if it is used beside the other one, run `UPDATE verbatim.logs SET "
            + "copy = gen_random_uuid()` in it; if it was restored in its place, save what it lost with `verbatim log "
            + "salvage`, and accept it with `verbatim rebuild --discard-ahead`."))
    }
  }

  /// Returns whether the log has a block that ends at a position with a hash, or has the genesis of that hash at 0.
  private func hasBlock(endingAt position: Position, _ hash: ChainHash) throws(LogError) -> Bool {
    if position == .zero { return hash == genesis.hash }
    return try head(at: position, hash) != nil
  }

  /// Closes the connections; later calls throw. Every acknowledged append is on the server's disk already.
  public func close() {
    known.withLock { $0.isClosed = true }
    turn.close()
    pool.close()
    channel.close()
  }
}

extension PostgresLog {
  /// Runs a statement that may be repeated; for a time at most, if one is given.
  internal func run<R>(
    for time: Duration? = nil, _ body: (Connection, Bool) throws(PostgresError) -> R
  ) throws(LogError) -> R {
    try rethrow(pool.run(for: time, body), as: failedReading)
  }

  internal func readHead(_ connection: Connection) throws(PostgresError) -> Result<Head, LogError> {
    let before = known.withLock { $0.head }
    let rows = try connection.execute(Schema.head, [id])
    guard rows.count == 1, let hash = ChainHash(bytes: rows.bytes(0, 4)) else {
      return .failure(.fileDamaged("The row of the log at \(address) is missing or damaged"))
    }
    let head = Head(
      position: Position(rawValue: UInt64(bitPattern: rows.integer(0, 0))), hash: hash,
      blocks: Int(rows.integer(0, 1)), recorded: Timestamp(rawValue: rows.integer(0, 2)))
    let fence = rows.integer(0, 3)
    // A server that was promoted without the last commits, or was restored, has lost what it had acknowledged.
    if head.blocks < before.blocks {
      let missing = MissingTail(path: address.description, position: before.position, end: head.position)
      return .failure(try shorterLog(missing, connection))
    }
    if head.blocks == before.blocks, head.hash != before.hash {
      return .failure(.replaced(path: address.description))
    }
    // Such a server may also have more blocks by now.
    if !connection.hasKnownHead, before.blocks > 0, head.blocks > before.blocks, try !holds(before, connection) {
      return .failure(.replaced(path: address.description))
    }
    connection.hasKnownHead = true
    known.withLock { known in
      // A standby that was promoted may have an earlier fence, with which alone it accepts appends. An answer that is
      // older than what another thread read costs that thread one more attempt.
      known.fence = fence
      if head.blocks > known.head.blocks { known.head = head }
    }
    return .success(head)
  }

  /// Returns the number of blocks to read next, after a batch of some bytes: about a megabyte.
  internal static func batch(after count: Int, _ byteCount: Int, _ limit: Int) -> Int {
    min(max((1 << 20) / (byteCount / count + 1), 1), 8 * limit, 4096)
  }

  /// Reads a batch of blocks: as many as are asked for, or fewer that have ``Schema/batchByteCount`` bytes together.
  ///
  /// Throws when the server does not have a block that this process has seen.
  internal func read(
    from position: Position, _ direction: Direction, _ count: Int, isFirst: Bool
  ) throws(LogError) -> Rows {
    let integers = [id, Int64(clamping: position.rawValue), Int64(count)]
    let seen = known.withLock { $0.head.position }
    return try run { connection, _ throws(PostgresError) -> Result<Rows, LogError> in
      // The server of a new connection may be another one, which has other blocks.
      if !connection.hasKnownHead, case .failure(let error) = try readHead(connection) { return .failure(error) }
      let rows = try selectBlocks(integers, direction, isFirst: isFirst, connection)
      let found = rows.count == 0 ? 0 : rows.integer(0, 0)
      if position > seen || found >= integers[1] { return .success(rows) }
      // The block was seen: the server lost it, or is a standby that may have caught up meanwhile.
      if case .failure(let error) = try readHead(connection) { return .failure(error) }
      return .success(try selectBlocks(integers, direction, isFirst: isFirst, connection))
    }.get()
  }

  /// Executes the statement that reads a batch from a position; its parameters are the integers.
  private func selectBlocks(
    _ integers: [Int64], _ direction: Direction, isFirst: Bool, _ connection: Connection
  ) throws(PostgresError) -> Rows {
    if direction == .forward { return try connection.execute(Schema.forward, integers) }
    // Backward begins with the block that holds the position.
    guard isFirst else { return try connection.execute(Schema.backward, integers) }
    let holding = try connection.execute(Schema.forward, [integers[0], integers[1], 1])
    if holding.count == 1 { return holding }
    return try connection.execute(Schema.backward, [integers[0], .max, integers[2]])
  }

  private func failedReading(_ error: PostgresError) -> LogError {
    .storage(
      StorageFailure("\(address) cannot be read (\(error)): check the server and try again.", underlying: error))
  }
}
