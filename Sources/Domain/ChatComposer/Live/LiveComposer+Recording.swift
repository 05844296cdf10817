// Recording of events and atomic appends; events of concurrent actions are held back until an append ends.
internal import Chat

extension LiveComposer {
  /// Records events after those that could not be recorded before.
  func record(_ events: [Composer.Event]) throws(ComposerError) {
    let all = recording.backlog + events
    if all.isEmpty { return }
    let (recorded, next) = self.recorded(all)
    do { try host.record(recorded) } catch { throw notRecorded(error) }
    recorder = next
    recording.removeRecorded(recording.backlog.count)
    awaitPause()
  }

  /// Returns what is recorded for events, and the recorder after it.
  private func recorded(_ events: [Composer.Event]) -> ([Composer.Event], ContentRecorder) {
    var next = recorder
    let marksTyping = reducer.composerContext.config.has(.typingEvents)
    return (next.record(events, at: host.now, marksTyping: marksTyping), next)
  }

  /// Records events that were held back; if that fails, they are retried with the next ones.
  func recordOrRetain(_ events: [Composer.Event]) {
    if events.isEmpty { return }
    do throws(ComposerError) { try record(events) } catch { recording.retain(events) }
  }

  /// Reports that events could not be recorded.
  func notRecorded(_ error: any Error) -> ComposerError {
    if let stopped = host.stopped { stop(with: stopped) } else { notice = .notRecorded(UserText("\(error)")) }
    return .notRecorded(error)
  }

  /// Begins to hold events back for a submit; returns the state that it is made from.
  ///
  /// It is called in the step in which the intents are made: what is typed after it stays in the composer.
  func beginHolding() -> ComposerReducer {
    recording.beginHolding()
    return reducer
  }

  /// Submits intents and events in one append, made from a state since which events are held back, and removes only the
  /// submitted content; returns the refusal if the conversation refuses.
  func submit(
    _ intents: [ChatIntent], from start: ComposerReducer, events: (Composition?) -> [Composer.Event]
  ) async throws(ComposerError) -> Refusal? {
    let kept = operation.kept(of: start.content)
    let events = events(kept)
    let outcome = await submitWhileHolding(intents, events)
    let held = endHolding()
    switch outcome {
    case .success(nil):
      rebaseOnConcurrentEdits(start, events, kept, held)
      return nil
    case .success(let refusal?):
      recordOrRetain(held)
      return refusal
    case .failure(let error):
      recordOrRetain(held)
      if let stopped = host.stopped { stop(with: stopped) }
      throw .notRecorded(error)
    }
  }

  /// Submits without events of its own, applies the outcome, and records the events that were held back meanwhile.
  func submitHoldingBack(
    _ intents: [ChatIntent], applying apply: (Result<Refusal?, any Error>) -> Void = { _ in }
  ) async -> Result<Refusal?, any Error> {
    while recording.isHolding { await waitForOthers(after: recording.endCount) }
    recording.beginHolding()
    let outcome = await submitWhileHolding(intents, [])
    apply(outcome)
    recordOrRetain(endHolding())
    return outcome
  }

  /// Submits while concurrent events are being held back.
  ///
  /// The caller calls ``endHolding()`` in the same step in which it records them, so that no event is recorded before.
  func submitWhileHolding(
    _ intents: [ChatIntent], _ events: [Composer.Event]
  ) async -> Result<Refusal?, any Error> {
    let before = recording.backlog
    let outcome: Result<Refusal?, any Error>
    let (recorded, next) = self.recorded(before + events)
    do { outcome = .success(try await host.submit(intents, recording: recorded)) } catch {
      outcome = .failure(error)
    }
    if case .success(nil) = outcome {
      recorder = next
      awaitPause()
      recording.removeRecorded(before.count)
      // A draft that was read before would return to the composer.
      if contextRefreshes.discardBegun() { refresh() }
    }
    return outcome
  }

  /// Returns the events that were held back, applied but not yet recorded; from now on, events are recorded directly.
  func endHolding() -> [Composer.Event] {
    defer { wakeWaiters() }
    return recording.endHolding()
  }

  /// Reduces the state to what is left after a submit: the concurrent edits.
  private func rebaseOnConcurrentEdits(
    _ start: ComposerReducer, _ events: [Composer.Event], _ kept: Composition?, _ held: [Composer.Event]
  ) {
    let (now, editing) = (reducer, start.composer.editing)
    var next = start
    next.options = now.options
    next.commit(events, at: host.now)
    var rest = next.updateContext(now.composerContext, at: host.now)
    rest += held.filter { !$0.isOfContent }
    let left = operation.kept(of: now.content)
    if let edited = now.composer.editing, edited != editing || now.content != start.content {
      // A newly begun edit, or changes made to one while it was being saved, are still to be saved.
      rest.append(.editBegan(edited, now.content))
      rest.append(.selectionMoved(now.composer.selection))
    } else if editing == nil, left != kept {
      rest.append(.cleared(keeping: left))
    }
    next.commit(rest, at: host.now)
    reducer = next
    // The submit succeeded, whether or not this is recorded.
    recordOrRetain(rest)
    updateRequests()
  }

  /// Waits until the current append or operation ends; the caller checks again.
  ///
  /// `count` is ``RecordingQueue/endCount`` when the caller checked: a task with a preferred executor is suspended at
  /// each `await`, also of a function of the same actor, so the end may have come meanwhile.
  func waitForOthers(after count: Int) async {
    await withCheckedContinuation { waiter in
      if recording.endCount == count { recording.addWaiter(waiter) } else { waiter.resume() }
    }
  }

  /// Resumes the callers that wait for an append or an operation; each checks again.
  func wakeWaiters() { for waiter in recording.removeWaiters() { waiter.resume() } }
}

extension Composer.Event {
  /// Whether it concerns the content, not what happens or is shown beside it.
  fileprivate var isOfContent: Bool {
    switch self {
    case .custom, .sendRefused, .actionRefused, .pickerChanged, .commandsShown, .opened: false
    default: true
    }
  }
}
