// Following: recorded events, then new ones as they are appended, without a gap.
internal import Locks

/// The events of a log from a position on, and then each new event as any process appends it.
///
/// It reads ahead by a bounded number of events (backpressure). It ends when its task is cancelled, and throws when the
/// log cannot be read.
public struct EventFeed: AsyncSequence, Sendable {
  /// The yielded event.
  public typealias Element = RecordedEvent
  /// The error of the sequence.
  public typealias Failure = LogError

  internal let store: EventStore
  internal let start: Position

  /// Creates an iterator that begins at the start position.
  public func makeAsyncIterator() -> Iterator { Iterator(store: store, next: start) }

  /// A cursor over the events.
  public struct Iterator: AsyncIteratorProtocol {
    private let store: EventStore
    private var position: Position
    private var ahead: [RecordedEvent] = []
    private var taken = 0

    internal init(store: EventStore, next: Position) {
      self.store = store
      position = next > .first ? next : .first
    }

    /// Returns the next event; nil when the task was cancelled.
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

    /// Returns the next event; nil when the task was cancelled.
    public mutating func next() async throws(LogError) -> RecordedEvent? {
      try await next(isolation: nil)
    }
  }
}

extension EventStore {
  /// Returns the events from a position on, followed by each new event as it is appended.
  public func follow(from position: Position = .first) -> EventFeed {
    EventFeed(store: self, start: position)
  }

  /// Returns when the log, appended to by any process, ends past a position or the task is cancelled.
  package func wait(beyond position: Position) async throws(LogError) {
    try await watch.wait(beyond: position, of: log)
  }

  /// Returns events from a position on, as soon as there are any; none when the task is cancelled.
  fileprivate func events(nextFrom position: Position) async throws(LogError) -> [RecordedEvent] {
    while !Task.isCancelled {
      // No call to a server: the thread that waits for all tasks makes it.
      if try log.lastSeenHead().position >= position {
        let events = try await offThread { store throws(LogError) in
          try store.events(from: position, limit: 256)
        }
        if events.isEmpty, !Task.isCancelled { throw .missing(at: position) }
        return events
      }
      try await wait(beyond: Position(rawValue: position.rawValue - 1))
    }
    return []
  }

  /// Runs a blocking call on a reader thread instead of a thread of the task pool.
  package func offThread<R: Sendable>(
    _ body: @escaping @Sendable (EventStore) throws(LogError) -> R
  ) async throws(LogError) -> R {
    try await reader.result { () throws(LogError) in try body(self) }
  }
}
