// Typing, pasting, deleting and undoing.
internal import Chat

extension ComposerReducer {
  mutating func change(
    _ range: UTF16Range, to new: TypedText, isTyped: Bool, at instant: Timestamp
  ) -> [Composer.Event] {
    let text = content.text
    let range = text.onClusters(text.clamp(range))
    let splice = Splice(range, to: new.userText)
    if text.userText(of: range) == splice.text {
      return moveSelection(to: range.upperBound..<range.upperBound, at: instant)
    }
    return change(splice, isTyped: isTyped, at: instant)
  }

  mutating func set(_ new: TypedText, at instant: Timestamp) -> [Composer.Event] {
    guard let splice = content.text.splice(to: new) else { return [] }
    return change(splice, isTyped: true, at: instant)
  }

  private mutating func change(_ splice: Splice, isTyped: Bool, at instant: Timestamp) -> [Composer.Event] {
    if mayActivate, commands.concerns(splice, of: content.text) {
      var after = content.text
      after.apply(splice)
      // Only a change of the word itself activates: a word that was turned back into text stays text.
      if let word = commands.activatedWord(in: after, under: composerContext), splice.range.lowerBound < word.end {
        return activate(word, by: splice, at: instant)
      }
    }
    history.add(splice, to: composer, isTyped: isTyped)
    commit([.typed(splice)], at: instant)
    let caret = UTF16Offset(rawValue: splice.range.lowerBound.rawValue + splice.text.string.utf16.count)
    let start = content.text.clusterStart(at: caret)
    if start == caret { return [.typed(splice)] }
    commit([.selectionMoved(start..<start)], at: instant)
    return [.replaced(splice, mentions: [], selection: start..<start)]
  }

  mutating func backspace(at instant: Timestamp) -> [Composer.Event] {
    let selected = content.text.onClusters(composer.selection)
    if !selected.isEmpty { return change(Splice(selected, to: ""), isTyped: true, at: instant) }
    if selected.lowerBound == .start { return restoreCommandWord(at: instant) }
    let last = UTF16Offset(rawValue: selected.lowerBound.rawValue - 1)
    return change(Splice(content.text.clusterStart(at: last)..<selected.lowerBound, to: ""), isTyped: true, at: instant)
  }

  mutating func moveSelection(to range: UTF16Range, at instant: Timestamp) -> [Composer.Event] {
    let range = content.text.onClusters(content.text.clamp(range))
    // A text view reports the caret after each letter as well.
    if range == composer.selection { return [] }
    history.endRun()
    commit([.selectionMoved(range)], at: instant)
    return [.selectionMoved(range)]
  }

  mutating func restore(_ step: UndoHistory.Step?, at instant: Timestamp) -> [Composer.Event] {
    guard let step else { return [] }
    var events: [Composer.Event] = []
    if case .back(let command) = step.command {
      events.append(command.map { .commandActivated($0, nil) } ?? .commandCleared(nil))
    }
    if !step.splice.range.isEmpty || !step.splice.text.isEmpty {
      events.append(.replaced(step.splice, mentions: step.mentions, selection: step.selection))
    } else if step.selection != composer.selection {
      events.append(.selectionMoved(step.selection))
    }
    commit(events, at: instant)
    return events
  }
}
