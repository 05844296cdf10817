// Decoding of stored events to events of the domain.
internal import Bytes
public import Chat
public import EventLog

/// Returns the event decoded from a recorded event.
public func decode(_ event: RecordedEvent) throws(UnreadableEvent) -> ChatEvent {
  func unreadable(_ defect: UnreadableEvent.Defect) -> UnreadableEvent {
    UnreadableEvent(defect, type: event.type.text, at: event.position)
  }
  guard let type = StoredType(name: event.type) else { throw unreadable(.ofType(event.type.text)) }
  guard let subject = StreamSubject(name: event.stream) else { throw unreadable(.unknownStream(event.stream.text)) }
  var actor = Author.system
  if let name = event.actor {
    guard let user = try? User.ID(name.text) else { throw unreadable(.actor(name.text)) }
    actor = .user(user)
  }
  if let name = event.device {
    guard let user = actor.user, let device = try? Device.ID(name.text) else { throw unreadable(.device(name.text)) }
    actor = .user(user, on: device)
  }
  if !event.encrypted.isEmpty { throw unreadable(.encrypted) }
  let origin = EventOrigin(by: actor, at: event.recorded)
  return try decode(
    event.payload.span.bytes, as: type, in: subject, origin, at: event.position, isErased: event.erasedBy != nil)
}

/// Returns the event decoded from an event in a block.
///
/// To decode many events of a block, decode their types and streams only once and call
/// ``decode(_:as:in:_:at:isErased:)``.
public func decode(_ event: EventView) throws(UnreadableEvent) -> ChatEvent {
  let (type, subject) = (try StoredType(of: event), try StreamSubject(of: event))
  return try decode(event, as: type, in: subject, try EventOrigin(of: event))
}

/// Returns the event decoded from an event in a block whose parts are decoded.
@inline(__always)
func decode(
  _ event: EventView, as type: StoredType, in subject: StreamSubject, _ origin: EventOrigin
) throws(UnreadableEvent) -> ChatEvent {
  if event.encrypted != nil { throw UnreadableEvent(.encrypted, in: event) }
  return try decode(
    event.payload, as: type, in: subject, origin, at: event.position, isErased: event.erasedBy != nil)
}

/// Returns the event decoded from a payload of a type, in a stream, with its origin.
///
/// It never traps, whatever the payload. The position is used in the error only. The payload of an event whose content
/// was erased has the other fields.
public func decode(
  _ payload: RawSpan, as type: StoredType, in subject: StreamSubject, _ origin: EventOrigin,
  at position: Position? = nil, isErased: Bool = false
) throws(UnreadableEvent) -> ChatEvent {
  do throws(PayloadDefect) {
    if isErased { return try erasedEvent(payload, as: type, in: subject, origin) }
    return ChatEvent(try change(payload, as: type, in: subject), origin)
  } catch {
    let defect: UnreadableEvent.Defect = error == .misfit ? .wrongStream(subject.name.text) : .payload(error)
    throw UnreadableEvent(defect, type: type.name.text, at: position)
  }
}

/// Returns the change of an event without its content, as if that was erased, given the event in the form to append to
/// the log; the id of the message whose edit begins stays.
package func readableChange(
  of event: ChatEvent, in proposed: ProposedEvent
) throws(UnreadableEvent) -> ChatEvent.Change {
  if case .composer(let key, .editBegan(let message, _)) = event.change {
    return .composer(key, .editBegan(message, Composition()))
  }
  guard let type = StoredType(name: proposed.type), let content = proposed.content else { return event.change }
  var words = ByteWriter()
  var rest = ByteWriter()
  split(proposed.payload.span.bytes, by: content.fields, &words, &rest)
  let readable = rest.array()
  return try decode(
    readable.span.bytes, as: type, in: StreamSubject(of: event.change), event.origin, isErased: true
  ).change
}

// MARK: Payloads

@inline(__always)
private func change(
  _ payload: RawSpan, as type: StoredType, in subject: StreamSubject
) throws(PayloadDefect) -> ChatEvent.Change {
  switch type {
  case .shape(let shape):
    if let next = shape.successor {
      return try shape.upcast(payload) { payload throws(PayloadDefect) in
        try change(payload, as: .shape(next), in: subject)
      }
    }
    return try change(payload, shaped: shape, in: subject)
  case .app(let name, let version):
    guard let subject = subject.ofApp else { throw .misfit }
    return .app(subject, AppEvent(name, version: version, payload: payload.withUnsafeBytes { Array($0) }))
  }
}

/// Returns the change decoded from a payload of a current shape.
@inline(__always)
private func change(
  _ payload: RawSpan, shaped shape: Shape, in subject: StreamSubject
) throws(PayloadDefect) -> ChatEvent.Change {
  var fields = FieldReader(payload)
  let change: ChatEvent.Change
  switch (shape.area, subject) {
  case (.composer, .composer(let key)): change = .composer(key, try Composer.Event.read(shape, &fields))
  case (.message, .channel(let id)): change = try Message.Event.read(shape, in: id, &fields)
  case (.reaction, .channel(let id)): change = try Reaction.Event.read(shape, in: id, &fields)
  case (.member, .channel(let id)): change = try Member.Event.read(shape, in: id, &fields)
  case (.membership, .user(let id)): change = try Member.Event.read(shape, of: id, &fields)
  case (.channel, .channel(let id)): change = try Channel.Event.read(shape, of: id, &fields)
  case (.user, .user(let id)): change = try User.Event.read(shape, of: id, &fields)
  case (.device, .user(let id)): change = try Device.Event.read(shape, of: id, &fields)
  case (.mute, .user(let id)): change = try Mute.Event.read(shape, by: id, &fields)
  case (.userBan, .user(let id)): change = try Ban.Event.read(shape, of: id, &fields)
  case (.channelBan, .channel(let id)): change = try Ban.Event.read(shape, in: id, &fields)
  case (.userFlag, .user(let id)): change = try Flag.Event.read(shape, on: id, &fields)
  case (.messageFlag, .channel(let id)): change = try Flag.Event.read(shape, in: id, &fields)
  case (.consumer, .consumer(let id)): change = try Consumer.Event.read(shape, of: id, &fields)
  case (.block, .user(let id)): change = try UserBlock.Event.read(shape, by: id, &fields)
  case (.review, .channel(let id)): change = try Review.Event.read(shape, in: id, &fields)
  case (.review, .user(let id)): change = try Review.Event.read(shape, of: id, &fields)
  case (.saved, .user(let id)): change = try SavedMessage.Event.read(shape, by: id, &fields)
  case (.scheduled, .user(let id)): change = try ScheduledMessage.Event.read(shape, by: id, &fields)
  case (.thread, .channel(let id)): change = try ThreadMarker.Event.read(shape, in: id, &fields)
  case (.vote, .channel(let id)): change = try Vote.Event.read(shape, in: id, &fields)
  case (.draft, .draft(let key)): change = try Draft.Event.read(shape, of: key, &fields)
  default: throw .misfit
  }
  try fields.end()
  return change
}

/// Returns the event decoded from what is left of it after its content was erased.
private func erasedEvent(
  _ payload: RawSpan, as type: StoredType, in subject: StreamSubject, _ origin: EventOrigin
) throws(PayloadDefect) -> ChatEvent {
  guard case .shape(let stored) = type else {
    return ChatEvent(try change(payload, as: type, in: subject), origin, isErased: true)
  }
  let shape = stored.withoutContent
  switch (shape, subject) {
  case (.composerSent1, _), (.composerCleared1, _): break
  case (_, .composer(let key)): return ChatEvent(.composer(key, .erased), origin, isErased: true)
  default: break
  }
  var whole = ByteWriter()
  guard join(shape.erasedContent.span.bytes, payload, into: &whole) else { throw PayloadDefect(.number, field: 0) }
  let bytes = whole.array()
  return ChatEvent(try change(bytes.span.bytes, as: .shape(shape), in: subject), origin, isErased: true)
}

extension StreamSubject {
  fileprivate var ofApp: AppEvent.Subject? {
    switch self {
    case .user(let id): .user(id)
    case .channel(let id): .channel(id)
    case .app(let id): .app(id)
    case .draft, .composer, .consumer: nil
    }
  }
}

// MARK: Parts of an event in a block

extension StoredType {
  /// Decodes the type of an event in a block.
  public init(of event: EventView) throws(UnreadableEvent) {
    guard let type = StoredType(name: event.type) else {
      throw UnreadableEvent(.ofType(String(copying: event.type)), in: event)
    }
    self = type
  }
}

extension StreamSubject {
  /// Decodes the stream of an event in a block.
  public init(of event: EventView) throws(UnreadableEvent) {
    guard let subject = StreamSubject(name: event.stream) else {
      throw UnreadableEvent(.unknownStream(String(copying: event.stream)), in: event)
    }
    self = subject
  }
}

extension EventOrigin {
  /// Decodes the author and time of an event in a block.
  public init(of event: EventView) throws(UnreadableEvent) {
    var actor = Author.system
    if let name = event.actor {
      guard let user = User.ID(spelledBy: name) else {
        throw UnreadableEvent(.actor(String(copying: name)), in: event)
      }
      actor = .user(user)
    }
    if let name = event.device {
      guard let user = actor.user, let device = Device.ID(spelledBy: name) else {
        throw UnreadableEvent(.device(String(copying: name)), in: event)
      }
      actor = .user(user, on: device)
    }
    self.init(by: actor, at: event.recorded)
  }
}

extension UnreadableEvent {
  init(_ defect: Defect, in event: EventView) {
    self.init(defect, type: String(copying: event.type), at: event.position)
  }
}

extension String {
  init(copying bytes: RawSpan) {
    self = bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
  }
}
