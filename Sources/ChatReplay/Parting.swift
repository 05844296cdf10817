// Where two logs part.
public import EventLog

/// The first position at which two logs do not have the same.
public struct Parting: Hashable, Sendable {
  /// The position.
  public let position: Position
  /// What stands there in the one; nil where it has ended.
  public let one: RecordedEvent?
  /// What stands there in the other; nil where it has ended.
  public let other: RecordedEvent?

  /// Finds where two logs part; nil when they have the same events in the same blocks.
  ///
  /// Where they have the same events, and cut them into blocks otherwise, they part behind the last event of both,
  /// with nothing there: then their hashes differ all the same.
  public static func of(_ one: any Log, _ other: any Log) throws(LogError) -> Parting? {
    let (head, otherHead) = (try one.head(), try other.head())
    if head.hash == otherHead.hash { return nil }
    var position = try lastCommon(one, other, upTo: min(head.position, otherHead.position))
    while true {
      position = position.next
      let (mine, its) = (try one.event(at: position), try other.event(at: position))
      if mine == nil || its == nil || mine != its { return Parting(position: position, one: mine, other: its) }
    }
  }

  /// The last position known to end the same chain in both; found by halving, since a hash binds all before it.
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
  /// A copy of the event at a position; nil past the end.
  fileprivate func event(at position: Position) throws(LogError) -> RecordedEvent? {
    guard try head().position >= position else { return nil }
    var event: RecordedEvent?
    try blocks(from: position, .forward, checks: .full) { block in
      let index = Int(position.rawValue - block.first.rawValue)
      event = block.events(index..<index + 1).first
      return .stop
    }
    return event
  }
}
