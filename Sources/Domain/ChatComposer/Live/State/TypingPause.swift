// The wait for a pause in typing.
internal import Chat

/// The wait for a pause in typing, after which held changes are recorded.
struct TypingPause {
  private var task: Task<Void, Never>?
  /// The instant at which typing pauses, unless another change is made.
  private(set) var end = Timestamp(rawValue: 0)

  var isAwaited: Bool { task != nil }

  /// Moves the end; a task that waits for it waits longer.
  mutating func begin(until end: Timestamp) { self.end = end }

  mutating func await(by task: Task<Void, Never>) { self.task = task }

  mutating func finish() { task = nil }

  mutating func cancel() {
    task?.cancel()
    task = nil
  }
}
