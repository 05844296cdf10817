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

extension Composing {
  /// What something is to be suggested for, as the text and the caret stand; nil when nothing is.
  public var suggestionQuery: SuggestionQuery? {
    let (text, caret) = (content.text, composer.selection)
    guard caret.isEmpty, composer.execution == nil else { return nil }
    let caretLocation = caret.upperBound
    if composer.showsCommands, let handler = commands.instant.first {
      let none = TypingSuggestion("", at: .start ..< .start)
      return SuggestionQuery(command: ComposerCommand(handler.id, typing: none), handler: handler)
    }
    if let active = content.command, let handler = commands.command(active.id) {
      let command = ComposerCommand(active.id, target: active.target)
      if let found = handler.canContinueCommand(command, in: text, caretLocation: caretLocation) {
        return standing(found, handler)
      }
    }
    guard let found = commands.typing(in: text, caret: caretLocation), let handler = commands.command(found.id) else {
      return nil
    }
    if handler is InstantCommandsHandler, !mayActivate { return nil }
    return standing(found, handler)
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
    return become(changed, at: instant)
  }

  /// Becomes what somebody made of its content.
  mutating func become(_ new: CommandContent, at instant: Instant) -> [Composer.Event] {
    let old = CommandContent(composer)
    let before = composer
    let added = new.mentions.filter { !old.mentions.contains($0) }
    var splice = old.text.splice(to: new.text)?.widened(to: added, in: new.text, of: old.text)
    if (splice.map { old.mentions.moved(by: $0) + added } ?? old.mentions).count != new.mentions.count {
      // Another mention would end by the least change: the whole text changes, with all its mentions.
      splice = Splice(.start..<old.text.end, to: new.text.wording)
    }
    let events = events(from: old, to: new, by: splice)
    if events.isEmpty { return [] }
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
    var (events, rest): ([Composer.Event], Splice?) = ([], splice)
    switch (old.command, new.command) {
    case (let a, let b) where a == b: break
    case (_, nil): (events, rest) = ([.commandCleared(splice)], nil)
    case (let a?, let b?) where a.id == b.id: events = [.commandTargeted(b.target)]
    case (_, let command?): (events, rest) = ([.commandActivated(command, splice)], nil)
    }
    if let rest { events.append(change(rest, from: old, to: new)) }
    if new.extra != old.extra { events.append(.extraSet(new.extra)) }
    return events
  }

  /// The smallest event that makes a change with its mentions.
  private func change(_ splice: Splice, from old: CommandContent, to new: CommandContent) -> Composer.Event {
    let end = UTF16Offset(rawValue: splice.range.lowerBound.rawValue + splice.text.string.utf16.count)
    let added = new.mentions.filter { splice.range.lowerBound <= $0.range.lowerBound && $0.range.upperBound <= end }
    if added.count == 1, added[0].range.lowerBound == splice.range.lowerBound, new.selection == end..<end {
      let length = added[0].range.upperBound.rawValue - added[0].range.lowerBound.rawValue
      return .mentionPicked(added[0].user, splice, length: length)
    }
    if added.isEmpty, new.selection == end..<end { return .typed(splice) }
    return .replaced(splice, mentions: added, selection: new.text.onClusters(new.text.clamp(new.selection)))
  }
}

extension Splice {
  /// The same change said of more text, so that it covers mentions that are new.
  fileprivate func widened(to mentions: [Mention], in new: TypedText, of old: TypedText) -> Splice {
    let end = range.lowerBound.rawValue + text.string.utf16.count
    let low = mentions.map(\.range.lowerBound.rawValue).reduce(range.lowerBound.rawValue, min)
    let high = mentions.map(\.range.upperBound.rawValue).reduce(end, max)
    let grown = end - range.upperBound.rawValue
    let place = UTF16Offset(rawValue: low)
    return Splice(
      place..<UTF16Offset(rawValue: high - grown), to: new.wording(of: place..<UTF16Offset(rawValue: high)))
  }
}
