// Turns salvaged blocks into appends to a new log, in which positions may have changed.
internal import Chat
internal import ChatCodec
internal import EventLog

/// The new positions of the old log's events.
struct PositionMap {
  /// A gapless run of events: the first old position, the first new position, the count.
  private struct Stretch {
    let old: Position
    let new: Position
    var count: UInt64
  }

  private var stretches: [Stretch] = []
  private var next = Position.first
  private var lostCauses = 0
  private var corrections = 0
  private var waiting = (events: 0, bytes: 0)

  /// Whether enough appends are pending that the caller should wait for them.
  var isWorthWaiting: Bool { waiting.events > 4096 || waiting.bytes > 4 << 20 }

  /// Records that no appends are pending.
  mutating func hasSettled() { waiting = (0, 0) }

  /// Records that a correction of the clock was appended that the salvaged blocks lack.
  mutating func addCorrection() {
    next = next.next
    corrections += 1
  }

  /// Returns the appends of a block; blocks must be passed in the order of their positions.
  mutating func appends(of block: BlockView) -> [NumberedAppend] {
    add(block.first, UInt64(block.count))
    waiting.events += block.count
    waiting.bytes += block.bytes.byteCount
    var appends: [NumberedAppend] = []
    for event in block.allEvents() {
      if appends.last?.append.id == event.append {
        appends[appends.count - 1].append.events.append(rewritten(event))
      } else {
        let append = Append(
          [rewritten(event)], id: event.append, correlation: event.correlation, proposal: event.proposal)
        appends.append(NumberedAppend(append: append, lines: 0...0))
      }
    }
    return appends
  }

  /// Returns a summary of moved positions and removed causes, one per line.
  func summary(_ destination: String) -> String {
    let moved = stretches.first { $0.old != $0.new }
    let movedText =
      moved.map { "Positions and versions changed from position \($0.old) on, which is now \($0.new)." }
      ?? "All positions and versions are unchanged."
    let were = lostCauses == 1 ? "was" : "were"
    let causes =
      lostCauses == 0
      ? "" : "\n\(counted(lostCauses, "cause")) pointed to missing events and \(were) left out."
    let corrected =
      corrections == 0 ? "" : "\nMissing corrections of the clock that were made anew: \(corrections)."
    if stretches.isEmpty { return "No event was salvaged, so no log was created at \(destination)." }
    return "The log at \(destination) has \(counted(next.rawValue - 1, "event")) now. " + movedText + causes + corrected
  }

  private mutating func add(_ first: Position, _ count: UInt64) {
    defer { next = Position(rawValue: next.rawValue + count) }
    if let last = stretches.last, last.old.rawValue + last.count == first.rawValue {
      stretches[stretches.count - 1].count += count
    } else {
      stretches.append(Stretch(old: first, new: next, count: count))
    }
  }

  private mutating func rewritten(_ event: RecordedEvent) -> ProposedEvent {
    let cause = event.cause.flatMap(newPosition)
    if event.cause != nil, cause == nil { lostCauses += 1 }
    var rewritten = event.proposed
    rewritten.cause = cause
    if let payload = payload(ofConsumer: event) { rewritten.payload = payload }
    return rewritten
  }

  /// Returns the payload of an event of a consumer with the new position up to which it handled events, so that it
  /// neither passes new events nor handles one again; nil for other events.
  private func payload(ofConsumer event: RecordedEvent) -> [UInt8]? {
    guard event.type.text.hasPrefix("consumer"), let decoded = try? decode(event),
      case .consumer(let id, let change) = decoded.change
    else { return nil }
    let moved: Consumer.Event
    switch change {
    case .began(let position): moved = .began(after: newEnd(position))
    case .advanced(let position): moved = .advanced(through: newEnd(position))
    case .skipped(let position): moved = .skipped(through: newEnd(position))
    case .ended: return nil
    }
    return encode(ChatEvent(.consumer(id, moved), decoded.origin)).payload
  }

  /// Returns the new position of the last event up to an old position that is not lost; 0 if all are.
  private func newEnd(_ old: UInt64) -> UInt64 {
    guard let stretch = stretches.last(where: { $0.old.rawValue <= old }) else { return 0 }
    return stretch.new.rawValue + min(old - stretch.old.rawValue, stretch.count - 1)
  }

  /// Returns the new position of an event of the old log; nil when the event is lost.
  private func newPosition(_ old: Position) -> Position? {
    guard let stretch = stretches.last(where: { $0.old <= old }) else { return nil }
    let offset = old.rawValue - stretch.old.rawValue
    return offset < stretch.count ? Position(rawValue: stretch.new.rawValue + offset) : nil
  }
}
