// Typing, pasting, deleting and undoing.
internal import Chat

extension ComposerReducer {
  mutating func change(
    _ range: UTF16Range, to new: String, _ kind: Composer.ChangeKind, at instant: Timestamp
  ) -> [Composer.Event] {
    let text = content.text
    let range = text.onClusters(text.clamp(range))
    let splice = Splice(range, to: UserText(new))
    if text.userText(of: range) == splice.text {
      return moveSelection(to: range.upperBound..<range.upperBound, at: instant)
    }
    return change(splice, kind, at: instant)
  }

  mutating func set(_ new: String, at instant: Timestamp) -> [Composer.Event] {
    guard let splice = content.text.splice(to: TypedText(UserText(new))) else { return [] }
    return change(splice, .typed, at: instant)
  }

  private mutating func change(
    _ splice: Splice, _ kind: Composer.ChangeKind, at instant: Timestamp
  ) -> [Composer.Event] {
    let kind = kind == .typed && splice.text.isEmpty ? .deleted : kind
    if mayActivate, commands.concerns(splice, of: content.text) {
      var after = content.text
      after.apply(splice)
      // Only a change of the word itself activates: a word that was turned back into text stays text.
      if let word = commands.activatedWord(in: after, under: composerContext), splice.range.lowerBound < word.end {
        return activate(word, by: splice, at: instant)
      }
    }
    history.add(splice, to: composer, isTyped: kind == .typed || kind == .deleted)
    commit([.typed(splice, kind)], at: instant)
    let caret = UTF16Offset(rawValue: splice.range.lowerBound.rawValue + splice.text.string.utf16.count)
    let start = content.text.clusterStart(at: caret)
    if start == caret { return [.typed(splice, kind)] }
    commit([.selectionMoved(start..<start)], at: instant)
    return [.replaced(splice, mentions: [], selection: start..<start, kind)]
  }

  mutating func backspace(at instant: Timestamp) -> [Composer.Event] {
    let selected = content.text.onClusters(composer.selection)
    if !selected.isEmpty { return change(Splice(selected, to: ""), .deleted, at: instant) }
    if selected.lowerBound == .start { return restoreCommandWord(at: instant) }
    let last = UTF16Offset(rawValue: selected.lowerBound.rawValue - 1)
    return change(Splice(content.text.clusterStart(at: last)..<selected.lowerBound, to: ""), .deleted, at: instant)
  }

  mutating func moveSelection(to range: UTF16Range, at instant: Timestamp) -> [Composer.Event] {
    let range = content.text.onClusters(content.text.clamp(range))
    // A text view reports the caret after each letter as well.
    if range == composer.selection { return [] }
    history.endRun()
    commit([.selectionMoved(range)], at: instant)
    return [.selectionMoved(range)]
  }

  /// Restores a step of the undo history; a step that concerns the command alone is recorded with an empty splice.
  mutating func restore(
    _ step: UndoHistory.Step?, _ kind: Composer.ChangeKind, at instant: Timestamp
  ) -> [Composer.Event] {
    guard let step else { return [] }
    var events: [Composer.Event] = []
    if case .back(let command) = step.command {
      events.append(command.map { .commandActivated($0, nil) } ?? .commandCleared(nil))
    }
    events.append(.replaced(step.splice, mentions: step.mentions, selection: step.selection, kind))
    commit(events, at: instant)
    return events
  }
}
