// What is being typed for which something is suggested, and what a pick comes to.
public import Chat

/// What is asked of a handler for what is being typed.
public struct SuggestionQuery: Sendable {
  /// What is being typed.
  public let command: ComposerCommand
  /// Who suggests something.
  public let handler: any CommandHandler

  /// What was typed, and where.
  public var typing: TypingSuggestion { command.typingSuggestion ?? TypingSuggestion("", at: .start ..< .start) }
}

extension ComposerReducer {
  /// What something is to be suggested for, as the text and the caret stand; nil when nothing is.
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
      if let query = found.flatMap({ standing($0, handler) }) { return query }
    }
    let found = commands.typing(in: text, caret: caret, mayCall: mayActivate)
    return found.flatMap { standing($0.command, $0.handler) }
  }

  /// A query, unless its symbol is part of a mention that stands.
  private func standing(_ command: ComposerCommand, _ handler: any CommandHandler) -> SuggestionQuery? {
    let query = SuggestionQuery(command: command, handler: handler)
    let start = query.typing.range.lowerBound
    let isPicked =
      !query.typing.range.isEmpty
      && content.mentions.contains { $0.range.lowerBound <= start && start < $0.range.upperBound }
    return isPicked ? nil : query
  }

  /// Picks something that was suggested for what is being typed.
  public mutating func pick(
    _ answer: SuggestionAnswer, for query: SuggestionQuery, at instant: Instant
  ) -> [Composer.Event] {
    var changed = CommandContent(composer)
    query.handler.handleCommand(query.command, picked: answer, in: &changed)
    let events = become(changed, at: instant)
    if case .chatUser(let user, let name) = answer { composerContext.names[user] = name }
    // One that is active already was picked.
    guard composer.showsCommands else { return events }
    commit([.commandsShown(false)], at: instant)
    return events + [.commandsShown(false)]
  }

  /// Becomes what somebody made of its content.
  mutating func become(_ new: CommandContent, at instant: Instant) -> [Composer.Event] {
    let old = CommandContent(composer)
    let before = composer
    let splice = old.splice(to: new)
    let events = events(from: old, to: new, by: splice)
    if splice != nil || old.command != new.command {
      let place = before.selection.lowerBound
      history.add(
        splice ?? Splice(place..<place, to: ""), to: before, isTyped: false,
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
    // An event of a command carries no mentions: where some come, they come behind it.
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

  /// The smallest event that makes a change with its mentions.
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
  /// The least change of the text that comes to what another content holds, with its mentions: those that stay move
  /// along with it, and it covers those that come or go. None where the text and the mentions are the same.
  fileprivate func splice(to new: CommandContent) -> Splice? {
    let least = text.splice(to: new.text)
    let moved = least.map { mentions.moved(by: $0) } ?? mentions
    let changed = moved.filter { !new.mentions.contains($0) } + new.mentions.filter { !moved.contains($0) }
    guard let place = changed.first?.range.lowerBound else { return least }
    let splice = (least ?? Splice(place..<place, to: "")).widened(to: changed, in: new.text)
    if mentions.moved(by: splice).count + new.mentions(comingBy: splice).count == new.mentions.count { return splice }
    // Another mention would end by it: the whole text changes, with all its mentions.
    return Splice(.start..<text.end, to: new.text.userText)
  }

  /// The mentions in what a change brought.
  fileprivate func mentions(comingBy splice: Splice) -> [Mention] {
    mentions.filter { splice.range.lowerBound <= $0.range.lowerBound && $0.range.upperBound <= splice.end }
  }
}

extension Splice {
  /// Behind what came, once the change is made.
  fileprivate var end: UTF16Offset { UTF16Offset(rawValue: range.lowerBound.rawValue + text.string.utf16.count) }

  /// The same change said of more text, so that it covers mentions as they stand behind it.
  fileprivate func widened(to mentions: [Mention], in new: TypedText) -> Splice {
    let low = mentions.map(\.range.lowerBound).reduce(range.lowerBound, min)
    let high = mentions.map(\.range.upperBound).reduce(end, max)
    let grown = end.rawValue - range.upperBound.rawValue
    return Splice(low..<UTF16Offset(rawValue: high.rawValue - grown), to: new.userText(of: low..<high))
  }
}
