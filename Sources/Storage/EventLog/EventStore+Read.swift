// Reading: events of the log and of streams, stream names, receipts.
internal import Bytes

extension EventStore {
  /// Passes the events from a position on to the closure until it returns ``Step/stop``.
  ///
  /// Nothing is copied: an event is valid for the duration of the closure. The read sees at least what was appended
  /// before it began, and may see later appends. When reading backward, the event at the position comes first.
  public func read(
    from position: Position = .first, _ direction: Direction = .forward, checks: Checks = .full,
    _ body: (EventView) -> Step
  ) throws(LogError) {
    var decryption = EventDecryption(with: log.content.cipher)
    try log.blocks(from: position, direction, checks: checks) { block throws(LogError) in
      var index =
        switch direction {
        case .forward: block.index(of: max(position, block.first))
        case .backward: block.index(of: min(position, block.last))
        }
      while block.holds(index) {
        let step = try decryption.withDecrypted(block.event(at: index)) { body($0) }
        if step == .stop { return .stop }
        index += direction == .forward ? 1 : -1
      }
      return .next
    }
  }

  /// Returns copies of at most `limit` events from a position on.
  public func events(
    from position: Position = .first, _ direction: Direction = .forward, limit: Int
  ) throws(LogError) -> [RecordedEvent] {
    var events: [RecordedEvent] = []
    guard limit > 0 else { return [] }
    var decryption = EventDecryption(with: log.content.cipher)
    try log.blocks(from: position, direction, checks: .full) { block throws(LogError) in
      let rest = limit - events.count
      switch direction {
      case .forward:
        let start = block.index(of: max(position, block.first))
        events += try block.events(start..<min(start + min(rest, block.count), block.count), &decryption)
      case .backward:
        let end = block.index(of: min(position, block.last)) + 1
        events += try block.events(max(end - rest, 0)..<end, &decryption).reversed()
      }
      return events.count < limit ? .next : .stop
    }
    return events
  }

  /// Returns a copy of the event at a position, or nil when the log ends before it.
  public func event(at position: Position) throws(LogError) -> RecordedEvent? {
    guard position > .zero else { return nil }
    return try events(from: position, limit: 1).first
  }

  /// Returns the number of events in a stream.
  public func version(of stream: Name) throws(LogError) -> StreamVersion {
    try withIndex { index throws(LogError) in try index.version(ofStream: stream) }
  }

  /// Passes the events of a stream from a version on to the closure until it returns ``Step/stop``.
  ///
  /// The read sees what the stream held when it began. When reading backward, the event with the version comes first,
  /// and a version past the last is the last.
  public func readStream(
    _ stream: Name, from version: StreamVersion = .first, _ direction: Direction = .forward,
    checks: Checks = .full, _ body: (EventView) -> Step
  ) throws(LogError) {
    var decryption = EventDecryption(with: log.content.cipher)
    try forEachPlace(of: stream, from: version, direction, checks) { block, index throws(LogError) in
      try decryption.withDecrypted(block.event(at: index)) { body($0) }
    }
  }

  /// Passes the block and index of each of a stream's events to the closure.
  private func forEachPlace(
    of stream: Name, from version: StreamVersion, _ direction: Direction, _ checks: Checks,
    _ body: (BlockView, Int) throws(LogError) -> Step
  ) throws(LogError) {
    let last = try self.version(of: stream)
    var next = direction == .forward ? max(version, .first) : min(version, last)
    while next >= .first, next <= last {
      let positions = try positions(of: stream, from: next, to: last, direction)
      guard try lend(positions, of: stream, from: next, direction, checks, body) == .next else { return }
      let count = UInt64(positions.count)
      if direction == .backward, next.rawValue <= count { return }
      next = StreamVersion(rawValue: direction == .forward ? next.rawValue + count : next.rawValue - count)
    }
  }

  /// Returns copies of at most `limit` events of a stream from a version on.
  public func events(
    of stream: Name, from version: StreamVersion = .first, _ direction: Direction = .forward, limit: Int
  ) throws(LogError) -> [RecordedEvent] {
    var events: [RecordedEvent] = []
    guard limit > 0 else { return [] }
    var decryption = EventDecryption(with: log.content.cipher)
    try forEachPlace(of: stream, from: version, direction, .full) { block, index throws(LogError) in
      events += try block.events(index..<index + 1, &decryption)
      return events.count < limit ? .next : .stop
    }
    return events
  }

  /// Returns at most `limit` streams whose names begin with a prefix, in byte order; `after` continues after a stream
  /// returned by an earlier call.
  public func streams(
    withPrefix prefix: String = "", after: Name? = nil, limit: Int
  ) throws(LogError) -> [StreamSummary] {
    guard limit > 0 else { return [] }
    return try withIndex { index throws(LogError) in
      try index.streams(
        withPrefix: Array(prefix.utf8), after: after.map { Array($0.text.utf8) }, limit: limit)
    }
  }

  /// Returns the receipt of an append, or nil when the log has none with this id.
  public func receipt(of id: AppendID) throws(LogError) -> Receipt? {
    try withIndex { index throws(LogError) in try log.storedAppend(id, foundIn: index)?.receipt }
  }

  /// Returns the result of an earlier append with the same id, which is durable then if the log can be appended to; nil
  /// when the log has none.
  package func outcome(ofEarlier append: Append, _ id: AppendID) throws(LogError) -> Result<Receipt, AppendError>? {
    let outcome = try withIndex { index throws(LogError) in
      try log.storedAppend(id, foundIn: index)?.outcome(of: append, log.content.cipher)
    }
    if case .success = outcome, !log.isReadOnly { try log.completeInterruptedCommit() }
    return outcome
  }

  /// Returns the positions of the stream's next events in reading order.
  private func positions(
    of stream: Name, from version: StreamVersion, to last: StreamVersion, _ direction: Direction
  ) throws(LogError) -> [Position] {
    let chunk: UInt64 = 256
    let versions: ClosedRange<StreamVersion>
    switch direction {
    case .forward:
      versions = version...min(last, StreamVersion(rawValue: version.rawValue + (chunk - 1)))
    case .backward:
      versions = StreamVersion(rawValue: version.rawValue > chunk ? version.rawValue - chunk + 1 : 1)...version
    }
    let positions = try withIndex { index throws(LogError) in
      try index.positions(ofStream: stream, versions: versions)
    }
    return direction == .forward ? positions : positions.reversed()
  }

  /// Passes the events at positions, given in reading order, to the closure.
  private func lend(
    _ positions: [Position], of stream: Name, from version: StreamVersion, _ direction: Direction,
    _ checks: Checks, _ body: (BlockView, Int) throws(LogError) -> Step
  ) throws(LogError) -> Step {
    var next = 0
    var version = version.rawValue
    var step = Step.next
    while next < positions.count, step == .next {
      let start = next
      try log.blocks(from: positions[next], direction, checks: checks) { block throws(LogError) in
        while step == .next, next < positions.count, block.first <= positions[next],
          positions[next] <= block.last
        {
          let index = block.index(of: positions[next])
          let event = block.event(at: index)
          guard event.version.rawValue == version, event.isOf(stream) else {
            throw .indexDiffers(at: positions[next])
          }
          step = try body(block, index)
          next += 1
          version = direction == .forward ? version + 1 : version &- 1
        }
        // The next block is read on when the stream continues there; events further away are found faster by a search.
        guard step == .next, next < positions.count else { return .stop }
        return direction == .forward && positions[next] <= block.last.advanced(by: block.count) ? .next : .stop
      }
      guard next > start else { throw .indexDiffers(at: positions[next]) }
    }
    return step
  }
}

extension BlockView {
  fileprivate func holds(_ index: Int) -> Bool { 0 <= index && index < count }

  /// Returns the index of the event at a position that the block holds.
  fileprivate func index(of position: Position) -> Int { Int(position.rawValue - first.rawValue) }
}

extension EventView {
  fileprivate func isOf(_ stream: Name) -> Bool {
    stream.hasBytes(of: self.stream)
  }
}

extension LogIndex {
  internal func version(ofStream stream: Name) throws(LogError) -> StreamVersion {
    try stream.withBytes { bytes in Result { () throws(LogError) in try version(of: bytes) } }.get()
  }

  fileprivate func positions(
    ofStream stream: Name, versions: ClosedRange<StreamVersion>
  ) throws(LogError) -> [Position] {
    try stream.withBytes { bytes in
      Result { () throws(LogError) in try positions(of: bytes, versions: versions) }
    }.get()
  }
}
