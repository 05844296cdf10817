// When what a process has folded is written to the folder: behind, in batches, on a thread of its own.
internal import Dispatch
internal import Locks

/// What a process has folded into its working tables, and what of it is not yet written.
public protocol FoldBuffer: SendableMetatype {
  /// How many events were folded and are not yet written.
  var unwritten: Int { get }
  /// Takes what is to be written.
  mutating func takeUnwritten() -> DirtyTables
  /// Takes back what could not be written.
  mutating func restore(_ tables: DirtyTables)
  /// Forgets rows that are in the folder, when there are many.
  mutating func trim()
}

/// Rows that changed in each table of a folder, and where the tables stand with them.
public struct DirtyTables: Sendable {
  /// The rows, in the order of ``TableStore/tableNames``.
  public let changes: [ChangedRows]
  /// Where the tables stand with them.
  public let anchor: LogPoint
  /// How many events they come from.
  public let events: Int
  /// Counts how often the working tables were given up: what was taken before that is not taken back.
  public let epoch: Int

  /// What is to be written, with its parts.
  public init(changes: [ChangedRows], anchor: LogPoint, events: Int, epoch: Int) {
    (self.changes, self.anchor, self.events, self.epoch) = (changes, anchor, events, epoch)
  }
}

/// Working tables behind a lock, which are written to their folder when it is quiet, or when much is to be written.
public final class WriteBehind<Tables: FoldBuffer>: Sendable {
  /// Where they are written to.
  public let tableStore: TableStore
  private let state: Locked<State>
  private let writing = DispatchQueue(label: "verbatim.tables")
  private let limits: WriteBehindLimits

  private struct State {
    var tables: Tables
    var isWriting = false
    var isScheduled = false
    var lastFold = ContinuousClock.now
    /// When the first was folded of what waits.
    var firstFold = ContinuousClock.now
    /// When what waits may be written; later than now after an attempt that failed.
    var notBefore = ContinuousClock.now
  }

  /// Working tables of a folder.
  public init(_ tables: sending Tables, in tableStore: TableStore, limits: WriteBehindLimits = WriteBehindLimits()) {
    self.tableStore = tableStore
    self.limits = limits
    state = Locked(State(tables: tables))
  }

  /// Runs the closure with the tables, which nobody else uses meanwhile.
  public func use<R, E: Error>(_ body: (inout Tables) throws(E) -> R) throws(E) -> R {
    try state.withLock { state throws(E) in try body(&state.tables) }
  }

  /// Runs a closure that folds; then sees to it that what is to be written will be: behind, or at once by who folds,
  /// who then needs no second processor. Answers when the closure had returned.
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

  /// Writes what waits; answers nil when nothing did.
  ///
  /// While another process writes, it is waited for until the deadline.
  @discardableResult
  public func flush(until deadline: ContinuousClock.Instant = .now) throws(TablesError) -> TableStore.WriteOutcome? {
    let result = writing.sync { Result { () throws(TablesError) in try self.write(until: deadline) } }
    return try result.get()
  }
}

/// How long what was folded waits to be written.
public struct WriteBehindLimits: Sendable {
  /// How many events may wait before they are written without waiting for quiet.
  public var unwrittenMax = 10_000
  /// How many may wait when they came within a tenth of a second, as they do where a log is folded from its beginning:
  /// the more are written at once, the less often the same rows are. Nil where that makes no difference.
  public var unwrittenMaxInRush: Int?
  /// How many may wait at all: whoever folds further, waits.
  public var unwrittenLimit = 1_000_000
  /// How long it must be quiet before what waits is written, in milliseconds.
  public var quietMilliseconds = 20

  /// The limits as they are where nobody chooses others.
  public init() {}
}

extension WriteBehind {
  private enum NextStep { case nothing, write, writeNow, schedule }

  /// What is to be done about what waits to be written.
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

  /// Writes what waits; what cannot be written now is written with what comes next.
  private func writeOrRetry() { _ = try? write(until: .now) }

  /// Writes what waits; runs on the queue for writing alone.
  private func write(until deadline: ContinuousClock.Instant) throws(TablesError) -> TableStore.WriteOutcome? {
    let batch: DirtyTables? = state.withLock { state in
      state.isWriting = state.tables.unwritten > 0
      return state.isWriting ? state.tables.takeUnwritten() : nil
    }
    guard let batch else { return nil }
    do throws(TablesError) {
      let outcome = try tableStore.write(batch.changes, anchor: batch.anchor, until: deadline)
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
