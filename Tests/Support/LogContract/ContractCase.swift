// What every log must do, as a list of cases that each log's tests run.
public import EventLog
public import Testing

/// A sentence about logs, and what shows that it holds.
public struct ContractCase: Sendable, CustomTestStringConvertible {
  /// The sentence.
  public let testDescription: String
  /// Shows it, on logs of the kind that the bench makes.
  public let run: @Sendable (any LogBench) async throws -> Void

  init(_ sentence: String, _ run: @escaping @Sendable (any LogBench) async throws -> Void) {
    testDescription = sentence
    self.run = run
  }

  /// All of them.
  public static let all = appending + expecting + repeating + reading + following + recording
}

/// Makes logs of one kind.
public protocol LogBench: Sendable {
  /// A store on a new log.
  func makeStore(_ genesis: Genesis, _ configuration: EventStore.Configuration) throws -> EventStore
  /// Another store on the log of one that is no longer used.
  func reopen(_ store: EventStore) throws -> EventStore
}

extension LogBench {
  func makeStore(_ configuration: EventStore.Configuration = .init()) throws -> EventStore {
    try makeStore(.new(), configuration)
  }
}

/// An event with a text as its payload.
public func event(_ stream: Name, _ text: String = "", type: Name = "noted") -> ProposedEvent {
  ProposedEvent(stream: stream, type: type, payload: Array(text.utf8))
}

/// Every event of a log, read as copies.
public func allEvents(_ store: EventStore) throws -> [RecordedEvent] {
  try store.events(limit: .max)
}

/// The payloads as texts.
public func texts(_ events: [RecordedEvent]) -> [String] {
  events.map { String(decoding: $0.payload, as: UTF8.self) }
}

/// Shows that the chain is whole, block for block, from the genesis to the head.
public func expectChainIsWhole(_ store: EventStore) throws {
  var head = Head(of: store.log.genesis)
  try store.log.blocks(from: .first, .forward, checks: .full) { block throws(LogError) in
    do throws(BlockDefect) { try block.validate(after: head) } catch { throw .damaged(at: block.first, error) }
    head = block.head
    return .next
  }
  #expect(try head == store.head())
}
