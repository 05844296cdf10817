// Encoding of events of the domain to stored events.
public import Bytes
public import Chat
public import EventLog

/// Returns an event of the domain in the form to append to the log.
///
/// The time is that of the append: the owner of the log must make it equal to that of the origin.
///
/// - Precondition: The event is one that ``/Chat/decide(_:by:at:given:)`` accepts: offsets in texts are in
///   0 … 2^31 - 1, extra values no deeper than ``/Chat/Limits/storedDepthMax``, versions of an app's events not 0.
public func encode(_ event: ChatEvent) -> ProposedEvent { encode(event, replacing: [:]) }

private func encode(_ event: ChatEvent, replacing urls: [String: String]) -> ProposedEvent {
  var writer = ByteWriter()
  writer.urls = urls
  let type = encode(event.change, into: &writer)
  let actor = event.origin.actor
  return ProposedEvent(
    stream: StreamSubject(of: event.change).name, type: type.name, payload: writer.array(),
    actor: actor.user.map { Name(stringLiteral: $0.text) }, device: actor.device.map { Name(stringLiteral: $0.text) },
    cause: nil, content: EventContent(of: event.change, stored: type))
}

/// Returns events of the domain in the form to append to the log, decided on a state: the words of an edited message
/// are those of its author, also where a moderator edits it.
package func encode(_ events: [ChatEvent], given state: some ChatStateStore) -> [ProposedEvent] {
  var edits: [Composer.Key: Message.ID?] = [:]
  return events.map { event in
    if case .composer(let key, _) = event.change, !edits.keys.contains(key) {
      edits.updateValue(state[key]?.editing, forKey: key)
    }
    return encode(event, edits: &edits) { state[$0]?.author }
  }
}

/// Returns an event of the domain in the form to append to the log, given URLs that replace others, the messages that
/// composers are editing, and the authors of edited messages.
package func encode(
  _ event: ChatEvent, replacing urls: [String: String] = [:], edits: inout [Composer.Key: Message.ID?],
  author: (Message.Key) -> User.ID?
) -> ProposedEvent {
  var proposed = encode(event, replacing: urls)
  switch event.change {
  case .message(let key, .edited): proposed.setContent(of: author(key))
  case .composer(let key, let event):
    proposed.setContent(of: event, in: key, editing: &edits[key, default: nil], author)
  default: break
  }
  return proposed
}

extension ProposedEvent {
  /// Makes the content of an edit that of the author of the edited message, given a composer's event and the message
  /// that it is editing.
  package mutating func setContent(
    of event: Composer.Event, in key: Composer.Key, editing edited: inout Message.ID?,
    _ author: (Message.Key) -> User.ID?
  ) {
    edited = event.edited(after: edited)
    guard let message = edited, let author = author(Message.Key(key.channel, message)) else { return }
    if author != key.user { setContent(of: author) }
  }
}

/// Appends the payload of a change to a writer and returns its type.
///
/// Its stream is that of its ``StreamSubject``.
///
/// - Precondition: That of ``encode(_:)``.
public func encode(_ change: ChatEvent.Change, into writer: inout ByteWriter) -> StoredType {
  let shape: Shape
  switch change {
  case .user(_, let event): shape = event.write(to: &writer)
  case .device(let key, let event): shape = event.write(on: key, to: &writer)
  case .mute(let key, let event): shape = event.write(on: key, to: &writer)
  case .ban(let key, let event): shape = event.write(on: key, to: &writer)
  case .flag(let key, let event): shape = event.write(on: key, to: &writer)
  case .channel(_, let event): shape = event.write(to: &writer)
  case .member(let key, let event): shape = event.write(on: key, to: &writer)
  case .message(let key, let event): shape = event.write(on: key, to: &writer)
  case .reaction(let key, let event): shape = event.write(on: key, to: &writer)
  case .draft(_, let event): shape = event.write(to: &writer)
  case .composer(_, let event): shape = event.write(to: &writer)
  case .consumer(_, let event): shape = event.write(to: &writer)
  case .block(let key, let event): shape = event.write(on: key, to: &writer)
  case .review(let key, let event): shape = event.write(on: key, to: &writer)
  case .saved(let key, let event): shape = event.write(on: key, to: &writer)
  case .scheduled(let key, let event): shape = event.write(on: key, to: &writer)
  case .thread(let key, let event): shape = event.write(on: key, to: &writer)
  case .vote(let key, let event): shape = event.write(on: key, to: &writer)
  case .app(_, let event):
    precondition(event.version > 0, "the app's event \(event.name) has version 0")
    event.payload.withUnsafeBytes { writer.bytes($0) }
    return .app(event.name, version: event.version)
  }
  return .shape(shape)
}
