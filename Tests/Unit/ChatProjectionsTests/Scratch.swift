// Logs in memory and on disk, with a settable clock, and appending of events in blocks of any size.
import Chat
import ChatCodec
import ChatProjections
import ChatWorker
import EventLog
import EventLogLMDB
import Foundation
import Tables
import Testing
import Projections

/// A directory removed with the test, a log, and the clock that its blocks are recorded with.
final class Scratch: Sendable {
  let path = FileManager.default.temporaryDirectory.path + "/chat-views-tests-\(UUID().uuidString)"
  let clock = Clock()

  init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Returns a new log, in memory or on disk.
  func log(inMemory: Bool, _ name: String = "log") throws -> EventStore {
    var configuration = EventStore.Configuration()
    configuration.clock = { [clock] in clock.now }
    if inMemory { return .inMemory(configuration: configuration) }
    return try EventStore.open(
      at: path + "/" + name, options: LMDBLog.Options(creates: true), configuration: configuration)
  }

  /// Returns the projections of a log, in a table store on disk.
  func projections(_ store: EventStore, _ name: String = "projections") throws -> ProjectionStore {
    try ProjectionStore(of: store, ChatWorkerViews.all, at: path + "/" + name)
  }
}

/// A clock that stops until it is set, far after the moment at which a test begins its log.
// Safe because the value is read and written under the lock.
final class Clock: @unchecked Sendable {
  private let lock = NSLock()
  private var instant = Timestamp(rawValue: 0)

  /// The instant of the history.
  var instantOfHistory: Timestamp {
    get { lock.withLock { instant } }
    set { lock.withLock { instant = newValue } }
  }

  var now: Timestamp {
    get { Timestamp(rawValue: instantOfHistory.rawValue + 10_000_000_000_000_000) }
    set { instantOfHistory = Timestamp(rawValue: newValue.rawValue - 10_000_000_000_000_000) }
  }
}

extension EventStore {
  /// Appends events as one block.
  func append(_ events: [ChatEvent]) throws {
    if events.isEmpty { return }
    let proposed = events.map { encode($0) }
    try appendNow(proposed)
  }

  private func appendNow(_ events: [ProposedEvent]) throws { _ = try appendBlocking(events) }

  /// Folds the events from a position on into the reference.
  func fold(from position: inout Position, into state: inout InMemoryChatState) throws {
    for event in try events(from: position, limit: .max) {
      Chat.fold(try decode(event), into: &state)
      position = event.position.next
    }
  }
}
