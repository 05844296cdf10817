// Threat: events that another thread decodes are folded otherwise than those that a fold decodes itself: not all, not
// once, at other positions, or past one that cannot be read.
import EventLog
import Locks
import ProjectionWorker
import Projections
import SeededRandom
import Tables
import Testing

/// Sums the positions and the sizes of payloads by stream; cannot decode some events, and cannot fold others.
private struct Sums: DecodingProjection {
  static let name = "sums"
  static let revision = "1"
  static let tableNames = ["rows"]
  static let unreadable = Array("unreadable".utf8)
  static let unfoldable = Array("unfoldable".utf8)
  /// The numbers of events that another thread decoded, and that were folded as it decoded them.
  static let counts = Locked((decoded: 0, folded: 0))

  struct Unable: Error {}

  struct Decoder: BlockDecoder {
    struct Event: Sendable { let stream, payload: [UInt8] }

    mutating func decode(_ block: BlockView, _ numbers: Range<Int>, into events: inout [Event]) throws {
      Sums.counts.withLock { $0.decoded += numbers.count }
      for number in numbers { events.append(try Self.decoded(block.event(at: number))) }
    }

    static func decoded(_ event: EventView) throws -> Event {
      let payload = event.payload.array
      if payload == Sums.unreadable { throw Unable() }
      return Event(stream: event.stream.array, payload: payload)
    }
  }

  private let rows: LiveTable<CountRow>

  init(_ tables: ProjectionTables) { rows = tables(ProjectionTable<Sums, CountRow>("rows")) }

  mutating func fold(_ event: EventView) throws { try fold(Decoder.decoded(event), at: event.position) }

  mutating func fold(_ events: [Decoder.Event], from first: Position) throws {
    Self.counts.withLock { $0.folded += events.count }
    for (number, event) in events.enumerated() {
      try fold(event, at: Position(rawValue: first.rawValue + UInt64(number)))
    }
  }

  private func fold(_ event: Decoder.Event, at position: Position) throws {
    if event.payload == Self.unfoldable { throw Unable() }
    let row = try rows.row(of: event.stream) ?? CountRow()
    let bytes = row.bytes + UInt64(event.payload.count)
    try rows.set(CountRow(events: row.events + position.rawValue, bytes: bytes), for: event.stream)
  }
}

@Suite(.serialized) struct `Events decoded by another thread` {
  private let scratch: Scratch
  private let store = EventStore.inMemory()
  private var random = SeededRandom.printingSeed()

  init() throws { scratch = try Scratch() }

  /// Appends blocks of some events until there are more than two chunks.
  private mutating func fill() throws {
    let end = try store.head().position.rawValue + 5_000
    while try store.head().position.rawValue < end { try store.appendNow(random.events(1 + random.below(60))) }
  }

  private struct Folded: Equatable {
    var checkpoints: [Checkpoint] = []
    var stops: [ProjectionStop] = []
  }

  /// Folds in stretches that end within blocks; returns the checkpoint after each, and the stops.
  private func fold(_ length: UInt64, isForgetful: Bool) throws -> Folded {
    let replay = try ProjectionReplay([Sums.self], of: store, in: scratch.path + "/replay")
    defer { replay.close() }
    let end = try store.head().position
    var folded = Folded()
    while replay.applied.position < end {
      let last = min(end, Position(rawValue: replay.applied.position.rawValue + length))
      #expect(try replay.fold(through: last, isForgetful: isForgetful) == nil)
      folded.checkpoints.append(try replay.checkpoint())
    }
    folded.stops = replay.stops
    return folded
  }

  @Test mutating func `are folded once, at their positions, in stretches of any length`() throws {
    try fill()
    let count = try Int(store.head().position.rawValue)
    for length in [2_049, 3_777, 10_000] {
      Sums.counts.withLock { $0 = (0, 0) }
      let ahead = try fold(UInt64(length), isForgetful: false)
      // A stretch of fewer events than a chunk has is folded by one thread.
      let rest = count % length < 2_048 ? count % length : 0
      let (decoded, folded) = Sums.counts.withLock { $0 }
      #expect(folded == count - rest && decoded == folded)
      #expect(try fold(UInt64(length), isForgetful: true) == ahead)
      #expect(ahead.stops.isEmpty)
    }
  }

  @Test(arguments: [Sums.unreadable, Sums.unfoldable])
  mutating func `end where one cannot be read or folded`(payload: [UInt8]) throws {
    try fill()
    let position = try append(payload)
    try fill()
    let ahead = try fold(3_777, isForgetful: false)
    #expect(ahead.stops.map(\.position) == [position])
    #expect(try fold(3_777, isForgetful: true) == ahead)
  }

  // What broke: it was found by reading. Events were decoded far behind the end of a stretch, and those behind one that
  // stopped the projection were folded into it.
  @Test mutating func `are those of their stretch, whatever is done between two`() throws {
    try fill()
    let position = try append(Sums.unfoldable)
    for _ in 0..<3 { try fill() }
    let replay = try ProjectionReplay([Sums.self], of: store, in: scratch.path + "/replay")
    let end = try store.head().position
    Sums.counts.withLock { $0 = (0, 0) }
    _ = try replay.fold(through: Position(rawValue: 2_500))
    #expect(Sums.counts.withLock { $0.decoded } == 2_500)
    #expect(try replay.digestsOfEvents(through: Position(rawValue: 2_520)).count == 20)
    _ = try replay.fold(through: position.next, times: 2)
    #expect(replay.stops.map(\.position) == [position])
    _ = try replay.fold(through: end)
    #expect(try replay.checkpoint() == fold(10_000, isForgetful: true).checkpoints.last)
    replay.close()
  }

  /// Appends an event with a payload, between others in its block; returns its position.
  private mutating func append(_ payload: [UInt8]) throws -> Position {
    try store.appendNow(random.events(3) + [ProposedEvent(stream: "a", type: "b", payload: payload)] + random.events(3))
    return Position(rawValue: try store.head().position.rawValue - 3)
  }
}
