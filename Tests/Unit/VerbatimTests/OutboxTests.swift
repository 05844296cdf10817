// Threat: offline commands are lost, repeated, or reordered.
import Foundation
import Locks
import PostgresServer
import Testing

@testable import Verbatim

@Suite struct `An outbox` {
  private let folder = OutboxFolder()
  private let there = WorkspaceFolder()

  private func workspace() async throws -> Workspace {
    let workspace = try there.open()
    try await workspace.populate()
    return workspace
  }

  @Test func `added entries are on the disk, and are delivered once each, in order`() async throws {
    let outbox = try folder.open()
    try await outbox.add(messages: 5)
    #expect(outbox.waiting.map(\.intents) == (0..<5).map { [message("m\($0)", Message.ID(rawValue: "m\($0)")!)] })
    let kept = outbox.waiting
    await outbox.close()
    let again = try folder.open()
    #expect(again.waiting == kept)
    let workspace = try await workspace()
    let delivery = try await again.deliver(to: workspace)
    #expect(delivery.delivered.map(\.entry) == kept && delivery.refused.isEmpty)
    #expect(try await workspace.texts() == ["m0", "m1", "m2", "m3", "m4"])
    let head = try workspace.head()
    #expect(try await again.deliver(to: workspace).delivered.isEmpty && again.waiting.isEmpty)
    await again.close()
    let third = try folder.open()
    #expect(third.waiting.isEmpty)
    try await third.deliver(to: workspace)
    #expect(try workspace.head() == head)
    await third.close()
    await workspace.close()
  }

  @Test func `entries are submitted in the name of the user on the device, with their correlation`() async throws {
    let (outbox, workspace) = (try folder.open(), try await workspace())
    let entry = try await outbox.add(message("hello", "m1"), correlation: "ride")
    #expect(entry.correlation == "ride" && outbox.waiting == [entry])
    try await outbox.deliver(to: workspace)
    #expect(try await workspace.receipt(of: entry.id) != nil)
    let message = try await workspace.read { try $0.chat.message(Message.Key("general", "m1")) }
    #expect(message?.author == "ada")
    let repeated = Submission(
      entry.intents, by: .user("ada", on: "phone"), id: entry.id, correlation: "ride")
    #expect(try await workspace.submit(repeated).receipt != nil)
    await outbox.close()
    await workspace.close()
  }

  @Test func `adding the same intents with an id again returns the entry, and other intents throw`() async throws {
    let outbox = try folder.open()
    let id = AppendID(high: 1, low: 1)
    let entry = try await outbox.add(message("hello", "m1"), id: id)
    #expect(try await outbox.add(message("hello", "m1"), id: id) == entry)
    for other in [message("Hello", "m1"), message("hello", "m2")] {
      await #expect {
        try await outbox.add(other, id: id)
      } throws: { if case .idReused(id) = $0 as? OutboxError { true } else { false } }
    }
    await #expect(throws: OutboxError.self) { try await outbox.add(message("hello", "m1"), id: id, correlation: "c") }
    #expect(outbox.waiting == [entry])
    let workspace = try await workspace()
    try await outbox.deliver(to: workspace)
    #expect(try await outbox.add(message("hello", "m1"), id: id) == entry)
    #expect(outbox.waiting.isEmpty)
    await outbox.close()
    await workspace.close()
  }

  @Test func `of concurrent adds with one id, one is added and the same intents return it`()
    async throws
  {
    let outbox = try folder.open()
    for round in 0..<20 as Range<UInt64> {
      let id = AppendID(high: 1, low: round)
      let added = await withTaskGroup { group in
        for number in 0..<8 {
          group.addTask { try? await outbox.add(large(100 + number / 2), id: id) }
        }
        return await group.reduce(into: []) { $0.append($1) }.compactMap { $0 }
      }
      #expect(added.count == 2 && Set(added).count == 1 && outbox.waiting.last == added.first)
    }
    #expect(outbox.waiting.count == 20)
    let (workspace, kept) = (try await workspace(), outbox.waiting)
    await outbox.close()
    let again = try folder.open()
    #expect(again.waiting == kept)
    #expect(try await again.deliver(to: workspace).delivered.count == 20)
    await again.close()
    await workspace.close()
  }

  @Test func `adding an unstorable intent or an empty list throws`() async throws {
    let outbox = try folder.open()
    let deep = (0...Limits.storedDepthMax).reduce(Extra()) { inner, _ in ["a": .fields(inner)] }
    let bad = ChatIntent.user("ada", .change(User.Profile(name: "Ada", extra: deep)))
    await #expect {
      try await outbox.add([message("hello", "m1"), bad])
    } throws: { if case .cannotBeKept(intent: 1) = $0 as? OutboxError { true } else { false } }
    await #expect { try await outbox.add([]) } throws: { if case .empty = $0 as? OutboxError { true } else { false } }
    #expect(try outbox.waiting.isEmpty && folder.bytes.isEmpty)
    await outbox.close()
  }

  @Test func `one process at a time has an outbox open, and the error names it`() async throws {
    let outbox = try folder.open()
    #expect {
      try folder.open()
    } throws: { error in
      guard case .inUse(folder.path, let process?) = error as? OutboxError else { return false }
      return process.hasPrefix("\(ProcessInfo.processInfo.processIdentifier)")
    }
    try await outbox.add(messages: 1)
    await outbox.close()
    await outbox.close()
    await #expect { try await outbox.add(message("a", "m")) } throws: { "\($0)" == "\(OutboxError.closed)" }
    #expect {
      try folder.open(user: "ben")
    } throws: { if case .otherOwner(_, .user("ada", on: "phone")) = $0 as? OutboxError { true } else { false } }
    #expect(throws: OutboxError.self) { try folder.open(device: "desk") }
    let again = try folder.open()
    #expect(again.waiting.count == 1)
    await again.close()
  }

  @Test func `the time of an entry is never earlier than that of the one before`() async throws {
    let clock = Ticks([1000, 2000, 500, 2500])
    let outbox = try folder.open(clock: clock.next)
    try await outbox.add(messages: 4)
    #expect(outbox.waiting.map(\.added.rawValue).sorted() == outbox.waiting.map(\.added.rawValue))
    #expect(Set(outbox.waiting.map(\.id)).count == 4)
    let last = try #require(outbox.waiting.last)
    await outbox.close()
    let again = try folder.open(clock: { Timestamp(rawValue: 3) })
    let entry = try await again.add(message("late", "late"))
    #expect(entry.added >= last.added && entry.id != last.id)
    await again.close()
  }

  @Test func `100000 entries are read once, and each costs its own length`() async throws {
    let outbox = try folder.open()
    try await withThrowingTaskGroup { group in
      for task in 0..<100 {
        group.addTask {
          for number in 0..<1000 {
            let id = try Message.ID("m\(task)-\(number)")
            try await outbox.add(.message(Message.Key("general", id), .restore))
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(outbox.waiting.count == 100_000)
    let count = try folder.bytes.count
    let counts = try outbox.change { $0.counts }
    #expect(counts.read == 0 && counts.written == count && count < 100_000 * 120)
    await outbox.close()
    let again = try folder.open()
    try await again.add(message("a", "a"))
    #expect(try again.change { $0.counts.read } == count)
    #expect(again.waiting.count == 100_001)
    await again.close()
  }
}

/// A clock that returns given times, then counts on from the last.
private final class Ticks: Sendable {
  private let ticks: Locked<[Int64]>

  init(_ ticks: [Int64]) { self.ticks = Locked(ticks) }

  @Sendable func next() -> Timestamp {
    ticks.withLock { Timestamp(rawValue: $0.count > 1 ? $0.removeFirst() : $0[0]) }
  }
}

@Suite struct `An entry that the domain refuses` {
  private let folder = OutboxFolder()
  private let there = WorkspaceFolder()

  @Test func `a refused entry is kept with its reason until it is forgotten, and delivery continues`() async throws {
    let workspace = try there.open()
    try await workspace.populate()
    let outbox = try folder.open()
    let empty = try await outbox.add([message("before", "m0"), message("", "m1")])
    // It depends on the refused one, and is decided on its own.
    let reaction = try await outbox.add(
      .reaction(Reaction.Key(to: Message.Key("general", "m1"), by: "ada"), .add("wave", score: 1)))
    let sent = try await outbox.add(message("after", "m2"))
    let delivery = try await outbox.deliver(to: workspace)
    #expect(delivery.refused.map(\.entry) == [empty, reaction] && delivery.delivered.map(\.entry) == [sent])
    #expect(try await workspace.texts() == ["after"])
    #expect(outbox.refused == delivery.refused && outbox.waiting.isEmpty)
    #expect(delivery.refused.map(\.intent) == [1, 0])
    #expect(delivery.refused[0].reason == "\(Refusal.emptyMessage)")
    await outbox.close()
    let again = try folder.open()
    #expect(again.refused == delivery.refused && again.waiting.isEmpty)
    #expect(try await again.deliver(to: workspace).refused.isEmpty)
    #expect(try await again.forget(empty.id))
    #expect(try await again.forget(empty.id) == false)
    #expect(try await again.forget(sent.id) == false)
    #expect(again.refused.map(\.entry) == [reaction])
    await again.close()
    let third = try folder.open()
    #expect(third.refused.map(\.entry) == [reaction])
    await third.close()
    await workspace.close()
  }

  @Test func `an id that the log has for something else is a refusal, too`() async throws {
    let workspace = try there.open()
    try await workspace.populate()
    let id = AppendID(high: 5, low: 5)
    try await workspace.send("other", "m1", as: id)
    let outbox = try folder.open()
    try await outbox.add(message("mine", "m2"), id: id)
    try await outbox.add(message("next", "m3"))
    let delivery = try await outbox.deliver(to: workspace)
    #expect(delivery.refused.map(\.entry.id) == [id] && delivery.refused[0].intent == nil)
    #expect(try await workspace.texts() == ["other", "next"])
    await outbox.close()
    await workspace.close()
  }
}

@Suite struct `A transient failure of a delivery` {
  private let folder = OutboxFolder()
  private let there = WorkspaceFolder()

  @Test func `a transient failure stops the delivery, and the remaining entries wait in order`() async throws {
    let outbox = try folder.open()
    try await outbox.add(messages: 3)
    let ids = outbox.waiting.map(\.id)
    let workspace = try there.open { $0.writerLockTimeout = .milliseconds(1) }
    try await workspace.populate()
    let writerLock = try HeldWriterLock(of: workspace)
    await expectStop(of: outbox, to: workspace) { if case .undelivered(ids[0], .failed) = $0 { true } else { false } }
    writerLock.letGo()
    let closed = try there.open()
    await closed.close()
    await expectStop(of: outbox, to: closed) { if case .undelivered(ids[0], .closed) = $0 { true } else { false } }
    let cancelled = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      await expectStop(of: outbox, to: workspace) { if case .undelivered(_, .cancelled) = $0 { true } else { false } }
    }
    await cancelled.value
    #expect(outbox.waiting.map(\.id) == ids && outbox.refused.isEmpty)
    #expect(try await outbox.deliver(to: workspace).delivered.count == 3)
    #expect(try await workspace.texts() == ["m0", "m1", "m2"])
    await outbox.close()
    await workspace.close()
  }

  // What broke: of the messages that were written without a connection, slow mode refused all but the first for good.
  @Test func `slow mode stops the delivery, and the remaining entries wait`() async throws {
    let outbox = try folder.open(user: "ben", device: "desk")
    try await outbox.add(messages: 2)
    let ids = outbox.waiting.map(\.id)
    let workspace = try there.open()
    try await workspace.populate()
    try await workspace.client(user: "ada").channel("general").setSlowMode(3600)
    await expectStop(of: outbox, to: workspace) {
      if case .undelivered(ids[1], .refused(.coolingDown, intent: 0)) = $0 { true } else { false }
    }
    #expect(outbox.waiting.map(\.id) == [ids[1]] && outbox.refused.isEmpty)
    try await workspace.client(user: "ada").channel("general").setSlowMode(0)
    #expect(try await outbox.deliver(to: workspace).delivered.count == 1)
    #expect(try await workspace.texts() == ["m0", "m1"])
    await outbox.close()
    await workspace.close()
  }

  @Test(.directoryOnly("a server has a disk of its own"))
  func `a full disk stops the delivery, and all entries wait`() async throws {
    let outbox = try folder.open()
    try await outbox.add(messages: 3)
    let ids = outbox.waiting.map(\.id)
    let workspace = try there.open()
    try await workspace.populate()
    let full = try there.open { $0.freeSpaceReserve = .max / 2 }
    await expectStop(of: outbox, to: full) { if case .undelivered(ids[0], .failed) = $0 { true } else { false } }
    await full.close()
    #expect(try await outbox.deliver(to: workspace).delivered.map(\.entry.id) == ids)
    await outbox.close()
    await workspace.close()
  }

  @Test func `concurrent deliveries run one after the other`() async throws {
    let outbox = try folder.open()
    try await outbox.add(messages: 20)
    let workspace = try there.open()
    try await workspace.populate()
    async let one = outbox.deliver(to: workspace)
    async let other = outbox.deliver(to: workspace)
    let count = try await one.delivered.count + other.delivered.count
    #expect(count == 20)
    #expect(try await workspace.texts() == (0..<20).map { "m\($0)" })
    await outbox.close()
    await expectStop(of: outbox, to: workspace) { if case .closed = $0 { true } else { false } }
    await workspace.close()
  }
}
