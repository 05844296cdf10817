// Decodes the events of blocks, and finds what their names stand for once in each block.
internal import Bytes
public import Chat
public import EventLog

/// Decodes events, best those of a block one after the other: what their types and streams stand for
/// is found once in each block.
public struct EventDecoder: Sendable {
  /// Where the block begins whose names are remembered.
  private var first = Position.zero
  private var types: [StoredType?] = []
  private var subjects: [StreamSubject?] = []

  /// A decoder that remembers nothing.
  public init() {}

  /// The event that one stands for which lies in a block; all of one log.
  public mutating func decode(_ event: EventView) throws(UnreadableEvent) -> ChatEvent {
    if event.blockStart != first { forget(startingWith: event.blockStart) }
    let type = try type(of: event)
    let subject = try subject(of: event)
    let stamp = try Stamp(of: event)
    return try ChatCodec.decode(event.payload, as: type, in: subject, stamp, at: event.position)
  }

  private mutating func forget(startingWith position: Position) {
    first = position
    types.removeAll(keepingCapacity: true)
    subjects.removeAll(keepingCapacity: true)
  }

  private mutating func type(of event: EventView) throws(UnreadableEvent) -> StoredType {
    let number = event.typeNumber
    if number < types.count, let type = types[number] { return type }
    let type = try StoredType(of: event)
    while types.count <= number { types.append(nil) }
    types[number] = type
    return type
  }

  private mutating func subject(of event: EventView) throws(UnreadableEvent) -> StreamSubject {
    let number = event.streamNumber
    if number < subjects.count, let subject = subjects[number] { return subject }
    let subject = try StreamSubject(of: event)
    while subjects.count <= number { subjects.append(nil) }
    subjects[number] = subject
    return subject
  }
}
