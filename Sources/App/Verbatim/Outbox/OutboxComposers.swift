// The composers and drafts of an outbox, folded from its entries.
package import Chat

/// The composers of an outbox's device with their drafts, as far as its entries say.
internal struct OutboxComposers: Sendable {
  private var state = InMemoryChatState()

  /// Folds the intents on composers and drafts among those of an entry.
  mutating func fold(_ intents: [ChatIntent], by actor: Author, at instant: Timestamp) {
    let origin = EventOrigin(by: actor, at: instant)
    for intent in intents {
      switch intent {
      case .composer(let key, .record(let events)):
        for event in events { Chat.fold(ChatEvent(.composer(key, event), origin), into: &state) }
      case .draft(let key, .update(let content, let edited)):
        let event = Draft.Event.updated(content, Edit(at: edited, on: actor.device))
        Chat.fold(ChatEvent(.draft(key, event), origin), into: &state)
      case .draft(let key, .delete(let reason, let edited)):
        let event = Draft.Event.deleted(reason, Edit(at: edited, on: actor.device))
        Chat.fold(ChatEvent(.draft(key, event), origin), into: &state)
      default: continue
      }
    }
  }

  subscript(key: Composer.Key) -> Composer? { state[key] }

  subscript(key: Draft.Key) -> Draft? { state[key] }

  /// The intents from which composers with content and drafts are folded again.
  var restoring: [ChatIntent] {
    state.rows.composers.values.sorted { "\($0.key)" < "\($1.key)" }.flatMap { composer -> [ChatIntent] in
      var intents: [ChatIntent] = []
      if let draft = state[composer.key.draft], let content = draft.content {
        intents.append(.draft(draft.key, .update(content, editedAt: draft.edit.at)))
      }
      if composer.isOpen || composer.content.hasContent || composer.editing != nil || !intents.isEmpty {
        intents.append(.composer(composer.key, .record(composer.restoring)))
      }
      return intents
    }
  }
}

extension Composer {
  /// The events from which a composer is folded again, except for the time of the last change.
  package var restoring: [Event] {
    var events: [Event] = []
    events.append(.filled(draftContent, selection: editing == nil ? selection : .start ..< .start))
    let written = editing == nil ? state : asideState
    if written != .new, written != .quote {
      events.append(.entered(written, keeping: SmallSet(Part.allCases)))
    }
    // Any change of the content marks it as touched.
    if isTouched { events.append(.extraSet(draftContent.extra)) }
    if let editing {
      events.append(.editBegan(editing, content))
      events.append(.selectionMoved(selection))
    }
    if !isOpen { events.append(.left(keepingContent: true)) }
    if let execution { events.append(.commandStarted(execution)) }
    if picker != .collapsed { events.append(.pickerChanged(picker)) }
    if showsCommands { events.append(.commandsShown(true)) }
    return events
  }
}
