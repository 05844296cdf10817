// Threat: the process of a consumer is killed at any moment while others submit.
import Chat
import ChildProcess
import EventLog
import Foundation
import SeededRandom
import Synchronization
import Testing
import TestThreads
import Verbatim
import WorkspaceWorker

@Suite(.waitsForProcesses) struct `A consumer whose process is killed` {
  private let folder = WorkspaceFolder()
  /// The number of users who submit concurrently.
  private let writerCount = 3

  @Test func `handles every event once, and the other process takes over`() async throws {
    var random = SeededRandom.printingSeed()
    let workspace = try folder.openAsWorker()
    _ = try await Worker.populate(workspace, writerCount)
    let isDone = Flag()
    let writing = (0..<writerCount).map { number in
      Task { try await Self.send(as: number, to: workspace, until: isDone) }
    }
    func start() throws -> Child { try folder.startWorker("consume", "-") }
    var children = [try start(), try start()]
    var takeovers: [Double] = []
    for _ in 0..<(Choice.isLong ? 200 : 12) {
      let runner = try await runner(of: workspace, among: children)
      // Not a wait for anything: it only varies the moment.
      try await Task.sleep(for: .microseconds(random.below(20_000)))
      let killed = children.remove(at: runner)
      #expect(killed.end() == .signal(SIGKILL))
      let (died, before) = (ContinuousClock.now, try await handled(in: workspace))
      try await until { try await handled(in: workspace) > before }
      takeovers.append(died.duration(to: .now) / .seconds(1))
      children.append(try start())
    }
    isDone.set()
    var count = 0
    for writing in writing { count += try await writing.value }
    try await until { try await workspace.consumers().first?.lag == 0 }
    for child in children { child.end() }

    var (asked, replies): ([Position], [Position: Int]) = ([], [:])
    var last: UInt64 = 0
    let head = try workspace.head()
    for try await change in workspace.changes(from: .first) {
      switch change.event.change {
      case .message(_, .sent) where change.event.origin.actor == .system:
        replies[try #require(change.cause), default: 0] += 1
      case .message(_, .sent): asked.append(change.position)
      case .consumer(Worker.consumer, .advanced(let position)):
        #expect(position > last)
        last = position
      default: break
      }
      if change.position == head { break }
    }
    #expect(asked.count == count && replies.count == count, "seed \(random.seed)")
    #expect(asked.allSatisfy { replies[$0] == 1 }, "seed \(random.seed)")
    takeovers.sort()
    print(
      "\(takeovers.count) processes were killed while \(writerCount) users sent \(count) messages, each of which has "
        + "one reply; the other process had replied after \(takeovers[takeovers.count / 2]) s in the middle, "
        + "\(takeovers.last!) s at most.")
    if Choice.isLong { #expect(takeovers.last! < 1) }
    await workspace.close()
  }

  /// Sends messages as a user until a flag is set; returns their number.
  private static func send(as number: Int, to workspace: Workspace, until isDone: Flag) async throws -> Int {
    var count = 0
    // Not by cancelling: a submit that has not begun would be refused.
    while !isDone.isSet {
      let key = Message.Key(Worker.meeting, ID(stringLiteral: "m\(number)-\(count)"))
      try await workspace.submit(.message(key, .send(Message.Content("hello"))), by: .user(Worker.user(number)))
      count += 1
    }
    return count
  }

  private func handled(in workspace: Workspace) async throws -> UInt64 {
    try await workspace.consumers().first?.consumer.handled ?? 0
  }

  /// Returns the index of the child that runs the consumer, and has handled something.
  private func runner(of workspace: Workspace, among children: [Child]) async throws -> Int {
    var index: Int?
    try await until {
      let process = try await workspace.consumers().first?.process
      index = children.firstIndex { $0.process == process }
      return index != nil
    }
    return try #require(index)
  }
}

/// A flag that is set once.
private final class Flag: Sendable {
  private let value = Atomic<Bool>(false)

  var isSet: Bool { value.load(ordering: .relaxed) }
  func set() { value.store(true, ordering: .relaxed) }
}
