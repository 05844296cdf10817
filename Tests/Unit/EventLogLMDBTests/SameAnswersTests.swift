// All logs return the same results for random operations.
import EventLog
import EventLogLMDB
import EventLogPostgres
import LogContract
import PostgresServer
import SeededRandom
import Testing

@Suite struct SameAnswersTests {
  @Test(arguments: 0..<6)
  func `logs in memory, on disk and on a server return the same results for random operations`(_ round: Int) throws {
    var history = RandomHistory(SeededRandom())
    let (directory, machine) = (TemporaryDirectory(), Machine())
    let genesis = Genesis(id: AppendID(high: 1, low: UInt64(round)), created: Timestamp(rawValue: 0))
    var stores = [
      EventStore.inMemory(genesis: genesis, configuration: fixedClock()),
      try EventStore.open(
        at: directory.path, options: LMDBLog.Options(creates: true, genesis: genesis), configuration: fixedClock()),
      try machine.makeStore(genesis, fixedClock()),
    ]
    let server = try #require(stores[2].log as? PostgresLog)
    for step in 0..<300 {
      let operation = history.next()
      if case .reopen = operation {
        stores[1].close()
        stores[1] = try EventStore.open(at: directory.path, configuration: fixedClock())
        stores[2].close()
        stores[2] = try machine.open(server.address, configuration: fixedClock())
        continue
      }
      let answers = stores.map { answer(operation, of: $0) }
      for other in answers.dropFirst() {
        try #require(answers[0] == other, "step \(step), \(operation), seed \(history.seed)")
      }
      history.note(answers[0])
    }
    for store in stores { #expect(try store.head() == stores[0].head(), "seed \(history.seed)") }
    let log = try #require(stores[2].log as? PostgresLog)
    #expect(try log.verify { _ in }.findings == [], "seed \(history.seed)")
    #expect(try LogCheck.verify(logAt: directory.path).findings == [], "seed \(history.seed)")
    for kind in ["receipt", "conflict", "reused", "contradiction", "cause", "events", "streams", "version"] {
      #expect(history.seen[kind, default: 0] > 0, "no answer was a \(kind); seed \(history.seed)")
    }
    for store in stores.dropFirst() { store.close() }
  }
}

/// An operation of a store.
private enum Operation: Sendable {
  case append(Append)
  case read(Position, Direction, limit: Int)
  case readStream(Name, StreamVersion, Direction, limit: Int)
  case version(Name)
  case streams(String, after: Name?, limit: Int)
  case receipt(AppendID)
  case reopen
}

private enum Answer: Equatable {
  case receipt(Receipt?)
  case events([RecordedEvent])
  case version(StreamVersion)
  case streams([StreamSummary])
  case refusal(String)
}

/// Returns a configuration with a constant clock, so that blocks do not differ by their time.
private func fixedClock() -> EventStore.Configuration {
  var configuration = EventStore.Configuration()
  configuration.clock = { Timestamp(rawValue: 1_000_000) }
  return configuration
}

private func answer(_ operation: Operation, of store: EventStore) -> Answer {
  do {
    switch operation {
    case .append(let append): return .receipt(try store.appendBlocking(append))
    case .read(let position, let direction, let limit):
      return .events(try store.events(from: position, direction, limit: limit))
    case .readStream(let stream, let version, let direction, let limit):
      return .events(try store.events(of: stream, from: version, direction, limit: limit))
    case .version(let stream): return .version(try store.version(of: stream))
    case .streams(let prefix, let after, let limit):
      return .streams(try store.streams(withPrefix: prefix, after: after, limit: limit))
    case .receipt(let id): return .receipt(try store.receipt(of: id))
    case .reopen: preconditionFailure("a store does not reopen itself")
    }
  } catch {
    return .refusal("\(error)")
  }
}

/// A generator of operations, some of which repeat or contradict earlier ones.
private struct RandomHistory {
  var random: SeededRandom
  var seed: UInt64 { random.seed }
  private var appends: [Append] = []
  private(set) var seen: [String: Int] = [:]
  private var position: UInt64 = 0

  init(_ random: SeededRandom) { self.random = random }

  mutating func next() -> Operation {
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<8: return .append(append())
    case 8, 9: return .append(repeated())
    case 10: return .append(contradictory())
    case 11..<13: return .read(anyPosition(), anyDirection(), limit: .random(in: 0...40, using: &random))
    case 13..<16:
      return .readStream(
        anyStream(), StreamVersion(rawValue: .random(in: 0...300, using: &random)), anyDirection(),
        limit: .random(in: 0...300, using: &random))
    case 16: return .version(anyStream())
    case 17:
      let prefix = ["", "s", "s/1", "nothing"].randomElement(using: &random) ?? ""
      return .streams(
        prefix, after: Bool.random(using: &random) ? anyStream() : nil, limit: .random(in: 0...20, using: &random))
    case 18: return .receipt(appends.randomElement(using: &random)?.id ?? AppendID(high: 0, low: 0))
    default: return Int.random(in: 0..<8, using: &random) == 0 ? .reopen : .version(anyStream())
    }
  }

  mutating func note(_ answer: Answer) {
    switch answer {
    case .receipt(let receipt):
      if let receipt { position = max(position, receipt.positions.upperBound.rawValue) }
      seen["receipt", default: 0] += 1
    case .events(let events): seen["events", default: 0] += events.isEmpty ? 0 : 1
    case .version: seen["version", default: 0] += 1
    case .streams(let streams): seen["streams", default: 0] += streams.isEmpty ? 0 : 1
    case .refusal(let text):
      let kinds = [
        "was expected": "conflict", "was used": "reused", "cannot be": "contradiction", "as its cause": "cause",
      ]
      for (words, kind) in kinds where text.contains(words) { seen[kind, default: 0] += 1 }
    }
  }

  private mutating func append() -> Append {
    let count = Int.random(in: 0..<30, using: &random) == 0 ? 700 : Int.random(in: 1...6, using: &random)
    var append = Append((0..<count).map { _ in anyEvent() })
    append.id = AppendID(high: random.next(), low: random.next())
    if Bool.random(using: &random) { append.correlation = anyStream() }
    for _ in 0..<Int.random(in: 0...3, using: &random) where Int.random(in: 0..<3, using: &random) == 0 {
      append.expectations.append(StreamExpectation(anyStream(), anyState()))
    }
    appends.append(append)
    return append
  }

  /// Returns an earlier append, sometimes with other content.
  private mutating func repeated() -> Append {
    guard var append = appends.randomElement(using: &random) else { return self.append() }
    switch Int.random(in: 0..<4, using: &random) {
    case 0: append.events[0].payload.append(0)
    case 1: append.events.append(anyEvent())
    default: break
    }
    return append
  }

  private mutating func contradictory() -> Append {
    let stream = anyStream()
    return Append([anyEvent()], expecting: [StreamExpectation(stream, .none), StreamExpectation(stream, .exists)])
  }

  private mutating func anyEvent() -> ProposedEvent {
    let size = Int.random(in: 0..<50, using: &random) == 0 ? 9_000 : Int.random(in: 0...200, using: &random)
    var event = ProposedEvent(
      stream: anyStream(), type: Bool.random(using: &random) ? "one" : "other",
      payload: (0..<size).map { _ in UInt8.random(in: 0...255, using: &random) })
    if Bool.random(using: &random) { event.actor = anyStream() }
    if Bool.random(using: &random) { event.device = "device" }
    switch Int.random(in: 0..<20, using: &random) {
    case 0: event.cause = Position(rawValue: position + 1000)
    case 1..<3: event.cause = Position(rawValue: .random(in: 0...position, using: &random))
    default: break
    }
    return event
  }

  private mutating func anyStream() -> Name {
    // A few long streams and many short ones.
    let number = min(Int.random(in: 0..<20, using: &random), Int.random(in: 0..<20, using: &random))
    return Name(stringLiteral: "s/\(number)")
  }

  private mutating func anyState() -> StreamExpectation.State {
    [.any, .none, .exists, .version(StreamVersion(rawValue: .random(in: 0...20, using: &random)))]
      .randomElement(using: &random) ?? .any
  }

  private mutating func anyPosition() -> Position {
    Position(rawValue: .random(in: 0...(position + 3), using: &random))
  }

  private mutating func anyDirection() -> Direction {
    Bool.random(using: &random) ? .forward : .backward
  }
}
