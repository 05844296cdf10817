// A log in memory with the views that a user asks, and a clock that tests set.
import Chat
import ChatCodec
import ChatProjections
import EventLog
import Foundation
import Testing
import Verbatim
import Projections

/// A conversation whose events a test gives; its folder goes with it.
final class AccessHouse {
  let rules: Rules
  private let path = FileManager.default.temporaryDirectory.path + "/verbatim-access-\(UUID().uuidString)"
  private let clock = AccessClock()
  private let store: EventStore
  private let projections: ProjectionStore

  init(_ rules: Rules = Rules()) throws {
    self.rules = rules
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    var configuration = EventStore.Configuration()
    configuration.clock = { [clock] in Timestamp(rawValue: clock.now.rawValue) }
    store = .inMemory(configuration: configuration)
    projections = try ProjectionStore(of: store, [ChatState.self, ChatSearch.self], at: path + "/projections")
  }

  deinit {
    projections.close()
    try? FileManager.default.removeItem(atPath: path)
  }

  /// An event happens, at its instant.
  func happens(_ event: ChatEvent) throws {
    clock.now = event.stamp.at
    _ = try store.appendBlocking([encode(event)]) as Receipt
  }

  /// The state that the log's events make, under the house's rules.
  func state(at position: Position? = nil) throws -> InMemoryChatState {
    var state = InMemoryChatState(rules: rules)
    let count = position.map { Int($0.rawValue) } ?? .max
    for event in try store.events(from: .first, limit: count) { fold(try decode(event), into: &state) }
    return state
  }

  /// The end of the log.
  func end() throws -> Position { try store.head().position }

  /// When a position was recorded.
  func instant(of position: Position) throws -> Instant {
    Instant(rawValue: try store.event(at: position)?.recorded.rawValue ?? 0)
  }

  /// What a user reads of the past, at the instant of the position.
  func read<R>(
    as user: User.ID, past position: Position, now: Instant, _ body: (borrowing ClientReading) throws -> R
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

  /// What somebody reads at an instant.
  func read<R>(
    as user: User.ID, at instant: Instant, _ body: (borrowing ClientReading) throws -> R
  ) throws -> R {
    let result = try projections.read { reading throws(ProjectionError) in
      Result { try body(ClientReading(reading.chat, for: user, under: rules, at: instant)) }
    }
    return try result.get()
  }
}

/// A clock that stands until it is set, far behind the moment in which a test begins its log.
// Safe because the value is read and written under the lock.
private final class AccessClock: @unchecked Sendable {
  private let lock = NSLock()
  private var instant = Instant.accessStart

  var now: Instant {
    get { lock.withLock { instant } }
    set { lock.withLock { instant = newValue } }
  }
}

extension Instant {
  /// When the histories of these tests begin.
  static let accessStart = Instant(rawValue: 11_700_000_000_000_000)
}
