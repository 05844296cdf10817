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
  /// The number of events that were folded as another thread decoded them.
  static let decodedCount = Locked(0)

  struct Unable: Error {}

  struct Decoder: BlockDecoder {
    struct Event: Sendable { let stream, payload: [UInt8] }

    mutating func decode(_ block: BlockView, _ numbers: Range<Int>, into events: inout [Event]) throws {
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

  mutating func fold(_ events: ArraySlice<Decoder.Event>, from first: Position) throws {
    Self.decodedCount.withLock { $0 += events.count }
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
    for length in [977, 2_048, 10_000] as [UInt64] {
      Sums.decodedCount.withLock { $0 = 0 }
      let ahead = try fold(length, isForgetful: false)
      #expect(Sums.decodedCount.withLock { $0 } == count)
      #expect(try fold(length, isForgetful: true) == ahead)
      #expect(ahead.stops.isEmpty)
    }
  }

  @Test(arguments: [Sums.unreadable, Sums.unfoldable])
  mutating func `end where one cannot be read or folded`(payload: [UInt8]) throws {
    try fill()
    try store.appendNow(random.events(3) + [ProposedEvent(stream: "a", type: "b", payload: payload)] + random.events(3))
    let position = Position(rawValue: try store.head().position.rawValue - 3)
    try fill()
    let ahead = try fold(1_777, isForgetful: false)
    #expect(ahead.stops.map(\.position) == [position])
    #expect(try fold(1_777, isForgetful: true) == ahead)
  }

  @Test mutating func `are left when the replay is closed before it is at the end`() throws {
    try fill()
    try fill()
    try fill()
    let replay = try ProjectionReplay([Sums.self], of: store, in: scratch.path + "/replay")
    #expect(try replay.fold(through: Position(rawValue: 10)) == nil)
    replay.close()
  }
}
