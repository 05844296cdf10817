// Committing: the requests of a batch become one block under the writer lock.
internal import Bytes
internal import Locks

extension EventStore {
  /// Appends a batch as one block and sets the result of each of its requests.
  internal func lead(_ batch: [AppendRequest]) {
    var outcomes: [Result<Receipt, AppendError>] = []
    do throws(LogError) {
      try appendBlock(at: clockTime) { draft throws(LogError) in
        outcomes.removeAll()
        for request in batch { outcomes.append(try draft.add(request)) }
      }
    } catch {
      // After an error the log has nothing of the block, or the outcome is unknown: a retry finds it by the ids.
      outcomes = batch.map { _ in .failure(.log(error)) }
    }
    for (request, outcome) in zip(batch, outcomes) { request.settle(outcome) }
  }

  /// Appends what the closure adds to a draft as one block, durable when the call returns, and then passes the block,
  /// if there is one, to `fold`.
  ///
  /// The closure runs under the writer lock, and again if another writer appended without it: it keeps nothing but the
  /// results of its last run. What it adds is in the log when the call returns, and not before; if it throws, nothing
  /// is appended. The log's errors are converted by `transform`.
  package func appendBlock<Failure: Error>(
    as transform: (LogError) -> Failure, _ decide: (inout BlockDraft) throws(Failure) -> Void,
    folding fold: (BlockView) -> Void
  ) throws(Failure) {
    var failure: Failure?
    do throws(LogError) {
      try appendBlock(
        at: clockTime,
        { draft in
          do throws(Failure) {
            try decide(&draft)
            failure = nil
          } catch {
            draft.removeAll()
            failure = error
          }
        }, folding: fold)
    } catch {
      throw transform(error)
    }
    if let failure { throw failure }
  }

  /// The time of a block that is appended now.
  ///
  /// The clock is the app's code, and no app code runs within the writer lock: this is read before.
  private var clockTime: BlockTime { .clock(configuration.clock()) }

  /// The time of a block.
  internal enum BlockTime {
    /// The time of the clock, or the time of the block before if that is later.
    case clock(Timestamp)
    /// A given time, whatever was recorded before.
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
    // Catches up on most of the log before the writer lock is taken.
    try withIndex(toLastSeen: true) { _ in }
    try draft.withLock { draft throws(LogError) in
      var failure: LogError?
      try log.withWriterLock {
        do throws(LogError) { try commit(&draft, at: time, decide) } catch { failure = error }
      }
      if let failure { throw failure }
      if draft.isEmpty { return }
      // The block is durable: an index that cannot fold it now reports that at its next use.
      draft.builder.withBlock { block in
        try? index.withLock { index throws(LogError) in try index.fold(block) }
        fold(block)
      }
    }
  }

  private func commit(
    _ draft: inout BlockDraft, at time: BlockTime, _ decide: (inout BlockDraft) throws(LogError) -> Void
  ) throws(LogError) {
    let cipher = log.content.cipher
    while true {
      let erasures = cipher?.erasureStream
      let isErased = try withIndex(toLastSeen: true) { index throws(LogError) in
        // New content must not get keys that another process destroys.
        if let erasures, try index.version(ofStream: erasures.name) > erasures.version { return true }
        draft.begin(after: index.applied, at: time.recorded(after: index.applied), of: log, index)
        defer { draft.end() }
        try decide(&draft)
        return false
      }
      if isErased {
        try cipher?.readErasures(of: self)
        continue
      }
      let head = draft.head
      if draft.isEmpty {
        // No append proves that the head was the end of the log, so that what was decided on it may be wrong.
        if try log.head() != head { continue }
        // A block would have been durable only after the earlier append.
        if draft.foundEarlier { try log.completeInterruptedCommit() }
        return
      }
      // Checked only before recording: a retry of a recorded append succeeds whatever the clock says.
      try check(time, after: head)
      // An append before this one may have failed after it created keys that another process created since.
      if let cipher, try !cipher.sync() { continue }
      draft.builder.finish(after: head, recorded: draft.recorded)
      do throws(LogError) {
        try draft.builder.withBlock { block throws(LogError) in try log.append(block, after: head) }
        return note(time, after: head)
      } catch .headMoved {
        // Another writer appended without the writer lock: retry against the new head.
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

  /// Records the clock reading of an append; a clock that was behind the log proves nothing about the true time.
  private func note(_ time: BlockTime, after head: Head) {
    if case .clock(let now) = time, now < head.recorded { return }
    clockHistory.withLock { $0.record(time.recorded(after: head), uptime: configuration.uptime()) }
  }
}

extension BlockDraft {
  /// Adds the append of a request; returns its receipt, the receipt of an earlier append with its id, or the error.
  fileprivate mutating func add(_ request: AppendRequest) throws(LogError) -> Result<Receipt, AppendError> {
    // An id that was created for this request is new.
    if request.append.id != nil, let earlier = try outcome(ofEarlier: request.append, request.id) { return earlier }
    if let conflict = try conflict(with: request.append.expectations) { return .failure(.conflict(conflict)) }
    if let unknown = unknownCause(of: request.append) { return .failure(unknown) }
    return .success(try write(request.append, request.id))
  }

  private func unknownCause(of append: Append) -> AppendError? {
    let events = append.events.span
    for index in events.indices {
      if let cause = events[index].cause, !isKnown(cause) { return .unknownCause(index: index, cause) }
    }
    return nil
  }
}
