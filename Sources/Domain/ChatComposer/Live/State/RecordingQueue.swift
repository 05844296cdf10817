// The events of a live composer on their way to its host.
internal import Chat

/// The events that took effect and are not recorded yet, and the callers that wait for an append or an operation.
struct RecordingQueue {
  private enum Mode {
    case direct
    case holding([Composer.Event])
  }

  private var mode = Mode.direct
  /// The events that could not be recorded yet; they are recorded before any other.
  private(set) var backlog: [Composer.Event] = []
  private var waiters: [CheckedContinuation<Void, Never>] = []
  /// The number of appends and operations that have ended.
  private(set) var endCount = 0

  /// Whether an append is in progress, so that events are held back.
  var isHolding: Bool { if case .holding = mode { true } else { false } }

  /// Begins to hold events back.
  mutating func beginHolding() { mode = .holding([]) }

  /// Holds events back; returns false in direct mode.
  mutating func hold(_ events: [Composer.Event]) -> Bool {
    guard case .holding(var held) = mode else { return false }
    mode = .direct
    held += events
    mode = .holding(held)
    return true
  }

  /// Returns to direct mode; returns the held events.
  mutating func endHolding() -> [Composer.Event] {
    guard case .holding(let held) = mode else { return [] }
    mode = .direct
    return held
  }

  /// Adds events that could not be recorded to the backlog.
  mutating func retain(_ events: [Composer.Event]) { backlog += events }

  /// Removes the first events of the backlog once they are recorded.
  mutating func removeRecorded(_ count: Int) { backlog.removeFirst(count) }

  /// Adds a caller that waits for the end of an append or an operation.
  mutating func addWaiter(_ waiter: CheckedContinuation<Void, Never>) { waiters.append(waiter) }

  /// Counts the end of an append or an operation; removes and returns all waiting callers.
  mutating func removeWaiters() -> [CheckedContinuation<Void, Never>] {
    endCount += 1
    defer { waiters = [] }
    return waiters
  }
}
