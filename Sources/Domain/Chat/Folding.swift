// Folding: what an event does to the state.

/// What an event does to a state.
///
/// It is total: an event that was recorded is folded, whatever the rules say today, and one that finds no row to change
/// changes nothing. It reads no clock and no rules, so that folding the same events gives the same state for ever.
public func fold(_ event: ChatEvent, into state: inout some ChatStateStore) {
  let stamp = event.stamp
  switch event.change {
  case .user(let id, let event): event.fold(on: id, stamp, into: &state)
  case .device(let key, let event): event.fold(on: key, stamp, into: &state)
  case .mute(let key, let event): event.fold(on: key, stamp, into: &state)
  case .ban(let key, let event): event.fold(on: key, stamp, into: &state)
  case .flag(let key, let event): event.fold(on: key, stamp, into: &state)
  case .channel(let id, let event): event.fold(on: id, stamp, into: &state)
  case .member(let key, let event): event.fold(on: key, stamp, into: &state)
  case .message(let key, let event): event.fold(on: key, stamp, into: &state)
  case .reaction(let key, let event): event.fold(on: key, stamp, into: &state)
  case .draft(let key, let event): event.fold(on: key, stamp, into: &state)
  case .composer(let key, let event): event.fold(on: key, stamp, into: &state)
  case .app: return
  }
}
