// Reads a log to its end and, if asked to, goes on with what is appended, by whatever process.
internal import EventLog

/// The events of a log from a position on, those that are to come included where it follows.
struct EventTail {
  private let store: EventStore
  private let start: Position
  private let follows: Bool

  init(_ store: EventStore, from start: Position, follows: Bool) {
    (self.store, self.start, self.follows) = (store, start, follows)
  }

  /// Shows event after event, until it is interrupted, nobody reads the output any more, or there are no more.
  func run(in context: Context, _ show: ([RecordedEvent]) throws(Failure) -> Void) throws(Failure) {
    var next = start
    InterruptFlag.install(in: context)
    while true {
      var chunks = try EventChunks(store.log, from: next, to: Position(rawValue: .max))
      while !InterruptFlag.hasHappened, let events = try chunks.next() {
        try show(events)
        next = events.last?.position.next ?? next
      }
      guard follows, try isGoingOn(until: next, Descriptor(context.output)) else { return }
    }
  }

  /// Waits until there is an event at a position; answers false when it need not be shown any more.
  private func isGoingOn(until position: Position, _ output: Descriptor) throws(Failure) -> Bool {
    while !InterruptFlag.hasHappened, !output.isClosed {
      let isThere = try asked { () throws(LogError) in
        try store.log.wait(
          beyond: Position(rawValue: position.rawValue - 1), until: .now + .milliseconds(100))
      }
      if isThere { return true }
    }
    return false
  }
}

extension EventStore {
  /// Where to begin: at a position, or else where the last events begin, so many; of those that are wanted, where some
  /// are not.
  func start(
    _ position: Position?, orLast count: Int, where isWanted: ((RecordedEvent) -> Bool)? = nil
  ) throws(Failure) -> Position {
    if let position { return position }
    let end = try asked { () throws(LogError) in try head().position }
    guard let isWanted else {
      return Position(rawValue: end.rawValue >= UInt64(count) ? end.rawValue - UInt64(count) + 1 : 1)
    }
    var (start, rest) = (end.next, count)
    var chunks = try EventChunks(log, from: .first, to: end, .backward)
    while rest > 0, let events = try chunks.next() {
      for event in events where rest > 0 && isWanted(event) { (start, rest) = (event.position, rest - 1) }
    }
    return start
  }
}
