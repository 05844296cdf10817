// The search for the first difference between two logs.
public import EventLog

/// The first difference between two logs.
public enum LogDivergence: Hashable, Sendable {
  /// The logs differ at this event; an event is nil in the log that ends before it.
  case event(Position, one: RecordedEvent?, other: RecordedEvent?)
  /// The events are the same, but they were committed in other blocks, the first of which begins at this position.
  case blocks(Position)
  /// The events and their blocks are the same up to this position, but the logs were created separately, as a salvaged
  /// log is.
  case genesis(upTo: Position)

  /// The position of the difference, which exists in at least one of the logs unless both are empty.
  public var position: Position {
    switch self {
    case .event(let position, _, _), .blocks(let position), .genesis(let position): position
    }
  }

  /// Returns the first difference between two logs; nil when they have the same events in the same blocks of the same
  /// chain.
  public static func between(_ one: any Log, _ other: any Log) throws(LogError) -> LogDivergence? {
    let (head, otherHead) = (try one.head(), try other.head())
    if head.hash == otherHead.hash { return nil }
    let start = try lastCommon(one, other, upTo: min(head.position, otherHead.position))
    var position = start
    while true {
      // Block boundaries may differ: each pass compares as many events as both logs return, none at the end.
      let (mine, theirs) = (try one.events(after: position), try other.events(after: position))
      let same = zip(mine, theirs).prefix { $0 == $1 }.count
      position = position.advanced(by: same)
      if same > 0, same == min(mine.count, theirs.count) { continue }
      let (left, right) = (mine.dropFirst(same).first, theirs.dropFirst(same).first)
      if left != nil || right != nil { return .event(position.next, one: left, other: right) }
      return try firstOtherBlock(one, other, after: start).map { .blocks($0) } ?? .genesis(upTo: position)
    }
  }

  /// Returns the first position of the first block that ends elsewhere in the other log; nil when there is none.
  private static func firstOtherBlock(
    _ one: any Log, _ other: any Log, after start: Position
  ) throws(LogError) -> Position? {
    var found: Position?
    try one.blocks(from: start.next, .forward, checks: .full) { block throws(LogError) in
      var end: Position?
      try other.blocks(from: block.first, .forward, checks: .full) { otherBlock in
        end = otherBlock.last
        return .stop
      }
      if end != block.last { found = block.first }
      return found == nil ? .next : .stop
    }
    return found
  }

  /// Returns the last position at which both chains are known to be equal: a binary search, since a hash covers all
  /// events before it.
  private static func lastCommon(
    _ one: any Log, _ other: any Log, upTo end: Position
  ) throws(LogError) -> Position {
    var known = Position.zero
    var end = end
    while known < end {
      let middle = Position(rawValue: known.rawValue + (end.rawValue - known.rawValue + 1) / 2)
      var last = Position.zero
      var hash: Head?
      try one.blocks(from: middle, .forward, checks: .full) { block in
        (last, hash) = (block.last, block.head)
        return .stop
      }
      if try other.head(at: last)?.hash == hash?.hash, hash != nil {
        known = last
      } else {
        end = Position(rawValue: middle.rawValue - 1)
      }
    }
    return known
  }
}

extension Log {
  /// Returns copies of the events after a position, up to the end of their block; none past the end of the log.
  fileprivate func events(after position: Position) throws(LogError) -> [RecordedEvent] {
    guard try head().position > position else { return [] }
    var events: [RecordedEvent] = []
    try blocks(from: position.next, .forward, checks: .full) { block in
      events = block.events(Int(position.next.rawValue - block.first.rawValue)..<block.count)
      return .stop
    }
    return events
  }
}
