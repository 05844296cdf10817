// The life cycle of a composer: open, refresh, leave.
internal import Chat

extension LiveComposer {
  /// Opens the composer: it continues with its content, or is filled from the draft if drafts are enabled.
  ///
  /// It can be called again while open, and concurrently. A leave that is in progress ends first; one that still waits
  /// for a message that is being sent then closes nothing.
  public func open() async throws {
    openings += 1
    while operation.isSavingDraft { await waitForOthers(after: recording.endCount) }
    switch phase {
    case .opening(let opening): return try await opening.value
    case .open where composer.isOpen: return
    case .stopped: return try await readAndFill()
    case .open, .closed: break
    }
    phase.watching?.cancel()
    let opening = Task { try await readAndFill() }
    enter(.opening(opening))
    do { try await opening.value } catch {
      if case .opening = phase { enter(.closed) }
      throw error
    }
  }

  /// Reads the context and the draft, continues with the content or the draft, and begins to follow the host.
  private func readAndFill() async throws {
    let composerContext = try await host.composerContext(messages: messages, users: users)
    draftSync.set(options.draftMessagesEnabled ? try await host.draft() : nil)
    let (editing, execution) = (composer.editing, composer.execution)
    var next = reducer
    var events = next.updateContext(composerContext, at: host.now)
    let isGone = !events.isEmpty
    // A composer in use when its process ended continues unchanged, even if it was emptied.
    let wasInUse = composer.isOpen && (composer.isTouched || composer.editing != nil)
    let hasShown = wasInUse && mayHaveShownDraft
    let draft = draftSync.latest?.content(on: key.device)
    // A command that this composer is executing is not interrupted by a reopening.
    events += next.open(with: wasInUse || isSending ? nil : draft, at: host.now, isExecuting: isSending)
    try apply(next, recording: events)
    if hasShown || draft == next.content { draftSync.show(draftSync.latest?.content) }
    if isGone, let editing { notice = .editedMessageGone(editing) }
    if !isSending, let execution { notice = .commandInterrupted(execution.command.id) }
    watch()
  }

  /// Whether the composer can have shown the stored draft before its process ended.
  ///
  /// One that was emptied has deleted the draft that it had shown, and one that was typed in is not filled by others.
  private var mayHaveShownDraft: Bool {
    guard composer.draftContent.hasContent, let latest = draftSync.latest else { return false }
    return latest.edit.device == key.device || composer.typed.map { latest.edit.at <= $0 } ?? true
  }

  /// Closes the composer: its content becomes the draft if drafts are enabled, otherwise it stays on this device.
  ///
  /// It waits for a message that is being sent. Content that a running command may consume stays on this device, as
  /// does content that cannot become a draft; where only drafts are recorded, it throws in that case, and the composer
  /// stays open. If it throws, nothing has changed, or the content is still in the composer and is recorded as soon as
  /// possible: retry.
  public func leave() async throws(ComposerError) {
    let opening = openings
    while recording.isHolding || operation.isSavingDraft || (operation.isSending && composer.execution == nil) {
      await waitForOthers(after: recording.endCount)
    }
    guard composer.isOpen, openings == opening else { return try await flush() }
    if options.draftMessagesEnabled, composer.execution == nil {
      begin(.readingDraft)
      try await saveDraftAndClose()
    } else {
      try closeKeepingContent()
    }
    try await flush()
  }

  /// Closes the composer; its content stays on this device.
  func closeKeepingContent() throws(ComposerError) {
    try commit([.left(keepingContent: true)])
    close()
  }

  /// Cancels all requests and stops following the host.
  func close() {
    if case .open(let watching) = phase {
      watching.cancel()
      enter(.closed)
    }
    cancelRequests()
  }

  /// Stops recording and publishes the reason; the text stays readable.
  func stop(with notice: ComposerNotice) {
    if phase.stopped == nil {
      phase.watching?.cancel()
      enter(.stopped(notice))
      self.notice = notice
    }
    pause.cancel()
    cancelRequests()
  }

  private func cancelRequests() {
    contextRefreshes.cancel()
    if requests.suggestions.list == nil { return requests.cancelAll() }
    withMutation(keyPath: \.suggestions) { requests.cancelAll() }
  }

  // MARK: Context

  private var messages: [Message.ID] {
    [composer.editing, composer.content.quoted, composer.aside?.quoted, key.thread].compactMap { $0 }
  }

  private var users: [User.ID] {
    let targets = [composer.content.command?.target, requests.target.resolved?.user].compactMap { $0 }
    return (composer.content.mentions.map(\.user) + targets).sorted()
  }

  /// The ids of the messages and users that the context contains.
  var contextSubjects: Set<String> { Set(messages.map(\.text) + users.map(\.text)) }

  /// Whether the context is refreshed on changes; otherwise a scripted player triggers each refresh.
  package var refreshesAutomatically: Bool {
    get { contextRefreshes.isAutomatic }
    set { contextRefreshes.isAutomatic = newValue }
  }

  private func watch() {
    if phase.stopped != nil { return }
    phase.watching?.cancel()
    let changes = host.changes()
    let watching = Task { [weak self] in
      for await _ in changes {
        guard let self, !Task.isCancelled else { return }
        if self.refreshesAutomatically { await self.refreshContext() }
      }
    }
    enter(.open(watching: watching))
    refresh()
  }

  func refresh() {
    contextRefreshes.schedule(Task { [weak self] in await self?.refreshContext() })
  }

  /// Refreshes the context and the draft from the host.
  func refreshContext() async {
    if let stopped = host.stopped { return stop(with: stopped) }
    let (messages, users) = (messages, users)
    let number = contextRefreshes.begin(with: contextSubjects)
    guard let composerContext = try? await host.composerContext(messages: messages, users: users),
      let draft = options.draftMessagesEnabled ? try? await host.draft() : .some(nil),
      // A later refresh is newer.
      !Task.isCancelled, phase.stopped == nil, contextRefreshes.apply(number)
    else { return }
    let editing = composer.editing
    var next = reducer
    var events = next.updateContext(composerContext, at: host.now)
    let isGone = !events.isEmpty
    events += fill(&next, with: draft)
    guard next.composerContext != reducer.composerContext || !events.isEmpty else { return }
    do throws(ComposerError) {
      try apply(next, recording: events)
      if isGone, let editing { notice = .editedMessageGone(editing) }
    } catch {
      if phase.stopped == nil { notice = .notRecorded(UserText("\(error)")) }
    }
  }

  // MARK: Changes by time alone

  /// Schedules an update of the presentation when time alone changes it: the seconds of slow mode, the end of a ban.
  func updateTimer() {
    let next = reducer.composerContext.nextChange(after: host.now)
    if next == requests.timer.next { return }
    guard let next else { return requests.timer.cancel() }
    let waiting = Task { [weak self, host] in
      while host.now < next, !Task.isCancelled { await host.wait(until: next) }
      if !Task.isCancelled { self?.tick() }
    }
    requests.timer.schedule(at: next, waiting)
  }

  private func tick() {
    withMutation(keyPath: \.ticks) { requests.timer.tick() }
    updateTimer()
  }
}

extension ComposerContext {
  /// Returns the next instant at which time alone changes something; nil if there is none.
  fileprivate func nextChange(after now: Timestamp) -> Timestamp? {
    var next: [Timestamp] = []
    if let lastSent, cooldown(at: now) > 0 {
      next.append(lastSent + .seconds(max(0, (now - lastSent).rawValue / 1_000_000) + 1))
    }
    if let end = ban?.term.end, now < end { next.append(end) }
    return next.min()
  }
}
