// A stored append, found by its id.
internal import Bytes

/// An append as the log holds it.
internal struct StoredAppend {
  let receipt: Receipt
  let events: [RecordedEvent]

  /// Returns the result of another append with its id: its receipt, if both are the same append.
  func outcome(of append: Append, _ cipher: (any ContentCipher)?) -> Result<Receipt, AppendError> {
    holds(append, cipher) ? .success(receipt) : .failure(.idReused(receipt.id, at: receipt.positions.lowerBound))
  }

  /// Returns whether it has the same proposal as another append or, without one, the same events.
  private func holds(_ append: Append, _ cipher: (any ContentCipher)?) -> Bool {
    if let stored = events[0].proposal, let proposal = append.proposal {
      guard let cipher else { return stored == proposal }
      return cipher.matches(stored, proposal, of: receipt.id, by: events[0].actor)
    }
    guard events[0].proposal == append.proposal, events.count == append.events.count,
      events[0].correlation == append.correlation
    else { return false }
    var parts = ContentParts()
    return zip(events, append.events).enumerated().allSatisfy { index, pair in
      let (recorded, proposed) = pair
      return recorded.stream == proposed.stream && recorded.type == proposed.type
        && recorded.actor == proposed.actor && recorded.device == proposed.device
        && recorded.cause == proposed.cause && recorded.hasPayload(of: proposed, at: index, cipher, &parts)
    }
  }
}

extension RecordedEvent {
  /// Returns whether the event, as it is stored, has the payload of a proposed one: an event has the same encrypted
  /// content each time.
  fileprivate func hasPayload(
    of proposed: ProposedEvent, at index: Int, _ cipher: (any ContentCipher)?, _ parts: inout ContentParts
  ) -> Bool {
    if encrypted.isEmpty { return payload == proposed.payload }
    parts.removeAll()
    let place = AppendPlace(append, index)
    guard let cipher,
      (try? cipher.encrypt(proposed, place, at: recorded, into: &parts, hasStream: { _ in true })) == true
    else { return false }
    return parts.readable.array() == payload && parts.encrypted.array() == encrypted
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
