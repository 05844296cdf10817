// Decodes the events of blocks, and finds what their names stand for only once.
internal import Bytes
public import Chat
public import EventLog

/// Decodes events of one log, best those of a block one after the other: what their types and actors stand for is found
/// once in a block, what their streams are about once.
public struct EventDecoder: Sendable {
  /// Where the block begins whose numbers are remembered.
  private var first = Position.zero
  /// What the types of the block stand for, by their numbers in it.
  private var types: [StoredType?] = []
  /// The streams of the block by their numbers in it; less than zero for one that did not come yet.
  private var blockStreams: [Int] = []
  /// What the actors of the block stand for, each on the device on which they acted last, by their numbers in it.
  private var actors: [(device: Int?, actor: Author)?] = []
  /// What types stand for that came in any block, an app's own among them.
  private var knownTypes: [StoredType] = []
  private var typeNames = ByteMap()
  private var names = ByteMap()
  private var subjects: [StreamSubject] = []

  /// How many types are remembered at most, before all are forgotten.
  private static let typesMax = 1000

  /// How many streams are remembered at most, before all are forgotten.
  private static let streamsMax = 1 << 16

  /// The number of the stream of the event that was decoded last.
  package private(set) var stream = 0
  /// Counts how often the numbers of streams changed their meaning.
  package private(set) var generation = 0

  /// A decoder that remembers nothing.
  public init() {}

  /// The event that one stands for which lies in a block.
  public mutating func decode(_ event: EventView) throws(UnreadableEvent) -> ChatEvent {
    if event.blockStart != first { begin(at: event.blockStart) }
    let type = try type(of: event)
    stream = try stream(of: event)
    let stamp = EventOrigin(by: try actor(of: event), at: Instant(rawValue: event.recorded.rawValue))
    return try ChatCodec.decode(event.payload, as: type, in: subjects[stream], stamp, at: event.position)
  }

  /// The shape of an event that lies in a block, in which it would be stored today; nil for an app's own.
  ///
  /// Who reads few kinds of events steps over the others with it: it looks at nothing else of the event.
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
    // Who names no actor may name no device either, which is looked at in full.
    guard let number = event.actorNumber else { return try EventOrigin(of: event).actor }
    if number < actors.count, let known = actors[number], known.device == event.deviceNumber { return known.actor }
    let actor = try EventOrigin(of: event).actor
    while actors.count <= number { actors.append(nil) }
    actors[number] = (event.deviceNumber, actor)
    return actor
  }
}
