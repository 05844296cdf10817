// Reading: events of the log, of a stream, streams, receipts.
internal import Bytes

extension EventStore {
  /// Lends the events from a position on, until the closure says to stop.
  ///
  /// Nothing is copied; the closure must not keep what it is lent. The read sees at least what was appended before it
  /// began, and may see what comes while it goes on. Reading backward, the position itself comes first.
  public func read(
    from position: Position = .first, _ direction: Direction = .forward, checks: Checks = .full,
    _ body: (EventView) -> Step
  ) throws(LogError) {
    try log.blocks(from: position, direction, checks: checks) { block in
      var index =
        switch direction {
        case .forward: Int(max(position, block.first).rawValue - block.first.rawValue)
        case .backward: Int(min(position, block.last).rawValue - block.first.rawValue)
        }
      while block.holds(index) {
        if body(block.event(at: index)) == .stop { return .stop }
        index += direction == .forward ? 1 : -1
      }
      return .next
    }
  }

  /// Copies of the events from a position on, so many at most.
  public func events(
    from position: Position = .first, _ direction: Direction = .forward, limit: Int
  ) throws(LogError) -> [RecordedEvent] {
    var events: [RecordedEvent] = []
    guard limit > 0 else { return [] }
    try log.blocks(from: position, direction, checks: .full) { block in
      let rest = UInt64(limit - events.count)
      switch direction {
      case .forward:
        let from = max(position, block.first)
        events += block.events { $0.position >= from && $0.position.rawValue - from.rawValue < rest }
      case .backward:
        let to = min(position, block.last)
        events += block.events { $0.position <= to && to.rawValue - $0.position.rawValue < rest }.reversed()
      }
      return events.count < limit ? .next : .stop
    }
    return events
  }

  /// A copy of the event at a position, or nil when the log does not reach so far.
  public func event(at position: Position) throws(LogError) -> RecordedEvent? {
    guard position > .zero else { return nil }
    return try events(from: position, limit: 1).first
  }

  /// How many events a stream has.
  public func version(of stream: Name) throws(LogError) -> StreamVersion {
    try withIndex { index throws(LogError) in try index.version(ofStream: stream) }
  }

  /// Lends the events of a stream from a version on, until the closure says to stop.
  ///
  /// The read sees what the stream held when it began. Reading backward, the version itself comes first, and a version
  /// past the last means the last.
  public func readStream(
    _ stream: Name, from version: StreamVersion = .first, _ direction: Direction = .forward,
    checks: Checks = .full, _ body: (EventView) -> Step
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

  /// Copies of the events of a stream from a version on, so many at most.
  public func events(
    of stream: Name, from version: StreamVersion = .first, _ direction: Direction = .forward, limit: Int
  ) throws(LogError) -> [RecordedEvent] {
    var places: [Position] = []
    guard limit > 0 else { return [] }
    try readStream(stream, from: version, direction) { event in
      places.append(event.position)
      return places.count < limit ? .next : .stop
    }
    var events: [RecordedEvent] = []
    for place in places {
      guard let event = try self.event(at: place) else { throw .indexDiffers(at: place) }
      events.append(event)
    }
    return events
  }

  /// The streams whose names begin with a text, in the order of their bytes, so many at most; `after` goes on behind a
  /// stream that was answered before.
  public func streams(
    withPrefix prefix: String = "", after: Name? = nil, limit: Int
  ) throws(LogError) -> [StreamSummary] {
    try withIndex { index throws(LogError) in
      try index.streams(
        withPrefix: Array(prefix.utf8), after: after.map { Array($0.text.utf8) }, limit: limit)
    }
  }

  /// The receipt of an append, or nil when the log has none with this id.
  public func receipt(of id: AppendID) throws(LogError) -> Receipt? {
    try withIndex { index throws(LogError) in try log.storedAppend(id, foundIn: index)?.receipt }
  }

  /// Positions of the stream's next events in the direction, in the order of reading.
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

  /// Lends the events at positions, which are in the order of reading.
  private func lend(
    _ positions: [Position], of stream: Name, from version: StreamVersion, _ direction: Direction,
    _ checks: Checks, _ body: (EventView) -> Step
  ) throws(LogError) -> Step {
    var place = 0
    var version = version.rawValue
    var step = Step.next
    while place < positions.count, step == .next {
      let start = place
      try log.blocks(from: positions[place], direction, checks: checks) { block throws(LogError) in
        while step == .next, place < positions.count, block.first <= positions[place],
          positions[place] <= block.last
        {
          let event = block.event(at: Int(positions[place].rawValue - block.first.rawValue))
          guard event.version.rawValue == version, event.isOf(stream) else {
            throw .indexDiffers(at: positions[place])
          }
          step = body(event)
          place += 1
          version = direction == .forward ? version + 1 : version &- 1
        }
        // The next block is worth a look when the stream goes on there; further ones are quicker found by a search.
        guard step == .next, place < positions.count else { return .stop }
        return direction == .forward && positions[place] <= block.last.advanced(by: block.count) ? .next : .stop
      }
      guard place > start else { throw .indexDiffers(at: positions[place]) }
    }
    return step
  }
}

extension BlockView {
  fileprivate func holds(_ index: Int) -> Bool { 0 <= index && index < count }
}

extension EventView {
  fileprivate func isOf(_ stream: Name) -> Bool {
    let bytes = self.stream
    return stream.withBytes { name in bytes.withUnsafeBytes { $0.hasSameBytes(as: name) } }
  }
}

extension LogIndex {
  fileprivate func version(ofStream stream: Name) throws(LogError) -> StreamVersion {
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
