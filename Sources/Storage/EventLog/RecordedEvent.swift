// An event that stands in the log.

/// An event that stands in the log, with all that is known of it.
public struct RecordedEvent: Hashable, Sendable {
  /// Where it stands in the log.
  public let position: Position
  /// The stream it belongs to.
  public let stream: Name
  /// Where it stands in its stream: 1 for the first.
  public let version: StreamVersion
  /// When it was recorded.
  public let recorded: Timestamp
  /// What kind of event it is.
  public let type: Name
  /// Who did it.
  public let actor: Name?
  /// On which device.
  public let device: Name?
  /// The event that caused it.
  public let cause: Position?
  /// The append that wrote it.
  public let append: AppendID
  /// What its append belongs to.
  public let correlation: Name?
  /// What was recorded.
  public let payload: [UInt8]
  /// A hash of what its append came of; nil where that is not told, and for all events of an append but the first.
  public let proposal: ProposalHash?
}

extension BlockView {
  /// Copies of the events at some indices, in order.
  public func events(_ indices: Range<Int>) -> [RecordedEvent] {
    var events: [RecordedEvent] = []
    events.reserveCapacity(indices.count)
    forEachAppend { append in
      for index in indices.clamped(to: append.firstIndex..<append.firstIndex + append.count) {
        events.append(copy(event(at: index), of: append))
      }
    }
    return events
  }

  private func copy(_ event: EventView, of append: AppendView) -> RecordedEvent {
    RecordedEvent(
      position: event.position, stream: Name(copying: event.stream), version: event.version, recorded: recorded,
      type: Name(copying: event.type), actor: event.actorNumber.map { Name(copying: name($0)) },
      device: event.deviceNumber.map { Name(copying: name($0)) }, cause: event.cause, append: append.id,
      correlation: append.correlation.map { Name(copying: name($0)) },
      payload: event.payload.withUnsafeBytes { Array($0) }, proposal: event.proposal)
  }
}

extension Name {
  /// The name that a validated block holds.
  package init(copying bytes: RawSpan) {
    self = bytes.withUnsafeBytes { Name(validated: $0) }
  }
}
