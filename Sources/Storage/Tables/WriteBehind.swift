// Write-behind of folded tables: in batches, on a separate thread.
internal import Dispatch
internal import Locks

/// The working tables that a process has folded, and their unwritten changes.
public protocol FoldBuffer: SendableMetatype {
  /// The number of events that were folded and are not yet written.
  var unwritten: Int { get }
  /// Takes the unwritten changes.
  mutating func takeUnwritten() -> DirtyTables
  /// Restores changes whose write failed.
  mutating func restore(_ tables: DirtyTables)
  /// Evicts rows that are in the table store, when there are many.
  mutating func trim()
}

/// The dirty rows of each table of a table store, and the log point that they lead to.
public struct DirtyTables: Sendable {
  /// The rows, in the order of ``TableStore/tableNames``.
  public let changes: [ChangedRows]
  /// The log point of the tables after the write.
  public let logPoint: LogPoint
  /// The number of events that changed the rows.
  public let events: Int
  /// The number of times that the working tables were discarded: changes from an earlier epoch are not restored.
  public let epoch: Int

  /// Creates dirty tables.
  public init(changes: [ChangedRows], logPoint: LogPoint, events: Int, epoch: Int) {
    (self.changes, self.logPoint, self.events, self.epoch) = (changes, logPoint, events, epoch)
  }
}

/// Working tables behind a lock, which are flushed to their table store when folding pauses, or when many changes wait.
public final class WriteBehind<Tables: FoldBuffer>: Sendable {
  /// The table store that they are written to.
  public let tableStore: TableStore
  private let state: Locked<State>
  private let writing = DispatchQueue(label: "verbatim.tables")
  private let limits: WriteBehindLimits

  private struct State {
    var tables: Tables
    var isWriting = false
    var isScheduled = false
    var lastFold = ContinuousClock.now
    /// The time at which the first waiting change was folded.
    var firstFold = ContinuousClock.now
    /// The earliest time of the next write; in the future after a failed attempt.
    var notBefore = ContinuousClock.now
  }

  /// Creates the write-behind of a table store's working tables.
  public init(_ tables: sending Tables, in tableStore: TableStore, limits: WriteBehindLimits = WriteBehindLimits()) {
    self.tableStore = tableStore
    self.limits = limits
    state = Locked(State(tables: tables))
  }

  /// Runs the closure with exclusive access to the tables.
  public func use<R, E: Error>(_ body: (inout Tables) throws(E) -> R) throws(E) -> R {
    try state.withLock { state throws(E) in try body(&state.tables) }
  }

  /// Runs a closure that folds, then schedules the write of its changes: behind, or with `atOnce` before it returns,
  /// which needs no second processor. Returns the time at which the closure ended.
  @discardableResult
  public func fold<E: Error>(
    atOnce: Bool = false, _ body: (inout Tables) throws(E) -> Void
  ) throws(E) -> ContinuousClock.Instant {
    let (next, ended) = try state.withLock { state throws(E) in
      let waited = state.tables.unwritten
      try body(&state.tables)
      state.lastFold = .now
      if waited == 0 { state.firstFold = state.lastFold }
      return (nextStep(&state), state.lastFold)
    }
    switch next {
    case .nothing: break
    case .write where !atOnce: writing.async { self.writeOrRetry() }
    case .write, .writeNow: writing.sync { self.writeOrRetry() }
    case .schedule: schedule()
    }
    return ended
  }

  /// Writes the waiting changes; returns nil when there are none.
  ///
  /// While another process writes, it blocks until the deadline.
  @discardableResult
  public func flush(until deadline: ContinuousClock.Instant = .now) throws(TablesError) -> TableStore.WriteOutcome? {
    let result = writing.sync { Result { () throws(TablesError) in try self.write(until: deadline) } }
    return try result.get()
  }
}

/// The limits on how long changes wait to be written.
public struct WriteBehindLimits: Sendable {
  /// The number of waiting events above which they are written without waiting for a pause.
  public var unwrittenMax = 10_000
  /// The same number while events arrive within a tenth of a second, as they do where a log is folded from its
  /// beginning: larger batches write the same rows less often. Nil for no difference.
  public var unwrittenMaxInRush: Int?
  /// The number of waiting events above which folding blocks until they are written.
  public var unwrittenLimit = 1_000_000
  /// The pause in folding before waiting changes are written, in milliseconds.
  public var quietMilliseconds = 20

  /// Creates the default limits.
  public init() {}
}

extension WriteBehind {
  private enum NextStep { case nothing, write, writeNow, schedule }

  /// Returns the next step for the waiting changes.
  private func nextStep(_ state: inout State) -> NextStep {
    let unwritten = state.tables.unwritten
    let isRush = state.lastFold - state.firstFold < .milliseconds(100)
    if unwritten >= (isRush ? limits.unwrittenMaxInRush : nil) ?? limits.unwrittenMax {
      if state.isWriting && unwritten < limits.unwrittenLimit || ContinuousClock.now < state.notBefore {
        return .nothing
      }
      state.isWriting = true
      return unwritten < limits.unwrittenLimit ? .write : .writeNow
    }
    if unwritten == 0 || state.isScheduled { return .nothing }
    state.isScheduled = true
    return .schedule
  }

  private func schedule() {
    let quiet = limits.quietMilliseconds
    writing.asyncAfter(deadline: .now() + .milliseconds(quiet)) {
      let isQuiet = self.state.withLock { state in
        let isQuiet = state.lastFold.duration(to: .now) >= .milliseconds(quiet)
        state.isScheduled = !isQuiet
        return isQuiet
      }
      if isQuiet { self.writeOrRetry() } else { self.schedule() }
    }
  }

  /// Writes the waiting changes; after a failure they are written with the next ones.
  private func writeOrRetry() { _ = try? write(until: .now) }

  /// Writes the waiting changes; runs on the queue for writing alone.
  private func write(until deadline: ContinuousClock.Instant) throws(TablesError) -> TableStore.WriteOutcome? {
    let batch: DirtyTables? = state.withLock { state in
      state.isWriting = state.tables.unwritten > 0
      return state.isWriting ? state.tables.takeUnwritten() : nil
    }
    guard let batch else { return nil }
    do throws(TablesError) {
      let outcome = try tableStore.write(batch.changes, logPoint: batch.logPoint, until: deadline)
      settle(batch, isThere: outcome != .busy)
      return outcome
    } catch {
      settle(batch, isThere: false)
      throw error
    }
  }

  private func settle(_ batch: DirtyTables, isThere: Bool) {
    state.withLock { state in
      state.isWriting = false
      if isThere {
        state.tables.trim()
      } else {
        state.tables.restore(batch)
        state.notBefore = .now + .milliseconds(100)
      }
    }
  }
}
