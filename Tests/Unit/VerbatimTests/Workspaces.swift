// Workspaces of tests, in temporary directories.
import ChildProcess
import Dispatch
import EventLogLMDB
import EventLogPostgres
import Foundation
import Locks
import PostgresServer
import Testing
import WorkspaceWorker

@testable import Verbatim

/// A temporary directory for a workspace, removed with the object.
///
/// With VERBATIM_TESTS_ON_POSTGRES=1 it is that of a machine, and the log is on a PostgreSQL server.
final class WorkspaceFolder: Sendable {
  /// The directory of the workspace, or that of the machine for what it derives from a log on a server.
  let path: String
  /// The directory, or the address of the log on the server.
  let address: String

  init() {
    let name = "verbatim-workspace-tests-\(UUID().uuidString)"
    path = NSTemporaryDirectory() + name
    guard PostgresServer.isChosen else {
      address = path
      return
    }
    do { address = try PostgresServer.shared().address(ofLog: name) } catch { fatalError("no server: \(error)") }
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Opens the workspace.
  func open(creates: Bool = true, _ choose: (inout Configuration) -> Void = { _ in }) throws -> Workspace {
    var configuration = Configuration()
    // A busy machine is no failure.
    configuration.writerLockTimeout = .seconds(Deadline.seconds)
    configuration.cacheDirectory = cacheDirectory
    choose(&configuration)
    return try Workspace.open(at: address, creates: creates, configuration: configuration)
  }

  /// The path, or the address as errors contain it.
  var name: String { PostgresAddress(address)?.description ?? path }

  /// Opens the log of the workspace.
  func openStore(creates: Bool = false) throws -> EventStore {
    guard let address = PostgresAddress(address) else {
      return try EventStore.open(at: path, options: LMDBLog.Options(creates: creates))
    }
    var options = PostgresLog.Options(creates: creates)
    options.cacheDirectory = cacheDirectory
    return try EventStore.open(at: address, options: options)
  }

  /// Opens the workspace by the rules of workers.
  func openAsWorker(_ choose: (inout Configuration) -> Void = { _ in }) throws -> Workspace {
    try Worker.open(address) { configuration in
      configuration.cacheDirectory = cacheDirectory
      choose(&configuration)
    }
  }

  /// Starts a worker process on the workspace.
  func startWorker(_ command: String, _ arguments: String...) throws -> Child {
    try Child(
      [Child.path(ofWorker: "WorkspaceWorker"), command, address] + arguments,
      environment: ["VERBATIM_CACHE_DIR": cacheDirectory])
  }

  /// Copies the workspace to that of another folder.
  func copy(to other: WorkspaceFolder) throws {
    guard PostgresServer.isChosen else { return _ = try files.backUp(to: other.path) }
    let backup = WorkspaceFiles(at: other.path + "/backup", cacheDirectory: other.path)
    try FileManager.default.createDirectory(atPath: other.path, withIntermediateDirectories: true)
    _ = try files.backUp(to: backup.path)
    _ = try backup.restore(to: other.address)
  }

  /// The files of the workspace.
  var files: WorkspaceFiles { WorkspaceFiles(at: address, cacheDirectory: cacheDirectory) }

  private var cacheDirectory: String? { address == path ? nil : path }
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
  private let time: Locked<Int64>

  init(_ time: Int64) { self.time = Locked(time) }

  var now: Timestamp { Timestamp(rawValue: time.withLock { $0 }) }

  func set(_ new: Int64) { time.withLock { $0 = new } }
}

/// A gate that lets callers pass, or, when closed, blocks the next one until it is opened.
final class Gate: Sendable {
  private let state = Locked((isClosed: false, isWaitedAt: false))
  private let opened = DispatchSemaphore(value: 0)

  /// Whether a caller waits.
  var isWaitedAt: Bool { state.withLock { $0.isWaitedAt } }

  func close() { state.withLock { $0.isClosed = true } }

  func open() { opened.signal() }

  func pass() {
    let waits = state.withLock { state in
      defer { state.isClosed = false }
      state.isWaitedAt = state.isClosed
      return state.isClosed
    }
    if waits, opened.wait(timeout: Deadline.fromNow) == .timedOut { Issue.record("nobody opened the gate") }
    state.withLock { $0.isWaitedAt = false }
  }
}

/// The writer lock of a workspace, held until it is released: in a directory by another instance, and on a server,
/// where writers of a process take turns, by another thread of each instance.
final class HeldWriterLock: Sendable {
  private let end = DispatchSemaphore(value: 0)
  private let ended = DispatchSemaphore(value: 0)
  private let count: Int

  /// Acquires the lock of a workspace when no submit is being processed: the next one is the only one that waits.
  convenience init(ofIdle workspace: Workspace) async throws {
    await until { workspace.submitQueue.waiting == 0 && !workspace.submitQueue.hasTakenAll }
    try self.init(of: workspace)
  }

  /// Acquires the lock of instances of one workspace; their submits wait.
  init(of workspaces: Workspace...) throws {
    let stores = PostgresServer.isChosen ? workspaces.map(\.store) : [try EventStore.open(at: workspaces[0].path)]
    count = stores.count
    let begun = DispatchSemaphore(value: 0)
    for store in stores {
      Thread.detachNewThread { [self] in
        // The timeout may be that of the workspace under test, which is short.
        let deadline = ContinuousClock.now + .seconds(Deadline.seconds)
        var isHeld = false
        while !isHeld, ContinuousClock.now < deadline {
          try? store.log.withWriterLock {
            isHeld = true
            begun.signal()
            _ = end.wait(timeout: Deadline.fromNow)
          }
        }
        if !PostgresServer.isChosen { store.close() }
        ended.signal()
      }
    }
    for _ in stores { try begun.wait(for: "the turn to append") }
  }

  /// Releases the lock.
  func letGo() {
    for _ in 0..<count { end.signal() }
    for _ in 0..<count where ended.wait(timeout: Deadline.fromNow) == .timedOut {
      Issue.record("the turn was not given back")
    }
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
