// Following: history, then what comes, without a seam.
internal import Locks

/// The events of a log from a position on, and then each as it is appended, by whatever process.
///
/// It reads ahead a little and no further than that until it is asked for more. It ends when its task is cancelled; and
/// throws when the log cannot be read.
public struct EventFeed: AsyncSequence, Sendable {
  /// What it yields.
  public typealias Element = RecordedEvent
  /// How it fails.
  public typealias Failure = LogError

  internal let store: EventStore
  internal let start: Position

  /// Goes through the events; each of its iterators begins at the start.
  public func makeAsyncIterator() -> Iterator { Iterator(store: store, next: start) }

  /// A place in the events.
  public struct Iterator: AsyncIteratorProtocol {
    private let store: EventStore
    private var position: Position
    private var ahead: [RecordedEvent] = []
    private var taken = 0

    internal init(store: EventStore, next: Position) {
      self.store = store
      position = next > .first ? next : .first
    }

    /// The next event; nil when the task was cancelled.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(LogError) -> RecordedEvent? {
      if taken == ahead.count {
        ahead = try await store.events(nextFrom: position)
        taken = 0
        guard let last = ahead.last else { return nil }
        position = last.position.next
      }
      defer { taken += 1 }
      return ahead[taken]
    }

    /// The next event; nil when the task was cancelled.
    public mutating func next() async throws(LogError) -> RecordedEvent? {
      try await next(isolation: nil)
    }
  }
}

extension EventStore {
  /// The events from a position on, and then each as it is appended.
  public func follow(from position: Position = .first) -> EventFeed {
    EventFeed(store: self, start: position)
  }

  /// Returns when the log ends past a position, by whatever process, or the task is cancelled.
  package func wait(beyond position: Position) async throws(LogError) {
    try await watch.wait(beyond: position, of: log)
  }

  /// Some events from a position on, as soon as there are any; none when the task is cancelled.
  fileprivate func events(nextFrom position: Position) async throws(LogError) -> [RecordedEvent] {
    while !Task.isCancelled {
      if try log.head().position >= position {
        return try await offThread { store throws(LogError) in
          try store.events(from: position, limit: 256)
        }
      }
      try await wait(beyond: Position(rawValue: position.rawValue - 1))
    }
    return []
  }

  /// Runs a blocking call on a thread of its own kind, not on one of those that run tasks.
  private func offThread<R: Sendable>(
    _ body: @escaping @Sendable (EventStore) throws(LogError) -> R
  ) async throws(LogError) -> R {
    let result: Result<R, LogError> = await withCheckedContinuation { continuation in
      reader.run {
        continuation.resume(returning: Result { () throws(LogError) in try body(self) })
      }
    }
    return try result.get()
  }
}
