// A stored append, found by its id.

/// An append as the log holds it.
internal struct StoredAppend {
  let receipt: Receipt
  let events: [RecordedEvent]

  /// Returns the result of another append with its id: its receipt, if both are the same append.
  func outcome(of append: Append) -> Result<Receipt, AppendError> {
    holds(append) ? .success(receipt) : .failure(.idReused(receipt.id, at: receipt.positions.lowerBound))
  }

  /// Returns whether it has the same proposal as another append or, without one, the same events.
  private func holds(_ append: Append) -> Bool {
    guard events[0].proposal == append.proposal else { return false }
    if append.proposal != nil { return true }
    guard events.count == append.events.count, events[0].correlation == append.correlation else { return false }
    return zip(events, append.events).allSatisfy { recorded, proposed in
      recorded.stream == proposed.stream && recorded.type == proposed.type
        && recorded.actor == proposed.actor && recorded.device == proposed.device
        && recorded.cause == proposed.cause && recorded.payload == proposed.payload
    }
  }
}

extension Log {
  /// Returns the append with an id, located by an index.
  internal func storedAppend(_ id: AppendID, foundIn index: any LogIndex) throws(LogError) -> StoredAppend? {
    guard let position = try index.append(id) else { return nil }
    var found: StoredAppend?
    try blocks(from: position, .forward, checks: .full) { block in
      found = block.storedAppend(id, at: position)
      return .stop
    }
    guard let found else { throw .indexDiffers(at: position) }
    return found
  }
}

extension BlockView {
  fileprivate func storedAppend(_ id: AppendID, at position: Position) -> StoredAppend? {
    guard position >= first, position <= last else { return nil }
    let firstIndex = Int(position.rawValue - first.rawValue)
    var found: AppendView?
    forEachAppend { if $0.firstIndex == firstIndex, $0.id == id { found = $0 } }
    guard let found else { return nil }
    let indices = firstIndex..<firstIndex + found.count
    let events = events(indices)
    var ranges = StreamRanges(near: event(at: firstIndex).streamNumber)
    for (event, index) in zip(events, indices) {
      ranges.add(event.stream, self.event(at: index).streamNumber, event.version.rawValue)
    }
    let receipt = Receipt(
      id: id, positions: position...position.advanced(by: found.count - 1), recorded: recorded,
      streams: ranges.all)
    return StoredAppend(receipt: receipt, events: events)
  }
}
