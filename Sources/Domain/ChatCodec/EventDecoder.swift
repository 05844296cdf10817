// A decoder for the events of blocks, which caches decoded names.
internal import Bytes
public import Chat
public import EventLog

/// A decoder for the events of one log, fastest for those of a block in sequence: it decodes types and authors once per
/// block, and streams once.
public struct EventDecoder: Sendable {
  /// The position at which the block of the cached numbers begins.
  private var first = Position.zero
  /// The types of the block, by their numbers in it.
  private var types: [StoredType?] = []
  /// The streams of the block, by their numbers in it; negative for one not seen yet.
  private var blockStreams: [Int] = []
  /// The authors of the block, each with the device of their last event, by their numbers in it.
  private var actors: [(device: Int?, actor: Author)?] = []
  /// The types seen in any block, including those of apps.
  private var knownTypes: [StoredType] = []
  private var typeNames = ByteMap()
  private var names = ByteMap()
  private var subjects: [StreamSubject] = []

  /// The maximum number of cached types, before all are evicted.
  private static let typesMax = 1000

  /// The maximum number of cached streams, before all are evicted.
  private static let streamsMax = 1 << 16

  /// The number of the stream of the last decoded event.
  package private(set) var stream = 0
  /// The generation of the stream numbers, incremented when they are reassigned.
  package private(set) var generation = 0

  /// Creates a decoder with an empty cache.
  public init() {}

  /// Returns the event decoded from an event in a block.
  public mutating func decode(_ event: EventView) throws(UnreadableEvent) -> ChatEvent {
    let (type, origin) = try frame(of: event)
    return try ChatCodec.decode(event, as: type, in: subjects[stream], origin)
  }

  /// Returns what is readable of an event whose content is encrypted, as if the content was erased.
  package mutating func decodeReadable(_ event: EventView) throws(UnreadableEvent) -> ChatEvent {
    let (type, origin) = try frame(of: event)
    return try ChatCodec.decode(
      event.payload, as: type, in: subjects[stream], origin, at: event.position, isErased: true)
  }

  /// Decodes what events have besides their payload.
  @inline(__always)
  private mutating func frame(of event: EventView) throws(UnreadableEvent) -> (StoredType, EventOrigin) {
    if event.blockStart != first { begin(at: event.blockStart) }
    let type = try type(of: event)
    stream = try stream(of: event)
    return (type, EventOrigin(by: try actor(of: event), at: event.recorded))
  }

  /// Returns the current shape of an event in a block; nil for an app's own.
  ///
  /// It reads nothing else of the event, so that readers of few kinds of events can skip the others.
  package mutating func shape(of event: EventView) throws(UnreadableEvent) -> Shape? {
    if event.blockStart != first { begin(at: event.blockStart) }
    guard case .shape(let shape) = try type(of: event) else { return nil }
    return shape.latest
  }

  private mutating func begin(at position: Position) {
    first = position
    types.removeAll(keepingCapacity: true)
    blockStreams.removeAll(keepingCapacity: true)
    actors.removeAll(keepingCapacity: true)
    if subjects.count < Self.streamsMax { return }
    names.removeAll()
    subjects.removeAll()
    generation += 1
  }

  private mutating func type(of event: EventView) throws(UnreadableEvent) -> StoredType {
    let number = event.typeNumber
    if number < types.count, let type = types[number] { return type }
    let known = event.type.withUnsafeBytes { typeNames.find($0) }
    let type: StoredType
    if let known { type = knownTypes[known] } else { type = try newType(of: event) }
    while types.count <= number { types.append(nil) }
    types[number] = type
    return type
  }

  private mutating func newType(of event: EventView) throws(UnreadableEvent) -> StoredType {
    let type = try StoredType(of: event)
    if knownTypes.count == Self.typesMax {
      typeNames.removeAll()
      knownTypes.removeAll()
    }
    _ = event.type.withUnsafeBytes { typeNames.insert($0) }
    knownTypes.append(type)
    return type
  }

  private mutating func stream(of event: EventView) throws(UnreadableEvent) -> Int {
    let number = event.streamNumber
    if number < blockStreams.count, blockStreams[number] >= 0 { return blockStreams[number] }
    let known = event.stream.withUnsafeBytes { names.find($0) }
    let stream: Int
    if let known { stream = known } else { stream = try newStream(of: event) }
    while blockStreams.count <= number { blockStreams.append(-1) }
    blockStreams[number] = stream
    return stream
  }

  private mutating func newStream(of event: EventView) throws(UnreadableEvent) -> Int {
    let subject = try StreamSubject(of: event)
    let number = event.stream.withUnsafeBytes { names.insert($0).number }
    subjects.append(subject)
    return number
  }

  private mutating func actor(of event: EventView) throws(UnreadableEvent) -> Author {
    // An event without an author must not have a device either, which the full check verifies.
    guard let number = event.actorNumber else { return try EventOrigin(of: event).actor }
    if number < actors.count, let known = actors[number], known.device == event.deviceNumber { return known.actor }
    let actor = try EventOrigin(of: event).actor
    while actors.count <= number { actors.append(nil) }
    actors[number] = (event.deviceNumber, actor)
    return actor
  }
}
