// Atomic submits from a composer; concurrent events are held back and recorded after the submit.
internal import Chat

extension LiveComposer {
  /// Submits intents and events in one append and removes only the submitted content; returns the refusal if the
  /// conversation refuses.
  func submit(
    _ intents: [ChatIntent], events: (Composition?) -> [Composer.Event]
  ) async throws(ComposerError) -> Refusal? {
    while held != nil { await waitForOthers() }
    let kept = concurrentEdits?.kept(of: composer.content)
    let (start, events) = (reducer, events(kept))
    let (outcome, held) = await hold(intents, events)
    switch outcome {
    case .success(nil):
      rebaseOnConcurrentEdits(start, events, kept, held)
      return nil
    case .success(let refusal?):
      goOn(with: held)
      return refusal
    case .failure(let error):
      goOn(with: held)
      if let stopped = host.stopped { stop(with: stopped) }
      throw .notRecorded(error)
    }
  }

  /// Submits while holding back concurrent events; returns those, applied but not yet recorded.
  func hold(
    _ intents: [ChatIntent], _ events: [Composer.Event]
  ) async -> (outcome: Result<Refusal?, any Error>, held: [Composer.Event]) {
    while held != nil { await waitForOthers() }
    held = []
    return await submitHolding(intents, events)
  }

  /// Submits while concurrent events are already being held back.
  func submitHolding(
    _ intents: [ChatIntent], _ events: [Composer.Event]
  ) async -> (outcome: Result<Refusal?, any Error>, held: [Composer.Event]) {
    let before = unrecorded
    let outcome: Result<Refusal?, any Error>
    do { outcome = .success(try await host.submit(intents, recording: before + events)) } catch {
      outcome = .failure(error)
    }
    if case .success(nil) = outcome { unrecorded.removeFirst(before.count) }
    defer { wakeWaiting() }
    defer { held = nil }
    return (outcome, held ?? [])
  }

  /// Records the held events; if that fails, they are retried with the next ones.
  func goOn(with events: [Composer.Event]) {
    if events.isEmpty { return }
    do throws(ComposerError) { try record(events) } catch { unrecorded += events }
  }

  /// Reduces the state to what is left after a submit: the concurrent edits.
  private func rebaseOnConcurrentEdits(
    _ start: ComposerReducer, _ events: [Composer.Event], _ kept: Composition?, _ held: [Composer.Event]
  ) {
    let (now, editing) = (reducer, start.composer.editing)
    var next = start
    next.commit(events, at: host.now)
    var rest = next.meet(now.composerContext, at: host.now)
    rest += held.filter { !$0.isOfContent }
    let left = concurrentEdits?.kept(of: now.content)
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
    goOn(with: rest)
    followUp()
  }

  /// Waits until the current submit or send ends; the caller checks again.
  func waitForOthers() async { await withCheckedContinuation { waiting.append($0) } }

  func wakeWaiting() {
    let woken = waiting
    waiting = []
    for waiting in woken { waiting.resume() }
  }
}

extension Composer.Event {
  /// Whether it concerns the content, not what happens or is shown beside it.
  fileprivate var isOfContent: Bool {
    switch self {
    case .custom, .sendRefused, .pickerChanged, .commandsShown, .opened: false
    default: true
    }
  }
}
