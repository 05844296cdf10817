// The appends of a worker: determined by a seed, so that the test that started it knows every byte.
package import EventLog
import SeededRandom

/// Appends determined by a seed, each identified by its number.
package struct Workload: Sendable {
  package let seed: UInt64
  package let shape: Shape

  /// The size of appends.
  package enum Shape: String, Sendable {
    /// One event of a few bytes.
    case small
    /// One to three events of a few bytes.
    case several
    /// One to five events, one append in eight with an event of 100 kB.
    case mixed
    /// Four hundred events of a few bytes.
    case many
  }

  package init(seed: UInt64, shape: Shape) {
    self.seed = seed
    self.shape = shape
  }

  /// The author of the appends.
  package var actor: Name { Name(stringLiteral: "worker-\(seed)") }

  /// Returns the id of the append with a number.
  package func id(_ number: Int) -> AppendID { AppendID(high: seed, low: UInt64(number)) }

  /// Returns the append with a number.
  package func append(_ number: Int) -> Append {
    var random = SeededRandom(seed: seed &* 0x9E37_79B9 &+ UInt64(number))
    let count =
      switch shape {
      case .small: 1
      case .several: Int.random(in: 1...3, using: &random)
      case .mixed: Int.random(in: 1...5, using: &random)
      case .many: 400
      }
    let large = shape == .mixed && number % 8 == 5 ? Int.random(in: 0..<count, using: &random) : -1
    let events = (0..<count).map { index in
      let byteCount = index == large ? 100_000 : Int.random(in: 0...60, using: &random)
      return ProposedEvent(
        stream: Name(stringLiteral: "stream-\(Int.random(in: 0..<7, using: &random))"), type: "counted",
        payload: (0..<byteCount).map { _ in UInt8(truncatingIfNeeded: random.next()) }, actor: actor)
    }
    return Append(events, id: id(number), correlation: number % 3 == 0 ? "third" : nil)
  }

  /// Returns the total number of events in the first appends.
  package func eventCount(ofFirst count: Int) -> Int {
    (0..<count).reduce(0) { $0 + append($1).events.count }
  }
}

/// A hash of everything that a log returns, which differs for logs that return different data.
package struct Fingerprint {
  private var state: UInt64 = 0xCBF2_9CE4_8422_2325

  package init() {}

  package var text: String { String(state, radix: 16) }

  package mutating func add(_ text: String) {
    for byte in text.utf8 { add(byte) }
    add(0xFF)
  }

  private mutating func add(_ byte: UInt8) { state = (state ^ UInt64(byte)) &* 0x100_0000_01B3 }

  package mutating func add(_ event: RecordedEvent) {
    add(
      "\(event.position) \(event.stream) \(event.version) \(event.recorded) \(event.type) "
        + "\(event.actor?.text ?? "-") \(event.append) \(event.correlation?.text ?? "-")")
    for byte in event.payload { add(byte) }
  }
}
