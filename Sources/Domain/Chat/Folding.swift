// The fold: applies an event to the state.

/// Applies an event to a state.
///
/// The fold is total: a recorded event is folded whatever the current rules, and one that finds no row is a no-op. It
/// reads neither clock nor rules, so that the same events always produce the same state.
public func fold(_ event: ChatEvent, into state: inout some ChatStateStore) {
  let origin = event.origin
  if event.isErased { return foldErased(event, into: &state) }
  fold(event.change, origin, into: &state)
}

/// Applies an event whose content was erased: a message is there, and says so; a draft is as if deleted; what was typed
/// is nowhere.
private func foldErased(_ event: ChatEvent, into state: inout some ChatStateStore) {
  switch event.change {
  case .message(let key, .sent), .message(let key, .edited):
    fold(event.change, event.origin, into: &state)
    state.eraseContent(of: key)
  case .draft(let key, .updated(_, let edit)):
    fold(.draft(key, .deleted(.discarded, edit)), event.origin, into: &state)
  case .draft(_, .superseded), .message(_, .pollOptionAdded): return
  default: fold(event.change, event.origin, into: &state)
  }
}

private func fold(_ change: ChatEvent.Change, _ origin: EventOrigin, into state: inout some ChatStateStore) {
  switch change {
  case .user(let id, let event): event.fold(on: id, origin, into: &state)
  case .device(let key, let event): event.fold(on: key, origin, into: &state)
  case .mute(let key, let event): event.fold(on: key, origin, into: &state)
  case .ban(let key, let event): event.fold(on: key, origin, into: &state)
  case .flag(let key, let event): event.fold(on: key, origin, into: &state)
  case .channel(let id, let event): event.fold(on: id, origin, into: &state)
  case .member(let key, let event): event.fold(on: key, origin, into: &state)
  case .message(let key, let event): event.fold(on: key, origin, into: &state)
  case .reaction(let key, let event): event.fold(on: key, origin, into: &state)
  case .draft(let key, let event): event.fold(on: key, origin, into: &state)
  case .composer(let key, let event): event.fold(on: key, origin, into: &state)
  case .consumer(let id, let event): event.fold(on: id, origin, into: &state)
  case .block(let key, let event): event.fold(on: key, origin, into: &state)
  case .review(let key, let event): event.fold(on: key, origin, into: &state)
  case .saved(let key, let event): event.fold(on: key, origin, into: &state)
  case .scheduled(let key, let event): event.fold(on: key, origin, into: &state)
  case .thread(let key, let event): event.fold(on: key, origin, into: &state)
  case .vote(let key, let event): event.fold(on: key, origin, into: &state)
  case .app: return
  }
}
