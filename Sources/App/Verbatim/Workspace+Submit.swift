// Submitting to a workspace.
public import Chat
internal import ChatCodec
internal import ChatProjections
public import EventLog
internal import Locks
public import Projections

extension Workspace {
  /// Submits what somebody wants, and returns when what it comes to is on the disk.
  ///
  /// It is decided on the state at the end of the log, in its turn, by the rules of this process. Where too many wait
  /// it waits, too, or throws ``SubmitError/full(waiting:)`` if it is not to. Cancelling its task either takes the
  /// submit back, so that nothing is recorded, or comes too late, and the outcome is answered.
  @discardableResult
  public func submit(_ submission: Submission, waits: Bool = true) async throws(SubmitError) -> Submitted {
    try await submitting.submit(submission, waits: waits)
  }

  /// Submits what somebody wants, and returns when what it comes to is on the disk; the thread waits.
  @available(*, noasync, message: "it waits for the disk: use the async submit")
  @discardableResult
  public func submitBlocking(_ submission: Submission, waits: Bool = true) throws(SubmitError) -> Submitted {
    try submitting.submitBlocking(submission, waits: waits)
  }

  /// Submits what several want, each for itself and in their order, and returns when what all of it comes to is on the
  /// disk; the thread waits. What is granted of them is in one block, unless it is large.
  @available(*, noasync, message: "it waits for the disk: submit each in a task of its own")
  public func submit(each submissions: [Submission]) -> [Result<Submitted, SubmitError>] {
    submitting.submit(each: submissions)
  }

  /// Submits what somebody wants, and returns when what it comes to is on the disk.
  @discardableResult
  public func submit(
    _ intent: ChatIntent, by actor: Author, id: AppendID? = nil
  ) async throws(SubmitError) -> Submitted {
    try await submit(Submission([intent], by: actor, id: id))
  }

  /// Submits several things together: all of them happen, or none.
  @discardableResult
  public func submit(
    _ intents: [ChatIntent], by actor: Author, id: AppendID? = nil
  ) async throws(SubmitError) -> Submitted {
    try await submit(Submission(intents, by: actor, id: id))
  }

  /// What came of the submit with an id, whoever made it; nil when nothing was recorded under it.
  public func receipt(of id: AppendID) async throws(ProjectionError) -> Receipt? {
    let result = await offThread { workspace in
      Result { () throws(LogError) in try workspace.store.receipt(of: id) }
    }
    do throws(LogError) { return try result.get() } catch { throw .log(error) }
  }

  /// Waits until all that was typed here before, and all submits that were taken into the queue, have their answers;
  /// not for those that wait for room in it.
  public func flush() async { await submitting.flush() }

  /// Waits until all that was typed here before is on the disk, or is known not to come there; the thread waits.
  @available(*, noasync, message: "it waits for the disk: use the async flush")
  public func flushBlocking() { submitting.flushBlocking() }

  /// Opens a composer, to record what is done in it at once; the user and the channel must be there. Who opens it again
  /// in this process gets the same one.
  public func openComposer(_ key: Composer.Key) async throws(SubmitError) -> OpenComposer {
    let result = await offThread { workspace in
      Result { () throws(SubmitError) in try workspace.openComposer(key) }
    }
    return try result.get()
  }

  private func openComposer(_ key: Composer.Key) throws(SubmitError) -> OpenComposer {
    if submitting.isClosed { throw .closed }
    // One that nobody holds any more is known here for as long as something that was typed in it is under way.
    if let open = submitting.openComposer(key) { return open }
    let (state, version): (InMemoryChatState, StreamVersion)
    do throws(ProjectionError) {
      // What a process wrote that was killed would come to be seen behind this one's back.
      do throws(LogError) { try store.log.completeInterruptedCommit() } catch { throw .log(error) }
      (state, version) = try self.state(around: key)
    } catch .stopped(let stop) {
      throw .readOnly(stop)
    } catch {
      throw .failed(nil, error)
    }
    if state[key.user] == nil { throw .refused(.unknownUser(key.user), intent: 0) }
    if state[key.channel] == nil { throw .refused(.unknownChannel(key.channel), intent: 0) }
    return submitting.opened(OpenComposer(key, by: .user(key.user, on: key.device), state, at: version, submitting))
  }

  /// What is decided on in a composer, with how many events its stream had then.
  private func state(around key: Composer.Key) throws(ProjectionError) -> (InMemoryChatState, StreamVersion) {
    let stream = StreamSubject.composer(key).name
    let rules = configuration.rules
    while true {
      let before = try version(of: stream)
      let state = try projections.deciding(under: rules) { next in
        var state = InMemoryChatState(rules: rules)
        (state[key.user], state[key.channel], state[key]) = (next[key.user], next[key.channel], next[key])
        return state
      }
      // The state is of a moment between two looks at the stream.
      if try version(of: stream) == before { return (state, before) }
    }
  }

  private func version(of stream: Name) throws(ProjectionError) -> StreamVersion {
    do throws(LogError) { return try store.version(of: stream) } catch { throw .log(error) }
  }
}
