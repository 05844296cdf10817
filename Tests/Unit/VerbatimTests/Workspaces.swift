// Workspaces of tests, in temporary directories.
import ChildProcess
import Dispatch
import EventLogLMDB
import Foundation
import PostgresServer
import Synchronization
import Testing
import Verbatim

/// A temporary directory for a workspace, removed with the object.
///
/// With VERBATIM_TESTS_ON_POSTGRES=1 it is that of a machine, and the log is on a PostgreSQL server.
final class WorkspaceFolder: Sendable {
  let path: String
  private let server: PostgresServer?

  init() {
    path = NSTemporaryDirectory() + "verbatim-workspace-tests-\(UUID().uuidString)"
    server = Self.isOnServer ? try? .shared() : nil
  }

  private static let isOnServer = ProcessInfo.processInfo.environment["VERBATIM_TESTS_ON_POSTGRES"] == "1"

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Opens the workspace in the directory.
  func open(_ choose: (inout Configuration) -> Void = { _ in }) throws -> Workspace {
    var configuration = Configuration()
    // A busy machine is no failure.
    configuration.writerLockTimeout = .seconds(Deadline.seconds)
    choose(&configuration)
    guard let server else { return try Workspace.open(at: path, configuration: configuration) }
    configuration.cacheDirectory = path
    let name = path.split(separator: "/").last.map(String.init) ?? ""
    return try Workspace.open(at: server.address(ofLog: name), configuration: configuration)
  }
}

extension Workspace {
  /// Creates users, and a channel of the first with the others as members.
  func populate(_ users: [User.ID] = ["ada", "ben"], _ channel: Channel.ID = "general") async throws {
    for user in users {
      try await submit(.user(user, .create(User.Profile(name: UserText(user.text)))), by: .user(user))
    }
    try await submit(
      .channel(channel, .create("team", Channel.Profile(), ChannelConfig(), members: Array(users.dropFirst()))),
      by: .user(users[0]))
  }

  /// Sends a text message.
  @discardableResult
  func send(
    _ text: String, _ id: Message.ID, by user: User.ID = "ada", in channel: Channel.ID = "general",
    as append: AppendID? = nil
  ) async throws(SubmitError) -> Submitted {
    try await submit(
      .message(Message.Key(channel, id), .send(Message.Content(UserText(text)))), by: .user(user), id: append)
  }

  /// Returns the texts of a channel's messages, in order.
  func texts(of channel: Channel.ID = "general", for user: User.ID = "ada") async throws -> [String] {
    try await read { projections in
      try projections.chat.messages(in: channel, .latest, limit: 50, for: user).messages.map { $0.content.text.string }
    }
  }
}

/// A clock that a test sets.
final class SetClock: Sendable {
  private let time: Mutex<Int64>

  init(_ time: Int64) { self.time = Mutex(time) }

  var now: Timestamp { Timestamp(rawValue: time.withLock { $0 }) }

  func set(_ new: Int64) { time.withLock { $0 = new } }
}

/// The writer lock of a workspace, held by another instance until it is released.
final class HeldWriterLock: Sendable {
  private let store: EventStore
  private let end = DispatchSemaphore(value: 0)
  private let ended = DispatchSemaphore(value: 0)

  /// Acquires the lock; other writers wait.
  init(of path: String) throws {
    store = try EventStore.open(at: path)
    let begun = DispatchSemaphore(value: 0)
    Thread.detachNewThread { [self] in
      try? store.log.withWriterLock {
        begun.signal()
        _ = end.wait(timeout: Deadline.fromNow)
      }
      store.close()
      ended.signal()
    }
    try begun.wait(for: "the turn to append")
  }

  /// Releases the lock.
  func letGo() {
    end.signal()
    if ended.wait(timeout: Deadline.fromNow) == .timedOut { Issue.record("the turn was not given back") }
  }
}

/// Waits until a condition holds; the test fails if it does not until the deadline.
func until(
  isolation: isolated (any _Concurrency.Actor)? = #isolation, sourceLocation: SourceLocation = #_sourceLocation,
  _ condition: () async throws -> Bool
) async rethrows {
  let deadline = ContinuousClock.now + .seconds(Deadline.seconds)
  while try await !condition() {
    if ContinuousClock.now > deadline {
      Issue.record("it did not come to hold", sourceLocation: sourceLocation)
      return
    }
    await Task.yield()
  }
}

/// Expects that a submit is refused.
func expectRefusal(
  _ refusal: Refusal, at index: Int = 0, sourceLocation: SourceLocation = #_sourceLocation,
  _ submit: () async throws -> Submitted
) async {
  await #expect(sourceLocation: sourceLocation) {
    try await submit()
  } throws: { error in
    if case .refused(refusal, index) = error as? SubmitError { true } else { false }
  }
}
