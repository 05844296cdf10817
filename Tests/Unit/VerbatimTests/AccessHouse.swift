// An in-memory log with the projections that a user reads, and a clock that tests set.
import Chat
import ChatCodec
import ChatProjections
import EventLog
import Foundation
import Testing
import Verbatim
import Projections

/// A conversation built from a test's events, in a temporary directory that is removed with it.
final class AccessHouse {
  var rules: Rules
  private let path = FileManager.default.temporaryDirectory.path + "/verbatim-access-\(UUID().uuidString)"
  private let clock = AccessClock()
  private let store: EventStore
  private let projections: ProjectionStore

  init(_ rules: Rules = Rules()) throws {
    self.rules = rules
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    var configuration = EventStore.Configuration()
    configuration.clock = { [clock] in clock.now }
    store = .inMemory(configuration: configuration)
    projections = try ProjectionStore(of: store, [ChatState.self, ChatSearch.self], at: path + "/projections")
  }

  deinit {
    projections.close()
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Records an event at its time.
  func happens(_ event: ChatEvent) throws {
    clock.now = event.origin.at
    _ = try store.appendBlocking([encode(event)]) as Receipt
  }

  /// Returns the state folded from the log's events, under the house's rules.
  func state(at position: Position? = nil) throws -> InMemoryChatState {
    var state = InMemoryChatState(rules: rules)
    let count = position.map { Int($0.rawValue) } ?? .max
    for event in try store.events(from: .first, limit: count) { fold(try decode(event), into: &state) }
    return state
  }

  /// Returns the position of the head of the log.
  func end() throws -> Position { try store.head().position }

  /// Returns the time at which a position was recorded.
  func instant(of position: Position) throws -> Timestamp {
    Timestamp(rawValue: try store.event(at: position)?.recorded.rawValue ?? 0)
  }

  /// Reads the past as a user, at the time of the position.
  func read<R>(
    as user: User.ID, past position: Position, now: Timestamp, _ body: (borrowing ClientReading) throws -> R
  ) throws -> R {
    let instant = try instant(of: position)
    let past = try projections.at(position)
    defer { past.close() }
    let result = try projections.read { present throws(ProjectionError) in
      try past.read { past throws(ProjectionError) in
        Result {
          try body(
            ClientReading(
              past: past.chat, of: present.chat, now: now, for: user, under: rules, at: instant))
        }
      }
    }
    return try result.get()
  }

  /// Reads as a user at an instant.
  func read<R>(
    as user: User.ID, at instant: Timestamp, _ body: (borrowing ClientReading) throws -> R
  ) throws -> R {
    let result = try projections.read { reading throws(ProjectionError) in
      Result { try body(ClientReading(reading.chat, for: user, under: rules, at: instant)) }
    }
    return try result.get()
  }
}

/// A clock that is stopped until it is set, far behind the time at which a test begins its log.
// Safe because the value is read and written under the lock.
private final class AccessClock: @unchecked Sendable {
  private let lock = NSLock()
  private var instant = Timestamp.accessStart

  var now: Timestamp {
    get { lock.withLock { instant } }
    set { lock.withLock { instant = newValue } }
  }
}

extension Timestamp {
  /// The start of the histories of these tests.
  static let accessStart = Timestamp(rawValue: 11_700_000_000_000_000)
}
