// Suggestion queries, and the events of a pick.
public import Chat

/// A query to a handler for the text being typed.
public struct SuggestionQuery: Sendable {
  /// The command or word being typed.
  public let command: ComposerCommand
  /// The handler that provides the suggestions.
  public let handler: any CommandHandler

  /// The typed text and its range.
  public var typing: TypingSuggestion { command.typingSuggestion ?? TypingSuggestion("", at: .start ..< .start) }
}

extension ComposerReducer {
  /// The query for the current text and caret; nil if there is none.
  public var suggestionQuery: SuggestionQuery? {
    if composer.execution != nil { return nil }
    if composer.showsCommands, composer.editing == nil, let handler = commands.instant.first {
      let none = TypingSuggestion("", at: .start ..< .start)
      return SuggestionQuery(command: ComposerCommand(handler.id, typing: none), handler: handler)
    }
    let (text, caret) = (content.text, composer.selection.upperBound)
    guard composer.selection.isEmpty else { return nil }
    if let active = content.command, let handler = commands.command(active.id) {
      let command = ComposerCommand(active.id, target: active.target)
      let found = handler.canContinueCommand(command, in: text, caretLocation: caret, beside: commands)
      if let query = found.flatMap({ unlessPicked($0, handler) }) { return query }
    }
    let found = commands.typing(in: text, caret: caret, mayCall: mayActivate)
    return found.flatMap { unlessPicked($0.command, $0.handler) }
  }

  /// Returns a query, or nil if its symbol is part of an existing mention.
  private func unlessPicked(_ command: ComposerCommand, _ handler: any CommandHandler) -> SuggestionQuery? {
    let query = SuggestionQuery(command: command, handler: handler)
    let start = query.typing.range.lowerBound
    let isPicked =
      !query.typing.range.isEmpty
      && content.mentions.contains { $0.range.lowerBound <= start && start < $0.range.upperBound }
    return isPicked ? nil : query
  }

  /// Picks a suggestion and returns the resulting events.
  public mutating func pick(
    _ answer: SuggestionValue, for query: SuggestionQuery, at instant: Timestamp
  ) -> [Composer.Event] {
    var changed = CommandContent(composer)
    query.handler.handleCommand(query.command, picked: answer, in: &changed)
    let events = apply(changed, at: instant)
    if case .chatUser(let user, let name) = answer { composerContext.names[user] = name }
    // An item picked again changes nothing, so the list is closed explicitly.
    guard composer.showsCommands else { return events }
    commit([.commandsShown(false)], at: instant)
    return events + [.commandsShown(false)]
  }

  /// Applies the content changed by a handler and returns the events.
  mutating func apply(_ new: CommandContent, at instant: Timestamp) -> [Composer.Event] {
    let old = CommandContent(composer)
    let before = composer
    let splice = old.splice(to: new)
    let events = events(from: old, to: new, by: splice)
    if splice != nil || old.command != new.command {
      let offset = before.selection.lowerBound
      history.add(
        splice ?? Splice(offset..<offset, to: ""), to: before, isTyped: false,
        command: old.command == new.command ? .none : .back(to: old.command))
    }
    commit(events, at: instant)
    let selection = content.text.onClusters(content.text.clamp(new.selection))
    if selection == composer.selection { return events }
    commit([.selectionMoved(selection)], at: instant)
    return events + [.selectionMoved(selection)]
  }

  private func events(
    from old: CommandContent, to new: CommandContent, by splice: Splice?
  ) -> [Composer.Event] {
    // Command events carry no mentions: a splice with mentions becomes an event of its own.
    let carried = splice.flatMap { new.mentions(comingBy: $0).isEmpty ? $0 : nil }
    var (events, rest): ([Composer.Event], Splice?) = ([], splice)
    switch (old.command, new.command) {
    case (let a, let b) where a == b: break
    case (_, nil): (events, rest) = ([.commandCleared(carried)], carried == nil ? splice : nil)
    case (let a?, let b?) where a.id == b.id: events = [.commandTargeted(b.target)]
    case (_, let command?): (events, rest) = ([.commandActivated(command, carried)], carried == nil ? splice : nil)
    }
    if let rest { events.append(change(rest, to: new)) }
    if new.extra != old.extra { events.append(.extraSet(new.extra)) }
    return events
  }

  /// Returns the smallest event for a change with its mentions.
  private func change(_ splice: Splice, to new: CommandContent) -> Composer.Event {
    let (end, added) = (splice.end, new.mentions(comingBy: splice))
    if added.count == 1, added[0].range.lowerBound == splice.range.lowerBound, new.selection == end..<end {
      let length = added[0].range.upperBound.rawValue - added[0].range.lowerBound.rawValue
      return .mentionPicked(added[0].user, splice, length: length)
    }
    if added.isEmpty, new.selection == end..<end { return .typed(splice) }
    return .replaced(splice, mentions: added, selection: new.text.onClusters(new.text.clamp(new.selection)))
  }
}

extension CommandContent {
  /// Returns the minimal splice to another content's text and mentions: kept mentions move with it, added and removed
  /// ones are covered by it. Nil if text and mentions are equal.
  fileprivate func splice(to new: CommandContent) -> Splice? {
    let least = text.splice(to: new.text)
    let moved = least.map { mentions.moved(by: $0) } ?? mentions
    let changed = moved.filter { !new.mentions.contains($0) } + new.mentions.filter { !moved.contains($0) }
    guard let offset = changed.first?.range.lowerBound else { return least }
    let splice = (least ?? Splice(offset..<offset, to: "")).widened(to: changed, in: new.text)
    if mentions.moved(by: splice).count + new.mentions(comingBy: splice).count == new.mentions.count { return splice }
    // The splice would end another mention: replace the whole text with all mentions.
    return Splice(.start..<text.end, to: new.text.userText)
  }

  /// Returns the mentions in the inserted text of a splice.
  fileprivate func mentions(comingBy splice: Splice) -> [Mention] {
    mentions.filter { splice.range.lowerBound <= $0.range.lowerBound && $0.range.upperBound <= splice.end }
  }
}

extension Splice {
  /// The end of the inserted text, after the splice was applied.
  fileprivate var end: UTF16Offset { UTF16Offset(rawValue: range.lowerBound.rawValue + text.string.utf16.count) }

  /// Returns an equivalent splice widened to cover mentions in the new text.
  fileprivate func widened(to mentions: [Mention], in new: TypedText) -> Splice {
    let low = mentions.map(\.range.lowerBound).reduce(range.lowerBound, min)
    let high = mentions.map(\.range.upperBound).reduce(end, max)
    let grown = end.rawValue - range.upperBound.rawValue
    return Splice(low..<UTF16Offset(rawValue: high.rawValue - grown), to: new.userText(of: low..<high))
  }
}
