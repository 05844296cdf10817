// Waiting until a composer has come to rest: for who plays what people do, and looks at it after each step.
internal import Chat

extension LiveComposer {
  /// Waits until what was set off beside the typing is over, and looks around once more; uploads and a send that is
  /// under way are not waited for, and answers only where they are wanted.
  package func waitUntilIdle(withAnswers waitsForAnswers: Bool = true) async {
    while held != nil { await waitForOthers() }
    guard composer.isOpen, stopped == nil else { return }
    var waited: Set<Task<Void, Never>> = []
    while let task = tasks(waitsForAnswers).first(where: { !waited.contains($0) }) {
      waited.insert(task)
      await task.value
    }
    await lookAround()
    for task in tasks(waitsForAnswers) where !waited.contains(task) { await task.value }
    while held != nil { await waitForOthers() }
  }

  private func tasks(_ withAnswers: Bool) -> [Task<Void, Never>] {
    let answers = withAnswers ? [asking, finding].compactMap(\.self) + previews.values : []
    return [refreshing].compactMap(\.self) + answers
  }
}
