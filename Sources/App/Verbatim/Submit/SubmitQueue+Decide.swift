// Deciding a batch: each submission against the state that those before it leave.
internal import Chat
internal import ChatCodec
internal import ChatProjections
internal import Errors
internal import EventLog
internal import Locks
internal import Projections

extension SubmitQueue {
  /// Returns the outcome of each request of a batch against the state at the head of the log, valid once the draft,
  /// which is filled with the events, is in the log.
  func decide(
    _ batch: [SubmitRequest], _ draft: inout BlockDraft
  ) throws(ProjectionError) -> [Result<Submitted, SubmitError>] {
    try projections.deciding(under: rules, appendingAfter: draft.head) { next throws(ProjectionError) in
      // The closure may run again on a later state.
      draft.removeAll()
      return try rethrow(decide(batch, &draft, &next), as: ProjectionError.log)
    }
  }

  private func decide(
    _ batch: [SubmitRequest], _ draft: inout BlockDraft, _ next: inout NextState
  ) throws(LogError) -> [Result<Submitted, SubmitError>] {
    var outcomes: [Result<Submitted, SubmitError>] = []
    outcomes.reserveCapacity(batch.count)
    var written: [ObjectIdentifier: StreamVersion] = [:]
    var isClosing = false
    let lastSubmission = batch.lastIndex(where: \.isSubmission) ?? batch.startIndex
    for (index, request) in batch.enumerated() {
      if isClosing {
        outcomes.append(.failure(.closed))
        continue
      }
      switch request.work {
      case .submission(let submission, let wanted, let composer):
        // No event of its composer follows in the batch: the composer is busy until the submit completes.
        let target = composer.map { ($0, version: written[ObjectIdentifier($0)] ?? $0.written) }
        let isLast = index == lastSubmission
        outcomes.append(try decide(submission, wanted, in: target, isLast: isLast, &draft, &next))
      case .typed(let composer, let id):
        let version = written[ObjectIdentifier(composer)] ?? composer.written
        let outcome = try record(request, as: id, in: composer, at: version, &draft, given: next)
        // Only submissions that follow in the batch read the state with it.
        if case .success = outcome, index < lastSubmission {
          let origin = EventOrigin(by: composer.actor, at: draft.recorded)
          for change in request.typed { fold(ChatEvent(change, origin), into: &next) }
        }
        if case .success(let submitted) = outcome {
          written[ObjectIdentifier(composer)] = submitted.receipt?.streams[0].versions.upperBound
        }
        outcomes.append(outcome)
      case .flush: outcomes.append(.success(Submitted(nothingAt: draft.last)))
      case .close:
        isClosing = true
        outcomes.append(.success(Submitted(nothingAt: draft.last)))
      }
    }
    return outcomes
  }

  private func decide(
    _ submission: Submission, _ wanted: AppendIdentity, in target: (composer: OpenComposer, version: StreamVersion)?,
    isLast: Bool, _ draft: inout BlockDraft, _ next: inout NextState
  ) throws(LogError) -> Result<Submitted, SubmitError> {
    var append = Append(
      [], expecting: submission.expectations, id: wanted.id, correlation: submission.correlation,
      proposal: wanted.proposal)
    if !wanted.isNew, let earlier = try draft.outcome(ofEarlier: append, wanted.id) {
      return earlier.map { Submitted(receipt: $0) }.mapError { .append($0) }
    }
    if let target {
      if let failure = target.composer.failure { return .failure(failure) }
      append.expectations.append(StreamExpectation(target.composer.stream, .version(target.version)))
    }
    if let conflict = try draft.conflict(with: append.expectations) { return .failure(.conflict(conflict)) }
    if let cause = submission.cause, !draft.isKnown(cause) {
      return .failure(.append(.unknownCause(index: 0, cause)))
    }
    do throws(SubmitError) {
      append.events = try decide(submission, at: draft.recorded, isLast: isLast, &next)
    } catch {
      return .failure(error)
    }
    if append.events.isEmpty { return .success(Submitted(nothingAt: draft.last)) }
    return .success(Submitted(receipt: try draft.write(append, wanted.id)))
  }

  /// Returns the events of a submission; they are folded into the state only if all intents are granted, and if
  /// something is decided after them.
  private func decide(
    _ submission: Submission, at instant: Timestamp, isLast: Bool, _ next: inout NextState
  ) throws(SubmitError) -> [ProposedEvent] {
    var (proposed, size) = ([ProposedEvent](), AppendSize())
    if submission.intents.count == 1 {
      let events = try decide(submission, 0, at: instant, given: next)
      try add(events, to: &proposed, &size, cause: submission.cause, given: next)
      if !isLast { for event in events { fold(event, into: &next) } }
    } else {
      var after = next
      for index in submission.intents.indices {
        let events = try decide(submission, index, at: instant, given: after)
        try add(events, to: &proposed, &size, cause: submission.cause, given: after)
        for event in events { fold(event, into: &after) }
      }
      next = after
    }
    return proposed
  }

  private func decide(
    _ submission: Submission, _ index: Int, at instant: Timestamp, given state: NextState
  ) throws(SubmitError) -> [ChatEvent] {
    // Tables from before an erasure still have its words, which must not be recorded anew.
    if projections.isKnownOutdated {
      switch submission.intents[index] {
      case .scheduled(_, .deliver): return []
      case .message(_, .forward): throw .failed(nil, .outdated)
      default: break
      }
    }
    do throws(Refusal) {
      return try Chat.decide(submission.intents[index], by: submission.actor, at: instant, given: state)
    } catch {
      throw .refused(error, intent: index)
    }
  }

  /// Adds the events of an intent to those of its submission, and checks them.
  ///
  /// The expectations need no check: they hold at the head, so no two of them contradict each other.
  private func add(
    _ events: [ChatEvent], to proposed: inout [ProposedEvent], _ size: inout AppendSize, cause: Position?,
    given state: NextState
  ) throws(SubmitError) {
    if events.isEmpty { return }
    for var event in encode(events, given: state) {
      event.cause = cause
      proposed.append(event)
    }
    try rethrow(store.check(proposed, beyond: &size), as: SubmitError.append)
  }

  /// Records composer events, unless another process wrote to the composer's stream.
  private func record(
    _ request: SubmitRequest, as id: AppendID, in composer: OpenComposer, at version: StreamVersion,
    _ draft: inout BlockDraft, given state: NextState
  ) throws(LogError) -> Result<Submitted, SubmitError> {
    if let failure = composer.failure { return .failure(failure) }
    let append = Append(request.typedEvents { state[$0]?.author })
    if request.wasPutBack, let earlier = try draft.outcome(ofEarlier: append, id) {
      return earlier.map { Submitted(receipt: $0) }.mapError { .append($0) }
    }
    do throws(AppendError) { _ = try store.check(append) } catch { return .failure(.append(error)) }
    let expectation = StreamExpectation(composer.stream, .version(version))
    if let conflict = try draft.conflict(with: [expectation]) { return .failure(.conflict(conflict)) }
    return .success(Submitted(receipt: try draft.write(append, id)))
  }
}

// MARK: Results

extension SubmitQueue {
  /// Completes all requests of a batch that could not be decided or appended; composer events, which have already taken
  /// effect, are retried.
  func settle(_ batch: [SubmitRequest], _ error: ProjectionError) {
    var tried: [SubmitRequest] = []
    counts.withLock { $0.failed += batch.count { !$0.isMark } }
    for request in batch {
      switch (request.work, error) {
      // What was typed before is tried again first.
      case (.close, _) where !tried.isEmpty && request.tries + 1 < closingTriesMax:
        request.putBack()
        tried.append(request)
      case (.flush, _), (.close, _): settle(request, .success(Submitted(nothingAt: .zero)))
      case (.submission(let submission, let wanted, _), .stopped(let stop)):
        settle(request, earlier(submission, wanted) ?? .failure(.readOnly(stop)))
      case (.submission(_, let wanted, _), _): settle(request, .failure(.failed(wanted.id, error)))
      case (.typed, .stopped(let stop)): settle(request, .failure(.readOnly(stop)))
      case (.typed(let composer, _), _):
        composer.delay(.failed(nil, error))
        request.putBack()
        tried.append(request)
      }
    }
    putBack(tried)
  }

  /// Returns the outcome of a submit that was recorded before; nil if there is none. It needs no deciding.
  private func earlier(_ submission: Submission, _ wanted: AppendIdentity) -> Result<Submitted, SubmitError>? {
    if wanted.isNew { return nil }
    let append = Append([], id: wanted.id, correlation: submission.correlation, proposal: wanted.proposal)
    do throws(LogError) {
      let outcome = try store.outcome(ofEarlier: append, wanted.id)
      return outcome.map { $0.map { Submitted(receipt: $0) }.mapError { .append($0) } }
    } catch {
      return .failure(.failed(wanted.id, .log(error)))
    }
  }

  func settle(_ request: SubmitRequest, _ outcome: Result<Submitted, SubmitError>) {
    switch request.work {
    case .submission: admissionLimiter.giveBack(request.size)
    case .typed(let composer, _):
      admissionLimiter.giveBack(request.size)
      composer.settle(request.typed.count, outcome)
    case .flush: break
    case .close: end()
    }
    request.settle(outcome)
  }
}
