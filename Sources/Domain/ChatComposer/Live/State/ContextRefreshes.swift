// The refreshes of a live composer's context.

/// The refreshes of the context: a result is applied unless a later refresh was applied before it.
struct ContextRefreshes {
  /// Whether the context is refreshed on changes; otherwise a scripted player triggers each refresh.
  var isAutomatic = true
  /// The ids of the messages and users read by the latest refresh.
  private(set) var subjects: Set<String> = []
  /// The latest refresh that was scheduled.
  private(set) var task: Task<Void, Never>?
  private var lastBegun = 0
  private var lastApplied = 0

  /// Schedules a refresh in place of the previous one.
  mutating func schedule(_ refresh: Task<Void, Never>) {
    task?.cancel()
    task = refresh
  }

  /// Begins to read the context with these messages and users; returns the number of the refresh.
  mutating func begin(with subjects: Set<String>) -> Int {
    self.subjects = subjects
    lastBegun += 1
    return lastBegun
  }

  /// Marks a refresh as applied; returns false if a later one was applied before.
  mutating func apply(_ number: Int) -> Bool {
    guard number > lastApplied else { return false }
    lastApplied = number
    return true
  }

  /// Discards the refreshes in progress, which may have read a state before a change; returns whether there are any.
  mutating func discardBegun() -> Bool {
    guard lastBegun > lastApplied else { return false }
    lastApplied = lastBegun
    return true
  }

  /// Cancels the scheduled refresh.
  mutating func cancel() {
    task?.cancel()
    task = nil
  }
}
