// A composer that somebody is in front of: it asks for suggestions, uploads, executes and sends.
public import Chat
public import Observation

/// A composer that somebody is in front of.
///
/// It is on the main actor and can be observed. What is done in it is answered at once and recorded by its host; what
/// takes a while, suggestions, uploads, commands and sending, goes on beside the typing and never overwrites it.
///
/// What is shown is what is recorded, or will be. Where the disk or the turn to append cannot be had for a while,
/// typing goes on, and all of it is recorded when they can; ``flush()``, ``send()`` and ``leave()`` then throw, and
/// are to be done again. Where something cannot be taken to be recorded at all, because too much waits already, the
/// workspace was closed or its state cannot be folded, or another process has written to the composer,
/// ``perform(_:)`` throws and nothing has changed: a letter that was shown and not recorded would be one that is lost
/// later. ``notice`` tells it besides, what was written before stays to be read and copied, and ``stopped`` tells
/// whether it is for good.
@MainActor @Observable
public final class LiveComposer {
  /// Whose composer for where.
  public let key: Composer.Key
  /// The composer with what it needs to decide.
  public internal(set) var composing: ComposerReducer
  /// What is suggested for what is being typed; nil when nothing is.
  public internal(set) var suggestions: SuggestionList?
  /// Whether a send is under way; typing goes on meanwhile.
  public internal(set) var isSending = false
  /// What whoever looks at it should be told last; an app takes it away when it was seen.
  public var notice: ComposerNotice?
  /// Why nothing more is recorded in it; nil while all is well. What is written stays to be read, and whoever asks for
  /// the composer again gets one that goes on from what is recorded.
  public internal(set) var stopped: ComposerNotice?
  /// Counts the seconds of a slow mode, so that what is shown is read again.
  internal var seconds = 0

  @ObservationIgnored let host: any ComposerHost
  @ObservationIgnored var query: SuggestionQuery?
  @ObservationIgnored var asking: Task<Void, Never>?
  /// What was being typed when nothing matched it any more.
  @ObservationIgnored var ended: ComposerCommand?
  /// The user whose name was typed for the active command, if they were found.
  internal var found: ResolvedTarget?
  @ObservationIgnored var finding: Task<Void, Never>?
  @ObservationIgnored var uploads: [Attachment.ID: Task<Void, Never>] = [:]
  /// Which upload of each attachment is under way, by the order in which they began.
  @ObservationIgnored var underWay: [Attachment.ID: Int] = [:]
  @ObservationIgnored var lastUpload = 0
  @ObservationIgnored var previews: [UserText: Task<Void, Never>] = [:]
  /// What was written since a send began.
  @ObservationIgnored var concurrentEdits: ConcurrentEdits?
  /// What was done while a send was being recorded, and is recorded behind it; nil while none is.
  @ObservationIgnored var held: [Composer.Event]?
  /// What was done and shown, and could not be recorded yet.
  @ObservationIgnored var unrecorded: [Composer.Event] = []
  @ObservationIgnored var waiting: [CheckedContinuation<Void, Never>] = []
  /// The last message that was to be sent, while nobody knows whether it was.
  @ObservationIgnored var unanswered: UnconfirmedSend?
  /// Whether its content is on the way to the draft.
  var isLeaving = false
  @ObservationIgnored var opening: Task<Void, any Error>?
  /// The draft that it knows of, or what is left of a deleted one.
  @ObservationIgnored var draft: Draft?
  /// Whether it was emptied, and the draft is there still because that could not be recorded.
  @ObservationIgnored var owesDeletion = false
  @ObservationIgnored var watching: Task<Void, Never>?
  /// Whether it looks around by itself when something changes; else whoever plays with it has it do so, in their order.
  @ObservationIgnored package var looksAroundItself = true
  @ObservationIgnored var watched: Set<String> = []
  @ObservationIgnored var refreshing: Task<Void, Never>?
  /// How often it began to look around, and which look was the last that told something.
  @ObservationIgnored var looks = (begun: 0, told: 0)
  @ObservationIgnored var ticking: (until: Instant, task: Task<Void, Never>)?

  /// A composer as it was folded; open it before anything is done in it.
  public init(_ composer: Composer, host: any ComposerHost, options: ComposerOptions = ComposerOptions()) {
    (key, self.host) = (composer.key, host)
    composing = ComposerReducer(composer, options: options)
  }

  isolated deinit { cancelTasks() }

  /// Ends all that goes on beside the typing.
  func cancelTasks() {
    for task in [asking, finding, watching, refreshing, ticking?.task] { task?.cancel() }
    for task in uploads.values { task.cancel() }
    for task in previews.values { task.cancel() }
  }

  /// What it holds with all that was done.
  public var composer: Composer { composing.composer }

  /// What is typed.
  public var text: TypedText { composing.content.text }

  /// What the app chose.
  public var options: ComposerOptions { composing.options }

  /// What is shown.
  public var presentation: ComposerPresentation {
    _ = seconds
    return composing.presentation(at: host.now, isSending: isBusy, suggestions: suggestions, found)
  }

  /// Why what is written cannot be sent now; nil when it can.
  public var refusal: SendRefusal? {
    _ = seconds
    return composing.refusal(at: host.now, isSending: isBusy, found)
  }

  /// Whether what is written can be sent now.
  public var canSend: Bool { refusal == nil }

  /// Whether a command or a send is at work.
  public var isBusy: Bool { isSending || isLeaving || composer.execution != nil }

  // MARK: What is done in it

  /// Does something; throws when it cannot be done, and has done nothing.
  public func perform(_ action: Composer.Action) throws(ComposerError) {
    if isBusy, changesWhatItIsAbout(action) { throw .refused(.busy) }
    var next = composing
    let events: [Composer.Event]
    do throws(ComposerRefusal) { events = try next.act(action, at: host.now) } catch { throw .refused(error) }
    if takesDraftAway(next) { try empty(next, events) } else { try take(next, events) }
    if case .paste = action { askForPreviews(exceptAtCaret: false) }
  }

  /// Whether an action puts another content in the place of what is on its way.
  private func changesWhatItIsAbout(_ action: Composer.Action) -> Bool {
    switch action {
    case .beginEdit, .enter: true
    case .cancelEdit, .clear, .quote: composer.editing != nil
    default: false
    }
  }

  /// Does what a tap on an item does.
  public func tap(_ id: ComposerItem.ID) async throws(ComposerError) {
    guard let item = presentation.items.first(where: { $0.id == id }), item.isEnabled else { return }
    switch item.action {
    case .none: return
    case .perform(let action): try perform(action)
    case .send: try await send()
    }
  }

  /// Waits until all that was done is where it stays; throws where it is not there yet, or does not come there.
  public func flush() async throws(ComposerError) {
    while held != nil { await waitForOthers() }
    try await payDeletion()
    try record([])
    do { try await host.flush() } catch { throw notRecorded(error) }
  }

  /// Takes note of events that it came to by itself.
  func note(_ events: [Composer.Event]) throws(ComposerError) {
    var next = composing
    next.commit(events, at: host.now)
    try take(next, events)
  }

  /// Becomes what it is after some events, once they are recorded; while something is submitted, they are recorded
  /// behind it.
  func take(_ next: ComposerReducer, _ events: [Composer.Event]) throws(ComposerError) {
    if held != nil { held? += events } else if !events.isEmpty { try record(events) }
    become(next, by: events)
  }

  /// Becomes what it is after some events.
  func become(_ next: ComposerReducer, by events: [Composer.Event]) {
    concurrentEdits?.add(events, to: composer, at: host.now)
    composing = next
    followUp()
  }

  /// Has events recorded, behind those that could not be before.
  func record(_ events: [Composer.Event]) throws(ComposerError) {
    let all = unrecorded + events
    if all.isEmpty { return }
    do { try host.record(all) } catch { throw notRecorded(error) }
    unrecorded = []
  }

  /// Tells that something could not be recorded.
  func notRecorded(_ error: any Error) -> ComposerError {
    if let stopped = host.stopped { stop(with: stopped) } else { notice = .notRecorded(UserText("\(error)")) }
    return .notRecorded(error)
  }

  /// Asks for what is to be asked for as it stands now.
  func followUp() {
    // Of one that was left nothing is asked any more.
    guard composer.isOpen, stopped == nil else { return }
    updateSuggestions()
    findTarget()
    startUploads()
    askForPreviews(exceptAtCaret: true)
    tick()
    if Set(messages.map(\.text) + users.map(\.text)) != watched { refresh() }
  }
}
