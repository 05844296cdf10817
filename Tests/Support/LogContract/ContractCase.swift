// The contract of logs, as a list of cases that the tests of each log run.
public import EventLog
public import Testing

/// A requirement of logs and the test of it.
public struct ContractCase: Sendable, CustomTestStringConvertible {
  /// The requirement, as a sentence.
  public let testDescription: String
  /// Tests the requirement on logs that the bench creates.
  public let run: @Sendable (any LogBench) async throws -> Void

  init(_ sentence: String, _ run: @escaping @Sendable (any LogBench) async throws -> Void) {
    testDescription = sentence
    self.run = run
  }

  /// All cases.
  public static let all = appending + expecting + repeating + reading + following + recording
}

/// A factory of logs of one kind.
public protocol LogBench: Sendable {
  /// Returns a store on a new log.
  func makeStore(_ genesis: Genesis, _ configuration: EventStore.Configuration) throws -> EventStore
  /// Returns another store on the log of a store that is no longer used.
  func reopen(_ store: EventStore) throws -> EventStore
}

extension LogBench {
  func makeStore(_ configuration: EventStore.Configuration = .init()) throws -> EventStore {
    try makeStore(.new(), configuration)
  }
}

/// Returns an event with a text as its payload.
public func event(_ stream: Name, _ text: String = "", type: Name = "noted") -> ProposedEvent {
  ProposedEvent(stream: stream, type: type, payload: Array(text.utf8))
}

/// Returns copies of all events of a log.
public func allEvents(_ store: EventStore) throws -> [RecordedEvent] {
  try store.events(limit: .max)
}

/// Returns the payloads as texts.
public func texts(_ events: [RecordedEvent]) -> [String] {
  events.map { String(decoding: $0.payload, as: UTF8.self) }
}

/// Expects every block from the genesis to the head to be valid and to follow the one before.
public func expectChainIsWhole(_ store: EventStore) throws {
  var head = Head(of: store.log.genesis)
  try store.log.blocks(from: .first, .forward, checks: .full) { block throws(LogError) in
    do throws(BlockDefect) { try block.validate(after: head) } catch { throw .damaged(at: block.first, error) }
    head = block.head
    return .next
  }
  #expect(try head == store.head())
}
