// Waiting until a composer is idle, for scripted players that inspect it after each step.
internal import Chat

extension LiveComposer {
  /// Waits until pending requests have finished, then refreshes the context once more; does not wait for uploads or a
  /// send in progress, and for suggestions, previews and pictures only if `waitsForAnswers`.
  package func waitUntilIdle(withAnswers waitsForAnswers: Bool = true) async {
    while recording.isHolding { await waitForOthers(after: recording.endCount) }
    guard composer.isOpen, phase.stopped == nil else { return }
    var waited: Set<Task<Void, Never>> = []
    while let task = tasks(waitsForAnswers).first(where: { !waited.contains($0) }) {
      waited.insert(task)
      await task.value
    }
    await refreshContext()
    for task in tasks(waitsForAnswers) where !waited.contains(task) { await task.value }
    while recording.isHolding { await waitForOthers(after: recording.endCount) }
  }

  private func tasks(_ withAnswers: Bool) -> [Task<Void, Never>] {
    let answers = [requests.suggestions.task, requests.target.task, requests.pictures.task] + requests.previews.tasks
    return ([contextRefreshes.task] + (withAnswers ? answers : [])).compactMap(\.self)
  }
}
