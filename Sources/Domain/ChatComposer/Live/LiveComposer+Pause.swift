// Recording when typing pauses, where not every keystroke is recorded.
internal import Chat

extension LiveComposer {
  /// Schedules the recording of held changes for the next pause.
  func awaitPause() {
    guard recorder.holdsChanges, phase.stopped == nil else { return }
    pause.begin(until: host.now + ComposerRecording.pause)
    if pause.isAwaited { return }
    pause.await(
      by: Task { [weak self, host] in
        while let end = self?.pause.end, host.now < end, !Task.isCancelled { await host.wait(until: end) }
        if !Task.isCancelled { await self?.endPause() }
      })
  }

  private func endPause() async {
    pause.finish()
    // An append that is in progress may change what is to be recorded.
    if isBusy || recording.isHolding { return awaitPause() }
    do throws(ComposerError) { try await recordPause() } catch {
      // Another try would be refused, too, until the content changes: then a pause is awaited again.
      if case .notSent = error { return }
      awaitPause()
    }
  }

  /// Records changes that are held until typing pauses.
  func recordPause() async throws(ComposerError) {
    while recording.isHolding { await waitForOthers(after: recording.endCount) }
    guard recorder.holdsChanges else { return }
    if options.recording == .drafts { return try await saveDraftWhileOpen() }
    var next = recorder
    let events = next.recordPause(at: host.now)
    do { try host.record(events) } catch { throw notRecorded(error) }
    recorder = next
  }

  /// Saves the content as the draft, and keeps it in the composer.
  private func saveDraftWhileOpen() async throws(ComposerError) {
    while recording.isHolding { await waitForOthers(after: recording.endCount) }
    guard options.draftMessagesEnabled, composer.isOpen else { return }
    let content = composer.draftContent
    guard content.hasContent, content != draftSync.latest?.content else { return endHoldingChanges() }
    let update = ChatIntent.draft(key.draft, .update(content, editedAt: draftSync.editedAt(host.now)))
    recording.beginHolding()
    let outcome = await submitWhileHolding([update], [])
    if case .success(nil) = outcome {
      let saved = try? await host.draft()
      endHoldingChanges()
      draftSync.show(content)
      if let saved { draftSync.set(saved) }
    }
    recordOrRetain(endHolding())
    switch outcome {
    case .success(nil): return
    case .success(let refusal?): throw notSaved(refusal)
    case .failure(let error): throw notRecorded(error)
    }
  }

  /// Marks the changes as saved; where only drafts are recorded, nothing else is recorded of them.
  private func endHoldingChanges() { _ = recorder.recordPause(at: host.now) }
}
