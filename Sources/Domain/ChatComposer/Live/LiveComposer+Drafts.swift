// A composer and its draft: saved when it is left, deleted when it is emptied, taken over from other devices.
internal import Chat

// MARK: When it is changed

extension LiveComposer {
  /// When the draft is changed from here, as its changes are told apart.
  var editedAt: Instant { draft?.changed(at: host.now) ?? host.now }
}

extension Draft {
  /// Whether it was read before another.
  fileprivate func isOlder(than other: Draft?) -> Bool { other.map { updated < $0.updated } ?? false }
}

// MARK: Emptying

extension LiveComposer {
  /// Whether nothing is left of what the draft is of.
  func takesDraftAway(_ next: ComposerReducer) -> Bool {
    options.draftMessagesEnabled && draft?.content != nil && held == nil
      && composer.editing == nil && next.composer.editing == nil && composer.content.hasContent
      && !next.content.hasContent
  }

  /// Becomes empty, and has that recorded in one append with the deletion of the draft; what is done meanwhile is
  /// recorded behind it.
  func empty(_ next: ComposerReducer, _ events: [Composer.Event]) throws(ComposerError) {
    // Where nothing can be recorded any more, it is known at once.
    do { try host.record([]) } catch { throw notRecorded(error) }
    held = []
    become(next, by: events)
    let deletion = deletionOfCleared
    Task {
      let (outcome, held) = await submitHolding([deletion], events)
      if case .success(nil) = outcome {
        goOn(with: held)
      } else {
        // It is empty, and stays so; the draft goes when it is left, or flushed.
        owesDeletion = true
        goOn(with: events + held)
      }
      refresh()
    }
  }

  /// Has the draft deleted that could not be when it was emptied.
  func payDeletion() async throws(ComposerError) {
    guard owesDeletion else { return }
    if composer.content.hasContent { return owesDeletion = false }
    let (outcome, held) = await hold([deletionOfCleared], [])
    if case .success = outcome { owesDeletion = false }
    goOn(with: held)
    if case .failure(let error) = outcome { throw .notRecorded(error) }
  }

  private var deletionOfCleared: ChatIntent { .draft(key.draft, .delete(.cleared, editedAt: editedAt)) }
}

// MARK: Leaving

extension LiveComposer {
  /// Has its content become the draft, in one append with its emptying; answers whether it did.
  func becomeDraft() async throws(ComposerError) -> Bool {
    isLeaving = true
    defer {
      (isLeaving, concurrentEdits) = (false, nil)
      wakeWaiting()
    }
    do { draft = try await host.draft() } catch { throw .notRecorded(error) }
    let content = composer.editing == nil ? composer.content : composer.aside ?? Composition()
    let isStored = content == draft?.content ?? Composition()
    let changes = (composer.isTouched || owesDeletion) && !isStored
    let intents: [ChatIntent] = changes ? [.draft(key.draft, .update(content, editedAt: editedAt))] : []
    let end: [Composer.Event] = composer.editing == nil ? [] : [.editEnded(.cancelled)]
    concurrentEdits = ConcurrentEdits(since: composer.content)
    let isKept = try await submit(intents) { _ in end + [.left(keepingContent: false)] } == nil
    if isKept { owesDeletion = false }
    return isKept
  }
}

// MARK: Other devices

extension LiveComposer {
  /// Takes over the draft as it stands, unless somebody has written in it.
  func fill(_ next: inout ComposerReducer, with draft: Draft?) -> [Composer.Event] {
    guard options.draftMessagesEnabled, draft?.isOlder(than: self.draft) != true else { return [] }
    self.draft = draft
    guard !isBusy, held == nil, !owesDeletion, composer.isOpen, !composer.isTouched, next.composer.editing == nil
    else { return [] }
    let content = draft?.content ?? Composition()
    if content == next.content { return [] }
    let filled = Composer.Event.filled(content, selection: content.text.end..<content.text.end)
    next.commit([filled], at: host.now)
    return [filled]
  }
}
