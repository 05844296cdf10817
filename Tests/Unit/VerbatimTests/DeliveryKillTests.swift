// Threat: a process that delivers is killed at any moment, and a scheduled message is sent twice or never.
import Chat
import ChatProjections
import ChildProcess
import EventLog
import Foundation
import SeededRandom
import Testing
import TestThreads
import Verbatim
import WorkspaceWorker

@Suite(.waitsForProcesses) struct `A delivering process that is killed` {
  private let folder = WorkspaceFolder()
  private let author = Worker.user(0)

  @Test func `leaves the rest to another, and each scheduled message and reminder is delivered once`() async throws {
    var random = SeededRandom.printingSeed()
    let workspace = try folder.openAsWorker()
    _ = try await Worker.populate(workspace, 1)
    func start() throws -> Child { try folder.startWorker("send-due", "-") }
    var delivering = try start()
    var (count, interruptedCount) = (0, 0)
    let roundCount = Choice.isLong ? 200 : 12
    for _ in 0..<roundCount {
      let head = try workspace.head()
      count = try await schedule(count..<count + 30, in: workspace, &random)
      try await within("a delivery") { try await waitForDelivery(in: workspace, after: head) }
      // It waits until the process that delivers has ended.
      let next = try start()
      // Not a wait for anything: it only varies the moment.
      try await Task.sleep(for: .microseconds(random.below(50_000)))
      #expect(delivering.end() == .signal(SIGKILL))
      if try await !dues(in: workspace, through: workspace.now).isEmpty { interruptedCount += 1 }
      delivering = next
    }
    try await until { try await dues(in: workspace, through: Timestamp(rawValue: .max)).isEmpty }
    delivering.end()
    try await expectOnce(0..<count, in: workspace, "seed \(random.seed)")
    print(
      "\(roundCount) processes were killed, \(interruptedCount) of them before all that was due was delivered; each of "
        + "\(count) scheduled messages was sent once, and each of \(count) reminders recorded once.")
    await workspace.close()
  }

  /// Schedules messages, and saves as many others with reminders, all due at random times within a second; returns the
  /// end of the numbers.
  private func schedule(
    _ numbers: Range<Int>, in workspace: Workspace, _ random: inout SeededRandom
  ) async throws -> Int {
    while true {
      let now = workspace.now
      let intents = numbers.flatMap { number -> [ChatIntent] in
        let (scheduled, saved) = (key("scheduled", number), key("saved", number))
        func soon() -> Timestamp { now + Microseconds(rawValue: Int64(100_000 + random.below(900_000))) }
        return [
          .scheduled(ScheduledMessage.Key(by: author, scheduled), .schedule(Message.Content("hello"), at: soon())),
          .message(saved, .send(Message.Content("remember"))),
          .saved(SavedMessage.Key(by: author, saved), .save(note: nil, remindAt: soon())),
        ]
      }
      do throws(SubmitError) {
        try await workspace.submit(intents, by: .user(author))
        return numbers.upperBound
      } catch {
        // On a busy machine, one of the times can be over before the submit is decided.
        guard case .refused(.alreadyOver, _) = error else { throw error }
      }
    }
  }

  private func key(_ word: String, _ number: Int) -> Message.Key {
    Message.Key(Worker.meeting, ID(stringLiteral: "\(word)-\(number)"))
  }

  private func waitForDelivery(in workspace: Workspace, after position: Position) async throws {
    for try await change in workspace.changes(from: position.next) {
      if case .scheduled(_, .delivered) = change.event.change { return }
    }
  }

  private func dues(in workspace: Workspace, through instant: Timestamp) async throws -> [Due] {
    try await workspace.read { try $0.chat.dues(through: instant) }
  }

  /// Checks in the log that each scheduled message was sent once, by the append that ends its schedule, and that each
  /// reminder was recorded once.
  private func expectOnce(_ numbers: Range<Int>, in workspace: Workspace, _ place: String) async throws {
    var (sent, delivered): ([Message.Key: [AppendID]], [Message.Key: [AppendID]]) = ([:], [:])
    var reminded: [Message.Key: Int] = [:]
    let head = try workspace.head()
    for try await change in workspace.changes(from: .first) {
      switch change.event.change {
      case .message(let key, .sent): sent[key, default: []].append(change.append)
      case .scheduled(let key, .delivered): delivered[key.message, default: []].append(change.append)
      case .saved(let key, .reminded): reminded[key.message, default: 0] += 1
      default: break
      }
      if change.position == head { break }
    }
    let scheduled = numbers.map { key("scheduled", $0) }
    #expect(scheduled.filter { sent[$0]?.count != 1 || sent[$0] != delivered[$0] } == [], "\(place)")
    #expect(delivered.count == numbers.count, "\(place)")
    #expect(numbers.map { key("saved", $0) }.filter { reminded[$0] != 1 } == [], "\(place)")
  }
}
