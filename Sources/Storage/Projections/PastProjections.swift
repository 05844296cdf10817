// Projections at an earlier position, which can move to others.
internal import Dispatch
internal import Errors
public import EventLog
internal import Locks
internal import Synchronization
public import Tables

/// Projections at an earlier position of the log, which need not be the end of a block, and which can move to others.
///
/// The rows at each position are found in the history, which is extended when a position is read for the first time:
/// see <doc:Projections>. Nothing is copied.
public final class PastProjections: Sendable {
  /// The log, and not the store of the present: tables are closed when others have taken their place.
  private let store: EventStore
  private let state: Locked<State>
  private let numbers: [String: Int]
  /// The number of moves that are waiting or in progress, for which folding ahead ends: the lock is not fair.
  private let moves = Atomic<Int>(0)
  private let queue = DispatchQueue(label: "verbatim.past", qos: .utility)

  private struct State {
    var position: Position
    var stops: [ProjectionStop]
    /// Nil when they were closed.
    var windows: PastWindows?
    /// Whether events near the position are being folded for the next moves.
    var foldsAhead = false
  }

  /// Creates the projections of a store at a position that the log has.
  internal init(of store: ProjectionStore, at position: Position) throws(ProjectionError) {
    self.store = store.store
    let history = try store.history()
    numbers = history.numbers
    let windows = try PastWindows(of: history, at: position)
    state = Locked(State(position: position, stops: windows.stops, windows: windows))
    store.opened(self)
  }

  /// The position that they are folded to: they include all events up to it, and none after.
  public var position: Position { state.withLock { $0.position } }
  /// The projections that could not fold an event up to the position.
  public var stops: [ProjectionStop] { state.withLock { $0.stops } }

  /// Moves to another position; throws ``ProjectionError/beyondEnd(_:end:)`` when the log is shorter.
  ///
  /// Reads that began before still read the earlier position; later ones wait for the move. When a move fails
  /// otherwise, the projections are closed. After a move, the events near the position are folded in the background.
  public func move(to position: Position) throws(ProjectionError) {
    let end = try rethrow(store.head().position, as: ProjectionError.log)
    guard position <= end else { throw .beyondEnd(position, end: end) }
    moves.add(1, ordering: .relaxed)
    defer {
      if moves.subtract(1, ordering: .relaxed).newValue == 0 { foldAhead() }
    }
    try state.withLock { state throws(ProjectionError) in
      guard let windows = state.windows else { throw .closed(state.position) }
      state.windows = nil
      try windows.move(to: position)
      (state.position, state.stops, state.windows) = (position, windows.stops, windows)
    }
  }

  /// Folds the events near the position in the background, in short steps, between which moves and reads go on.
  private func foldAhead() {
    let begins = state.withLock { state in
      defer { state.foldsAhead = true }
      return !state.foldsAhead
    }
    if begins { queue.async { [weak self] in while self?.foldStepAhead() == true {} } }
  }

  private func foldStepAhead() -> Bool {
    state.withLock { state in
      // An error is that of the move that needs the step.
      let goesOn = moves.load(ordering: .relaxed) == 0 && (try? state.windows?.foldAhead()) ?? false
      state.foldsAhead = goesOn
      return goesOn
    }
  }

  /// Blocks until the events near the position have been folded.
  package func waitForFoldAhead() { queue.sync {} }

  /// Runs the closure on the tables at the position; throws ``ProjectionError/closed(_:)`` when they were closed.
  public func read<R>(_ body: (ProjectionReader) throws(ProjectionError) -> R) throws(ProjectionError) -> R {
    let (tables, position) = state.withLock { ($0.windows?.tables, $0.position) }
    guard let tables else { throw .closed(position) }
    return try tables.lend(numbers, body)
  }

  /// Returns the rows that the event at the position changes, with their fields before and after.
  public func changesOfEvent() throws(ProjectionError) -> [ExplainedChange] {
    let (changes, fields) = try state.withLock { state throws(ProjectionError) in
      guard let windows = state.windows else { throw ProjectionError.closed(state.position) }
      return (try windows.changesOfEvent(), try windows.history.rowFields())
    }
    return changes.map { change in
      let number = numbers[change.table]
      func explained(_ row: [UInt8]?) -> [RowField]? {
        guard let row, let number else { return nil }
        return fields(row, change.key, number)
      }
      return ExplainedChange(change: change, before: explained(change.before), after: explained(change.after))
    }
  }

  /// Closes the projections. Further calls are no-ops.
  public func close() { state.withLock { $0.windows = nil } }
}

/// A changed row with its fields.
public struct ExplainedChange: Hashable, Sendable {
  /// The change.
  public let change: RowChange
  /// The fields of the row before; nil when there was none.
  public let before: [RowField]?
  /// The fields of the row after; nil when there is none.
  public let after: [RowField]?
}

extension ProjectionStore {
  /// Returns the projections at an earlier position; throws ``ProjectionError/beyondEnd(_:end:)`` when the log is
  /// shorter.
  public func at(_ position: Position) throws(ProjectionError) -> PastProjections {
    let head = try head()
    guard position <= head.position else { throw .beyondEnd(position, end: head.position) }
    return try PastProjections(of: self, at: position)
  }

  /// Returns the projections at an instant: after the last event that was recorded then or before.
  public func at(_ instant: Timestamp) throws(ProjectionError) -> PastProjections {
    let position = try rethrow(store.last(recordedBy: instant), as: ProjectionError.log)
    return try PastProjections(of: self, at: position)
  }
}
