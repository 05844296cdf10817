// An open composer: its events take effect at once and are on the disk soon after.
public import Chat
internal import ChatCodec
package import EventLog
internal import Locks

/// A composer that this process has open.
///
/// An event recorded here takes effect at once, without waiting for the disk, and is on the disk within 20
/// milliseconds: killing the process loses at most those last moments. If the disk or the writer lock is unavailable,
/// recording is retried until it succeeds. A later submit is behind the events in the log, so a submit that returned
/// implies that everything typed before it is recorded, too.
///
/// One process at a time has a composer open. Once another process has written to it, or some of its content was
/// erased, nothing more is recorded here: ``failure`` says so, and ``composer`` keeps its contents.
public final class OpenComposer: Sendable {
  /// The composer's user, device, channel and thread.
  public let key: Composer.Key
  internal let actor: Author
  internal let stream: Name
  private let submitQueue: SubmitQueue
  private let local: Locked<Local>

  private struct Local {
    var state: InMemoryChatState
    /// The version of the composer's stream in the log, as far as it is known here.
    var written: StreamVersion
    /// The number of erasures after which the state has no erased content.
    var erasureCount: Int
    var failure: SubmitError? {
      didSet { if failure != nil { whenFailed() } }
    }
    /// Called when nothing more is recorded.
    var whenFailed: @Sendable () -> Void = {}
    /// The number of recorded events that are not yet known to be in the log.
    var pending = 0
    /// Whether a submit failed with an unknown outcome, so that it may be in the log.
    var isUnsure = false
    /// Whether a submit from this composer is running.
    var isBusy = false
    /// The error for which recording is being retried; nil if there is none.
    var delay: SubmitError?
  }

  internal init(_ key: Composer.Key, by actor: Author, _ stored: StoredComposer, _ submitQueue: SubmitQueue) {
    (self.key, self.actor, self.submitQueue) = (key, actor, submitQueue)
    stream = StreamSubject.composer(key).name
    local = Locked(Local(state: stored.state, written: stored.version, erasureCount: stored.erasureCount))
  }

  /// The composer with everything recorded in it, including events that are not on the disk yet.
  public var composer: Composer { local.withLock { $0.state[key] ?? Composer(key) } }

  /// The error after which nothing more is recorded; nil while recording works.
  public var failure: SubmitError? { local.withLock { $0.failure } }

  /// Records events and returns at once; throws if they are refused, and has then recorded nothing.
  ///
  /// While a message is being sent from the composer, it throws ``SubmitError/composerBusy(_:)``.
  public func record(_ events: [Composer.Event]) throws(SubmitError) {
    if submitQueue.isClosed { throw .closed }
    try local.withLock { local throws(SubmitError) in
      if let failure = local.failure { throw failure }
      if local.isBusy { throw .composerBusy(key) }
      let decided: [ChatEvent]
      do throws(Refusal) {
        decided = try decide(
          .composer(key, .record(events)), by: actor, at: submitQueue.monotonicClock.now(), given: local.state)
      } catch {
        throw .refused(error, intent: 0)
      }
      if decided.isEmpty { return }
      guard submitQueue.admissionLimiter.tryTake(decided.count) else {
        throw .full(waiting: submitQueue.admissionLimiter.size)
      }
      let edited = local.state[key]?.editing
      for event in decided { fold(event, into: &local.state) }
      local.pending += decided.count
      submitQueue.record(decided.map(\.change), decided.map { encode($0) }, in: self, editing: edited)
    }
  }

  /// Waits until everything recorded so far is on the disk; throws if recording failed or is delayed.
  public func flush() async throws(SubmitError) {
    await submitQueue.flush()
    if let error = local.withLock({ $0.failure ?? $0.delay }) { throw error }
  }

  /// Submits intents together with the composer's events, in one append: all of it is recorded, or nothing.
  ///
  /// The append follows everything recorded before. Until it returns, nothing else can be recorded or submitted here.
  package func submit(
    _ intents: [ChatIntent], recording events: [Composer.Event], id: AppendID? = nil
  ) async throws(SubmitError) -> Submitted {
    try local.withLock { local throws(SubmitError) in
      if local.isBusy { throw .composerBusy(key) }
      local.isBusy = true
    }
    defer { local.withLock { $0.isBusy = false } }
    let submission = Submission(intents + [.composer(key, .record(events))], by: actor, id: id)
    do throws(SubmitError) {
      let submitted = try await submitQueue.submit(submission, in: self, waits: true)
      if let receipt = submitted.receipt { catchUp(with: submission, receipt) }
      local.withLock { $0.isUnsure = false }
      return submitted
    } catch .conflict {
      local.withLock { if $0.failure == nil { $0.failure = .openElsewhere(key) } }
      throw .openElsewhere(key)
    } catch .failed(let id, let error) {
      local.withLock { $0.isUnsure = true }
      throw .failed(id, error)
    }
  }

  /// Returns whether another process has written to the composer, so that nothing more is recorded here; reads the
  /// disk.
  package func isOpenElsewhere() throws(LogError) -> Bool {
    // The log is read before the local state, which then includes everything that was written here by that time.
    let version = try submitQueue.store.version(of: stream)
    return local.withLock { local in
      let mayBeOwn = local.isBusy || local.isUnsure
      if local.failure == nil, !mayBeOwn, version.rawValue > local.written.rawValue + UInt64(local.pending) {
        local.failure = .openElsewhere(key)
      }
      return if case .openElsewhere = local.failure { true } else { false }
    }
  }

  /// Sets the callback for when nothing more is recorded.
  package func whenFailed(_ tell: @escaping @Sendable () -> Void) { local.withLock { $0.whenFailed = tell } }

  /// Folds the events of a submit made here; a receipt of an earlier attempt may be for events folded long ago.
  private func catchUp(with submission: Submission, _ receipt: Receipt) {
    guard let versions = receipt.streams.first(where: { $0.stream == stream })?.versions else { return }
    let origin = EventOrigin(by: actor, at: receipt.recorded)
    local.withLock { local in
      guard local.failure == nil, versions.lowerBound.rawValue == local.written.rawValue + 1 else { return }
      for case .composer(key, .record(let events)) in submission.intents {
        for event in events { fold(ChatEvent(.composer(key, event), origin), into: &local.state) }
      }
      local.written = versions.upperBound
    }
  }

  /// Whether the composer has the content that is stored; nil while that is not known, because events are on the way to
  /// the log, or came there since.
  internal func isStored(as stored: StoredComposer) -> Bool? {
    local.withLock { local in
      if local.isBusy || local.pending > 0 || local.written > stored.version { return nil }
      return local.written == stored.version && local.state[key]?.content == stored.state[key]?.content
    }
  }

  /// The number of erasures after which the composer has no erased content.
  internal var erasureCount: Int { local.withLock { $0.erasureCount } }

  /// Notes that the composer has no content that these erasures cover.
  internal func keepsContent(after erasureCount: Int) { local.withLock { $0.erasureCount = erasureCount } }

  /// Ends recording, as if another process had written to the composer.
  internal func end() {
    local.withLock { if $0.failure == nil { $0.failure = .openElsewhere(key) } }
  }

  internal var written: StreamVersion { local.withLock { $0.written } }

  /// Stores why events could not be recorded; recording is retried.
  internal func delay(_ error: SubmitError) { local.withLock { $0.delay = error } }

  /// Applies the outcome of recording `count` events.
  internal func settle(_ count: Int, _ outcome: Result<Submitted, SubmitError>) {
    local.withLock { local in
      local.pending -= count
      switch outcome {
      case .success(let submitted):
        local.delay = nil
        if let last = submitted.receipt?.streams[0].versions.upperBound { local.written = last }
      case .failure(let error):
        if local.failure == nil { local.failure = if case .conflict = error { .openElsewhere(key) } else { error } }
      }
    }
  }
}

/// A composer as it is stored, with the state on which its events are decided.
internal struct StoredComposer: Sendable {
  let state: InMemoryChatState
  /// The version of the composer's stream at that state.
  let version: StreamVersion
  /// The number of erasures that the tables of the state depend on.
  let erasureCount: Int
}
