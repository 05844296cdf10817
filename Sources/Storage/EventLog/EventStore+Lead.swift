// Leading: what is decided while one has the turn becomes one block.
internal import Bytes
internal import Locks

extension EventStore {
  /// Appends a batch as one block and settles every request of it.
  internal func lead(_ batch: [AppendRequest]) {
    var outcomes: [Result<Receipt, AppendError>] = []
    do throws(LogError) {
      try appendBlock { draft throws(LogError) in
        outcomes.removeAll()
        for request in batch { outcomes.append(try draft.add(request)) }
      }
    } catch {
      // A log that failed has taken nothing of the block, or cannot say: then the ids will tell.
      outcomes = batch.map { _ in .failure(.log(error)) }
    }
    for (request, outcome) in zip(batch, outcomes) { request.settle(outcome) }
  }

  /// Appends what the closure adds to a draft as one block, durably when it returns, and lends the block, if there is
  /// one, to be folded.
  ///
  /// The closure runs while nobody else appends, and again when somebody did so all the same: it keeps nothing of what
  /// it added besides what it was answered. What is added stands in the log when the call returns, and only then.
  package func appendBlock(
    _ decide: (inout BlockDraft) throws(LogError) -> Void, folding fold: (BlockView) -> Void = { _ in }
  ) throws(LogError) {
    // Clocks are an app's, and nothing of an app's runs within the turn.
    try appendBlock(at: .clock(configuration.clock()), decide, folding: fold)
  }

  /// When a block is recorded.
  internal enum BlockTime {
    /// When the clock says, and not before the block that it follows.
    case clock(Timestamp)
    /// At a time, whatever was recorded before.
    case corrected(Timestamp)

    fileprivate func recorded(after head: Head) -> Timestamp {
      switch self {
      case .clock(let now): max(now, head.recorded)
      case .corrected(let time): time
      }
    }
  }

  internal func appendBlock(
    at time: BlockTime, _ decide: (inout BlockDraft) throws(LogError) -> Void,
    folding fold: (BlockView) -> Void = { _ in }
  ) throws(LogError) {
    // Most of what is to be caught up with, while others may have the turn.
    try withIndex { _ in }
    try draft.withLock { draft throws(LogError) in
      var failure: LogError?
      try log.withWriterLock {
        do throws(LogError) { try commit(&draft, at: time, decide) } catch { failure = error }
      }
      if let failure { throw failure }
      if draft.isEmpty { return }
      // It is durable: an index that cannot take it now says so when it is next asked.
      draft.builder.withBlock { block in
        try? index.withLock { index throws(LogError) in try index.fold(block) }
        fold(block)
      }
    }
  }

  private func commit(
    _ draft: inout BlockDraft, at time: BlockTime, _ decide: (inout BlockDraft) throws(LogError) -> Void
  ) throws(LogError) {
    while true {
      try withIndex { index throws(LogError) in
        draft.begin(after: index.applied, at: time.recorded(after: index.applied), of: log, index)
        defer { draft.end() }
        try decide(&draft)
      }
      if draft.isEmpty { return }
      let head = draft.head
      // Only what would be recorded: what the log has already is answered by any clock.
      try check(time, after: head)
      draft.builder.finish(after: head, recorded: draft.recorded)
      do throws(LogError) {
        try draft.builder.withBlock { block throws(LogError) in try log.append(block, after: head) }
        return note(time, after: head)
      } catch .headMoved {
        // Somebody appended without the turn: decide again on what he left.
        continue
      }
    }
  }

  /// Throws if the clock is further ahead of the log than its limits allow.
  private func check(_ time: BlockTime, after head: Head) throws(LogError) {
    guard case .clock(let now) = time, let limits = configuration.clockLimits else { return }
    let history = clockHistory.withLock { $0 }
    do throws(ClockDefect) {
      try history.check(now, after: head, within: limits, uptime: configuration.uptime())
    } catch {
      throw .clock(error)
    }
  }

  /// Takes note of a time that was recorded; a clock that was behind the log says nothing of the true time.
  private func note(_ time: BlockTime, after head: Head) {
    if case .clock(let now) = time, now < head.recorded { return }
    clockHistory.withLock { $0.record(time.recorded(after: head), uptime: configuration.uptime()) }
  }
}

extension BlockDraft {
  /// Adds what a request wants, or tells what the log has of it already, or why not.
  fileprivate mutating func add(_ request: AppendRequest) throws(LogError) -> Result<Receipt, AppendError> {
    // An id that was made for this request is new.
    if request.append.id != nil, let earlier = try outcome(ofEarlier: request.append, request.id) { return earlier }
    if let conflict = try conflict(with: request.append.expectations) { return .failure(.conflict(conflict)) }
    for (offset, event) in request.append.events.enumerated() {
      if let cause = event.cause, !isKnown(cause) { return .failure(.unknownCause(index: offset, cause)) }
    }
    return .success(try write(request.append, request.id))
  }
}
