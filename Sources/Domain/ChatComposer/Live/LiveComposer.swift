// An interactive composer: it requests suggestions, uploads, executes commands and sends.
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
  /// The reducer: the composer with everything needed to decide actions.
  public internal(set) var reducer: ComposerReducer
  /// The current suggestions; nil if there are none.
  public internal(set) var suggestions: SuggestionList?
  /// Whether a send is in progress; typing continues concurrently.
  public internal(set) var isSending = false
  /// The latest notice for the user; an app sets it to nil once seen.
  public var notice: ComposerNotice?
  /// The reason why no more events are recorded; nil in normal operation. The text stays readable, and a newly
  /// requested composer continues from the recorded state.
  public internal(set) var stopped: ComposerNotice?
  /// The seconds counter of slow mode, whose changes make observers read the presentation again.
  internal var seconds = 0

  @ObservationIgnored let host: any ComposerHost
  @ObservationIgnored var query: SuggestionQuery?
  @ObservationIgnored var asking: Task<Void, Never>?
  /// The query that matched nothing any more; queries that extend it are not sent.
  @ObservationIgnored var ended: ComposerCommand?
  /// The resolved user whose name was typed for the active command.
  internal var found: ResolvedTarget?
  @ObservationIgnored var finding: Task<Void, Never>?
  @ObservationIgnored var uploads: [Attachment.ID: Task<Void, Never>] = [:]
  /// The number of the current upload of each attachment, in start order.
  @ObservationIgnored var underWay: [Attachment.ID: Int] = [:]
  @ObservationIgnored var lastUpload = 0
  @ObservationIgnored var previews: [UserText: Task<Void, Never>] = [:]
  /// The edits made since a send began.
  @ObservationIgnored var concurrentEdits: ConcurrentEdits?
  /// The events performed during a submit, to be recorded after it; nil if no submit is in progress.
  @ObservationIgnored var held: [Composer.Event]?
  /// The events that took effect but could not be recorded yet.
  @ObservationIgnored var unrecorded: [Composer.Event] = []
  @ObservationIgnored var waiting: [CheckedContinuation<Void, Never>] = []
  /// The last message of a send with unknown outcome.
  @ObservationIgnored var unconfirmedSend: UnconfirmedSend?
  /// Whether its content is being saved as the draft.
  var isLeaving = false
  @ObservationIgnored var opening: Task<Void, any Error>?
  /// The last known draft, or the remains of a deleted one.
  @ObservationIgnored var draft: Draft?
  /// Whether the composer was emptied but the deletion of the draft could not be recorded yet.
  @ObservationIgnored var hasPendingDraftDeletion = false
  @ObservationIgnored var watching: Task<Void, Never>?
  /// Whether it refreshes its context on changes; otherwise a scripted player triggers each refresh.
  @ObservationIgnored package var refreshesAutomatically = true
  @ObservationIgnored var watched: Set<String> = []
  @ObservationIgnored var refreshing: Task<Void, Never>?
  /// The number of context refreshes begun, and the latest one that was applied.
  @ObservationIgnored var looks = (begun: 0, told: 0)
  @ObservationIgnored var ticking: (until: Instant, task: Task<Void, Never>)?

  /// Creates a live composer from a folded composer; call ``open()`` before any action.
  public init(_ composer: Composer, host: any ComposerHost, options: ComposerOptions = ComposerOptions()) {
    (key, self.host) = (composer.key, host)
    reducer = ComposerReducer(composer, options: options)
  }

  isolated deinit { cancelTasks() }

  /// Cancels all asynchronous work.
  func cancelTasks() {
    for task in [asking, finding, watching, refreshing, ticking?.task] { task?.cancel() }
    for task in uploads.values { task.cancel() }
    for task in previews.values { task.cancel() }
  }

  /// The composer after all actions.
  public var composer: Composer { reducer.composer }

  /// The typed text.
  public var text: TypedText { reducer.content.text }

  /// The options chosen by the app.
  public var options: ComposerOptions { reducer.options }

  /// The current presentation.
  public var presentation: ComposerPresentation {
    _ = seconds
    return reducer.presentation(at: host.now, isSending: isBusy, suggestions: suggestions, found)
  }

  /// The reason why the content cannot be sent now; nil if it can.
  public var refusal: SendRefusal? {
    _ = seconds
    return reducer.refusal(at: host.now, isSending: isBusy, found)
  }

  /// Whether the content can be sent now.
  public var canSend: Bool { refusal == nil }

  /// Whether a command or a send is in progress.
  public var isBusy: Bool { isSending || isLeaving || composer.execution != nil }

  // MARK: What is done in it

  /// Performs an action; if it throws, nothing has changed.
  public func perform(_ action: Composer.Action) throws(ComposerError) {
    if isBusy, changesWhatItIsAbout(action) { throw .refused(.busy) }
    var next = reducer
    let events: [Composer.Event]
    do throws(ComposerRefusal) { events = try next.act(action, at: host.now) } catch { throw .refused(error) }
    if takesDraftAway(next) { try empty(next, events) } else { try take(next, events) }
    if case .paste = action { askForPreviews(exceptAtCaret: false) }
  }

  /// Whether an action replaces the content that is being sent.
  private func changesWhatItIsAbout(_ action: Composer.Action) -> Bool {
    switch action {
    case .beginEdit, .enter: true
    case .cancelEdit, .clear, .quote: composer.editing != nil
    default: false
    }
  }

  /// Performs the effect of a tap on an item.
  public func tap(_ id: ComposerItem.ID) async throws(ComposerError) {
    guard let item = presentation.items.first(where: { $0.id == id }), item.isEnabled else { return }
    switch item.action {
    case .none: return
    case .perform(let action): try perform(action)
    case .send: try await send()
    }
  }

  /// Waits until all performed actions are durable; throws if they are not or cannot become so.
  public func flush() async throws(ComposerError) {
    while held != nil { await waitForOthers() }
    try await retryDraftDeletion()
    try record([])
    do { try await host.flush() } catch { throw notRecorded(error) }
  }

  /// Applies and records events that the composer itself decided.
  func note(_ events: [Composer.Event]) throws(ComposerError) {
    var next = reducer
    next.commit(events, at: host.now)
    try take(next, events)
  }

  /// Applies events after recording them; during a submit, they are recorded after it.
  func take(_ next: ComposerReducer, _ events: [Composer.Event]) throws(ComposerError) {
    if held != nil { held? += events } else if !events.isEmpty { try record(events) }
    become(next, by: events)
  }

  /// Replaces the state by the state after some events.
  func become(_ next: ComposerReducer, by events: [Composer.Event]) {
    concurrentEdits?.add(events, to: composer, at: host.now)
    reducer = next
    followUp()
  }

  /// Records events after those that could not be recorded before.
  func record(_ events: [Composer.Event]) throws(ComposerError) {
    let all = unrecorded + events
    if all.isEmpty { return }
    do { try host.record(all) } catch { throw notRecorded(error) }
    unrecorded = []
  }

  /// Reports that events could not be recorded.
  func notRecorded(_ error: any Error) -> ComposerError {
    if let stopped = host.stopped { stop(with: stopped) } else { notice = .notRecorded(UserText("\(error)")) }
    return .notRecorded(error)
  }

  /// Starts the asynchronous requests that the current state needs.
  func followUp() {
    // A composer that was left makes no more requests.
    guard composer.isOpen, stopped == nil else { return }
    updateSuggestions()
    findTarget()
    startUploads()
    askForPreviews(exceptAtCaret: true)
    tick()
    if Set(messages.map(\.text) + users.map(\.text)) != watched { refresh() }
  }
}
