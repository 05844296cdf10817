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
      // Blocks may be cut otherwise: as many events as both can give are compared, and at the end none.
      let (mine, its) = (try one.events(after: position), try other.events(after: position))
      let same = zip(mine, its).prefix { $0 == $1 }.count
      position = position.advanced(by: same)
      if same == 0 || same < min(mine.count, its.count) {
        let (left, right) = (mine.dropFirst(same).first, its.dropFirst(same).first)
        return Parting(position: position.next, one: left, other: right)
      }
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
  /// Copies of the events behind a position, as many as are in one block; none past the end.
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
