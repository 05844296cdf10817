// Threat: a sent message's text stays in the composer, or the text is cleared without a message.
import ChildProcess
import Foundation
import Synchronization
import Testing

@testable import Verbatim

@Suite struct `Sending from a composer` {
  private let folder = WorkspaceFolder()

  @Test func `a send is one append: the intents, then the composer's events`() async throws {
    let workspace = try await folder.openPopulated()
    let composer = try await workspace.openComposer(key)
    try composer.record([typed("hello", at: 0)])
    try await workspace.submit(draft("hello", at: workspace.now), by: .user("ada"))
    let receipt = try #require(try await composer.send("hello", "m1", at: workspace.now).receipt)
    let events = try workspace.store.events(from: receipt.positions.lowerBound, limit: 10)
    #expect(events.map(\.type.text) == ["messageSent.1", "draftDeleted.1", "composerSent.1"])
    #expect(Set(events.map(\.append)) == [receipt.id] && events.last?.position == receipt.positions.upperBound)
    #expect(try await workspace.texts() == ["hello"])
    #expect(try await workspace.stored().content.text.userText == "")
    #expect(composer.composer.content.text.userText == "")
    await workspace.close()
  }

  @Test func `readers and followers never see a part of a send`() async throws {
    let workspace = try await folder.openPopulated()
    let other = try folder.open()
    let (rounds, start) = (20, try workspace.head().next)
    let seen = try await withThrowingTaskGroup(of: [RecordedEvent].self) { group in
      group.addTask {
        let composer = try await workspace.openComposer(key)
        for round in 0..<rounds {
          try await workspace.submit(draft("\(round)", at: workspace.now), by: .user("ada"))
          try composer.record([typed("\(round)", at: 0)])
          try await composer.send("\(round)", Message.ID(rawValue: "m\(round)")!, at: workspace.now)
        }
        return []
      }
      group.addTask {
        var count = 0
        while count < rounds, !Task.isCancelled {
          let (texts, unsent) = try await other.read { try ($0.texts(), $0.unsent()) }
          #expect(!texts.contains { unsent.contains($0) })
          count = texts.count
        }
        return []
      }
      group.addTask {
        try await within("the last message that is sent") {
          var events: [RecordedEvent] = []
          for try await event in other.follow(from: start) {
            events.append(event)
            if event.type == "composerSent.1", event.version.rawValue == rounds * 2 { break }
          }
          return events
        }
      }
      return try await group.reduce([], +)
    }
    let sent = Dictionary(grouping: seen, by: \.append).values.filter { $0.contains { $0.type == "messageSent.1" } }
    #expect(sent.count == rounds)
    for events in sent { #expect(events.map(\.type.text) == ["messageSent.1", "draftDeleted.1", "composerSent.1"]) }
    await workspace.close()
    await other.close()
  }

  @Test func `after a send, the composer equals the log, and typing continues`() async throws {
    // The clock advances with each call, so that nothing is recorded at the instant of its submit.
    let time = Atomic<Int64>(1_800_000_000_000_000)
    let workspace = try await folder.openPopulated {
      $0.clock = { Timestamp(rawValue: time.add(1_000_000, ordering: .relaxed).newValue) }
    }
    let composer = try await workspace.openComposer(key)
    for round in 0..<5 {
      try composer.record([typed("before", at: 0)])
      let sent = try await composer.submit(
        [.message(Message.Key("general", Message.ID(rawValue: "m\(round)")!), .send(Message.Content("x")))],
        recording: [.cleared(keeping: nil), typed("next", at: 0)])
      #expect(composer.composer.typed?.rawValue == sent.receipt?.recorded.rawValue)
      let stored = try await workspace.stored()
      #expect(composer.composer == stored)
      try composer.record([typed(" one", at: 4)])
      try await composer.flush()
      #expect(try await workspace.stored().content.text.userText == "next one")
      try composer.record([.cleared(keeping: nil)])
    }
    await workspace.close()
  }

  @Test func `a send follows everything typed before, also in the same block`() async throws {
    let workspace = try await folder.openPopulated()
    let composer = try await workspace.openComposer(key)
    let (start, blocks) = (try workspace.head().next, try workspace.store.head().blocks)
    let writerLock = try await HeldWriterLock(ofIdle: workspace)
    async let first = workspace.send("first", "m0")
    await until { workspace.submitQueue.hasTakenAll }
    try composer.record([typed("he", at: 0)])
    try composer.record([typed("y", at: 2)])
    async let sent = composer.send("hey", "m1")
    await until { workspace.submitQueue.waiting == 2 }
    writerLock.letGo()
    _ = try await (first, sent)
    let types = try workspace.store.events(from: start, limit: 100).map(\.type.text)
    #expect(types == ["messageSent.1", "composerTyped.1", "composerTyped.1", "messageSent.1", "composerSent.1"])
    #expect(try workspace.store.head().blocks == blocks + 2)
    #expect(try await workspace.stored().content.text.userText == "")
    await workspace.close()
  }

  @Test func `a submit is decided on the text typed before it in the same block`() async throws {
    // Threat: typing is not folded unless a submit follows it, and one follows here.
    let workspace = try await folder.openPopulated()
    let composer = try await workspace.openComposer(key)
    let blocks = try workspace.store.head().blocks
    let writerLock = try await HeldWriterLock(ofIdle: workspace)
    async let first = workspace.send("first", "m0")
    await until { workspace.submitQueue.hasTakenAll }
    try composer.record([typed("hey", at: 0)])
    async let added = composer.submit([hello("m1")], recording: [typed("!", at: 3)])
    await until { workspace.submitQueue.waiting == 2 }
    writerLock.letGo()
    _ = try await (first, added)
    #expect(try workspace.store.head().blocks == blocks + 2)
    #expect(try await workspace.stored().content.text.userText == "hey!")
    await workspace.close()
  }

  @Test func `a send keeps order and versions among many submits`() async throws {
    let workspace = try await folder.openPopulated()
    let composer = try await workspace.openComposer(key)
    let rounds = 20
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<8 {
        group.addTask {
          for round in 0..<rounds { try await workspace.send("x", Message.ID(rawValue: "m\(task).\(round)")!) }
        }
      }
      group.addTask {
        for round in 0..<rounds {
          for (place, letter) in "text".enumerated() { try composer.record([typed(String(letter), at: place)]) }
          #expect(composer.composer.content.text.userText == "text")
          try await composer.send("text", Message.ID(rawValue: "sent\(round)")!)
          #expect(composer.composer.content.text.userText == "")
        }
      }
      try await group.waitForAll()
    }
    let types = try workspace.store.events(of: composer.stream, limit: 1000).map(\.type.text)
    let typedAndSent = [String](repeating: "composerTyped.1", count: 4) + ["composerSent.1"]
    #expect(types == (0..<rounds).flatMap { _ in typedAndSent })
    try composer.record([typed("more", at: 0)])
    try await composer.flush()
    #expect(try await workspace.stored().content.text.userText == "more")
    #expect(workspace.submitQueue.admissionLimiter.taken == 0)
    await workspace.close()
  }

  @Test func `a refused send is refused as a whole, and later typing is recorded`() async throws {
    let workspace = try await folder.openPopulated()
    let composer = try await workspace.openComposer(key)
    try composer.record([typed("hello", at: 0)])
    try await composer.flush()
    let (head, before) = (try workspace.head(), composer.composer)
    await expectRefusal(.emptyMessage) { try await composer.send("", "m1") }
    await expectRefusal(.notComposable(key), at: 1) {
      try await composer.submit([hello("m1")], recording: [.cleared(keeping: nil), typed("a", at: 7)])
    }
    await expectRefusal(.notComposable(key)) { try await composer.submit([], recording: [typed("a", at: 7)]) }
    #expect(try workspace.head() == head)
    #expect(composer.composer == before && composer.failure == nil)
    try composer.record([typed("!", at: 5)])
    try await composer.flush()
    #expect(try await workspace.stored().content.text.userText == "hello!")
    await workspace.close()
  }

  @Test func `a send of no-ops still records the composer's events`() async throws {
    let workspace = try await folder.openPopulated()
    let composer = try await workspace.openComposer(key)
    let content = Message.Content("hello", client: "c1")
    try await workspace.submit(.message(Message.Key("general", "m1"), .send(content)), by: composer.actor)
    try composer.record([typed("hello", at: 0)])
    let again = try await composer.submit(
      [.message(Message.Key("general", "m2"), .send(content))], recording: [.sent("m1", keeping: nil)])
    let positions = try #require(again.receipt).positions
    #expect(positions.lowerBound == positions.upperBound)
    #expect(composer.composer.content.text.userText == "")
    #expect(try await workspace.stored().content.text.userText == "")
    #expect(try await workspace.texts() == ["hello"])
    await workspace.close()
  }

  @Test func `a send is refused if another process wrote to the composer`() async throws {
    let workspace = try await folder.openPopulated()
    let other = try folder.open()
    let mine = try await workspace.openComposer(key)
    let theirs = try await other.openComposer(key)
    try theirs.record([typed("theirs", at: 0)])
    try await theirs.flush()
    let (head, before) = (try workspace.head(), mine.composer)
    for _ in 0..<2 {
      await #expect {
        try await mine.send("hello", "m1")
      } throws: { error in
        if case .openElsewhere(key) = error as? SubmitError { true } else { false }
      }
    }
    let isElsewhere = if case .openElsewhere(key) = mine.failure { true } else { false }
    #expect(isElsewhere)
    #expect(throws: SubmitError.self) { try mine.record([typed("a", at: 0)]) }
    #expect(try workspace.head() == head)
    #expect(mine.composer == before)
    #expect(try await workspace.openComposer(key).composer.content.text.userText == "theirs")
    await workspace.close()
    await other.close()
  }

  @Test func `a send fails if earlier typing could not be recorded`() async throws {
    let workspace = try await folder.openPopulated { $0.rules.limits.payloadByteCountMax = 1 << 30 }
    let composer = try await workspace.openComposer(key)
    let head = try workspace.head()
    let writerLock = try await HeldWriterLock(ofIdle: workspace)
    async let first = workspace.send("first", "m0")
    await until { workspace.submitQueue.hasTakenAll }
    try composer.record([.custom("large", payload: [UInt8](repeating: 0, count: 17 << 20))])
    let sent = Task { try await composer.send("hello", "m1") }
    await until { workspace.submitQueue.waiting == 2 }
    writerLock.letGo()
    await #expect {
      try await sent.value
    } throws: { error in
      if case .append(.eventTooLarge) = error as? SubmitError { true } else { false }
    }
    #expect(try await first.position == head.next && workspace.head() == head.next)
    await workspace.close()
  }

  @Test func `a send is counted by its outcome`() async throws {
    let workspace = try await folder.openPopulated()
    let other = try folder.open()
    let mine = try await workspace.openComposer(key)
    let before = try workspace.statistics().submits
    for _ in 0..<2 { try await mine.send("hello", "m1", as: AppendID(high: 1, low: 1)) }
    await expectRefusal(.emptyMessage) { try await mine.send("", "m2") }
    let theirs = try await other.openComposer(key)
    try theirs.record([typed("theirs", at: 0)])
    try await theirs.flush()
    for _ in 0..<2 { await #expect(throws: SubmitError.self) { try await mine.send("hello", "m3") } }
    let after = try workspace.statistics()
    #expect(after.submits.recorded == before.recorded + 2 && after.submits.refused == before.refused + 1)
    #expect(after.submits.conflicts == before.conflicts + 1 && after.submits.failed == before.failed + 1)
    #expect(after.submits.unchanged == before.unchanged && after.queue.taken == 0)
    await workspace.close()
    await other.close()
  }
}

@Suite struct `Retrying a send from a composer` {
  private let folder = WorkspaceFolder()
  private let id = AppendID(high: 5, low: 5)

  @Test func `a retried send returns the first receipt, and keeps text typed since`() async throws {
    let workspace = try await folder.openPopulated()
    let composer = try await workspace.openComposer(key)
    try composer.record([typed("hello", at: 0)])
    let first = try await composer.send("hello", "m1", as: id)
    try composer.record([typed("more", at: 0)])
    try await composer.flush()
    #expect(try await composer.send("hello", "m1", as: id) == first)
    try composer.record([typed("!", at: 4)])
    #expect(try await composer.send("hello", "m1", as: id) == first)
    #expect(composer.composer.content.text.userText == "more!")
    try await composer.flush()
    #expect(try await workspace.stored().content.text.userText == "more!")
    await workspace.close()
    let again = try folder.open()
    let next = try await again.openComposer(key)
    #expect(try await next.send("hello", "m1", as: id) == first)
    #expect(next.composer.content.text.userText == "more!")
    try next.record([typed("?", at: 5)])
    try await next.flush()
    #expect(try await again.stored().content.text.userText == "more!?")
    await again.close()
  }

  @Test func `a retried send brings the composer to the state in the log`() async throws {
    let workspace = try await folder.openPopulated()
    let other = try folder.open()
    let composer = try await workspace.openComposer(key)
    try composer.record([typed("hello", at: 0)])
    try await composer.flush()
    // The log's state after a submit that was recorded although the disk failed.
    let submission = Submission(
      [hello("m1"), .composer(key, .record([.sent("m1", keeping: nil), typed("next", at: 0)]))], by: composer.actor,
      id: id)
    let recorded = try await other.submit(submission)
    #expect(composer.composer.content.text.userText == "hello")
    let sent = try await composer.submit(
      [hello("m1")], recording: [.sent("m1", keeping: nil), typed("next", at: 0)], id: id)
    #expect(sent == recorded)
    let stored = try await workspace.stored()
    #expect(composer.composer == stored && stored.content.text.userText == "next")
    try composer.record([typed("!", at: 4)])
    try await composer.flush()
    #expect(try await workspace.stored().content.text.userText == "next!")
    await workspace.close()
    await other.close()
  }

  @Test func `a retried send returns the first receipt if the composer records nothing more, and keeps its text`()
    async throws
  {
    let workspace = try await folder.openPopulated()
    let other = try folder.open()
    let composer = try await workspace.openComposer(key)
    let submission = Submission(
      [hello("m1"), .composer(key, .record([.sent("m1", keeping: nil)]))], by: composer.actor, id: id)
    let recorded = try await other.submit(submission)
    try composer.record([typed("mine", at: 0)])
    await #expect(throws: SubmitError.self) { try await composer.flush() }
    let sent = try await composer.submit([hello("m1")], recording: [.sent("m1", keeping: nil)], id: id)
    #expect(sent == recorded)
    #expect(composer.composer.content.text.userText == "mine" && composer.failure != nil)
    await workspace.close()
    await other.close()
  }

  @Test func `a retried send with other composer events is an error, and changes nothing`() async throws {
    let workspace = try await folder.openPopulated()
    let composer = try await workspace.openComposer(key)
    try await composer.send("hello", "m1", as: id)
    try composer.record([typed("more", at: 0)])
    try await composer.flush()
    let (head, before) = (try workspace.head(), composer.composer)
    await #expect {
      try await composer.submit([hello("m1")], recording: [.cleared(keeping: nil)], id: id)
    } throws: { error in
      if case .append(.idReused(id, _)) = error as? SubmitError { true } else { false }
    }
    #expect(try workspace.head() == head)
    #expect(composer.composer == before && composer.failure == nil)
    await workspace.close()
  }
}

@Suite struct `While a send from a composer is running` {
  private let folder = WorkspaceFolder()
  private let id = AppendID(high: 6, low: 6)

  @Test func `nothing else is recorded or sent until the outcome is known`() async throws {
    let workspace = try await folder.openPopulated()
    let composer = try await workspace.openComposer(key)
    let writerLock = try HeldWriterLock(of: workspace)
    try composer.record([typed("hello", at: 0)])
    async let sent = composer.send("hello", "m1")
    // The typed text, and the three parts of the send.
    await until { workspace.submitQueue.admissionLimiter.taken == 1 + 3 }
    for isSecond in [false, true] {
      await #expect {
        if isSecond { try await composer.send("again", "m2") } else { try composer.record([typed("!", at: 5)]) }
      } throws: { error in
        if case .composerBusy(key) = error as? SubmitError { true } else { false }
      }
    }
    #expect(composer.composer.content.text.userText == "hello")
    writerLock.letGo()
    _ = try await sent
    try composer.record([typed("more", at: 0)])
    try await composer.send("more", "m2")
    #expect(try await workspace.texts() == ["hello", "more"])
    await workspace.close()
  }

  @Test func `cancelling before the leader takes it records nothing, and typing continues`() async throws {
    let workspace = try await folder.openPopulated()
    let composer = try await workspace.openComposer(key)
    let writerLock = try await HeldWriterLock(ofIdle: workspace)
    async let first = workspace.send("first", "m0")
    await until { workspace.submitQueue.hasTakenAll }
    try composer.record([typed("hello", at: 0)])
    let task = Task { try await composer.send("hello", "m1", as: id) }
    await until { workspace.submitQueue.waiting == 2 }
    task.cancel()
    await #expect {
      try await task.value
    } throws: { error in
      if case .cancelled = error as? SubmitError { true } else { false }
    }
    try composer.record([typed("!", at: 5)])
    writerLock.letGo()
    _ = try await first
    try await composer.flush()
    #expect(try await workspace.stored().content.text.userText == "hello!")
    #expect(try await workspace.receipt(of: id) == nil)
    #expect(workspace.submitQueue.admissionLimiter.taken == 0)
    await workspace.close()
  }

  @Test func `cancelling at any moment records all of it or nothing`() async throws {
    let workspace = try await folder.openPopulated()
    let composer = try await workspace.openComposer(key)
    for round in 0..<100 {
      let id = AppendID(high: 2, low: UInt64(round))
      try composer.record([typed("text", at: 0)])
      let task = Task { try await composer.send("text", Message.ID(rawValue: "m\(round)")!, as: id) }
      for _ in 0..<round % 40 { await Task.yield() }
      task.cancel()
      let outcome = await task.result
      let receipt = try await workspace.receipt(of: id)
      switch outcome {
      case .success(let sent):
        #expect(receipt == sent.receipt)
        #expect(composer.composer.content.text.userText == "")
      case .failure(let error):
        guard case .cancelled = error as? SubmitError else { throw error }
        #expect(receipt == nil)
        #expect(composer.composer.content.text.userText == "text")
        try composer.record([.cleared(keeping: nil)])
      }
    }
    try await composer.flush()
    #expect(try await workspace.stored().content.text.userText == "")
    #expect(workspace.submitQueue.admissionLimiter.taken == 0)
    await workspace.close()
  }

  @Test func `closing the workspace completes it or fails it with nothing recorded`() async throws {
    let workspace = try await folder.openPopulated()
    let composer = try await workspace.openComposer(key)
    let writerLock = try await HeldWriterLock(ofIdle: workspace)
    async let first = workspace.send("first", "m0")
    await until { workspace.submitQueue.hasTakenAll }
    try composer.record([typed("hello", at: 0)])
    let closing = Task { await workspace.close() }
    await until { workspace.submitQueue.waiting == 2 }
    let late = Task { try await composer.send("hello", "m1", as: id) }
    await until { workspace.submitQueue.waiting == 3 }
    writerLock.letGo()
    _ = try await first
    await #expect {
      try await late.value
    } throws: { error in
      if case .closed = error as? SubmitError { true } else { false }
    }
    await closing.value
    for isSecond in [false, true] {
      await #expect {
        if isSecond { try await composer.send("hello", "m1") } else { try composer.record([typed("!", at: 5)]) }
      } throws: { error in
        if case .closed = error as? SubmitError { true } else { false }
      }
    }
    let again = try folder.open()
    #expect(try await again.stored().content.text.userText == "hello")
    #expect(try await again.texts() == ["first"])
    await again.close()
  }

  @Test func `without the writer lock the composer continues, and a retry is recorded once`() async throws {
    let workspace = try await folder.openPopulated { $0.writerLockTimeout = .milliseconds(20) }
    let composer = try await workspace.openComposer(key)
    let writerLock = try HeldWriterLock(of: workspace)
    try composer.record([typed("hello", at: 0)])
    await #expect {
      try await composer.send("hello", "m1", as: id)
    } throws: { error in
      if case .failed(id, .log(.writerLockHeld)) = error as? SubmitError { true } else { false }
    }
    #expect(composer.failure == nil && composer.composer.content.text.userText == "hello")
    try composer.record([typed("!", at: 5)])
    writerLock.letGo()
    try await composer.send("hello", "m1", as: id)
    #expect(composer.composer.content.text.userText == "")
    #expect(try await workspace.stored().content.text.userText == "")
    #expect(try await workspace.texts() == ["hello"])
    try composer.record([typed("more", at: 0)])
    try await composer.flush()
    #expect(try await workspace.stored().content.text.userText == "more")
    #expect(workspace.submitQueue.admissionLimiter.taken == 0)
    await workspace.close()
  }
}

private let key = Composer.Key(of: "ada", on: "phone", in: "general")

private func typed(_ text: String, at offset: Int) -> Composer.Event {
  .typed(Splice(UTF16Offset(rawValue: offset)..<UTF16Offset(rawValue: offset), to: UserText(text)))
}

private func hello(_ id: Message.ID) -> ChatIntent {
  .message(Message.Key("general", id), .send(Message.Content("hello")))
}

private func draft(_ text: String, at instant: Timestamp) -> ChatIntent {
  .draft(key.draft, .update(Composition(TypedText(text)), editedAt: instant))
}

extension WorkspaceFolder {
  fileprivate func openPopulated(_ choose: (inout Configuration) -> Void = { _ in }) async throws -> Workspace {
    let workspace = try open(choose)
    try await workspace.populate()
    return workspace
  }
}

extension Workspace {
  /// Returns the composer as it is on the disk; an empty one if there is none.
  fileprivate func stored() async throws -> Composer {
    try await read { try $0.chat.composers(of: key.user, in: key.channel).first } ?? Composer(key)
  }
}

extension WorkspaceReading {
  /// Returns the texts of messages.
  fileprivate func texts() throws -> [String] {
    try chat.messages(in: key.channel, .latest, limit: 50, for: "ada").messages.map(\.content.text.string)
  }

  /// Returns the texts of composer and draft.
  fileprivate func unsent() throws -> [String] {
    let contents = [
      try chat.composers(of: key.user, in: key.channel).first?.content, try chat.draft(key.draft)?.content,
    ]
    return contents.compactMap { $0?.text.userText.string }
  }
}

extension OpenComposer {
  /// Sends a message as an app does: deletes its draft, and clears the composer.
  @discardableResult
  fileprivate func send(
    _ text: String, _ id: Message.ID, as append: AppendID? = nil, at instant: Timestamp = Timestamp(rawValue: 0)
  ) async throws(SubmitError) -> Submitted {
    try await submit(
      [
        .message(Message.Key(key.channel, id), .send(Message.Content(UserText(text)))),
        .draft(key.draft, .delete(.sent, editedAt: instant)),
      ], recording: [.sent(id, keeping: nil)], id: append)
  }
}
