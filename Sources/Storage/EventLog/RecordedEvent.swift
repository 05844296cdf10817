// An event copied from the log.

/// An event recorded in the log, with its metadata.
public struct RecordedEvent: Hashable, Sendable {
  /// The position of the event in the log.
  public let position: Position
  /// The stream of the event.
  public let stream: Name
  /// The version of the event in its stream: 1 for the first.
  public let version: StreamVersion
  /// The time at which the event was recorded.
  public let recorded: Timestamp
  /// The type of the event.
  public let type: Name
  /// The author of the event.
  public let actor: Name?
  /// The device on which the event was caused.
  public let device: Name?
  /// The position of the event that caused it.
  public let cause: Position?
  /// The id of the append that wrote it.
  public let append: AppendID
  /// The correlation of its append.
  public let correlation: Name?
  /// The recorded bytes; where content is encrypted, with the decrypted content, or without it if that was erased.
  public private(set) var payload: [UInt8]
  /// A hash of the intent of its append; nil where none was given, and for all events of an append but the first.
  public let proposal: ProposalHash?
  /// The encrypted content, as it is stored; empty when the event has none, or it is decrypted.
  public private(set) var encrypted: [UInt8]
  /// The position of the erasure that destroyed the key of the content; nil while the content can be read.
  public private(set) var erasedBy: Position?
}

extension BlockView {
  /// Returns copies of the events at a range of indices, in order.
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

  /// Returns copies of the events at a range of indices, in order, with their content decrypted.
  package func events(
    _ indices: Range<Int>, _ decryption: inout EventDecryption
  ) throws(LogError) -> [RecordedEvent] {
    var events = events(indices)
    for number in events.indices where !events[number].encrypted.isEmpty {
      let event = event(at: indices.lowerBound + number)
      try decryption.withDecrypted(event) { events[number].take($0) }
    }
    return events
  }

  private func copy(_ event: EventView, of append: AppendView) -> RecordedEvent {
    RecordedEvent(
      position: event.position, stream: Name(copying: event.stream), version: event.version, recorded: recorded,
      type: Name(copying: event.type), actor: event.actorNumber.map { Name(copying: name($0)) },
      device: event.deviceNumber.map { Name(copying: name($0)) }, cause: event.cause, append: append.id,
      correlation: append.correlation.map { Name(copying: name($0)) },
      payload: event.payload.withUnsafeBytes { Array($0) }, proposal: event.proposal,
      encrypted: event.encryptedBytes, erasedBy: event.erasedBy)
  }
}

extension EventView {
  /// A copy of the encrypted content.
  fileprivate var encryptedBytes: [UInt8] {
    guard let encrypted else { return [] }
    return encrypted.withUnsafeBytes { Array($0) }
  }
}

extension RecordedEvent {
  /// Replaces the payload and what is encrypted by those of a view of the same event.
  fileprivate mutating func take(_ event: EventView) {
    payload = event.payload.withUnsafeBytes { Array($0) }
    if event.encrypted == nil { encrypted = [] }
    erasedBy = event.erasedBy
  }
}

extension Name {
  /// Creates a name from the bytes of a validated block.
  package init(copying bytes: RawSpan) {
    self = bytes.withUnsafeBytes { Name(validated: $0) }
  }
}
