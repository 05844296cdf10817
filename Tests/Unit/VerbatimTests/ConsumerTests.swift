// Threat: an event is handled twice, or never, or a consumer stops without saying at which event and why.
import Chat
import ChildProcess
import EventLog
import Foundation
import Locks
import Testing
import Verbatim

@Suite struct `A consumer` {
  private let folder = WorkspaceFolder()

  /// An error of a handler.
  private struct Poison: Error, CustomStringConvertible { let description = "The bot does not know this word." }

  /// Replies “re: …” to each message of a user, and notes the positions it was given.
  @Sendable private static func reply(_ seen: Seen) -> @Sendable (Change, inout Effects) throws -> Void {
    { change, effects in
      seen.add(change.position)
      guard case .message(let key, .sent(let content)) = change.event.change,
        change.event.origin.actor.user != nil, content.text.string != "re"
      else { return }
      if content.text.string == "poison" { throw Poison() }
      effects.send(UserText("re: " + content.text.string), in: key.channel)
    }
  }

  /// Runs a consumer until its lag is 0.
  private func run(
    _ workspace: Workspace, as id: Consumer.ID = "bot", from start: ConsumerStart = .beginning,
    _ handle: @escaping @Sendable (Change, inout Effects) async throws -> Void
  ) async throws {
    let running = Task { try await workspace.consume(as: id, from: start, handle) }
    try await until {
      let status = try await workspace.consumers().first { $0.consumer.id == id }
      return status?.lag == 0
    }
    running.cancel()
    try await running.value
  }

  @Test func `handles each event once, across restarts, and its effects are recorded with its position`() async throws {
    var workspace = try folder.open()
    try await workspace.populate()
    try await workspace.send("one", "m1")
    let seen = Seen()
    try await run(workspace, Self.reply(seen))
    #expect(try await workspace.texts() == ["one", "re: one"])
    let first = seen.positions
    #expect(Set(first).count == first.count)
    // The positions of the consumer itself are no events for it.
    #expect(first.count == Int(try workspace.head().rawValue) - 2)
    await workspace.close()

    workspace = try folder.open()
    try await workspace.send("two", "m2")
    try await run(workspace, Self.reply(seen))
    #expect(try await workspace.texts() == ["one", "re: one", "two", "re: two"])
    #expect(Set(seen.positions).count == seen.positions.count)
    let asked = try #require(
      try await changes(of: workspace).first { change in
        if case .message(_, .sent(let content)) = change.event.change { content.text == "two" } else { false }
      })
    let replied = try await changes(of: workspace).filter { $0.cause == asked.position }
    #expect(Set(replied.map(\.append)).count == 1)
    #expect(replied.last?.event.change == .consumer("bot", .advanced(through: asked.position.rawValue)))
    await workspace.close()
  }

  @Test func `that only passes events records no position for each, and continues after the last`() async throws {
    var workspace = try folder.open()
    try await workspace.populate()
    let (one, other) = (Seen(), Seen())
    for number in 0..<100 { try await workspace.send("words", ID(stringLiteral: "m\(number)")) }
    let head = try workspace.head()
    try await run(workspace) { change, _ in one.add(change.position) }
    #expect(one.positions.count == Int(head.rawValue))
    #expect(try workspace.head() == head.next)
    await workspace.close()
    workspace = try folder.open()
    try await workspace.send("last", "last")
    try await run(workspace) { change, _ in other.add(change.position) }
    #expect(other.positions == [head.next.next])
    await workspace.close()

    // The file is of this machine, and what the log has is enough.
    for damage in ["removed", "overwritten"] {
      let file = workspace.path + "/consumers/bot"
      if damage == "removed" {
        try FileManager.default.removeItem(atPath: file)
      } else {
        try Data(repeating: 7, count: 48).write(to: URL(fileURLWithPath: file))
      }
      workspace = try folder.open()
      let again = Seen()
      try await run(workspace) { change, _ in again.add(change.position) }
      #expect(again.positions.count == Int(head.rawValue) + 1, "\(damage)")
      await workspace.close()
    }
  }

  // What broke: an earlier consumer of the same name was recognised by the time of its record alone.
  @Test func `that ended and begins anew handles each event, also while recorded times stand still`() async throws {
    let workspace = try folder.open { $0.clock = { Timestamp(rawValue: 1_700_000_000_000_000) } }
    try await workspace.populate()
    let (one, other) = (Seen(), Seen())
    try await run(workspace) { change, _ in one.add(change.position) }
    try await workspace.submit(.consumer("bot", .end), by: .system)
    try await run(workspace) { change, _ in other.add(change.position) }
    #expect(!one.positions.isEmpty && other.positions.starts(with: one.positions))
    await workspace.close()
  }

  @Test func `records a position after 4096 passed events, and one whose handler asks for it`() async throws {
    let workspace = try folder.open()
    try await workspace.populate()
    let composer = try await workspace.openComposer(Composer.Key(of: "ada", on: "web", in: "general"))
    for _ in 0..<50 {
      try composer.record((0..<100).map { _ in .typed(Splice(.start ..< .start, to: "a")) })
    }
    try await composer.flush()
    try await run(workspace) { _, _ in }
    func recorded() async throws -> [UInt64] {
      try await changes(of: workspace).compactMap { change in
        if case .consumer("bot", .advanced(let position)) = change.event.change { position } else { nil }
      }
    }
    #expect(try await recorded() == [4096])
    let asked = try await workspace.send("now", "m1").position
    try await run(workspace) { change, effects in effects.recordsPosition = change.position == asked }
    #expect(try await recorded() == [4096, asked.rawValue])
    await workspace.close()
  }

  @Test func `ends at an event that it cannot handle with a clear error, until it is skipped`() async throws {
    let workspace = try folder.open()
    try await workspace.populate()
    let other = Task { try await workspace.consume(as: "other", Self.reply(Seen())) }
    let poison = try await workspace.send("poison", "m1", by: "ben").position
    try await workspace.send("well", "m2")
    for _ in 0..<2 {
      let error = await #expect(throws: ConsumerError.self) {
        try await workspace.consume(as: "bot", Self.reply(Seen()))
      }
      guard case .notHandled("bot", at: poison, is Poison) = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(
        "\(error!)"
          == "The consumer bot ended at event \(poison), which its handler could not handle: correct the handler, or "
          + "skip the event. The bot does not know this word.")
    }
    // The other one is of the same handler, and ended at the same event.
    await #expect(throws: ConsumerError.self) { try await other.value }
    try await workspace.submit(.consumer("bot", .skip(through: poison.rawValue)), by: .system)
    try await run(workspace, Self.reply(Seen()))
    #expect(try await workspace.texts() == ["poison", "well", "re: well"])
    #expect(try await workspace.consumers().map(\.consumer.handled)[1] < poison.rawValue)
    await workspace.close()
  }

  @Test func `that ends at an event stays there, while another reaches the head of the log`() async throws {
    let workspace = try folder.open()
    try await workspace.populate()
    let poison = try await workspace.send("poison", "m1").position
    try await workspace.send("one", "m2")
    let (stopped, healthy) = (Seen(), Seen())
    let running = Task {
      try await workspace.consume(as: "healthy") { change, effects in
        healthy.add(change.position)
        guard case .message(let key, .sent(let content)) = change.event.change, content.text != "seen" else { return }
        effects.send("seen", in: key.channel)
      }
    }
    func expectStop() async {
      let error = await #expect(throws: ConsumerError.self) {
        try await within("the end of the consumer") {
          try await workspace.consume(as: "stopped", Self.reply(stopped))
        }
      }
      guard case .notHandled("stopped", at: poison, is Poison) = error else {
        Issue.record("\(String(describing: error))")
        return
      }
    }
    await expectStop()
    let last = try await workspace.send("two", "m3").position
    try await until { try await workspace.consumers().first { $0.consumer.id == "healthy" }?.lag == 0 }
    #expect(healthy.positions.contains(poison) && healthy.positions.contains(last))
    #expect(Set(healthy.positions).count == healthy.positions.count)
    #expect(try await workspace.texts().count { $0 == "seen" } == 3)
    await expectStop()
    let status = try #require(try await workspace.consumers().first { $0.consumer.id == "stopped" })
    #expect(status.position.next == poison && status.lag > 0 && status.process == nil)
    #expect(stopped.positions.suffix(2) == [poison, poison])
    running.cancel()
    try await running.value
    await workspace.close()
  }

  // What broke: a handler that was cancelled may return without effects and without an error; its event counted as
  // handled.
  @Test func `handles an event again whose handler was cancelled`() async throws {
    let workspace = try folder.open()
    try await workspace.populate()
    let asked = try await workspace.send("one", "m1").position
    let seen = Seen()
    let running = Task {
      try await workspace.consume(as: "bot") { change, _ in
        if change.position == asked {
          seen.add(change.position)
          try? await Task.sleep(for: .seconds(3600))
        }
      }
    }
    await until { !seen.positions.isEmpty }
    running.cancel()
    try await running.value
    try await run(workspace, Self.reply(seen))
    #expect(try await workspace.texts() == ["one", "re: one"])
    await workspace.close()
  }

  @Test func `beside others handles each event once and in order, while users submit`() async throws {
    let workspace = try folder.open()
    try await workspace.populate()
    let (ids, seen) = (["b1", "b2", "b3"] as [Consumer.ID], [Seen(), Seen(), Seen()])
    let running = zip(ids, seen).map { id, own in
      Task {
        try await workspace.consume(as: id) { change, effects in
          own.add(change.position)
          // Each of them has begun before any continues.
          await until { seen.allSatisfy { !$0.positions.isEmpty } }
          guard case .message(let key, .sent) = change.event.change, change.event.origin.actor != .system else {
            return
          }
          effects.send(UserText("by \(id)"), in: key.channel)
        }
      }
    }
    try await withThrowingTaskGroup { group in
      for writer in 0..<3 {
        group.addTask {
          for number in 0..<10 { try await workspace.send("hello", ID(stringLiteral: "m\(writer)-\(number)")) }
        }
      }
      try await group.waitForAll()
    }
    try await until { try await workspace.consumers().map(\.lag) == [0, 0, 0] }
    for task in running { task.cancel() }
    for task in running { try await task.value }
    let changes = try await changes(of: workspace)
    let events = changes.filter { if case .consumer = $0.event.change { false } else { true } }
    var replies: [String: [Position]] = [:]
    for change in events {
      guard case .message(_, .sent(let content)) = change.event.change, let cause = change.cause else { continue }
      replies[content.text.string, default: []].append(cause)
    }
    let asked = events.filter {
      if case .message(_, .sent(let content)) = $0.event.change { content.text == "hello" } else { false }
    }
    #expect(asked.count == 30)
    for (id, own) in zip(ids, seen) {
      #expect(own.positions == events.map(\.position), "\(id)")
      #expect(replies["by \(id)"] == asked.map(\.position), "\(id)")
    }
    await workspace.close()
  }

  @Test(.timeLimit(.minutes(10))) func `has not the name of the deliveries, whose lock it would wait for`()
    async throws
  {
    let workspace = try folder.open()
    let error = await #expect(throws: ConsumerError.self) {
      try await workspace.consume(as: "deliveries") { _, _ in }
    }
    guard case .reserved("deliveries") = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(try await workspace.consumers() == [])
    await workspace.close()
  }

  @Test func `ends at a refused effect, and nothing of the event is recorded`() async throws {
    let workspace = try folder.open()
    try await workspace.populate()
    let sent = try await workspace.send("one", "m1").position
    let error = await #expect(throws: ConsumerError.self) {
      try await workspace.consume(as: "bot") { change, effects in
        guard change.position == sent else { return }
        effects.send("here", in: "general")
        effects.send("there", in: "nowhere")
      }
    }
    guard case .refused("bot", at: sent, .unknownChannel("nowhere"), intent: 1) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(try await workspace.texts() == ["one"])
    #expect(try await workspace.consumers().map(\.consumer.handled) == [0])
    await workspace.close()
  }

  @Test func `begins where it is asked to, and only the first time`() async throws {
    let workspace = try folder.open()
    try await workspace.populate()
    let second = try await workspace.send("one", "m1").position
    let (late, middle) = (Seen(), Seen())
    try await run(workspace, as: "late", from: .end) { change, _ in late.add(change.position) }
    try await run(workspace, as: "middle", from: .after(second)) { change, _ in middle.add(change.position) }
    #expect(late.positions == [] && middle.positions == [])
    let third = try await workspace.send("two", "m2").position
    try await run(workspace, as: "late", from: .end) { change, _ in late.add(change.position) }
    try await run(workspace, as: "middle", from: .beginning) { change, _ in middle.add(change.position) }
    #expect(late.positions == [third] && middle.positions == [third])
    await workspace.close()
  }

  @Test func `of a user handles what the user may see, in the user's name, and nobody else advances it`() async throws {
    let workspace = try folder.open()
    try await workspace.populate()
    try await workspace.populate(["cy", "dee"], "secret")
    try await workspace.send("hello", "m1")
    try await workspace.send("hush", "m2", by: "cy", in: "secret")
    let (bot, seen) = (workspace.client(user: "ben"), Seen())
    let running = Task {
      try await bot.consume(as: "bens") { change, effects in
        guard case .message(let key, .sent(let content)) = change.event.change else { return }
        seen.add(change.position)
        if content.text == "hello" { effects.send("hi", in: key.channel) }
      }
    }
    await until { seen.positions.count == 2 }
    running.cancel()
    try await running.value
    let message = try await workspace.read { try $0.chat.messages(in: "general", .latest, limit: 1, for: "ada") }
    #expect(message.messages.map(\.author) == ["ben"])
    await #expect(throws: ConsumerError.self) { try await workspace.client(user: "cy").consume(as: "bens") { _, _ in } }
    await workspace.close()
  }

  /// A user who was deactivated while their consumer ran saw nothing, so that each event was passed over, for good.
  @Test func `of a user who is deactivated ends, and handles what it missed once they are reactivated`() async throws {
    let workspace = try folder.open()
    try await workspace.populate()
    let (bot, seen) = (workspace.client(user: "ben"), Seen())
    let consume = { @Sendable () async throws in
      try await bot.consume(as: "bens") { change, _ in
        if case .message = change.event.change { seen.add(change.position) }
      }
    }
    let running = Task { try await consume() }
    try await until { try await workspace.consumers().first?.lag == 0 }
    try await workspace.submit(.user("ben", .deactivate), by: .system)
    let missed = try await workspace.send("one", "m1").position
    try await until { try await workspace.consumers().first?.process == nil }
    running.cancel()
    let error = await #expect(throws: ConsumerError.self) { try await running.value }
    guard case .userRefused("bens", at: _, .userDeactivated("ben")) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    try await workspace.submit(.user("ben", .reactivate), by: .system)
    let again = Task { try await consume() }
    await until { seen.positions == [missed] }
    again.cancel()
    try await again.value
    await workspace.close()
  }

  @Test func `that an operator ends is begun anew by the next start`() async throws {
    let workspace = try folder.open()
    try await workspace.populate()
    let (one, other) = (Seen(), Seen())
    try await run(workspace) { change, _ in one.add(change.position) }
    try await workspace.submit(.consumer("bot", .end), by: .system)
    #expect(try await workspace.consumers().isEmpty)
    // The file of an ended consumer does not apply to the next consumer with its name.
    try await workspace.submit(.consumer("bot", .begin(after: 0)), by: .system)
    #expect(try await workspace.consumers().map(\.position) == [.zero])
    try await run(workspace) { change, _ in other.add(change.position) }
    #expect(other.positions == one.positions)
    await workspace.close()
  }

  // What broke: it took the consumer that had begun anew for its own, and passed all that this one was to handle.
  @Test func `that was ended and begun anew while it runs is an error, and the new one keeps its place`() async throws {
    let workspace = try folder.open()
    try await workspace.populate()
    let running = Task { try await workspace.consume(as: "bot", Self.reply(Seen())) }
    try await until { try await workspace.consumers().first?.lag == 0 }
    try await workspace.submit(.consumer("bot", .end), by: .system)
    try await workspace.submit(.consumer("bot", .begin(after: 0)), by: .system)
    try await workspace.send("next", "m9")
    await #expect {
      try await within("the end of the consumer") { try await running.value }
    } throws: {
      if case ConsumerError.ended("bot") = $0 { true } else { false }
    }
    #expect(try await workspace.consumers().map(\.consumer.handled) == [0])
    await workspace.close()
  }

  // What broke: the errors were those of a handler with a wrong effect, and of a position that was not recorded.
  @Test func `of a user who is deactivated while an event is handled, or before the start, says so`() async throws {
    let workspace = try folder.open()
    try await workspace.populate()
    let (bot, message) = (workspace.client(user: "ben"), try await workspace.send("one", "m1").position)
    let consume = { @Sendable () async throws in
      try await bot.consume(as: "bens") { change, effects in
        guard change.position == message else { return }
        try await workspace.submit(.user("ben", .deactivate), by: .system)
        effects.send("two", in: "general")
      }
    }
    for _ in 1...2 {
      await #expect {
        try await consume()
      } throws: {
        if case ConsumerError.userRefused("bens", at: _, .userDeactivated("ben")) = $0 { true } else { false }
      }
    }
    try await workspace.submit(.user("ben", .reactivate), by: .system)
    let last = try #require(try await workspace.consumers().first)
    #expect(last.position < message)
    await workspace.close()
  }

  // What broke: names were made of the consumer and a position, so that any user could take those of messages to come.
  @Test func `sends its messages although a user took names like theirs`() async throws {
    let workspace = try folder.open()
    try await workspace.populate()
    let next = try workspace.head().rawValue
    for number in 1...4 {
      try await workspace.send("taken", ID(stringLiteral: "bot-\(next + UInt64(number) + 3)"), by: "ben")
    }
    try await workspace.send("one", "m1")
    try await run(workspace) { change, effects in
      guard case .message(let key, .sent(let content)) = change.event.change, content.text.string == "one"
      else { return }
      #expect(change.position.rawValue == next + 5)
      for _ in 1...2 { effects.send("re", in: key.channel) }
    }
    #expect(try await workspace.texts().suffix(3) == ["one", "re", "re"])
    await workspace.close()
  }

  @Test func `waits while another runs in the same process, and ends when it is cancelled`() async throws {
    let workspace = try folder.open()
    try await workspace.populate()
    let (one, other) = (Seen(), Seen())
    let first = Task { try await workspace.consume(as: "bot") { change, _ in one.add(change.position) } }
    await until { !one.positions.isEmpty }
    let second = Task { try await workspace.consume(as: "bot") { change, _ in other.add(change.position) } }
    #expect(try await workspace.consumers().map(\.process) == [ProcessInfo.processInfo.processIdentifier])
    try await workspace.send("one", "m1")
    try await until { one.positions.count == Int(try workspace.head().rawValue) - 1 }
    #expect(other.positions == [])
    first.cancel()
    try await first.value
    let position = try await workspace.send("two", "m2").position
    await until { other.positions == [position] }
    second.cancel()
    try await second.value
    #expect(try await workspace.consumers().map(\.process) == [nil])
    await workspace.close()
  }

  @Test func `past whose event an operator skips while it is handled records none of its effects`() async throws {
    let workspace = try folder.open()
    try await workspace.populate()
    let skipped = try await workspace.send("one", "m1").position
    let seen = Seen()
    let isSkipped = Locked(false)
    let running = Task {
      try await workspace.consume(as: "bot") { change, effects in
        seen.add(change.position)
        guard case .message(let key, .sent(let content)) = change.event.change, change.event.origin.actor != .system
        else { return }
        if change.position == skipped { await until { isSkipped.withLock { $0 } } }
        effects.send(UserText("re: " + content.text.string), in: key.channel)
      }
    }
    await until { seen.positions.contains(skipped) }
    try await workspace.submit(.consumer("bot", .skip(through: skipped.rawValue)), by: .system)
    isSkipped.withLock { $0 = true }
    try await workspace.send("two", "m2")
    try await until { try await workspace.texts().count == 3 }
    #expect(try await workspace.texts() == ["one", "two", "re: two"])
    #expect(Set(seen.positions).count == seen.positions.count)
    running.cancel()
    try await running.value
    await workspace.close()
  }

  @Test func `sends several messages of one event, with its correlation, as does another of a similar long name`()
    async throws
  {
    let workspace = try folder.open()
    try await workspace.populate()
    let sent = ChatIntent.message(Message.Key("general", "m1"), .send(Message.Content("one")))
    _ = try await workspace.submit(Submission([sent], by: .user("ada"), correlation: "talk"))
    for id in ["a-consumer-with-a-very-long-name-1", "a-consumer-with-a-very-long-name-2"] as [Consumer.ID] {
      try await run(workspace, as: id) { change, effects in
        guard case .message(let key, .sent) = change.event.change, change.event.origin.actor != .system else { return }
        effects.send("first", in: key.channel)
        effects.send("second", in: key.channel)
      }
    }
    #expect(try await workspace.texts() == ["one", "first", "second", "first", "second"])
    let replies = try await changes(of: workspace).filter { $0.cause != nil }
    #expect(replies.count == 6 && replies.allSatisfy { $0.correlation == "talk" })
    await workspace.close()
  }

  /// A restored log has other events at the positions that a consumer passed in the log that it replaces.
  @Test func `of a restored log does not take the place that it had in another`() async throws {
    let (workspace, copy) = (try folder.open(), WorkspaceFolder())
    try await workspace.populate()
    try await run(workspace) { _, _ in }
    try folder.copy(to: copy)
    try await workspace.send("words", "m1")
    try await run(workspace) { _, _ in }
    await workspace.close()

    let restored = try copy.open()
    let other = try await restored.send("other words", "m1").position
    try FileManager.default.createDirectory(atPath: restored.path + "/consumers", withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      atPath: workspace.path + "/consumers/bot", toPath: restored.path + "/consumers/bot")
    let status = try #require(try await restored.consumers().first)
    #expect(status.position == .zero && status.lag == other.rawValue)
    let seen = Seen()
    try await run(restored) { change, _ in seen.add(change.position) }
    #expect(seen.positions.last == other)
    await restored.close()
  }

  // What broke: the file of the consumer named no record, so that events were passed whose effects the log had lost.
  @Test func `of an older log in the same directory handles again what it lost the effects of`() async throws {
    let (workspace, copy) = (try folder.open(), WorkspaceFolder())
    try await workspace.populate()
    for number in 1...3 { try await workspace.send("\(number)", ID(stringLiteral: "m\(number)")) }
    try await workspace.send("poison", "m4")
    await #expect(throws: ConsumerError.self) { try await workspace.consume(as: "bot") { _, _ in throw Poison() } }
    try folder.copy(to: copy)
    await #expect(throws: ConsumerError.self) { try await workspace.consume(as: "bot", Self.reply(Seen())) }
    #expect(try await workspace.texts().count == 7)
    await workspace.close()

    let restored = try copy.open()
    let file = restored.path + "/consumers/bot"
    try FileManager.default.createDirectory(atPath: restored.path + "/consumers", withIntermediateDirectories: true)
    try? FileManager.default.removeItem(atPath: file)
    try FileManager.default.copyItem(atPath: workspace.path + "/consumers/bot", toPath: file)
    try await run(restored) { change, effects in
      guard case .message(let key, .sent(let content)) = change.event.change, change.event.origin.actor.user != nil
      else { return }
      effects.send(UserText("re: " + content.text.string), in: key.channel)
    }
    #expect(try await restored.texts().suffix(4) == ["re: 1", "re: 2", "re: 3", "re: poison"])
    await restored.close()
  }

  private func changes(of workspace: Workspace) async throws -> [Change] {
    let head = try workspace.head()
    var changes: [Change] = []
    for try await change in workspace.changes(from: .first) {
      changes.append(change)
      if change.position == head { break }
    }
    return changes
  }
}

/// The positions that a handler was given.
private final class Seen: Sendable {
  private let all = Locked<[Position]>([])

  var positions: [Position] { all.withLock { $0 } }
  func add(_ position: Position) { all.withLock { $0.append(position) } }
}
