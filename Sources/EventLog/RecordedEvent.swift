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
}

extension BlockView {
  /// Copies of the events at the indices that are chosen, in order.
  public func events(where isChosen: (EventView) -> Bool = { _ in true }) -> [RecordedEvent] {
    var appends: [AppendView] = []
    forEachAppend { appends.append($0) }
    var events: [RecordedEvent] = []
    events.reserveCapacity(count)
    var append = 0
    for index in 0..<count {
      if index >= appends[append].firstIndex + appends[append].count { append += 1 }
      let event = event(at: index)
      guard isChosen(event) else { continue }
      events.append(copy(event, of: appends[append]))
    }
    return events
  }

  private func copy(_ event: EventView, of append: AppendView) -> RecordedEvent {
    let names = event.nameNumbers
    return RecordedEvent(
      position: event.position, stream: copy(names.stream), version: event.version, recorded: recorded,
      type: copy(names.type), actor: names.actor.map { copy($0) }, device: names.device.map { copy($0) },
      cause: event.cause, append: append.id, correlation: append.correlation.map { copy($0) },
      payload: event.payload.withUnsafeBytes { Array($0) })
  }

  private func copy(_ number: Int) -> Name {
    name(number).withUnsafeBytes { Name(validated: $0) }
  }
}
