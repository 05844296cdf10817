// The submit queue: who waits, who leads, and how requests are completed.
internal import Chat
internal import ChatCodec
internal import ChatProjections
internal import Dispatch
internal import EventLog
internal import Locks
internal import Projections

/// The queue that decides submissions in order and appends their events: one leader at a time, one block per batch.
internal final class SubmitQueue: Sendable {
  let store: EventStore
  private let tables: WorkspaceTables
  /// Whether their next catch-up is scheduled.
  private let othersAreDue = Locked(false)
  private let follower = DispatchQueue(label: "verbatim.follow", qos: .utility)
  let rules: Rules
  let closingTriesMax: Int
  let monotonicClock: MonotonicClock
  let admissionLimiter: AdmissionLimiter
  let counts = Locked(Statistics.Submits())
  private let queue: GroupCommitQueue<SubmitRequest>
  /// The open composers that are in use in this process.
  private let composers = Locked<[Composer.Key: OpenComposerReference]>([:])
  /// Whether the queue is closed.
  private let hasEnded = Locked(false)
  /// The time of the last batch.
  private let lastBatch = Locked(ContinuousClock.now)

  /// The debounce interval of the other projections' catch-up, in milliseconds.
  static let followingDelay = 50

  init(
    _ store: EventStore, _ tables: WorkspaceTables, _ configuration: Configuration, _ monotonicClock: MonotonicClock
  ) {
    (self.store, self.tables, self.monotonicClock) = (store, tables, monotonicClock)
    (rules, closingTriesMax) = (configuration.rules, configuration.closingTriesMax)
    admissionLimiter = AdmissionLimiter(for: configuration.waitingMax)
    queue = GroupCommitQueue(
      label: "verbatim.submit",
      limits: GroupCommitQueue.Limits(countMax: 4096, byteCountMax: 1 << 20, delay: configuration.typingDelay),
      weight: { ($0.size, $0.byteCount) })
  }

  /// The projection of the chat state, on which is decided.
  var projections: ProjectionStore { tables.current.state }

  /// The number of submits and runs of composer events in the queue.
  var waiting: Int { queue.count }

  /// Whether a batch is being appended and nothing else is in the queue.
  var hasTakenAll: Bool { queue.hasTakenAll }

  var isClosed: Bool { hasEnded.withLock { $0 } }

  /// Submits and waits for the outcome; the calling thread may become the leader.
  func submitBlocking(_ submission: Submission, waits: Bool) throws(SubmitError) -> Submitted {
    let request = try request(for: submission)
    if waits {
      admissionLimiter.takeWaiting(request.size)
    } else {
      guard admissionLimiter.tryTake(request.size) else { throw .full(waiting: admissionLimiter.size) }
    }
    return try wait(for: request)
  }

  /// Submits and waits for the outcome without blocking the thread; with a composer, after everything recorded in it.
  func submit(
    _ submission: Submission, in composer: OpenComposer? = nil, waits: Bool
  ) async throws(SubmitError) -> Submitted {
    let request = try request(for: submission, in: composer)
    if waits {
      guard await admissionLimiter.take(request.size) else { throw .cancelled }
    } else {
      guard admissionLimiter.tryTake(request.size) else { throw .full(waiting: admissionLimiter.size) }
    }
    if Task.isCancelled {
      admissionLimiter.giveBack(request.size)
      throw .cancelled
    }
    await wait(for: request)
    return try request.outcome.get()
  }

  /// Submits several independently, in order, and waits for all outcomes; the calling thread may become the leader.
  func submit(each submissions: [Submission]) -> [Result<Submitted, SubmitError>] {
    let requests = submissions.map { submission in
      Result { () throws(SubmitError) in try request(for: submission) }
    }
    var rest = requests.compactMap { try? $0.get() }[...]
    while let first = rest.first {
      var (count, size) = (1, first.size)
      while count < rest.count, size + rest[rest.startIndex + count].size <= admissionLimiter.size {
        size += rest[rest.startIndex + count].size
        count += 1
      }
      wait(forEach: Array(rest.prefix(count)), count: size)
      rest = rest.dropFirst(count)
    }
    return requests.map { $0.flatMap(\.outcome) }
  }

  /// Waits for requests that are admitted and queued together.
  private func wait(forEach requests: [SubmitRequest], count size: Int) {
    let arrived = DispatchSemaphore(value: 0)
    for request in requests { request.whenSettled = { arrived.signal() } }
    admissionLimiter.takeWaiting(size)
    queue.addAndLead(requests) { self.lead($0) }
    for _ in requests { arrived.wait() }
  }

  /// Waits for everything that was submitted before.
  func flush() async { await wait(for: SubmitRequest(.flush), takingBack: false) }

  /// Waits for everything that was submitted before; blocks the thread.
  @available(*, noasync, message: "it blocks until the disk has finished: use the async flush")
  func flushBlocking() { _ = try? wait(for: SubmitRequest(.flush)) }

  /// Waits for everything that was submitted before, and closes the queue.
  func close() {
    _ = try? wait(for: SubmitRequest(.close))
    // Waits for a catch-up in progress.
    follower.sync {}
  }

  /// Returns the open composer of this process for a key, if it still records; nil if there is none.
  func openComposer(_ key: Composer.Key) -> OpenComposer? {
    composers.withLock { $0[key]?.composer }.flatMap { $0.failure == nil ? $0 : nil }
  }

  /// Registers an opened composer; returns the one that was opened concurrently, if there is one.
  func opened(_ composer: OpenComposer) -> OpenComposer {
    composers.withLock { composers in
      if let other = composers[composer.key]?.composer, other.failure == nil { return other }
      composers = composers.filter { $0.value.composer != nil }
      composers[composer.key] = OpenComposerReference(composer: composer)
      return composer
    }
  }

  /// The open composers of this process that still record.
  var openComposers: [OpenComposer] {
    composers.withLock { $0.values.compactMap(\.composer) }.filter { $0.failure == nil }
  }

  /// Records events of a composer, which was editing a message before them, in one request with those recorded just
  /// before.
  func record(
    _ changes: [ChatEvent.Change], _ events: [ProposedEvent], in composer: OpenComposer, editing edited: Message.ID?
  ) {
    queue.addLater(
      joining: { $0.join(composer, changes, events, editing: edited) },
      else: {
        let request = SubmitRequest(.typed(composer, monotonicClock.appendID()))
        _ = request.join(composer, changes, events, editing: edited)
        return request
      }, { self.lead($0) })
  }

  /// Schedules a retry at the head of the queue.
  func putBack(_ requests: [SubmitRequest]) { queue.putBack(requests) { self.lead($0) } }

  private func wait(for request: SubmitRequest) throws(SubmitError) -> Submitted {
    let arrived = DispatchSemaphore(value: 0)
    request.whenSettled = { arrived.signal() }
    queue.addAndLead(request) { self.lead($0) }
    arrived.wait()
    return try request.outcome.get()
  }

  private func wait(for request: SubmitRequest, takingBack: Bool = true) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        request.whenSettled = { continuation.resume() }
        queue.add(request) { self.lead($0) }
      }
    } onCancel: {
      guard takingBack, queue.remove(where: { $0 === request }) else { return }
      admissionLimiter.giveBack(request.size)
      request.settle(.failure(.cancelled))
    }
  }

  private func request(
    for submission: Submission, in composer: OpenComposer? = nil
  ) throws(SubmitError) -> SubmitRequest {
    if isClosed { throw .closed }
    let id = submission.id ?? monotonicClock.appendID()
    let (hash, byteCount) = submission.proposal
    let wanted = AppendIdentity(id: id, isNew: submission.id == nil, proposal: hash, byteCount: byteCount)
    return SubmitRequest(.submission(submission, wanted, in: composer))
  }
}

// MARK: Group commit

extension SubmitQueue {
  /// Decides a batch, appends its events as one block, and completes its requests.
  private func lead(_ batch: [SubmitRequest]) {
    if isClosed { return settle(batch, batch.map { _ in .failure(.closed) }) }
    // A flush or close has waited for everything before it.
    if batch.allSatisfy(\.isMark) { return settle(batch, batch.map { _ in .success(Submitted(nothingAt: .zero)) }) }
    var outcomes: [Result<Submitted, SubmitError>] = []
    let began = ContinuousClock.now
    do throws(ProjectionError) {
      // Catching up may fold the whole log, which must not happen under the writer lock. A queue that appended lately
      // has seen a head that is near the end.
      let isRecent = lastBatch.withLock { last in
        defer { last = began }
        return last.duration(to: began) < .seconds(1)
      }
      try projections.catchUp(toLastSeen: isRecent)
      try store.appendBlock(as: ProjectionError.log) { draft throws(ProjectionError) in
        outcomes = try decide(batch, &draft)
      } folding: { block in
        counts.withLock { $0.add(block: block.count, took: began.duration(to: .now)) }
        monotonicClock.see(block.head)
        // The submitters continue while the block is folded; a reader that is faster folds it first.
        settle(batch, outcomes)
        outcomes = []
        projections.follow(block)
        foldOthersSoon()
      }
      if !outcomes.isEmpty { settle(batch, outcomes) }
    } catch {
      settle(batch, error)
    }
  }

  private func settle(_ batch: [SubmitRequest], _ outcomes: [Result<Submitted, SubmitError>]) {
    counts.withLock { counts in
      for (request, outcome) in zip(batch, outcomes) where !request.isMark { counts.add(outcome) }
    }
    for (request, outcome) in zip(batch, outcomes) { settle(request, outcome) }
  }

  /// Schedules a catch-up of all other projections, so that later reads find little left to fold.
  ///
  /// No submit waits for it: no code of the app runs on the submit path.
  private func foldOthersSoon() {
    if tables.current.others == nil { return }
    let wereDue = othersAreDue.withLock { isDue in
      defer { isDue = true }
      return isDue
    }
    if wereDue { return }
    follower.asyncAfter(deadline: .now() + .milliseconds(Self.followingDelay)) { [self] in
      if isClosed { return }
      othersAreDue.withLock { $0 = false }
      // Errors are thrown to the readers of these projections.
      try? tables.current.others?.catchUp(toLastSeen: true)
    }
  }

  /// Closes the queue.
  func end() { hasEnded.withLock { $0 = true } }
}

/// A weak reference to an open composer.
private struct OpenComposerReference: Sendable {
  weak let composer: OpenComposer?
}
