// The draft of a composer: saved on leave, deleted when emptied, updated from other devices.
internal import Chat

// MARK: Emptying

extension LiveComposer {
  /// Whether an action removes all content of a stored draft that the composer has shown.
  func emptiesStoredDraft(_ next: ComposerReducer) -> Bool {
    options.draftMessagesEnabled && draftSync.hasShownLatest && !recording.isHolding
      && composer.editing == nil && next.composer.editing == nil && composer.content.hasContent
      && !next.content.hasContent
  }

  /// Empties the composer and records that in one append with the deletion of the draft; concurrent events are recorded
  /// after it.
  func empty(_ next: ComposerReducer, _ events: [Composer.Event]) throws(ComposerError) {
    // If nothing can be recorded any more, this throws at once.
    do { try host.record([]) } catch { throw notRecorded(error) }
    recording.beginHolding()
    replaceReducer(by: next, after: events)
    let deletion = clearedDraftDeletion
    Task {
      let outcome = await submitWhileHolding([deletion], events)
      let held = endHolding()
      if case .success(nil) = outcome {
        draftSync.show(nil)
        recordOrRetain(held)
      } else {
        // The composer stays empty; the draft is deleted at the next leave or flush.
        draftSync.hasPendingDeletion = true
        recordOrRetain(events + held)
      }
      refresh()
    }
  }

  /// Retries the draft deletion that failed when the composer was emptied.
  func retryDraftDeletion() async throws(ComposerError) {
    while recording.isHolding { await waitForOthers(after: recording.endCount) }
    guard draftSync.hasPendingDeletion else { return }
    if composer.content.hasContent || !draftSync.hasShownLatest { return draftSync.hasPendingDeletion = false }
    let outcome = await submitHoldingBack([clearedDraftDeletion]) { outcome in
      guard case .success = outcome else { return }
      draftSync.hasPendingDeletion = false
      draftSync.show(nil)
    }
    if case .failure(let error) = outcome { throw .notRecorded(error) }
  }

  private var clearedDraftDeletion: ChatIntent {
    .draft(key.draft, .delete(.cleared, editedAt: draftSync.editedAt(host.now)))
  }
}

// MARK: Leaving

extension LiveComposer {
  /// Saves the content as the draft, in one append with the emptying of the composer, and closes it.
  ///
  /// Whether it is saved or not, it is closed before the end of the operation, for which ``open()`` waits.
  func saveDraftAndClose() async throws(ComposerError) {
    defer { begin(.idle) }
    repeat {
      if let refusal = try await saveDraft() {
        if options.recording == .drafts, composer.draftContent.hasContent { throw notSaved(refusal) }
        return try closeKeepingContent()
      }
      // What was typed during the append belongs to the draft.
    } while composer.isTouched && composer.editing == nil
    close()
  }

  /// Saves the content as the draft, and empties the composer; returns the refusal if the conversation refuses.
  private func saveDraft() async throws(ComposerError) -> Refusal? {
    begin(.readingDraft)
    do { draftSync.set(try await host.draft()) } catch { throw .notRecorded(error) }
    // What is typed during the wait belongs to the draft.
    while recording.isHolding { await waitForOthers(after: recording.endCount) }
    let content = composer.draftContent
    let isStored = content == draftSync.latest?.content ?? Composition()
    let mayReplace = content.hasContent || draftSync.hasShownLatest
    let changes = (composer.isTouched || draftSync.hasPendingDeletion) && !isStored && mayReplace
    let update = ChatIntent.draft(key.draft, .update(content, editedAt: draftSync.editedAt(host.now)))
    let end: [Composer.Event] = composer.editing == nil ? [] : [.editEnded(.cancelled)]
    begin(.savingDraft(ConcurrentEdits(since: composer.content)))
    let start = beginHolding()
    let refusal = try await submit(changes ? [update] : [], from: start) { _ in end + [.left(keepingContent: false)] }
    if refusal == nil {
      draftSync.hasPendingDeletion = false
      draftSync.show(content)
    }
    return refusal
  }

  /// Reports that the content could not become a draft where nothing else of it is recorded.
  func notSaved(_ refusal: Refusal) -> ComposerError {
    notice = .notSent(.refused(refusal))
    return .notSent(.refused(refusal))
  }
}

// MARK: Other devices

extension LiveComposer {
  /// Takes over the current draft, unless the user has edited the content; where nothing of that is left, only a draft
  /// that was not shown before.
  func fill(_ next: inout ComposerReducer, with draft: Draft?) -> [Composer.Event] {
    guard options.draftMessagesEnabled, draftSync.update(draft) else { return [] }
    let isNew = !next.content.hasContent && draft?.content != nil && !draftSync.hasShownLatest
    guard !isBusy, !recording.isHolding, !draftSync.hasPendingDeletion, composer.isOpen,
      !composer.isTouched || isNew, next.composer.editing == nil
    else { return [] }
    draftSync.show(draft?.content)
    let content = draft?.content(on: key.device) ?? Composition()
    if content == next.content { return [] }
    let filled = Composer.Event.filled(content, selection: content.text.end..<content.text.end)
    next.commit([filled], at: host.now)
    return [filled]
  }
}
