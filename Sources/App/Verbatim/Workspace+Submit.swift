// Submitting intents to a workspace.
public import Chat
internal import ChatCodec
internal import ChatProjections
internal import Errors
public import EventLog
internal import Locks
public import Projections

extension Workspace {
  /// Submits intents and returns once the resulting events are on the disk.
  ///
  /// They are decided in queue order against the state at the head of the log, by the rules of this process. If the
  /// queue is full, the call waits, or throws ``SubmitError/full(waiting:)`` if `waits` is false. Cancelling the task
  /// either withdraws the submit, so that nothing is recorded, or is too late, and the outcome is returned.
  @discardableResult
  public func submit(_ submission: Submission, waits: Bool = true) async throws(SubmitError) -> Submitted {
    try await submitQueue.submit(submission, waits: waits)
  }

  /// Submits intents and returns once the resulting events are on the disk; blocks the thread.
  @available(*, noasync, message: "it blocks until the disk has finished: use the async submit")
  @discardableResult
  public func submitBlocking(_ submission: Submission, waits: Bool = true) throws(SubmitError) -> Submitted {
    try submitQueue.submitBlocking(submission, waits: waits)
  }

  /// Submits several submissions independently, in order, and returns once all resulting events are on the disk; blocks
  /// the thread. The granted ones are appended in one block, unless it is large.
  @available(*, noasync, message: "it blocks until the disk has finished: submit each in its own task")
  public func submit(each submissions: [Submission]) -> [Result<Submitted, SubmitError>] {
    submitQueue.submit(each: submissions)
  }

  /// Submits one intent and returns once the resulting events are on the disk.
  @discardableResult
  public func submit(
    _ intent: ChatIntent, by actor: Author, id: AppendID? = nil
  ) async throws(SubmitError) -> Submitted {
    try await submit(Submission([intent], by: actor, id: id))
  }

  /// Submits several intents atomically: all of them are granted, or none.
  @discardableResult
  public func submit(
    _ intents: [ChatIntent], by actor: Author, id: AppendID? = nil
  ) async throws(SubmitError) -> Submitted {
    try await submit(Submission(intents, by: actor, id: id))
  }

  /// Returns the receipt of the submit with an id, made by any process; nil if nothing was recorded under the id.
  public func receipt(of id: AppendID) async throws(ProjectionError) -> Receipt? {
    let result = await offThread { workspace in
      Result { () throws(LogError) in try workspace.store.receipt(of: id) }
    }
    return try rethrow(result.get(), as: ProjectionError.log)
  }

  /// Waits until everything recorded in composers before, and all queued submits, have completed; submits that still
  /// wait for admission to the queue are not included.
  public func flush() async { await submitQueue.flush() }

  /// Waits until everything recorded in composers before is on the disk or has failed; blocks the thread.
  @available(*, noasync, message: "it blocks until the disk has finished: use the async flush")
  public func flushBlocking() { submitQueue.flushBlocking() }

  /// Opens a composer, whose events are recorded at once; the user and the channel must exist. Opening it again in this
  /// process returns the same instance.
  public func openComposer(_ key: Composer.Key) async throws(SubmitError) -> OpenComposer {
    try await offThread { workspace throws(SubmitError) in try workspace.openComposer(key) }
  }

  private func openComposer(_ key: Composer.Key) throws(SubmitError) -> OpenComposer {
    if submitQueue.isClosed { throw .closed }
    // An instance that is no longer referenced stays registered here while its events are being recorded.
    if let open = submitQueue.openComposer(key) { return open }
    let stored: StoredComposer
    do throws(ProjectionError) {
      // A killed process may have left a commit to complete; done later, it would change the state unnoticed.
      try rethrow(store.log.completeInterruptedCommit(), as: ProjectionError.log)
      stored = try storedComposer(key)
    } catch .stopped(let stop) {
      throw .readOnly(stop)
    } catch {
      throw .failed(nil, error)
    }
    if stored.state[key.user] == nil { throw .refused(.unknownUser(key.user), intent: 0) }
    if stored.state[key.channel] == nil { throw .refused(.unknownChannel(key.channel), intent: 0) }
    return try opened(key, stored)
  }

  /// Registers a composer that was read; reads it again if it has content that was erased meanwhile.
  internal func opened(_ key: Composer.Key, _ stored: StoredComposer) throws(SubmitError) -> OpenComposer {
    let composer = submitQueue.opened(OpenComposer(key, by: .user(key.user, on: key.device), stored, submitQueue))
    if composer.erasureCount == projections.erasureCount { return composer }
    // The tables were replaced, and the open composers may have been looked at before this one was registered.
    do throws(ProjectionError) { try endErasedComposers() } catch { throw .failed(nil, error) }
    return try composer.failure == nil ? composer : openComposer(key)
  }

  /// Reads a composer with the state that it decides on.
  internal func storedComposer(_ key: Composer.Key) throws(ProjectionError) -> StoredComposer {
    let stream = StreamSubject.composer(key).name
    let rules = configuration.rules
    while true {
      let (before, projections) = (try version(of: stream), projections)
      let state = try projections.deciding(under: rules) { next in
        var state = InMemoryChatState(rules: rules)
        (state[key.user], state[key.channel], state[key]) = (next[key.user], next[key.channel], next[key])
        return state
      }
      // The version was the same before and after, so the state is of that version.
      if try version(of: stream) == before {
        return StoredComposer(state: state, version: before, erasureCount: projections.erasureCount)
      }
    }
  }

  private func version(of stream: Name) throws(ProjectionError) -> StreamVersion {
    try rethrow(store.version(of: stream), as: ProjectionError.log)
  }
}
