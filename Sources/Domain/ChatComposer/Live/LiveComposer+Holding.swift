// Submitting from a composer: all at once, and what is typed meanwhile is held back and recorded behind it.
internal import Chat

extension LiveComposer {
  /// Submits what is wanted with what is done in the composer by it, and takes away only what it was about; answers why
  /// not, where the conversation says no.
  func submit(
    _ intents: [ChatIntent], events: (Composition?) -> [Composer.Event]
  ) async throws(ComposerError) -> Refusal? {
    while held != nil { await waitForOthers() }
    let kept = concurrentEdits?.kept(of: composer.content)
    let (start, events) = (composing, events(kept))
    let (outcome, held) = await hold(intents, events)
    switch outcome {
    case .success(nil):
      waitUntilIdle(start, events, kept, held)
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

  /// Submits, and holds back what is done meanwhile; answers that, too. It was done already, and is to be recorded.
  func hold(
    _ intents: [ChatIntent], _ events: [Composer.Event]
  ) async -> (outcome: Result<Refusal?, any Error>, held: [Composer.Event]) {
    while held != nil { await waitForOthers() }
    held = []
    return await submitHolding(intents, events)
  }

  /// Submits, where what is done meanwhile is held back already.
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

  /// Records what was done while something came to nothing; what cannot be recorded now is tried again with the next.
  func goOn(with events: [Composer.Event]) {
    if events.isEmpty { return }
    do throws(ComposerError) { try record(events) } catch { unrecorded += events }
  }

  /// Becomes what is left: what was written meanwhile.
  private func waitUntilIdle(
    _ start: ComposerReducer, _ events: [Composer.Event], _ kept: Composition?, _ held: [Composer.Event]
  ) {
    let (now, editing) = (composing, start.composer.editing)
    var next = start
    next.commit(events, at: host.now)
    var rest = next.meet(now.composerContext, at: host.now)
    rest += held.filter { !$0.isOfContent }
    let left = concurrentEdits?.kept(of: now.content)
    if let edited = now.composer.editing, edited != editing || now.content != start.content {
      // An edit that has begun, or what was changed in one while it was saved, is to be saved yet.
      rest.append(.editBegan(edited, now.content))
      rest.append(.selectionMoved(now.composer.selection))
    } else if editing == nil, left != kept {
      rest.append(.cleared(keeping: left))
    }
    next.commit(rest, at: host.now)
    composing = next
    // It is sent, whatever becomes of this.
    goOn(with: rest)
    followUp()
  }

  /// Waits until what others do here is over, or looks again.
  func waitForOthers() async { await withCheckedContinuation { waiting.append($0) } }

  func wakeWaiting() {
    let woken = waiting
    waiting = []
    for waiting in woken { waiting.resume() }
  }
}

extension Composer.Event {
  /// Whether it is about what is written, and not about what is done or shown beside it.
  fileprivate var isOfContent: Bool {
    switch self {
    case .custom, .sendRefused, .pickerChanged, .commandsShown, .opened: false
    default: true
    }
  }
}
