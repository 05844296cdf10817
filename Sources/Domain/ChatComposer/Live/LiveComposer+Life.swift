// The life cycle of a composer: open, refresh, leave.
internal import Chat

extension LiveComposer {
  /// Opens the composer: it continues with its content, or is filled from the draft if drafts are enabled.
  ///
  /// It can be called again while open, and concurrently.
  public func open() async throws {
    if let opening { return try await opening.value }
    if watching != nil, composer.isOpen { return }
    let task = Task { try await begin() }
    opening = task
    defer { opening = nil }
    try await task.value
  }

  private func begin() async throws {
    let composerContext = try await host.composerContext(messages: messages, users: users)
    draft = options.draftMessagesEnabled ? try await host.draft() : nil
    let (editing, execution) = (composer.editing, composer.execution)
    var next = reducer
    var events = next.meet(composerContext, at: host.now)
    let isGone = !events.isEmpty
    // A composer in use when its process ended continues unchanged, even if it was emptied.
    let wasInUse = composer.isOpen && composer.isTouched
    // A command that this composer is executing is not interrupted by a reopening.
    events += next.open(with: wasInUse || isSending ? nil : draft?.content, at: host.now, isAtWork: isSending)
    try take(next, events)
    if isGone, let editing { notice = .editedMessageGone(editing) }
    if !isSending, let execution { notice = .commandInterrupted(execution.command.id) }
    watch()
  }

  /// Closes the composer: its content becomes the draft if drafts are enabled, otherwise it stays on this device.
  ///
  /// It waits for a message that is being sent. Content that a running command may consume stays on this device, as
  /// does content that cannot become a draft. If it throws, nothing has changed, or the content is still in the
  /// composer and is recorded as soon as possible: retry.
  public func leave() async throws(ComposerError) {
    while held != nil || isLeaving || (isSending && composer.execution == nil) { await waitForOthers() }
    guard composer.isOpen else { return try await flush() }
    if options.draftMessagesEnabled, composer.execution == nil {
      if try await becomeDraft() { return stop() }
    }
    try note([.left(keepingContent: true)])
    stop()
    try await flush()
  }

  /// Cancels all requests.
  func stop() {
    cancelTasks()
    (uploads, underWay, previews, suggestions, query) = ([:], [:], [:], nil, nil)
    (asking, finding, watching, refreshing, ticking) = (nil, nil, nil, nil, nil)
  }

  /// Stops recording and publishes the reason; the text stays readable.
  func stop(with notice: ComposerNotice) {
    if stopped == nil { (stopped, self.notice) = (notice, notice) }
    stop()
  }

  // MARK: Where it stands

  var messages: [Message.ID] {
    [composer.editing, composer.content.quoted, composer.aside?.quoted, key.thread].compactMap { $0 }
  }

  var users: [User.ID] {
    (composer.content.mentions.map(\.user) + [composer.content.command?.target, found?.user].compactMap { $0 }).sorted()
  }

  private func watch() {
    watching?.cancel()
    let changes = host.changes()
    watching = Task { [weak self] in
      for await _ in changes {
        guard let self, !Task.isCancelled else { return }
        if self.refreshesAutomatically { await self.refreshContext() }
      }
    }
    refresh()
  }

  func refresh() {
    refreshing?.cancel()
    refreshing = Task { [weak self] in await self?.refreshContext() }
  }

  /// Refreshes the context and the draft from the host.
  func refreshContext() async {
    if let stopped = host.stopped { return stop(with: stopped) }
    let (messages, users) = (messages, users)
    watched = Set(messages.map(\.text) + users.map(\.text))
    looks.begun += 1
    let number = looks.begun
    guard let composerContext = try? await host.composerContext(messages: messages, users: users),
      let draft = options.draftMessagesEnabled ? try? await host.draft() : .some(nil),
      // A later refresh is newer.
      !Task.isCancelled, number > looks.told, stopped == nil
    else { return }
    looks.told = number
    let editing = composer.editing
    var next = reducer
    var events = next.meet(composerContext, at: host.now)
    let isGone = !events.isEmpty
    events += fill(&next, with: draft)
    guard next.composerContext != reducer.composerContext || !events.isEmpty else { return }
    do throws(ComposerError) {
      try take(next, events)
      if isGone, let editing { notice = .editedMessageGone(editing) }
    } catch {
      if stopped == nil { notice = .notRecorded(UserText("\(error)")) }
    }
  }

  // MARK: What time changes

  /// Schedules an update of the presentation when time alone changes it: the seconds of slow mode, the end of a ban.
  func tick() {
    let next = reducer.composerContext.nextChange(behind: host.now)
    if next == ticking?.until { return }
    ticking?.task.cancel()
    guard let next else { return ticking = nil }
    ticking = (
      next,
      Task { [weak self, host] in
        while host.now < next, !Task.isCancelled { await host.wait(until: next) }
        if Task.isCancelled { return }
        self?.ticking = nil
        self?.seconds += 1
        self?.tick()
      }
    )
  }
}

extension ComposerContext {
  /// Returns the next instant at which time alone changes something; nil if there is none.
  fileprivate func nextChange(behind now: Instant) -> Instant? {
    var next: [Instant] = []
    if let lastSent, cooldown(at: now) > 0 {
      next.append(lastSent + .seconds(max(0, (now - lastSent).rawValue / 1_000_000) + 1))
    }
    if let end = ban?.term.end, now < end { next.append(end) }
    return next.min()
  }
}
