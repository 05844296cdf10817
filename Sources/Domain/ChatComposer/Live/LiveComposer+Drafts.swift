// The draft of a composer: saved on leave, deleted when emptied, updated from other devices.
internal import Chat

// MARK: When it is changed

extension LiveComposer {
  /// The time of a draft change made here; changes of a draft are ordered by it.
  var editedAt: Instant { draft?.changed(at: host.now) ?? host.now }
}

extension Draft {
  /// Whether it was updated before another draft.
  fileprivate func isOlder(than other: Draft?) -> Bool { other.map { updated < $0.updated } ?? false }
}

// MARK: Emptying

extension LiveComposer {
  /// Whether an action removes all content of a stored draft.
  func takesDraftAway(_ next: ComposerReducer) -> Bool {
    options.draftMessagesEnabled && draft?.content != nil && held == nil
      && composer.editing == nil && next.composer.editing == nil && composer.content.hasContent
      && !next.content.hasContent
  }

  /// Empties the composer and records that in one append with the deletion of the draft; concurrent events are recorded
  /// after it.
  func empty(_ next: ComposerReducer, _ events: [Composer.Event]) throws(ComposerError) {
    // If nothing can be recorded any more, this throws at once.
    do { try host.record([]) } catch { throw notRecorded(error) }
    held = []
    become(next, by: events)
    let deletion = deletionOfCleared
    Task {
      let (outcome, held) = await submitHolding([deletion], events)
      if case .success(nil) = outcome {
        goOn(with: held)
      } else {
        // The composer stays empty; the draft is deleted at the next leave or flush.
        hasPendingDraftDeletion = true
        goOn(with: events + held)
      }
      refresh()
    }
  }

  /// Retries the draft deletion that failed when the composer was emptied.
  func retryDraftDeletion() async throws(ComposerError) {
    guard hasPendingDraftDeletion else { return }
    if composer.content.hasContent { return hasPendingDraftDeletion = false }
    let (outcome, held) = await hold([deletionOfCleared], [])
    if case .success = outcome { hasPendingDraftDeletion = false }
    goOn(with: held)
    if case .failure(let error) = outcome { throw .notRecorded(error) }
  }

  private var deletionOfCleared: ChatIntent { .draft(key.draft, .delete(.cleared, editedAt: editedAt)) }
}

// MARK: Leaving

extension LiveComposer {
  /// Saves the content as the draft, in one append with the emptying of the composer; returns whether it was saved.
  func becomeDraft() async throws(ComposerError) -> Bool {
    isLeaving = true
    defer {
      (isLeaving, concurrentEdits) = (false, nil)
      wakeWaiting()
    }
    do { draft = try await host.draft() } catch { throw .notRecorded(error) }
    let content = composer.editing == nil ? composer.content : composer.aside ?? Composition()
    let isStored = content == draft?.content ?? Composition()
    let changes = (composer.isTouched || hasPendingDraftDeletion) && !isStored
    let intents: [ChatIntent] = changes ? [.draft(key.draft, .update(content, editedAt: editedAt))] : []
    let end: [Composer.Event] = composer.editing == nil ? [] : [.editEnded(.cancelled)]
    concurrentEdits = ConcurrentEdits(since: composer.content)
    let isKept = try await submit(intents) { _ in end + [.left(keepingContent: false)] } == nil
    if isKept { hasPendingDraftDeletion = false }
    return isKept
  }
}

// MARK: Other devices

extension LiveComposer {
  /// Takes over the current draft, unless the user has edited the content.
  func fill(_ next: inout ComposerReducer, with draft: Draft?) -> [Composer.Event] {
    guard options.draftMessagesEnabled, draft?.isOlder(than: self.draft) != true else { return [] }
    self.draft = draft
    guard !isBusy, held == nil, !hasPendingDraftDeletion, composer.isOpen, !composer.isTouched,
      next.composer.editing == nil
    else { return [] }
    let content = draft?.content ?? Composition()
    if content == next.content { return [] }
    let filled = Composer.Event.filled(content, selection: content.text.end..<content.text.end)
    next.commit([filled], at: host.now)
    return [filled]
  }
}
