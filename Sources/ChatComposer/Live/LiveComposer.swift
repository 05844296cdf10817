// A composer that somebody is in front of: it asks for suggestions, uploads, executes and sends.
public import Chat
public import Observation

/// A composer that somebody is in front of.
///
/// It is on the main actor and can be observed. What is done in it is answered at once and recorded by its host; what
/// takes a while, suggestions, uploads, commands and sending, goes on beside the typing and never overwrites it.
@MainActor @Observable
public final class LiveComposer {
  /// Whose composer for where.
  public let key: Composer.Key
  /// The composer with what it needs to decide.
  public internal(set) var composing: Composing
  /// What is suggested for what is being typed; nil when nothing is.
  public internal(set) var suggestions: SuggestionList?
  /// Whether a send is under way; typing goes on meanwhile.
  public internal(set) var isSending = false
  /// What whoever looks at it should be told last; an app takes it away when it was seen.
  public var notice: ComposerNotice?
  /// Counts the seconds of a slow mode, so that what is shown is read again.
  internal var seconds = 0

  @ObservationIgnored let host: any ComposerHost
  @ObservationIgnored var query: SuggestionQuery?
  @ObservationIgnored var asking: Task<Void, Never>?
  /// What was being typed when nothing matched it any more.
  @ObservationIgnored var ended: ComposerCommand?
  /// The user whose name was typed for the active command, if they were found.
  internal var found: FoundTarget?
  @ObservationIgnored var finding: Task<Void, Never>?
  @ObservationIgnored var uploads: [Attachment.ID: Task<Void, Never>] = [:]
  /// Which upload of each attachment is under way, by the order in which they began.
  @ObservationIgnored var underWay: [Attachment.ID: Int] = [:]
  @ObservationIgnored var lastUpload = 0
  @ObservationIgnored var previews: [Wording: Task<Void, Never>] = [:]
  /// What was written since a send began.
  @ObservationIgnored var meanwhile: Meanwhile?
  /// What was done while a send was being recorded, and is recorded behind it; nil while none is.
  @ObservationIgnored var held: [Composer.Event]?
  @ObservationIgnored var waitingForSend: [CheckedContinuation<Void, Never>] = []
  @ObservationIgnored private var watching: Task<Void, Never>?
  @ObservationIgnored private var watched: Set<String> = []
  @ObservationIgnored private var refreshing: Task<Void, Never>?
  @ObservationIgnored private var ticking: Task<Void, Never>?

  /// A composer as it was folded; open it before anything is done in it.
  public init(_ composer: Composer, host: any ComposerHost, options: ComposerOptions = ComposerOptions()) {
    (key, self.host) = (composer.key, host)
    composing = Composing(composer, options: options)
  }

  isolated deinit {
    for task in [asking, finding, watching, refreshing, ticking] { task?.cancel() }
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
    return composing.presentation(at: host.now, isSending: isSending, suggestions: suggestions, found)
  }

  /// Why what is written cannot be sent now; nil when it can.
  public var refusal: SendRefusal? {
    _ = seconds
    return composing.refusal(at: host.now, isSending: isSending, found)
  }

  /// Whether what is written can be sent now.
  public var canSend: Bool { refusal == nil }

  /// Whether a command or a send is at work.
  public var isBusy: Bool { isSending || composer.execution != nil }

  // MARK: Life

  /// Begins to be used: it goes on with what it holds, or is filled from the draft where drafts are kept.
  public func open() async throws {
    let surroundings = try await host.surroundings(messages: messages, users: users)
    let draft = options.savesDrafts ? try await host.draft() : nil
    // What this composer itself is at is not interrupted: it was only looked away from.
    let (editing, execution) = (composer.editing, isSending ? nil : composer.execution)
    var next = composing
    var events = next.meet(surroundings, at: host.now)
    if !events.isEmpty, let editing { notice = .editedMessageGone(editing) }
    events += next.open(with: draft, at: host.now, isAtWork: isSending)
    if let execution { notice = .commandInterrupted(execution.command.id) }
    try take(next, events)
    watch()
  }

  /// Ends to be used: its content becomes the draft where drafts are kept, and else stays for the next time.
  public func leave() async throws {
    while held != nil { await withCheckedContinuation { waitingForSend.append($0) } }
    stop()
    guard options.savesDrafts else { return try note([.left(keepingContent: true)]) }
    let content = composer.editing == nil ? composer.content : composer.aside ?? Composition()
    let events: [Composer.Event] =
      (composer.editing == nil ? [] : [.editEnded(.cancelled)]) + [.left(keepingContent: false)]
    let intents: [ChatIntent] =
      composer.isTouched ? [.draft(key.draft, .update(content, editedAt: host.now))] : []
    // Where no draft can be kept, the content stays on this device.
    if try await host.submit(intents, recording: events) != nil { return try note([.left(keepingContent: true)]) }
    composing.commit(events, at: host.now)
  }

  /// Asks for nothing more.
  func stop() {
    for task in [asking, finding, watching, refreshing, ticking] { task?.cancel() }
    for task in uploads.values { task.cancel() }
    for task in previews.values { task.cancel() }
    (uploads, underWay, previews, suggestions, query, ticking) = ([:], [:], [:], nil, nil, nil)
  }

  // MARK: What is done in it

  /// Does something; throws when it cannot be done, and has done nothing.
  public func perform(_ action: Composer.Action) throws(ComposerError) {
    if isBusy, changesWhatItIsAbout(action) { throw .refused(.busy) }
    var next = composing
    let events: [Composer.Event]
    do throws(ComposerRefusal) { events = try next.act(action, at: host.now) } catch { throw .refused(error) }
    try take(next, events)
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

  /// Waits until all that was done is where it stays.
  public func flush() async throws(ComposerError) {
    do { try await host.flush() } catch { throw .notRecorded(error) }
  }

  /// Takes note of events that it came to by itself.
  func note(_ events: [Composer.Event]) throws(ComposerError) {
    var next = composing
    next.commit(events, at: host.now)
    try take(next, events)
  }

  /// Becomes what it is after some events, once they are recorded; while a send is, they are recorded behind it.
  func take(_ next: Composing, _ events: [Composer.Event]) throws(ComposerError) {
    if held != nil {
      held? += events
    } else if !events.isEmpty {
      do { try host.record(events) } catch { throw .notRecorded(error) }
    }
    meanwhile?.add(events, to: composer, at: host.now)
    composing = next
    followUp()
  }

  /// Asks for what is to be asked for as it stands now.
  func followUp() {
    // Of one that was left nothing is asked any more.
    guard composer.isOpen else { return }
    updateSuggestions()
    findTarget()
    startUploads()
    askForPreviews(exceptAtCaret: true)
    tick()
    if Set(messages.map(\.text) + users.map(\.text)) != watched { refresh() }
  }

  // MARK: Where it stands

  private var messages: [Message.ID] {
    [composer.editing, composer.content.quoted, composer.aside?.quoted, key.thread].compactMap { $0 }
  }

  private var users: [User.ID] {
    (composer.content.mentions.map(\.user) + [composer.content.command?.target, found?.user].compactMap { $0 }).sorted()
  }

  private func watch() {
    watching?.cancel()
    let changes = host.changes()
    watching = Task { [weak self] in
      for await _ in changes {
        guard let self else { return }
        await self.lookAround()
      }
    }
    refresh()
  }

  private func refresh() {
    refreshing?.cancel()
    refreshing = Task { [weak self] in await self?.lookAround() }
  }

  /// Takes note of what has changed around it.
  func lookAround() async {
    let (messages, users) = (messages, users)
    watched = Set(messages.map(\.text) + users.map(\.text))
    guard let surroundings = try? await host.surroundings(messages: messages, users: users), !Task.isCancelled else {
      return
    }
    let editing = composer.editing
    var next = composing
    let events = next.meet(surroundings, at: host.now)
    if !events.isEmpty, let editing { notice = .editedMessageGone(editing) }
    guard next.surroundings != composing.surroundings || !events.isEmpty else { return }
    do throws(ComposerError) { try take(next, events) } catch { notice = .notRecorded(Wording("\(error)")) }
  }

  /// Counts the seconds of a slow mode.
  private func tick() {
    guard ticking == nil, composing.surroundings.cooldown(at: host.now) > 0 else { return }
    ticking = Task { [weak self, host] in
      while !Task.isCancelled, let last = self?.composing.surroundings.lastSent,
        let left = self?.composing.surroundings.cooldown(at: host.now), left > 0
      {
        let passed = (host.now - last).rawValue / 1_000_000
        await host.wait(until: last + .seconds(passed + 1))
        self?.seconds += 1
      }
      if !Task.isCancelled { self?.ticking = nil }
    }
  }
}
