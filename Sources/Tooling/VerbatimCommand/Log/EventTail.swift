// Reads a log to its head and, if requested, follows the appends of all processes.
internal import EventLog

/// The events of a log from a position on, including later appends when it follows.
struct EventTail {
  private let store: EventStore
  private let start: Position
  private let follows: Bool

  init(_ store: EventStore, from start: Position, follows: Bool) {
    (self.store, self.start, self.follows) = (store, start, follows)
  }

  /// Shows the events until the command is interrupted, the reader of the output goes away, or no more events follow.
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

  /// Blocks until an event exists at a position; returns false when the command is interrupted or the output is closed.
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
  /// Returns the position to start at: the given one, otherwise that of the last `count` events, counting only those
  /// for which `isWanted` is true.
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
