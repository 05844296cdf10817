// Threat: two devices change a draft offline, and the result depends on the order of deliveries or on a crash.
import ChatCodec
import ChildProcess
import Foundation
import SeededRandom
import Testing
import WorkspaceWorker

@testable import Verbatim

@Suite struct `Two outboxes with changes of one draft` {
  private let there = WorkspaceFolder()

  @Test func `both orders of delivery have the same result, also if interrupted and repeated`() async throws {
    var random = SeededRandom.printingSeed()
    let workspace = try there.open()
    let (rounds, tasks) = (Choice.isLong ? 2000 : 200, 8)
    let users = try await workspace.populate(count: 2 * rounds)
    let seeds = (0..<tasks).map { _ in random.next() }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (task, seed) in seeds.enumerated() {
        group.addTask {
          var random = SeededRandom(seed: seed)
          for round in stride(from: task, to: rounds, by: tasks) {
            let users = users[(2 * round)..<(2 * round + 2)]
            try await expectSameInAnyOrder(of: users, in: workspace, "round \(round)", &random)
          }
        }
      }
      try await group.waitForAll()
    }
    await workspace.close()
  }

  @Test func `a delivery that failed without the writer lock succeeds later`() async throws {
    var random = SeededRandom.printingSeed()
    let workspace = try there.open { $0.writerLockTimeout = .milliseconds(20) }
    let user = try await workspace.populate(count: 1)[0]
    let changes = DraftDevices(6, 6, span: 8, &random)
    let boxes = try await changes.write(of: user)
    let writerLock = try HeldWriterLock(of: workspace)
    for box in boxes {
      let outbox = try box.folder.open(user: user, device: box.device)
      let stopped = await expectStop(of: outbox, to: workspace) { if case .undelivered = $0 { true } else { false } }
      #expect(stopped.delivered.isEmpty && outbox.waiting.count == 6)
      await outbox.close()
    }
    writerLock.letGo()
    await until { workspace.submitQueue.admissionLimiter.taken == 0 }
    for box in boxes.reversed() { try await box.deliver(.all, to: workspace, &random) }
    try await changes.expectEnd(of: user, in: workspace, "seed \(random.seed): \(changes)")
    await workspace.close()
  }

  @Test func `kills during delivery do not change the result`() async throws {
    var random = SeededRandom.printingSeed()
    let workspace = try there.openAsWorker()
    let rounds = Choice.isLong ? 60 : 6
    var cut = 0
    for (round, user) in try await workspace.populate(count: rounds).enumerated() {
      let changes = DraftDevices(30, 30, span: 40, &random)
      let place = Comment(rawValue: "round \(round), seed \(random.seed): \(changes)")
      let boxes = try await changes.write(of: user)
      for box in boxes.shuffled(using: &random) {
        let child = try there.startWorker("deliver", box.folder.path, user.text, box.device.text)
        try child.expect("ready")
        let end = try workspace.head().rawValue + 1 + UInt64(random.below(8))
        child.send()
        try await until { try workspace.head().rawValue >= end }
        #expect(child.end() == .signal(SIGKILL))
        let outbox = try box.folder.open(user: user, device: box.device)
        cut += outbox.waiting.isEmpty ? 0 : 1
        await outbox.close()
      }
      for box in boxes.shuffled(using: &random) {
        let outbox = try box.folder.open(user: user, device: box.device)
        try await outbox.deliver(to: workspace)
        #expect(outbox.refused.isEmpty && outbox.waiting.isEmpty, place)
        await outbox.close()
      }
      try await changes.expectEnd(of: user, in: workspace, place)
    }
    print("\(cut) of \(2 * rounds) deliveries were cut short.")
    #expect(cut > 0)
    await workspace.close()
  }
}

/// Expects the documented result of offline changes by two devices, in all orders of delivery.
private func expectSameInAnyOrder(
  of users: ArraySlice<User.ID>, in workspace: Workspace, _ round: String, _ random: inout SeededRandom
) async throws {
  let changes = DraftDevices(1 + random.below(4), 1 + random.below(4), span: 1 + random.below(8), &random)
  for (order, user) in zip(Order.allCases.shuffled(using: &random), users) {
    let place = Comment(rawValue: "\(round), \(order), \(user): \(changes)")
    let boxes = try await changes.write(of: user)
    for (number, part) in order.parts { try await boxes[number].deliver(part, to: workspace, &random) }
    try await changes.expectEnd(of: user, in: workspace, place)
    // Delivered again, as far as no outcome was recorded.
    let count = try workspace.eventCount(of: draft(of: user))
    for box in boxes { try await box.deliver(.all, to: workspace, &random) }
    #expect(try workspace.eventCount(of: draft(of: user)) == count, place)
  }
}

/// The order and the extent of deliveries.
private enum Order: CaseIterable {
  case first, second, cutBySecond, cutTwice

  var parts: [(Int, Part)] {
    switch self {
    case .first: [(0, .all), (1, .all)]
    case .second: [(1, .all), (0, .all)]
    case .cutBySecond: [(0, .some), (1, .all), (0, .all)]
    case .cutTwice: [(1, .some), (0, .some), (1, .some), (0, .all), (1, .all)]
    }
  }
}

/// The part of an outbox that is delivered before an interruption.
private enum Part { case some, all }

// MARK: What two devices do offline

/// The changes of a draft by two devices, in their order.
private struct DraftDevices: CustomStringConvertible {
  private var changes: [[Change]] = [[], []]

  private struct Change {
    /// The text; nil for a deletion.
    var text: String?
    var edit: Edit
  }

  init(_ first: Int, _ second: Int, span: Int, _ random: inout SeededRandom) {
    for (number, device) in ["desk", "phone"].enumerated() {
      // Times ascend on a device; those of the two are before, at and after each other.
      let times = (0..<(number == 0 ? first : second)).map { _ in Int64(1 + random.below(span)) }.sorted()
      for (index, time) in times.enumerated() {
        let text = random.below(3) == 0 ? nil : "\(device) \(index) at \(time)"
        changes[number].append(
          Change(text: text, edit: Edit(at: Timestamp(rawValue: time), on: ID(stringLiteral: device))))
      }
    }
  }

  var description: String {
    changes.joined().map { $0.text ?? "\($0.edit.device!.text) deletes at \($0.edit.at.rawValue)" }
      .joined(separator: ", ")
  }

  /// The expected winner: the change made last.
  private var last: Change { changes.joined().reduce(changes.joined().first!) { $1.edit < $0.edit ? $0 : $1 } }

  /// Writes the changes into two outboxes.
  func write(of user: User.ID) async throws -> [Box] {
    var boxes: [Box] = []
    for changes in changes {
      let box = Box(user, changes[0].edit.device!)
      let outbox = try box.folder.open(user: user, device: box.device)
      for change in changes {
        let intent: Draft.Intent =
          change.text.map { .update(Composition(TypedText($0)), editedAt: change.edit.at) }
          ?? .delete(change.edit.at.rawValue % 2 == 0 ? .cleared : .discarded, editedAt: change.edit.at)
        try await outbox.add(.draft(draft(of: user), intent))
      }
      await outbox.close()
      boxes.append(box)
    }
    return boxes
  }

  /// Expects that the change made last wins, and how the log records the others.
  func expectEnd(of user: User.ID, in workspace: Workspace, _ place: Comment) async throws {
    let (key, last) = (draft(of: user), last)
    let row = try await workspace.read { try $0.chat.anyDraft(key) }
    #expect(row?.content == last.text.map { Composition(TypedText($0)) }, place)
    #expect(row?.edit == last.edit, place)
    var (top, isThere, texts) = (Edit(at: Timestamp(rawValue: .min), on: nil), false, [String]())
    try workspace.forEachDraftEvent(of: key) { event in
      switch event {
      case .updated(let content, let edit):
        #expect(!(edit < top), place)
        texts.append(content.text.userText.string)
        (top, isThere) = (edit, true)
      case .deleted(_, let edit):
        #expect(isThere && !(edit < top), place)
        (top, isThere) = (edit, false)
      case .superseded(let content?, let edit):
        #expect(edit < top, place)
        texts.append(content.text.userText.string)
      case .superseded(nil, let edit):
        // A refused deletion: the draft was changed since, or was deleted at an earlier time.
        #expect(isThere == (edit < top), place)
        if !isThere { top = edit }
      }
    }
    #expect(texts.sorted() == (["stored"] + changes.joined().compactMap(\.text)).sorted(), place)
  }
}

/// The outbox of a device as it is on the disk.
private final class Box {
  let folder = OutboxFolder()
  let user: User.ID
  let device: Device.ID
  /// The recorded outcomes of its entries.
  private var notes: [UInt8] = []

  init(_ user: User.ID, _ device: Device.ID) { (self.user, self.device) = (user, device) }

  /// Delivers some of its entries, or all, then loses as many of the recorded outcomes as a crash can, or fewer.
  func deliver(_ part: Part, to workspace: Workspace, _ random: inout SeededRandom) async throws {
    let (added, left) = (try folder.bytes, OutboxFolder())
    let count = part == .all ? added.count : try folder.boundaries.randomElement(using: &random)!
    try left.write(added[..<count] + notes)
    let known = try left.boundaries.count
    let outbox = try left.open(user: user, device: device)
    let delivered = try await outbox.deliver(to: workspace).delivered
    #expect(outbox.refused.isEmpty && outbox.waiting.isEmpty)
    await outbox.close()
    // The outcome of a no-op is on the disk before the next submit.
    let certain = delivered.dropLast(part == .all ? 0 : 1).lastIndex { $0.submitted.receipt == nil }.map { $0 + 1 } ?? 0
    let kept = certain + random.below(delivered.count - certain + 1)
    notes = try Array(left.bytes[count..<left.boundaries[known - 1 + kept]])
  }
}

// MARK: Where they do it

private func draft(of user: User.ID) -> Draft.Key { Draft.Key(by: user, in: "general") }

extension Workspace {
  /// Creates users with a draft each, in one channel.
  fileprivate func populate(count: Int) async throws -> [User.ID] {
    let users = (0..<count).map { User.ID(stringLiteral: "v\($0)") }
    let create = ChatIntent.channel("general", .create("team", Channel.Profile(), ChannelConfig(), members: []))
    var intents = [create]
    for user in users {
      intents.append(.user(user, .create(User.Profile(name: "Somebody"))))
      intents.append(.member(Member.Key("general", user), .add(.member)))
      intents.append(.draft(draft(of: user), .update(Composition("stored"), editedAt: Timestamp(rawValue: 0))))
    }
    try await submit(intents, by: .system)
    return users
  }

  /// Returns the number of events of a draft.
  fileprivate func eventCount(of key: Draft.Key) throws -> UInt64 {
    try store.version(of: StreamSubject.draft(key).name).rawValue
  }

  /// Calls a closure with each event of a draft, in order.
  fileprivate func forEachDraftEvent(of key: Draft.Key, _ body: (Draft.Event) -> Void) throws {
    var events: [ChatEvent] = []
    var failure: UnreadableEvent?
    try store.readStream(StreamSubject.draft(key).name) { event in
      do throws(UnreadableEvent) { events.append(try decode(event)) } catch { failure = error }
      return .next
    }
    if let failure { throw failure }
    for event in events { if case .draft(key, let change) = event.change { body(change) } }
  }
}
