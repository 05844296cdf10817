// Events of a log decoded on a thread of their own, ahead of the thread that folds them.
internal import Dispatch
internal import EventLog
internal import Locks

/// Events of a log, decoded ahead for one fold.
internal protocol EventsAhead {
  /// Folds events up to a position, or fewer: the fold's head is the one that was reached. When it throws, the fold has
  /// to start over.
  func fold(into fold: inout ProjectionFold, through last: Position) throws

  /// Stops decoding; the log is not read any more when the call returns.
  func abandon()
}

extension DecodingProjection {
  /// Begins to decode the events after a position for this projection alone.
  static func eventsAhead(of log: any Log, after position: Position) -> any EventsAhead {
    DecodedEvents<Self>(of: log, after: position)
  }
}

/// The events after a position; what cannot be read or decoded ends them.
private final class DecodedEvents<Kind: DecodingProjection>: EventsAhead, Sendable {
  typealias Event = Kind.Decoder.Event

  /// The least number of events that are handed over at once.
  private static var eventsMin: Int { 2_048 }
  /// The number of chunks that wait to be folded.
  private static var chunksMax: Int { 4 }

  /// Consecutive events with the heads of their blocks.
  private struct Chunk: Sendable {
    var first: Position
    var events: [Event] = []
    var heads: [Head] = []

    /// The head at the position of one of the events, which may be within a block.
    func head(at position: Position) -> Head? {
      heads.first { $0.position >= position }.map {
        Head(position: position, hash: $0.hash, blocks: $0.blocks, recorded: $0.recorded)
      }
    }
  }

  private struct State: Sendable {
    var chunks: [Chunk] = []
    var hasEnded = false
    var isAbandoned = false
  }

  private let state = Locked(State())
  private let filled = DispatchSemaphore(value: 0)
  private let freed = DispatchSemaphore(value: 0)

  /// Begins to decode the events after a position.
  init(of log: any Log, after position: Position) {
    for _ in 0..<Self.chunksMax { freed.signal() }
    DispatchQueue.global().async { self.decode(log, after: position) }
  }

  func abandon() {
    state.withLock { $0.isAbandoned = true }
    freed.signal()
    while !state.withLock({ $0.hasEnded }) { filled.wait() }
  }

  func fold(into fold: inout ProjectionFold, through last: Position) throws {
    while fold.applied.position < last {
      let position = fold.applied.position
      guard let chunk = chunk(), let reached = chunk.heads.last, chunk.first <= position.next,
        let head = chunk.head(at: min(last, reached.position))
      else { return }
      let start = Int(position.next.rawValue - chunk.first.rawValue)
      let end = Int(head.position.rawValue - chunk.first.rawValue) + 1
      guard start < end else { return }
      try fold.fold(end - start, to: head) { (projection: inout Kind) in
        try projection.fold(chunk.events[start..<end], from: position.next)
      }
      if head.position == reached.position { drop() }
    }
  }

  private func chunk() -> Chunk? {
    while true {
      let (chunk, hasEnded) = state.withLock { ($0.chunks.first, $0.hasEnded) }
      if chunk != nil || hasEnded { return chunk }
      filled.wait()
    }
  }

  private func drop() {
    state.withLock { _ = $0.chunks.removeFirst() }
    freed.signal()
  }

  private func decode(_ log: any Log, after position: Position) {
    var decoder = Kind.Decoder()
    var chunk = Chunk(first: position.next)
    // The fold itself finds the reason why the log cannot be read.
    try? log.blocks(from: position.next, .forward, checks: .full) { block in
      let (count, next) = (chunk.events.count, Position(rawValue: chunk.first.rawValue + UInt64(chunk.events.count)))
      do {
        try decoder.decode(block, Int(next.rawValue - block.first.rawValue)..<block.count, into: &chunk.events)
      } catch {
        chunk.events.removeSubrange(count...)
        return .stop
      }
      chunk.heads.append(block.head)
      if chunk.events.count < Self.eventsMin { return .next }
      let isWanted = hand(chunk)
      chunk = Chunk(first: block.last.next)
      return isWanted ? .next : .stop
    }
    if !chunk.events.isEmpty { _ = hand(chunk) }
    state.withLock { $0.hasEnded = true }
    filled.signal()
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
