// A table store of derived tables: opening, reading, writing and closing it.
public import Digests
internal import Errors
internal import Files
package import LMDB
internal import Locks

/// A directory of ordered tables that can be rebuilt from a log, and are therefore not synced while they are in use.
///
/// All tables are at one ``LogPoint``. Before the first unsynced write the table store is marked dirty, durably; the
/// last process that closes it syncs it and removes the mark. When the first process opens it, a table store is kept if
/// it is unmarked, or was marked under the same boot and mount, and its log point is on the chain; otherwise it is
/// dropped.
public final class TableStore: Sendable {
  /// The path of its directory.
  public let path: String
  /// The names of its tables; a table's index here is its number.
  public let tableNames: [String]
  /// The seeds of each table's row hashes.
  internal let seeds: [UInt64]

  internal let contents: Contents
  private let gate: FileLock
  private let holders: FileLock
  private let writer: FileLock
  private let writing = Locked(false)
  private let state = Locked(State())

  private struct State {
    var isMarked = false
    var isClosed = false
    /// The last transaction whose log point was read, and the log point.
    var seen: (transaction: Int, logPoint: LogPoint?) = (-1, nil)
  }

  /// Opens the table store in a directory, which is created if it is missing.
  ///
  /// `isOnChain` returns whether a log point is on the chain that the tables are derived from. Where no usable tables
  /// exist, `begin` can put a data file into the empty directory that it is given, as ``SnapshotDirectory`` does: the
  /// tables then start with that. No other process opens the table store during the call.
  public init(
    at path: String, tables names: [String], seededBy seeding: RowHashSeed = .number,
    beginningWith begin: (_ directory: String) -> Void = { _ in }, isOnChain: (LogPoint) -> Bool
  ) throws(TablesError) {
    self.path = path
    tableNames = names
    seeds = seeding.seeds(of: names)
    // Opening and closing hold the gate's lock, so that no process can take a table store for unused while another
    // changes its lock from exclusive to shared. When an opening fails, the gate's lock ends with this object.
    let locked: FileLock?
    (locked, holders, writer) = try TablesError.mapping(at: path) { () throws(FileError) in
      try Self.requireOwnFiles(in: path)
      let locked = try Self.lockedGate(path, until: .now + .seconds(10))
      return (locked, try FileLock(path: path + "/holders"), try FileLock(path: path + "/writer"))
    }
    guard let locked else { throw .busy(path: path) }
    gate = locked
    FileSystem.touch(path + "/holders")
    let isFirst = holders.tryLock()
    if isFirst, try Self.isStale(path) || Self.isDamaged(path) { try Self.drop(path) }
    contents = try Self.open(path, names, isFirst: isFirst, begin, isOnChain)
    guard holders.tryLock(shared: true) else { throw .busy(path: path) }
    gate.unlock()
  }

  /// Closes the table store; the last process to do so syncs it and removes the dirty mark.
  ///
  /// Further calls are no-ops. A table store that is not closed is still kept as long as the system is not rebooted.
  public func close() {
    let mustClose = state.withLock { state in
      defer { state.isClosed = true }
      return !state.isClosed
    }
    guard mustClose, gate.lock(until: .now + .seconds(2)) else { return }
    defer { gate.unlock() }
    // A write that has begun must still be synced; one that begins later finds the table store closed.
    writing.withLock { _ in
      if holders.tryLock(), (try? contents.environment.sync()) != nil {
        try? FileSystem.remove(Self.dirtyMark(path))
      }
      holders.unlock()
    }
  }
}

extension TableStore {
  /// Returns the log point of the tables; nil when nothing was ever written.
  public func logPoint() throws(TablesError) -> LogPoint? {
    let last = contents.environment.lastTransaction()
    let seen = state.withLock { $0.seen }
    if seen.transaction == last { return seen.logPoint }
    return try access { () throws(LMDBError) in
      try contents.environment.read { transaction throws(LMDBError) in
        let logPoint = try transaction.metaRow(in: contents.meta)?.logPoint
        state.withLock { $0.seen = (transaction.number, logPoint) }
        return logPoint
      }
    }
  }

  /// Runs the closure on one state of the tables; throws ``TablesError/ahead(_:)`` when it is past a position.
  ///
  /// The tables are in the order of ``tableNames``.
  package func read<R>(
    upTo position: UInt64,
    _ body: (ReadTransaction, [Table]) throws(LMDBError) -> R
  ) throws(TablesError) -> R {
    try readAnchored(upTo: position) { transaction, tables, _ throws(LMDBError) in try body(transaction, tables) }
  }

  internal func readAnchored<R>(
    upTo position: UInt64, _ body: (ReadTransaction, [Table], LogPoint?) throws(LMDBError) -> R
  ) throws(TablesError) -> R {
    let seen = state.withLock { $0.seen }
    let result: Result<R, TablesError> = try access { () throws(LMDBError) in
      try contents.environment.read { transaction throws(LMDBError) in
        var logPoint = seen.logPoint
        if transaction.number != seen.transaction {
          logPoint = try transaction.metaRow(in: contents.meta)?.logPoint
          state.withLock { $0.seen = (transaction.number, logPoint) }
        }
        if let logPoint, logPoint.position > position { return .failure(.ahead(logPoint)) }
        return .success(try body(transaction, contents.tables, logPoint))
      }
    }
    return try result.get()
  }

  /// Returns the digest of each table as it was written, in the order of ``tableNames``.
  public func digests() throws(TablesError) -> [TableDigest] { try summaries().map(\.digest) }

  /// Returns the summary of each table as it was written.
  package func summaries(upTo position: UInt64 = .max) throws(TablesError) -> [TableSummary] {
    try read(upTo: position) { transaction, _ throws(LMDBError) in
      try summaries(in: transaction.metaRow(in: contents.meta))
    }
  }

  /// Returns the digests of one state.
  internal func digests(in transaction: ReadTransaction) throws(LMDBError) -> [TableDigest] {
    try summaries(in: transaction.metaRow(in: contents.meta)).map(\.digest)
  }

  private func summaries(in row: MetaRow?) throws(LMDBError) -> [TableSummary] {
    guard let row else { return Array(repeating: TableSummary(), count: tableNames.count) }
    return try row.summaries(count: tableNames.count)
  }

  /// The outcome of an attempt to write.
  public enum WriteOutcome: Hashable, Sendable {
    /// The tables are at the new log point.
    case written
    /// The tables were already at the log point or past it: another process wrote first.
    case alreadyThere
    /// Another process is writing: the changes are still unwritten.
    case busy
  }

  /// Writes changed rows, one ``ChangedRows`` for each table, and sets the log point; unsynced.
  ///
  /// The rows must include all that changed since the table store's log point; rows that it already holds do no harm.
  /// While another process writes, it blocks until the deadline.
  public func write(
    _ changes: [ChangedRows], logPoint: LogPoint, until deadline: ContinuousClock.Instant = .now
  ) throws(TablesError) -> WriteOutcome {
    try write(changes, logPoint, deadline) { there in there.map { $0.position < logPoint.position } ?? true }
  }

  /// Writes rows that depend on those of a log point, if the tables are still at it.
  internal func write(
    _ changes: [ChangedRows], logPoint: LogPoint, after last: LogPoint?, until deadline: ContinuousClock.Instant
  ) throws(TablesError) -> WriteOutcome {
    try write(changes, logPoint, deadline) { $0 == last }
  }

  private func write(
    _ changes: [ChangedRows], _ logPoint: LogPoint, _ deadline: ContinuousClock.Instant,
    ifAt isNext: (LogPoint?) -> Bool
  ) throws(TablesError) -> WriteOutcome {
    precondition(changes.count == tableNames.count, "\(changes.count) sets of rows for \(tableNames.count) tables")
    return try writing.withLock { _ throws(TablesError) in try writeAlone(changes, logPoint, deadline, isNext) }
  }

  /// Writes while no other thread of this process writes.
  private func writeAlone(
    _ changes: [ChangedRows], _ logPoint: LogPoint, _ deadline: ContinuousClock.Instant,
    _ isNext: (LogPoint?) -> Bool
  ) throws(TablesError) -> WriteOutcome {
    guard !state.withLock({ $0.isClosed }) else { throw .failed(path: path, reason: "they were closed") }
    guard writer.lock(until: deadline) else { return .busy }
    defer { writer.unlock() }
    try markDirty()
    contents.environment.reapStaleReaders()
    return try access { () throws(LMDBError) in
      try contents.environment.write { transaction throws(LMDBError) in
        let there = try transaction.metaRow(in: contents.meta)
        if !isNext(there?.logPoint) { return .alreadyThere }
        var summaries = try summaries(in: there)
        for number in changes.indices {
          try transaction.write(
            changes[number], to: contents.tables[number], seed: seeds[number], counting: &summaries[number])
        }
        try transaction.set(MetaRow(logPoint: logPoint, summaries: summaries), in: contents.meta)
        return .written
      }
    }
  }

  /// Copies the newest state into an empty directory, compacted and not yet synced.
  internal func copyData(to directory: String) throws(TablesError) {
    try access { () throws(LMDBError) in try contents.environment.copy(to: directory) }
  }

  /// Runs the closure with a cursor over a table of the newest state.
  internal func withCursor(
    over table: Int, _ body: (inout Cursor) throws(LMDBError) -> Void
  ) throws(LMDBError) {
    try contents.environment.read { transaction throws(LMDBError) in
      try transaction.withCursor(over: contents.tables[table], body)
    }
  }

  private func markDirty() throws(TablesError) {
    let isMarked = state.withLock { $0.isMarked }
    if isMarked { return }
    try Self.mark(path)
    state.withLock { $0.isMarked = true }
  }

  private func access<R>(_ body: () throws(LMDBError) -> R) throws(TablesError) -> R {
    try rethrow(body(), as: { (error: LMDBError) in failure(error) })
  }

  internal func failure(_ error: LMDBError) -> TablesError { TablesError(error, at: path) }
}
