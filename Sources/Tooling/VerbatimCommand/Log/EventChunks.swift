// Reads events in chunks that fit into memory, so that no transaction stays open while a reader of the output blocks.
internal import EventLog

/// The unread rest of a range of positions.
struct EventChunks {
  /// The byte count of blocks at which a chunk ends; a larger block is a chunk of its own.
  private static let byteCountMin = 1 << 20

  private let log: any Log
  private let direction: Direction
  private var rest: ClosedRange<Position>?

  /// Reads the events of a range up to the head, at most `limit`: the first ones in the direction.
  init(
    _ log: any Log, from: Position, to: Position, limit: Int? = nil, _ direction: Direction = .forward
  ) throws(Failure) {
    let head = try asked { () throws(LogError) in try log.head().position }
    let from = max(from, .first)
    let to = min(to, head)
    self.log = log
    self.direction = direction
    if from <= to, limit != 0 { rest = (from...to).first(limit, direction) }
  }

  /// Returns the next events; nil when all were read.
  mutating func next() throws(Failure) -> [RecordedEvent]? {
    guard let range = rest else { return nil }
    var events: [RecordedEvent] = []
    var byteCount = 0
    let start = direction == .forward ? range.lowerBound : range.upperBound
    var decryption = EventDecryption(with: log.content.cipher)
    try asked { () throws(LogError) in
      try log.blocks(from: start, direction, checks: .full) { block throws(LogError) in
        let part = try block.events(at: range, &decryption)
        events += direction == .forward ? part : part.reversed()
        byteCount += block.bytes.byteCount
        return byteCount < Self.byteCountMin && !part.isEmpty ? .next : .stop
      }
    }
    guard let last = events.last?.position else { throw missing(start) }
    rest = range.rest(after: last, direction)
    return events
  }

  private func missing(_ position: Position) -> Failure {
    Failure(
      .refused, "The log has no event at position \(position), which is before its end: verify the log.")
  }
}

extension ClosedRange<Position> {
  /// Returns the first `limit` positions in a direction.
  fileprivate func first(_ limit: Int?, _ direction: Direction) -> ClosedRange<Position> {
    guard let limit, UInt64(limit - 1) < upperBound.rawValue - lowerBound.rawValue else { return self }
    switch direction {
    case .forward: return lowerBound...lowerBound.advanced(by: limit - 1)
    case .backward: return Position(rawValue: upperBound.rawValue - UInt64(limit - 1))...upperBound
    }
  }

  /// Returns the positions that follow in a direction; nil for none.
  fileprivate func rest(after position: Position, _ direction: Direction) -> ClosedRange<Position>? {
    switch direction {
    case .forward: return position < upperBound ? position.next...upperBound : nil
    case .backward:
      return position > lowerBound ? lowerBound...Position(rawValue: position.rawValue - 1) : nil
    }
  }
}

extension EventStore {
  /// Returns copies of the events at positions, sorted in a direction; only those in the same block as the first.
  func events(
    sharingBlockAmong positions: ArraySlice<Position>, _ direction: Direction
  ) throws(LogError) -> [RecordedEvent] {
    guard let first = positions.first else { return [] }
    var events: [RecordedEvent] = []
    var decryption = EventDecryption(with: log.content.cipher)
    try log.blocks(from: first, .forward, checks: .full) { block throws(LogError) in
      let here = positions.prefix { block.first <= $0 && $0 <= block.last }
      guard let last = here.last else { return .stop }
      let wanted = Set(here)
      events = try block.events(at: min(first, last)...max(first, last), &decryption)
        .filter { wanted.contains($0.position) }
      return .stop
    }
    guard !events.isEmpty else { throw .indexDiffers(at: first) }
    return direction == .forward ? events : events.reversed()
  }
}

extension BlockView {
  /// Returns copies of the events at positions of a range.
  fileprivate func events(
    at range: ClosedRange<Position>, _ decryption: inout EventDecryption
  ) throws(LogError) -> [RecordedEvent] {
    let from = max(range.lowerBound, first)
    let to = min(range.upperBound, last)
    guard from <= to else { return [] }
    return try events(Int(from.rawValue - first.rawValue)..<Int(to.rawValue - first.rawValue) + 1, &decryption)
  }

  /// Returns copies of all events.
  func allEvents() -> [RecordedEvent] { events(0..<count) }
}
