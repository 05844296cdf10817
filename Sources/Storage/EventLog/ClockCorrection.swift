// Clock corrections: events after which the times of a log continue from before the time of the last block.
internal import Bytes

/// A correction of the times of a log: an event, alone in its block, whose time is before that of the block it follows.
public struct ClockCorrection: Hashable, Sendable {
  /// The wrong time: that of the block before.
  public let wrong: Timestamp
  /// The position of the first event whose time is later than that of the correction.
  public let first: Position

  /// The stream of all corrections.
  public static let stream: Name = "app/verbatim.clock"
  /// The type of the event.
  public static let type: Name = "app/verbatim.clockCorrected.1"

  /// Creates a correction from its parts.
  public init(wrong: Timestamp, first: Position) { (self.wrong, self.first) = (wrong, first) }

  /// Decodes a correction from a payload; nil if it is not in the canonical form.
  public init?(payload: RawSpan) {
    var reader = ByteReader(payload)
    guard reader.skip(Self.wrongTag), let wrong = reader.fixed64(), reader.skip(Self.firstTag),
      let first = reader.varint(), reader.isAtEnd
    else { return nil }
    self.init(wrong: Timestamp(rawValue: Int64(bitPattern: wrong)), first: Position(rawValue: first))
  }

  /// The event that records the correction.
  public var event: ProposedEvent {
    var payload = ByteWriter()
    payload.field(1, fixed64: UInt64(bitPattern: wrong.rawValue))
    payload.field(2, varint: first.rawValue)
    return ProposedEvent(stream: Self.stream, type: Self.type, payload: payload.array())
  }

  /// Decodes the correction of a proposed event, if it is one.
  public init?(_ event: ProposedEvent) {
    guard event.stream == Self.stream, event.type == Self.type else { return nil }
    self.init(payload: event.payload.span.bytes)
  }

  private static let wrongTag: UInt8 = 1 << 3 | 1
  private static let firstTag: UInt8 = 2 << 3
}

extension BlockView {
  /// The correction that is the block's only event, if it is one.
  public var clockCorrection: ClockCorrection? {
    guard count == 1 else { return nil }
    let event = event(at: 0)
    let isCorrection =
      ClockCorrection.type.hasBytes(of: event.type) && ClockCorrection.stream.hasBytes(of: event.stream)
    return isCorrection ? ClockCorrection(payload: event.payload) : nil
  }

  /// Returns whether the block may follow a head by its time: it is not earlier, or it corrects that time.
  public func hasTime(after head: Head) -> Bool {
    recorded >= head.recorded || clockCorrection?.wrong == head.recorded
  }
}

// MARK: Correction

extension EventStore {
  /// Appends a correction at the clock's time and returns it; nil if the clock is not before the last block, so that
  /// nothing needs correction.
  ///
  /// The limits of the clock do not apply, but it must be plausible. The page <doc:Clocks> describes the consequences.
  @available(*, noasync, message: "it blocks until the disk has finished: call it on a thread that may block")
  public func correctClock() throws(LogError) -> RecordedEvent? {
    let now = configuration.clock()
    guard ClockLimits.plausible.contains(now) else { throw .clock(.implausible(found: now)) }
    return try correctClock(at: now, configuration.newID(now))
  }

  /// Appends a correction at a time, under an id; nil if no later time was recorded.
  package func correctClock(at now: Timestamp, _ id: AppendID) throws(LogError) -> RecordedEvent? {
    guard try head().recorded > now else { return nil }
    let first = try last(recordedBy: now).next
    var position: Position?
    try appendBlock(at: .corrected(now)) { draft throws(LogError) in
      position = nil
      let wrong = draft.head.recorded
      guard wrong > now else { return }
      let receipt = try draft.write(Append([ClockCorrection(wrong: wrong, first: first).event]), id)
      position = receipt.positions.lowerBound
    }
    return try position.map { position throws(LogError) in try event(at: position) } ?? nil
  }

  /// Returns the position of the last event that was recorded at or before an instant.
  ///
  /// Times do not fall between two corrections, so that the event is found by binary search.
  package func last(recordedBy instant: Timestamp) throws(LogError) -> Position {
    var end = try head().position
    var version = StreamVersion(rawValue: .max)
    while let correction = try events(of: ClockCorrection.stream, from: version, .backward, limit: 1).first {
      if correction.recorded <= instant {
        return try log.last(recordedBy: instant, in: correction.position...max(end, correction.position))
      }
      end = Position(rawValue: correction.position.rawValue - 1)
      if correction.version == .first { break }
      version = StreamVersion(rawValue: correction.version.rawValue - 1)
    }
    return end == .zero ? .zero : try log.last(recordedBy: instant, in: .first...end)
  }
}

extension Log {
  /// Returns the position of the last event of a range that was recorded at or before an instant, or the position
  /// before the range; times do not fall within the range.
  fileprivate func last(
    recordedBy instant: Timestamp, in range: ClosedRange<Position>
  ) throws(LogError) -> Position {
    var known = Position(rawValue: range.lowerBound.rawValue - 1)
    var end = range.upperBound
    while known < end {
      let middle = Position(rawValue: known.rawValue + (end.rawValue - known.rawValue + 1) / 2)
      try blocks(from: middle, .forward, checks: .full) { block in
        if block.recorded <= instant {
          known = block.last
        } else {
          end = Position(rawValue: block.first.rawValue - 1)
        }
        return .stop
      }
      guard known >= middle || end < middle else { throw .missing(at: middle) }
    }
    return known
  }
}
