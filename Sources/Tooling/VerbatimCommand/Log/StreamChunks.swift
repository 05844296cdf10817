// Reads the events of one stream in chunks that fit into memory.
internal import EventLog

/// The unread rest of a stream, up to the version it had when reading began.
struct StreamChunks {
  private static let positionsMax = 1024

  private let store: EventStore
  private let stream: Name
  private let direction: Direction
  private var versions: ClosedRange<UInt64>?
  /// The positions of the next events, looked up but not yet read.
  private var positions: ArraySlice<Position> = []

  /// Reads a stream's events from a version on, at most `limit`: the first ones in the direction.
  init(
    _ store: EventStore, _ stream: Name, from version: StreamVersion, limit: Int?, _ direction: Direction
  ) throws(Failure) {
    let last = try asked { () throws(LogError) in try store.version(of: stream) }
    self.store = store
    self.stream = stream
    self.direction = direction
    guard version <= last, limit != 0 else { return }
    let more = min(last.rawValue - version.rawValue, limit.map { UInt64($0 - 1) } ?? .max)
    versions =
      direction == .forward
      ? version.rawValue...version.rawValue + more : last.rawValue - more...last.rawValue
  }

  /// Returns the next events, all of one block; nil when all were read.
  mutating func next() throws(Failure) -> [RecordedEvent]? {
    if positions.isEmpty { try findPositions() }
    guard !positions.isEmpty else { return nil }
    let (store, direction, positions) = (store, direction, positions)
    let events = try asked { () throws(LogError) in
      try store.events(sharingBlockAmong: positions, direction)
    }
    self.positions = positions.dropFirst(events.count)
    return events
  }

  private mutating func findPositions() throws(Failure) {
    guard let versions else { return }
    let start = direction == .forward ? versions.lowerBound : versions.upperBound
    let count = min(UInt64(Self.positionsMax - 1), versions.upperBound - versions.lowerBound) + 1
    var found: [Position] = []
    try asked { () throws(LogError) in
      try store.readStream(stream, from: StreamVersion(rawValue: start), direction) { event in
        found.append(event.position)
        return found.count < Int(count) ? .next : .stop
      }
    }
    guard found.count == Int(count) else {
      throw Failure(
        .refused, "The stream \(stream) ends before its version \(versions.upperBound): verify the log.")
    }
    positions = found[...]
    take(count)
  }

  private mutating func take(_ count: UInt64) {
    guard let versions else { return }
    if versions.upperBound - versions.lowerBound < count {
      self.versions = nil
    } else if direction == .forward {
      self.versions = versions.lowerBound + count...versions.upperBound
    } else {
      self.versions = versions.lowerBound...versions.upperBound - count
    }
  }
}
