// A composer is opened, looks around while it is used, and is left.
internal import Chat

extension LiveComposer {
  /// Begins to be used: it goes on with what it holds, or is filled from the draft where drafts are kept.
  ///
  /// It may be opened again while it is used, and by several at once.
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
    var next = composing
    var events = next.meet(composerContext, at: host.now)
    let isGone = !events.isEmpty
    // What was in use when its process ended goes on as it was, also where it was emptied.
    let wasInUse = composer.isOpen && composer.isTouched
    // A command that it is at itself is not interrupted: it was only looked away from.
    events += next.open(with: wasInUse || isSending ? nil : draft?.content, at: host.now, isAtWork: isSending)
    try take(next, events)
    if isGone, let editing { notice = .editedMessageGone(editing) }
    if !isSending, let execution { notice = .commandInterrupted(execution.command.id) }
    watch()
  }

  /// Ends to be used: its content becomes the draft where drafts are kept, and else stays on this device for the next
  /// time.
  ///
  /// It waits for a message that is on its way. What a command at work may be about to take stays on this device, and
  /// so does what no draft can be made of. Where it throws, nothing has changed, or all is still in the composer and is
  /// recorded as soon as it can be: leave it again.
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

  /// Asks for nothing more.
  func stop() {
    cancelTasks()
    (uploads, underWay, previews, suggestions, query) = ([:], [:], [:], nil, nil)
    (asking, finding, watching, refreshing, ticking) = (nil, nil, nil, nil, nil)
  }

  /// Records nothing more, and says why; what is written stays to be read.
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
        if self.looksAroundItself { await self.lookAround() }
      }
    }
    refresh()
  }

  func refresh() {
    refreshing?.cancel()
    refreshing = Task { [weak self] in await self?.lookAround() }
  }

  /// Takes note of what has changed around it.
  func lookAround() async {
    if let stopped = host.stopped { return stop(with: stopped) }
    let (messages, users) = (messages, users)
    watched = Set(messages.map(\.text) + users.map(\.text))
    looks.begun += 1
    let number = looks.begun
    guard let composerContext = try? await host.composerContext(messages: messages, users: users),
      let draft = options.draftMessagesEnabled ? try? await host.draft() : .some(nil),
      // What a later look told is newer.
      !Task.isCancelled, number > looks.told, stopped == nil
    else { return }
    looks.told = number
    let editing = composer.editing
    var next = composing
    var events = next.meet(composerContext, at: host.now)
    let isGone = !events.isEmpty
    events += fill(&next, with: draft)
    guard next.composerContext != composing.composerContext || !events.isEmpty else { return }
    do throws(ComposerError) {
      try take(next, events)
      if isGone, let editing { notice = .editedMessageGone(editing) }
    } catch {
      if stopped == nil { notice = .notRecorded(UserText("\(error)")) }
    }
  }

  // MARK: What time changes

  /// Has what is shown read again when time alone has changed it: the seconds of a slow mode, the end of a ban.
  func tick() {
    let next = composing.composerContext.nextChange(behind: host.now)
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
  /// When time alone will have changed something next; nil when it will not.
  fileprivate func nextChange(behind now: Instant) -> Instant? {
    var next: [Instant] = []
    if let lastSent, cooldown(at: now) > 0 {
      next.append(lastSent + .seconds(max(0, (now - lastSent).rawValue / 1_000_000) + 1))
    }
    if let end = ban?.term.end, now < end { next.append(end) }
    return next.min()
  }
}
