// Events of a log decoded on a thread of their own, ahead of the thread that folds them.
internal import Dispatch
internal import EventLog
internal import Locks

/// A decoder of events that another thread folds meanwhile.
internal protocol EventsAhead {
  /// Folds the events up to a position, or fewer, which another thread decodes: the fold's head is the one that was
  /// reached. When it throws, the fold has to start over.
  ///
  /// The log is read up to the position, and not any more when the call returns.
  mutating func fold(_ log: any Log, into fold: inout ProjectionFold, through last: Position) throws
}

extension DecodingProjection {
  /// Returns a decoder for this projection alone.
  static func eventsAhead() -> any EventsAhead { DecodedEvents<Self>() }
}

private struct DecodedEvents<Kind: DecodingProjection>: EventsAhead {
  /// The decoder of the stretch before, whose caches are of use in the next; nil before the first.
  private var decoder: Kind.Decoder?

  mutating func fold(_ log: any Log, into fold: inout ProjectionFold, through last: Position) throws {
    // In fewer events, there is nothing to fold while others are decoded.
    let position = fold.applied.position
    guard last.rawValue - position.rawValue >= UInt64(Decoding<Kind>.eventsMin) else { return }
    let decoding = Decoding<Kind>(of: log, after: position, through: last, with: decoder.take())
    defer { decoder = decoding.end() }
    while let chunk = decoding.take() {
      let first = fold.applied.position.next
      try fold.fold(chunk.events.count, to: chunk.end) { (projection: inout Kind) in
        try projection.fold(chunk.events, from: first)
      }
    }
  }
}

/// The decoding of the events of a stretch; what cannot be read or decoded ends it.
private final class Decoding<Kind: DecodingProjection>: Sendable {
  /// The number of events, and of bytes of blocks, after which a chunk ends with the block.
  static var eventsMin: Int { 2_048 }
  private static var bytesMin: Int { 1 << 19 }
  /// The number of chunks that wait to be folded.
  private static var chunksMax: Int { 3 }

  /// Consecutive events, with the head at the last of them.
  struct Chunk: Sendable {
    let events: [Kind.Decoder.Event]
    let end: Head
  }

  private struct State: Sendable {
    var chunks: [Chunk] = []
    /// The decoder, while it does not decode: two copies of it would be two of its caches.
    var decoder: Kind.Decoder?
    var hasEnded = false
    var isAbandoned = false
  }

  private let state: Locked<State>
  private let filled = DispatchSemaphore(value: 0)
  private let freed = DispatchSemaphore(value: 0)

  /// Begins to decode the events after a position, up to another.
  init(of log: any Log, after position: Position, through last: Position, with decoder: consuming Kind.Decoder?) {
    state = Locked(State(decoder: decoder))
    // A semaphore must not end with less than it began with.
    for _ in 0..<Self.chunksMax { freed.signal() }
    // A queue of its own has a thread of its own: those that all share may wait for this one.
    DispatchQueue(label: "verbatim.decoding").async { self.decode(log, after: position, through: last) }
  }

  /// Returns the next chunk as soon as it is decoded; nil at the end.
  func take() -> Chunk? {
    while true {
      let (chunk, hasEnded) = state.withLock { state in
        (state.chunks.isEmpty ? nil : state.chunks.removeFirst(), state.hasEnded)
      }
      if chunk != nil { freed.signal() }
      if chunk != nil || hasEnded { return chunk }
      filled.wait()
    }
  }

  /// Stops decoding, and returns the decoder.
  func end() -> Kind.Decoder? {
    state.withLock { $0.isAbandoned = true }
    freed.signal()
    while !state.withLock({ $0.hasEnded }) { filled.wait() }
    return state.withLock { $0.decoder.take() }
  }

  private func decode(_ log: any Log, after position: Position, through last: Position) {
    var (decoder, position) = (state.withLock { $0.decoder.take() } ?? Kind.Decoder(), position)
    while let chunk = Self.decode(log, after: position, through: last, &decoder), hand(chunk) {
      position = chunk.end.position
    }
    state.withLock { [decoder] state in (state.decoder, state.hasEnded) = (decoder, true) }
    filled.signal()
  }

  /// Decodes a chunk. The log is read for one alone, and not while it waits to be folded: a long read makes the file
  /// grow.
  private static func decode(
    _ log: any Log, after position: Position, through last: Position, _ decoder: inout Kind.Decoder
  ) -> Chunk? {
    if position >= last { return nil }
    var (events, end, byteCount) = ([Kind.Decoder.Event](), nil as Head?, 0)
    // The fold itself finds the reason why the log cannot be read.
    try? log.blocks(from: position.next, .forward, checks: .full) { block in
      let start = max(block.first, position.next).rawValue - block.first.rawValue
      let count = min(block.last, last).rawValue - block.first.rawValue + 1
      let decoded = events.count
      do { try decoder.decode(block, Int(start)..<Int(count), into: &events) } catch {
        events.removeSubrange(decoded...)
        return .stop
      }
      end = block.head(through: last)
      byteCount += block.bytes.byteCount
      return events.count < eventsMin && byteCount < bytesMin && block.last < last ? .next : .stop
    }
    return end.map { Chunk(events: events, end: $0) }
  }

  /// Hands a chunk over when there is room; returns whether more is wanted.
  private func hand(_ chunk: Chunk) -> Bool {
    freed.wait()
    let isWanted = state.withLock { state in
      if !state.isAbandoned { state.chunks.append(chunk) }
      return !state.isAbandoned
    }
    filled.signal()
    return isWanted
  }
}
