// The appended events: the same for all contestants, generated from a seed.
import EventLog

/// A pseudorandom generator whose whole state is its seed.
struct SplitMix: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Returns a number from 0 to less than 1.
  mutating func fraction() -> Double { Double(next() >> 11) * 0x1p-53 }
}

// Safe because they are never changed and never freed.
/// Bytes with the lifetime of the process, so that C code can keep pointers to them.
struct LastingBytes: @unchecked Sendable {
  let start: UnsafeRawPointer
  let count: Int

  init(_ bytes: [UInt8]) {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 8)
    copy.copyBytes(from: bytes)
    start = UnsafeRawPointer(copy.baseAddress!)
    count = bytes.count
  }
}

/// The names and payloads of events, in the forms that the contestants need.
struct Vocabulary: Sendable {
  static let payloadByteCount = 160
  static let streamCount = 1000
  /// Additional streams of a few events each.
  static let shortStreamCount = 1000
  static let eventsPerShortStream = 5

  let streams: [Name]
  let types: [Name]
  let payloads: [[UInt8]]
  let streamBytes: [LastingBytes]
  let typeBytes: [LastingBytes]
  let payloadBytes: [LastingBytes]

  init() {
    let names =
      (0..<Self.streamCount).map { "channel/\($0)" } + (0..<Self.shortStreamCount).map { "thread/\($0)" }
    let kinds = ["messageSent", "messageEdited", "reactionAdded", "readMarkerMoved"]
    let letters = Array("the quick brown fox jumps over a lazy dog, ".utf8)
    var generator = SplitMix(seed: 1)
    payloads = (0..<4096).map { _ in
      (0..<Self.payloadByteCount).map { _ in letters[Int(generator.next() % UInt64(letters.count))] }
    }
    streams = names.map { name in Self.name(name) }
    types = kinds.map { name in Self.name(name) }
    streamBytes = names.map { LastingBytes(Array($0.utf8)) }
    typeBytes = kinds.map { LastingBytes(Array($0.utf8)) }
    payloadBytes = payloads.map { LastingBytes($0) }
  }

  private static func name(_ text: String) -> Name {
    guard let name = try? Name(text) else { preconditionFailure("\(text) is no name") }
    return name
  }

  /// Returns the event of a draw as a proposal for the log.
  func proposal(_ draw: Draw) -> ProposedEvent {
    ProposedEvent(stream: streams[draw.stream], type: types[draw.type], payload: payloads[draw.payload])
  }
}

/// The stream, type and payload of an event.
struct Draw: Sendable {
  let stream: Int
  let type: Int
  let payload: Int
}

/// An endless sequence of events from a seed; few streams get many of them.
struct Draws {
  private var generator: SplitMix

  init(seed: UInt64) { generator = SplitMix(seed: seed) }

  mutating func next() -> Draw {
    let place = generator.fraction()
    let random = generator.next()
    return Draw(
      stream: Int(place * place * Double(Vocabulary.streamCount)), type: random % 8 < 5 ? 0 : Int(random % 4),
      payload: Int(random >> 8 & 4095))
  }

  mutating func next(_ count: Int) -> [Draw] { (0..<count).map { _ in next() } }

  mutating func proposals(_ count: Int, _ vocabulary: Vocabulary) -> [ProposedEvent] {
    var events: [ProposedEvent] = []
    events.reserveCapacity(count)
    for _ in 0..<count { events.append(vocabulary.proposal(next())) }
    return events
  }
}
