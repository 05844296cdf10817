// An interactive composer: it requests suggestions, uploads, executes commands and sends.
internal import Errors
public import Chat
public import Observation

/// An interactive composer on the main actor, with asynchronous work beside the typing.
///
/// It is observable. Actions take effect immediately and are recorded by the host; asynchronous work (suggestions,
/// uploads, commands, sending) runs concurrently with typing and never overwrites it.
///
/// Everything shown is recorded or will be. If the disk or the writer lock is temporarily unavailable, typing continues
/// and all events are recorded later; ``flush()``, ``send()`` and ``leave()`` throw in that case and are to be retried.
/// If events cannot be accepted at all, because the backlog is full, the workspace was closed or its state cannot be
/// folded, or another process has written to the composer, ``perform(_:)`` throws and nothing has changed: a letter
/// shown but not recorded would be lost later. ``notice`` reports it as well, the existing text stays readable, and
/// ``stopped`` says whether the condition is permanent.
@MainActor @Observable
public final class LiveComposer {
  /// The user, device, channel and thread of the composer.
  public let key: Composer.Key
  @ObservationIgnored let host: any ComposerHost
  /// The reducer: the composer with everything needed to decide actions.
  public internal(set) var reducer: ComposerReducer
  /// The latest notice for the user; an app sets it to nil once seen.
  public var notice: ComposerNotice?
  // The state below is observed through the computed properties alone: most of its changes are invisible.
  /// Whether the composer follows its host.
  @ObservationIgnored private(set) var phase = ComposerPhase.closed
  /// The operation on the content in progress.
  @ObservationIgnored private(set) var operation = ComposerOperation.idle
  /// The events that took effect and are not recorded yet.
  @ObservationIgnored var recording = RecordingQueue()
  @ObservationIgnored var recorder: ContentRecorder
  @ObservationIgnored var pause = TypingPause()
  /// The requests that run concurrently with typing.
  @ObservationIgnored var requests = ComposerRequests()
  @ObservationIgnored var contextRefreshes = ContextRefreshes()
  @ObservationIgnored var draftSync = DraftSync()
  /// The number of calls of ``open()``: a leave closes nothing that was opened again since.
  @ObservationIgnored var openings = 0
  /// The number of screens that show the composer, the last of which leaves it.
  @ObservationIgnored package var screenCount = 0
  /// Called when the composer was deallocated and its last events are recorded.
  @ObservationIgnored package var whenGone: @MainActor () -> Void = {}
  /// The last message of a send with unknown outcome.
  @ObservationIgnored var unconfirmedSend: UnconfirmedSend?

  /// Creates a live composer from a folded composer; call ``open()`` before any action.
  public init(
    _ composer: Composer, host: any ComposerHost, options: ComposerOptions = ComposerOptions(),
    registeredCommands: [any CommandHandler] = []
  ) {
    (key, self.host) = (composer.key, host)
    recorder = ContentRecorder(options.recording, of: composer)
    reducer = ComposerReducer(composer, options: options, people: host, registeredCommands: registeredCommands)
  }

  isolated deinit {
    pause.cancel()
    var rest = recorder.record(recording.backlog, at: host.now, marksTyping: false)
    if recorder.holdsChanges { rest += recorder.recordPause(at: host.now) }
    if !rest.isEmpty { try? host.record(rest) }
    phase.watching?.cancel()
    contextRefreshes.cancel()
    requests.cancelAll()
    whenGone()
  }

  /// The composer after all actions.
  public var composer: Composer { reducer.composer }

  /// The options chosen by the app.
  public var options: ComposerOptions { reducer.options }

  /// The current suggestions; nil if there are none.
  public var suggestions: SuggestionList? {
    access(keyPath: \.suggestions)
    return requests.suggestions.list
  }

  /// The current presentation.
  public var presentation: ComposerPresentation {
    access(keyPath: \.ticks)
    return reducer.presentation(
      at: host.now, isSending: isBusy, suggestions: suggestions, pictures: pictures, resolvedTarget)
  }

  /// The reason why the content cannot be sent now; nil if it can.
  public var refusal: SendRefusal? {
    access(keyPath: \.ticks)
    return reducer.refusal(at: host.now, isSending: isBusy, resolvedTarget)
  }

  /// Whether the content can be sent now.
  public var canSend: Bool { refusal == nil }

  /// Whether a send is in progress; typing continues concurrently.
  public var isSending: Bool {
    access(keyPath: \.isSending)
    return operation.isSending
  }

  /// Whether a command or a send is in progress, or the content is being saved as the draft.
  public var isBusy: Bool {
    access(keyPath: \.isBusy)
    return !operation.isIdle || composer.execution != nil
  }

  /// The reason why no more events are recorded; nil in normal operation. The text stays readable, and a newly
  /// requested composer continues from the recorded state.
  public var stopped: ComposerNotice? {
    access(keyPath: \.stopped)
    return phase.stopped
  }

  /// The resolved user whose name was typed for the active command.
  var resolvedTarget: ResolvedTarget? {
    get {
      access(keyPath: \.resolvedTarget)
      return requests.target.resolved
    }
    set { withMutation(keyPath: \.resolvedTarget) { requests.target.resolved = newValue } }
  }

  /// The number of changes of the presentation by time alone.
  var ticks: Int { requests.timer.ticks }

  // MARK: Transitions

  /// Enters a phase; observers of ``stopped`` are notified if it changes.
  func enter(_ next: ComposerPhase) {
    if next.stopped == phase.stopped { return phase = next }
    withMutation(keyPath: \.stopped) { phase = next }
  }

  /// Begins an operation, or ends the current one; wakes the callers that wait for its end.
  func begin(_ next: ComposerOperation) {
    withMutation(keyPath: \.isBusy) {
      if next.isSending == operation.isSending { return operation = next }
      withMutation(keyPath: \.isSending) { operation = next }
    }
    if next.isIdle { wakeWaiters() }
  }

  // MARK: Actions

  /// Performs an action; if it throws, nothing has changed. A refusal is recorded.
  public func perform(_ action: Composer.Action) throws(ComposerError) {
    if isBusy, replacesContent(action) { throw recorded(.busy) }
    var next = reducer
    let events = try rethrow(next.act(action, at: host.now)) { recorded($0) }
    if emptiesStoredDraft(next) { try empty(next, events) } else { try apply(next, recording: events) }
    if case .paste = action { requestPreviews(exceptAtCaret: false) }
  }

  /// Records the refusal of an action and returns it; the error of the recording if that fails.
  func recorded(_ refusal: ComposerRefusal) -> ComposerError {
    do throws(ComposerError) { try commit([.actionRefused(RecordedFailure(refusal))]) } catch { return error }
    return .refused(refusal)
  }

  /// Whether an action replaces the content that is being sent.
  private func replacesContent(_ action: Composer.Action) -> Bool {
    switch action {
    case .beginEdit, .enter: true
    case .cancelEdit, .clear, .quote: composer.editing != nil
    default: false
    }
  }

  /// Waits until all performed actions are durable; throws if they are not or cannot become so.
  public func flush() async throws(ComposerError) {
    try await retryDraftDeletion()
    while recording.isHolding { await waitForOthers(after: recording.endCount) }
    try record([])
    try await recordPause()
    do { try await host.flush() } catch { throw notRecorded(error) }
  }

  /// Applies and records events that the composer itself decided.
  func commit(_ events: [Composer.Event]) throws(ComposerError) {
    var next = reducer
    next.commit(events, at: host.now)
    try apply(next, recording: events)
  }

  /// Applies events after recording them; during an append, they are recorded after it.
  func apply(_ next: ComposerReducer, recording events: [Composer.Event]) throws(ComposerError) {
    if !recording.hold(events), !events.isEmpty { try record(events) }
    replaceReducer(by: next, after: events)
  }

  /// Replaces the state by the state after some events.
  func replaceReducer(by next: ComposerReducer, after events: [Composer.Event]) {
    operation.add(events, to: composer, at: host.now)
    reducer = next
    updateRequests()
  }

  /// Starts the asynchronous requests that the current state needs.
  func updateRequests() {
    // A composer that was left makes no more requests.
    guard composer.isOpen, phase.stopped == nil else { return }
    updateSuggestions()
    resolveTarget()
    updateUploads()
    updatePictures()
    requestPreviews(exceptAtCaret: true)
    updateTimer()
    if contextSubjects != contextRefreshes.subjects { refresh() }
  }
}
