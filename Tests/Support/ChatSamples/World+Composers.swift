// Random events in composers, most of which fit the composer's contents.
internal import Chat
internal import SeededRandom

extension World {
  mutating func composerIntent(
    by actor: Author, _ owner: User.ID, in state: InMemoryChatState
  ) -> (ChatIntent, Author) {
    let key = Composer.Key(
      of: owner, on: random.once(in: 15) ? device() : actor.device ?? device(), in: channel(),
      thread: random.once(in: 8) ? messageID() : nil)
    var composer = state[key] ?? Composer(key)
    var actions: [Composer.Event] = []
    if let running = composer.execution, random.bool() {
      let ends: [Composer.Event] = [.commandExecuted(running.id), .commandInterrupted(running.id)]
      actions = [random.pick(ends + [.commandFailed(running.id, .text("offline")), .commandStarted(running)])]
    }
    for action in actions { composer.apply(action, at: now) }
    for _ in 0..<random.pick([0, 1, 1, 1, 2, 5]) {
      let action = action(in: composer)
      composer.apply(action, at: now)
      actions.append(action)
    }
    return (.composer(key, .record(actions)), actor)
  }

  private mutating func action(in composer: Composer) -> Composer.Event {
    let kind = random.pick(composerKinds)
    guard let action = random.composerEvent(of: kind) else { preconditionFailure("\(kind) is none of a composer's") }
    return random.once(in: 20) ? action : fit(action, to: composer)
  }

  /// Returns the event with a range, contents and names that exist in this world.
  private mutating func fit(_ action: Composer.Event, to composer: Composer) -> Composer.Event {
    switch action {
    case .filled:
      let content = composition()
      return .filled(content, selection: range(in: content.text))
    case .editBegan: return .editBegan(messageID(), composition())
    case .typed: return .typed(splice(in: composer))
    case .mentionPicked(_, _, let length):
      let splice = splice(in: composer)
      return .mentionPicked(user(), splice, length: min(length, splice.text.string.utf16.count))
    case .replaced: return replaced(in: composer)
    case .sent(let id, let kept): return .sent(id, keeping: kept.map { _ in composition() })
    case .cleared(let kept): return .cleared(keeping: kept.map { _ in composition() })
    case .selectionMoved: return .selectionMoved(range(in: composer.content.text))
    case .commandActivated(let command, let splice):
      return .commandActivated(command, splice.map { _ in self.splice(in: composer) })
    case .commandCleared(let splice): return .commandCleared(splice.map { _ in self.splice(in: composer) })
    case .attached: return .attached(ComposedAttachment(attachment(random.below(6)), .local))
    case .extraSet: return .extraSet(extra())
    case .custom(let name, _): return .custom(name, payload: random.noise(random.below(120)))
    case .quoted: return .quoted(messageID())
    case .sendRefused(let failure) where hasLaterEvents && age % 2 == 1: return .actionRefused(failure)
    default: return fitNames(of: action, to: composer)
    }
  }

  private mutating func fitNames(of action: Composer.Event, to composer: Composer) -> Composer.Event {
    let attachment = composer.content.attachments.last?.attachment.id
    let execution = composer.execution?.id
    switch (action, attachment, execution) {
    case (.detached, let id?, _): return .detached(id)
    case (.attachmentChanged, let id?, _):
      var changed = self.attachment(0)
      changed.id = id
      return .attachmentChanged(changed)
    case (.uploadProgressed(_, let permille), let id?, _): return .uploadProgressed(id, permille: permille)
    case (.uploadFinished, let id?, _): return .uploadFinished(id, url: "https://example.org/2")
    case (.uploadFailed(_, let failure), let id?, _): return .uploadFailed(id, failure)
    case (.uploadRetried, let id?, _): return .uploadRetried(id)
    case (.commandStarted(let started), _, _):
      return .commandStarted(CommandExecution(started.id, of: started.command, arguments: text()))
    case (.commandExecuted, _, let id?): return .commandExecuted(id)
    case (.commandFailed(_, let failure), _, let id?): return .commandFailed(id, failure)
    case (.commandInterrupted, _, let id?): return .commandInterrupted(id)
    default: return action
    }
  }

  /// Returns a change in which the inserted text mentions a user, and a range is selected.
  private mutating func replaced(in composer: Composer) -> Composer.Event {
    let splice = splice(in: composer)
    var text = composer.content.text
    text.apply(splice)
    let start = splice.range.lowerBound
    let end = UTF16Offset(rawValue: start.rawValue + splice.text.string.utf16.count)
    let mentions = random.bool() && start < end ? [Mention(user(), at: start..<end)] : []
    return .replaced(splice, mentions: mentions, selection: range(in: text))
  }

  private mutating func splice(in composer: Composer) -> Splice { Splice(range(in: composer.content.text), to: text()) }

  /// Returns a range within a text, which seldom splits a surrogate pair.
  private mutating func range(in text: TypedText) -> UTF16Range {
    let places = [random.below(text.units.count + 1), random.below(text.units.count + 1)].sorted()
    let range = UTF16Offset(rawValue: places[0])..<UTF16Offset(rawValue: places[1])
    return text.allows(range) ? range : text.end..<text.end
  }
}

let composerKinds = EventKind.allCases.filter { $0.rawValue.hasPrefix("composer") && $0 != .composerActionRefused }
