// Leading: one batch of appends becomes one block.
internal import Bytes
internal import Locks

extension EventStore {
  /// Appends a batch as one block and settles every request of it.
  internal func lead(_ batch: [AppendRequest]) {
    builder.withLock { builder in
      var outcomes = Outcomes()
      do throws(LogError) {
        var failure: LogError?
        try log.withTurn {
          do throws(LogError) { outcomes = try commit(batch, &builder) } catch { failure = error }
        }
        if let failure { throw failure }
      } catch {
        // A log that failed has taken nothing of the block, or cannot say: then the ids will tell.
        for request in batch { request.settle(.failure(.log(error))) }
        return
      }
      if outcomes.hasBlock { fold(builder) }
      for (request, outcome) in outcomes.all { request.settle(outcome) }
    }
  }

  /// What becomes of the requests of a batch, and whether there is a block.
  private struct Outcomes {
    var all: [(request: AppendRequest, outcome: Result<Receipt, AppendError>)] = []
    var hasBlock = false
  }

  /// Decides each request on what those before it leave, and appends the block of all that are accepted.
  private func commit(
    _ batch: [AppendRequest], _ builder: inout BlockBuilder
  ) throws(LogError) -> Outcomes {
    while true {
      var outcomes = Outcomes()
      builder.removeAll()
      let (head, recorded) = try withIndex { index throws(LogError) in
        let head = index.applied
        let recorded = max(configuration.clock(), head.recorded)
        var draft = BlockDraft(index: index, log: log, recorded: recorded)
        for request in batch { outcomes.all.append((request, try draft.add(request, to: &builder))) }
        return (head, recorded)
      }
      if builder.count == 0 { return outcomes }
      outcomes.hasBlock = true
      builder.finish(after: head, recorded: recorded)
      do throws(LogError) {
        try builder.withBlock { block throws(LogError) in try log.append(block, after: head) }
        return outcomes
      } catch .headMoved {
        // Somebody appended without the turn: decide again on what he left.
        continue
      }
    }
  }

  /// Folds the block that was appended. It is durable: an index that cannot take it now says so when it is next asked.
  private func fold(_ builder: borrowing BlockBuilder) {
    try? index.withLock { index throws(LogError) in
      try builder.withBlock { block throws(LogError) in try index.fold(block) }
    }
  }
}

/// A block in the making: the versions that its events give to streams, and the appends it holds.
private struct BlockDraft {
  let index: any LogIndex
  let log: any Log
  let recorded: Timestamp

  /// The version of each stream of the block, by its number; none until it is asked for.
  private var versions: [UInt64] = []
  private static let none = UInt64.max
  private var appends: [AppendID: Int] = [:]
  private var members: [(append: Append, receipt: Receipt)] = []

  init(index: any LogIndex, log: any Log, recorded: Timestamp) {
    self.index = index
    self.log = log
    self.recorded = recorded
  }

  /// Adds a request to the block, or tells what the log has of it already, or why not.
  mutating func add(
    _ request: AppendRequest, to builder: inout BlockBuilder
  ) throws(LogError) -> Result<Receipt, AppendError> {
    if let earlier = try outcomeOfEarlier(request) { return earlier }
    for expectation in request.append.expectations {
      let actual = try version(of: expectation.stream, in: builder)
      guard expectation.holds(at: actual) else {
        return .failure(
          .conflict(AppendConflict(stream: expectation.stream, expected: expectation.state, actual: actual)))
      }
    }
    let first = index.applied.position.advanced(by: builder.count + 1)
    for (offset, event) in request.append.events.enumerated() {
      if let cause = event.cause, cause == .zero || cause >= first {
        return .failure(.unknownCause(index: offset, cause))
      }
    }
    let receipt = try write(request, first, to: &builder)
    appends[request.id] = members.count
    members.append((request.append, receipt))
    return .success(receipt)
  }

  private mutating func write(
    _ request: AppendRequest, _ first: Position, to builder: inout BlockBuilder
  ) throws(LogError) -> Receipt {
    let events = request.append.events
    builder.beginAppend(request.id, count: events.count, correlation: request.append.correlation)
    var ranges = StreamRanges(near: builder.number(ofStream: events[0].stream))
    for event in events {
      let number = builder.number(ofStream: event.stream)
      let version = try nextVersion(of: event.stream, number)
      builder.add(event, stream: number, version: version)
      ranges.add(event.stream, number, version)
    }
    return Receipt(
      id: request.id, positions: first...first.advanced(by: events.count - 1), recorded: recorded,
      streams: ranges.all)
  }

  private mutating func nextVersion(of stream: Name, _ number: Int) throws(LogError) -> UInt64 {
    while versions.count <= number { versions.append(Self.none) }
    if versions[number] == Self.none { versions[number] = try stored(stream).rawValue }
    versions[number] += 1
    return versions[number]
  }

  /// The version of a stream behind what the block holds so far.
  private func version(of stream: Name, in builder: borrowing BlockBuilder) throws(LogError) -> StreamVersion {
    if let number = builder.streams.known(stream), number < versions.count, versions[number] != Self.none {
      return StreamVersion(rawValue: versions[number])
    }
    return try stored(stream)
  }

  private func stored(_ stream: Name) throws(LogError) -> StreamVersion {
    let result: Result<StreamVersion, LogError> = stream.withBytes { bytes in
      Result { () throws(LogError) in try index.version(of: bytes) }
    }
    return try result.get()
  }

  /// What came of an append with the same id, in this block or in the log; nil when there is none.
  private func outcomeOfEarlier(_ request: AppendRequest) throws(LogError) -> Result<Receipt, AppendError>? {
    if let member = appends[request.id] {
      let (append, receipt) = members[member]
      let isSame = append.events == request.append.events && append.correlation == request.append.correlation
      return isSame ? .success(receipt) : .failure(.idReused(request.id, at: receipt.positions.lowerBound))
    }
    // An id that was made for this request is new.
    guard request.append.id != nil, let stored = try log.storedAppend(request.id, foundIn: index) else {
      return nil
    }
    return stored.holds(request.append)
      ? .success(stored.receipt) : .failure(.idReused(request.id, at: stored.receipt.positions.lowerBound))
  }
}

/// Gathers which versions each stream got.
internal struct StreamRanges {
  private(set) var all: [Receipt.StreamRange] = []
  /// For each stream's number where its range is, from 1; 0 while it has none.
  private var places: [Int32] = []
  private let firstNumber: Int

  /// Ranges of streams whose numbers lie close to one another.
  init(near number: Int) { firstNumber = number }

  mutating func add(_ stream: @autoclosure () -> Name, _ number: Int, _ version: UInt64) {
    let version = StreamVersion(rawValue: version)
    // Numbers before the first are few: an append mostly brings streams of its own, behind those of others.
    let index = number >= firstNumber ? 2 * (number - firstNumber) : 2 * (firstNumber - number) - 1
    while places.count <= index { places.append(0) }
    let place = Int(places[index]) - 1
    if place >= 0 {
      all[place].extend(to: version)
    } else {
      all.append(Receipt.StreamRange(stream: stream(), versions: version...version))
      places[index] = Int32(all.count)
    }
  }
}

extension Receipt.StreamRange {
  fileprivate mutating func extend(to version: StreamVersion) {
    versions = versions.lowerBound...version
  }
}
