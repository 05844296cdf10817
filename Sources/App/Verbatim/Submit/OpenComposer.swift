// A composer that somebody has open: what is done in it is answered at once, and on the disk soon after.
public import Chat
internal import ChatCodec
internal import EventLog
internal import Locks

/// A composer that this process has open.
///
/// What is done in it is answered at once, without a wait for the disk, and is on the disk within 20 milliseconds:
/// whoever kills the process may take those last moments, and nothing else. Where the disk or the turn cannot be had,
/// it is tried again until they can. What is submitted after it is behind it in the log, so that an answer to a submit
/// holds for all that was typed before.
///
/// One process at a time has a composer open. Once another has written to it, nothing more is recorded here:
/// ``failure`` tells so, and ``composer`` keeps what was written.
public final class OpenComposer: Sendable {
  /// Whose composer for where.
  public let key: Composer.Key
  internal let actor: Author
  internal let stream: Name
  private let submitting: SubmitQueue
  private let local: Locked<Local>

  private struct Local {
    var state: InMemoryChatState
    /// How many events its stream has in the log, as far as they are known here.
    var written: StreamVersion
    var failure: SubmitError? {
      didSet { if failure != nil { whenFailed() } }
    }
    /// Is told when nothing more is recorded.
    var whenFailed: @Sendable () -> Void = {}
    /// How many events that were typed are not known to be in the log.
    var pending = 0
    /// Whether a submit may or may not be in the log.
    var isUnsure = false
    /// Whether something is being submitted from it.
    var isBusy = false
    /// Why what was typed is not recorded yet, though it will be.
    var delay: SubmitError?
  }

  internal init(
    _ key: Composer.Key, by actor: Author, _ state: InMemoryChatState, at version: StreamVersion,
    _ submitting: SubmitQueue
  ) {
    (self.key, self.actor, self.submitting) = (key, actor, submitting)
    stream = StreamSubject.composer(key).name
    local = Locked(Local(state: state, written: version))
  }

  /// The composer with all that was done in it, also what is not on the disk yet.
  public var composer: Composer { local.withLock { $0.state[key] ?? Composer(key) } }

  /// Why nothing more is recorded; nil while all is well.
  public var failure: SubmitError? { local.withLock { $0.failure } }

  /// Records what was done, and returns at once; throws when it cannot be done, and has then recorded nothing.
  ///
  /// While a message is being sent from it, it throws ``SubmitError/composerBusy(_:)``.
  public func record(_ events: [Composer.Event]) throws(SubmitError) {
    if submitting.isClosed { throw .closed }
    try local.withLock { local throws(SubmitError) in
      if let failure = local.failure { throw failure }
      if local.isBusy { throw .composerBusy(key) }
      let decided: [ChatEvent]
      do throws(Refusal) {
        decided = try decide(
          .composer(key, .record(events)), by: actor, at: submitting.moments.now(), given: local.state)
      } catch {
        throw .refused(error, intent: 0)
      }
      if decided.isEmpty { return }
      guard submitting.room.tryTake(decided.count) else { throw .full(waiting: submitting.room.size) }
      for event in decided { fold(event, into: &local.state) }
      local.pending += decided.count
      submitting.record(decided.map(\.change), decided.map { encode($0) }, in: self)
    }
  }

  /// Waits until all that was done so far is on the disk; throws when it does not come there, or not yet.
  public func flush() async throws(SubmitError) {
    await submitting.flush()
    if let error = local.withLock({ $0.failure ?? $0.delay }) { throw error }
  }

  /// Submits what somebody wants together with what is done in the composer by it: all of it in one append, or nothing.
  ///
  /// It stands behind all that was recorded before. Until it returns, nothing else can be recorded or submitted here.
  internal func submit(
    _ intents: [ChatIntent], recording events: [Composer.Event], id: AppendID? = nil
  ) async throws(SubmitError) -> Submitted {
    try local.withLock { local throws(SubmitError) in
      if local.isBusy { throw .composerBusy(key) }
      local.isBusy = true
    }
    defer { local.withLock { $0.isBusy = false } }
    let submission = Submission(intents + [.composer(key, .record(events))], by: actor, id: id)
    do throws(SubmitError) {
      let submitted = try await submitting.submit(submission, in: self, waits: true)
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

  /// Whether another has written to it, so that nothing more is recorded here. It reads the disk.
  internal func isOpenElsewhere() throws(LogError) -> Bool {
    // Read before what is known here is looked at: all that was written here by then is among that.
    let version = try submitting.store.version(of: stream)
    return local.withLock { local in
      let mayBeOwn = local.isBusy || local.isUnsure
      if local.failure == nil, !mayBeOwn, version.rawValue > local.written.rawValue + UInt64(local.pending) {
        local.failure = .openElsewhere(key)
      }
      return if case .openElsewhere = local.failure { true } else { false }
    }
  }

  /// Has somebody told when nothing more is recorded.
  internal func whenFailed(_ tell: @escaping @Sendable () -> Void) { local.withLock { $0.whenFailed = tell } }

  /// Folds what a submit recorded here; a receipt from an earlier attempt may be of what was folded long ago.
  private func catchUp(with submission: Submission, _ receipt: Receipt) {
    guard let versions = receipt.streams.first(where: { $0.stream == stream })?.versions else { return }
    let stamp = EventOrigin(by: actor, at: Instant(rawValue: receipt.recorded.rawValue))
    local.withLock { local in
      guard local.failure == nil, versions.lowerBound.rawValue == local.written.rawValue + 1 else { return }
      for case .composer(key, .record(let events)) in submission.intents {
        for event in events { fold(ChatEvent(.composer(key, event), stamp), into: &local.state) }
      }
      local.written = versions.upperBound
    }
  }

  internal var written: StreamVersion { local.withLock { $0.written } }

  /// Takes note of why what was typed could not be recorded; it is tried again.
  internal func delay(_ error: SubmitError) { local.withLock { $0.delay = error } }

  /// Takes note of what became of so many events that were typed.
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
