// Threat: an outcome that does not match the log.
import Foundation
import Testing

@testable import Verbatim

@Suite struct `A submit` {
  private let folder = WorkspaceFolder()

  private func workspace(_ choose: (inout Configuration) -> Void = { _ in }) async throws -> Workspace {
    let workspace = try folder.open(choose)
    try await workspace.populate()
    return workspace
  }

  @Test func `a completed submit is read at once, and after reopening the workspace`()
    async throws
  {
    let workspace = try await workspace()
    let sent = try await workspace.send("hello", "m1")
    #expect(try await workspace.texts() == ["hello"])
    #expect(sent.receipt?.positions.upperBound == sent.position)
    await workspace.close()
    let again = try folder.open()
    #expect(try await again.texts() == ["hello"])
    #expect(try again.head() == sent.position)
    await again.close()
  }

  @Test func `a refused submit has a reason, and changes nothing`() async throws {
    let workspace = try await workspace()
    let head = try workspace.head()
    await expectRefusal(.emptyMessage) { try await workspace.send("", "m1") }
    #expect(try workspace.head() == head)
    await workspace.close()
  }

  @Test func `a no-op returns no receipt, at the head of the log`() async throws {
    let workspace = try await workspace()
    let sent = try await workspace.send("hello", "m1")
    let again = try await workspace.send("hello", "m1")
    #expect(again.receipt == nil && again.position == sent.position)
    await workspace.close()
  }

  @Test func `several intents are granted together, each decided after those before it`() async throws {
    let workspace = try await workspace()
    let key = Message.Key("general", "m1")
    let before = try workspace.head()
    let submitted = try await workspace.submit(
      [
        .message(key, .send(Message.Content("hello"))),
        .reaction(Reaction.Key(to: key, by: "ada"), .add("wave", score: 1)),
        .message(key, .pin(.endless)),
      ], by: .user("ada"))
    #expect(submitted.receipt?.streams.count == 1 && submitted.position == before.advanced(by: 3))
    let message = try await workspace.read { try $0.chat.message(key) }
    #expect(message?.reactions.count == 1 && message?.pin != nil)
    await workspace.close()
  }

  @Test func `several submissions have their own outcomes, and the granted ones share a block`() async throws {
    let workspace = try await workspace()
    let blocks = try workspace.store.head().blocks
    let wanted = ["one", "", "three"].enumerated().map { number, text in
      let key = Message.Key("general", ID(stringLiteral: "m\(number)"))
      return Submission([.message(key, .send(Message.Content(UserText(text))))], by: .user("ada"))
    }
    let outcomes = await workspace.offThread { $0.submit(each: wanted) }
    #expect(outcomes.map { (try? $0.get()) != nil } == [true, false, true])
    if case .failure(.refused(let refusal, _)) = outcomes[1] {
      #expect(refusal == .emptyMessage)
    } else {
      Issue.record()
    }
    #expect(try workspace.store.head().blocks == blocks + 1)
    #expect(try await workspace.texts() == ["one", "three"])
    #expect(await workspace.offThread { $0.submit(each: []) }.isEmpty)
    await workspace.close()
    let late = await workspace.offThread { $0.submit(each: wanted) }
    #expect(late.allSatisfy { if case .failure(.closed) = $0 { true } else { false } })
  }

  @Test func `submissions beyond the queue's capacity go in parts, and all capacity is released`() async throws {
    let workspace = try await workspace { $0.waitingMax = 3 }
    let wanted = (0..<10).map { number in
      let key = Message.Key("general", ID(stringLiteral: "m\(number)"))
      return Submission([.message(key, .send(Message.Content("\(number)")))], by: .user("ada"))
    }
    let outcomes = await workspace.offThread { $0.submit(each: wanted) }
    #expect(outcomes.allSatisfy { (try? $0.get()) != nil })
    #expect(try await workspace.texts() == (0..<10).map(String.init))
    #expect(workspace.submitQueue.admissionLimiter.taken == 0)
    await workspace.close()
  }

  @Test func `several intents are all refused if one is, with its index`() async throws {
    let workspace = try await workspace()
    let head = try workspace.head()
    let (first, second) = (Message.Key("general", "m1"), Message.Key("general", "m2"))
    await expectRefusal(.unknownMessage(second), at: 1) {
      try await workspace.submit(
        [.message(first, .send(Message.Content("hello"))), .message(second, .pin(.endless))], by: .user("ada"))
    }
    #expect(try workspace.head() == head)
    #expect(try await workspace.texts() == [])
    await workspace.close()
  }

  @Test func `a submit in a batch is decided after earlier ones, with its own outcome`() async throws {
    let workspace = try await workspace()
    // The writer lock is held until all are queued: they share a block.
    let writerLock = try HeldWriterLock(of: workspace)
    async let all = withTaskGroup(of: (Int, Bool).self) { group in
      for number in 0..<20 {
        group.addTask {
          // Each id twice, with different texts: the first one wins.
          let sent = try? await workspace.send("text \(number)", Message.ID(rawValue: "m\(number / 2)")!)
          return (number, sent != nil)
        }
      }
      return await group.reduce(into: [Int: Bool]()) { $0[$1.0] = $1.1 }
    }
    await until { workspace.submitQueue.admissionLimiter.taken == 20 }
    writerLock.letGo()
    let answers = await all
    let texts = try await workspace.texts()
    #expect(texts.count == 10)
    for number in 0..<20 { #expect(answers[number] == texts.contains("text \(number)")) }
    #expect(try workspace.store.head().blocks <= 3 + 2)
    await workspace.close()
  }
}

@Suite struct `Large submits` {
  private let folder = WorkspaceFolder()

  @Test func `large submits are split into several blocks`() async throws {
    let workspace = try folder.open()
    try await workspace.populate()
    let blocks = try workspace.store.head().blocks
    let writerLock = try HeldWriterLock(of: workspace)
    let text = String(repeating: "x", count: 4000)
    async let all: Void = withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<60 {
        group.addTask {
          let intents = (0..<20).map { place in
            let key = Message.Key("general", Message.ID(rawValue: "m\(number).\(place)")!)
            return ChatIntent.message(key, .send(Message.Content(UserText(text))))
          }
          try await workspace.submit(intents, by: .user("ada"))
        }
      }
      try await group.waitForAll()
    }
    await until { workspace.submitQueue.admissionLimiter.taken == 60 * 20 }
    writerLock.letGo()
    try await all
    #expect(try workspace.store.head().blocks >= blocks + 4)
    await workspace.close()
  }
}

@Suite struct `A retried submit` {
  private let folder = WorkspaceFolder()
  private let id = AppendID(high: 7, low: 7)

  @Test func `a retried submit returns the first receipt, whatever was recorded since`() async throws {
    let workspace = try folder.open()
    try await workspace.populate()
    let first = try await workspace.send("hello", "m1", as: id)
    try await workspace.submit(.message(Message.Key("general", "m1"), .delete(forGood: true)), by: .user("ada"))
    #expect(try await workspace.send("hello", "m1", as: id) == first)
    #expect(try await workspace.receipt(of: id) == first.receipt)
    await workspace.close()
    let again = try folder.open()
    #expect(try await again.send("hello", "m1", as: id) == first)
    #expect(try await again.texts().count <= 1)
    await again.close()
  }

  @Test func `a retry with other intents, author or correlation is an error that says where the id was used`()
    async throws
  {
    let workspace = try folder.open()
    try await workspace.populate()
    let first = try await workspace.send("hello", "m1", as: id)
    let intent = ChatIntent.message(Message.Key("general", "m1"), .send(Message.Content("hello")))
    for other in [
      Submission([.message(Message.Key("general", "m1"), .send(Message.Content("Hello")))], by: .user("ada"), id: id),
      Submission([intent], by: .user("ben"), id: id), Submission([intent], by: .user("ada", on: "phone"), id: id),
      Submission([intent], by: .user("ada"), id: id, correlation: "c"),
      Submission([intent, intent], by: .user("ada"), id: id),
      Submission([intent], by: .user("ada"), id: id, cause: .first),
    ] {
      await #expect {
        try await workspace.submit(other)
      } throws: { error in
        guard case .append(.idReused(id, at: let position)) = error as? SubmitError else { return false }
        return position == first.receipt?.positions.lowerBound
      }
    }
    await workspace.close()
  }

  @Test func `a retry while the first attempt is running is recorded once`() async throws {
    let workspace = try folder.open()
    try await workspace.populate()
    let writerLock = try HeldWriterLock(of: workspace)
    async let all = withThrowingTaskGroup(of: Submitted.self) { group in
      for _ in 0..<10 { group.addTask { try await workspace.send("hello", "m1", as: id) } }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    await until { workspace.submitQueue.admissionLimiter.taken == 10 }
    writerLock.letGo()
    #expect(try await all.count == 1)
    await workspace.close()
  }
}

@Suite struct `A submit with an expected version` {
  private let folder = WorkspaceFolder()

  @Test func `a submit at another than its expected version is a conflict`() async throws {
    let workspace = try folder.open()
    try await workspace.populate()
    let version = try #require(try await workspace.send("one", "m1").receipt).streams[0].versions.upperBound
    let intent = ChatIntent.message(Message.Key("general", "m2"), .send(Message.Content("two")))
    let expected = StreamExpectation("channel/general", .version(version))
    let submission = Submission([intent], by: .user("ada"), expecting: [expected])
    try await workspace.submit(submission)
    let head = try workspace.head()
    await #expect {
      try await workspace.submit(submission)
    } throws: { error in
      guard case .conflict(let conflict) = error as? SubmitError else { return false }
      return conflict.expected == .version(version) && conflict.actual.rawValue == version.rawValue + 1
    }
    #expect(try workspace.head() == head)
    await workspace.close()
  }

  @Test func `a submit with an unknown cause is refused`() async throws {
    let workspace = try folder.open()
    try await workspace.populate()
    let cause = try workspace.head().advanced(by: 1000)
    await #expect {
      try await workspace.submit(
        Submission([.message(Message.Key("general", "m"), .send(Message.Content("a")))], by: .user("ada"), cause: cause)
      )
    } throws: { error in
      if case .append(.unknownCause(_, cause)) = error as? SubmitError { true } else { false }
    }
    await workspace.close()
  }
}
