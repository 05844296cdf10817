// Threat: a submit that waits, is cancelled or is too late has another outcome than the recorded one.
import ChildProcess
import Foundation
import EventLogLMDB
import Locks
import Testing

@testable import Verbatim

@Suite struct `Waiting for the writer lock` {
  private let folder = WorkspaceFolder()
  private let id = AppendID(high: 1, low: 1)

  @Test func `a submit cancelled in the queue throws, and nothing is recorded`() async throws {
    let workspace = try folder.open()
    try await workspace.populate()
    let writerLock = try await HeldWriterLock(ofIdle: workspace)
    async let first = workspace.send("first", "m1")
    await until { workspace.submitQueue.hasTakenAll }
    let second = Task { try await workspace.send("second", "m2", as: id) }
    await until { workspace.submitQueue.waiting == 1 }
    second.cancel()
    await #expect(throws: SubmitError.self) { try await second.value }
    #expect(workspace.submitQueue.waiting == 0)
    writerLock.letGo()
    _ = try await first
    #expect(try await workspace.receipt(of: id) == nil)
    #expect(try await workspace.texts() == ["first"])
    #expect(workspace.submitQueue.admissionLimiter.taken == 0)
    await workspace.close()
  }

  @Test func `a submit cancelled after the leader took it returns its outcome`() async throws {
    let workspace = try folder.open()
    try await workspace.populate()
    let writerLock = try await HeldWriterLock(ofIdle: workspace)
    let task = Task { try await workspace.send("hello", "m1", as: id) }
    await until { workspace.submitQueue.hasTakenAll }
    task.cancel()
    writerLock.letGo()
    let sent = try await task.value
    #expect(try await workspace.receipt(of: id) == sent.receipt)
    await workspace.close()
  }

  @Test func `a submit cancelled at any moment recorded nothing or has a receipt under its id`() async throws {
    let workspace = try folder.open()
    try await workspace.populate()
    for round in 0..<200 {
      let id = AppendID(high: 2, low: UInt64(round))
      let task = Task { try await workspace.send("\(round)", Message.ID(rawValue: "m\(round)")!, as: id) }
      for _ in 0..<round % 40 { await Task.yield() }
      task.cancel()
      let outcome = await task.result
      let receipt = try await workspace.receipt(of: id)
      switch outcome {
      case .success(let sent): #expect(receipt == sent.receipt)
      case .failure(let error):
        guard case .cancelled = error as? SubmitError else { throw error }
        #expect(receipt == nil)
      }
    }
    #expect(workspace.submitQueue.admissionLimiter.taken == 0)
    await workspace.close()
  }

  @Test func `projections catch up before the writer lock is acquired`() async throws {
    let first = try folder.open()
    try await first.populate()
    let sent = try await first.send("one", "m1")
    await first.close()
    try FileManager.default.removeItem(atPath: first.path + "/projections")
    try FileManager.default.removeItem(atPath: first.path + "/index")
    let workspace = try folder.open()
    let writerLock = try HeldWriterLock(of: workspace)
    async let second = workspace.send("two", "m2")
    await until { workspace.projections.applied.position == sent.position }
    writerLock.letGo()
    #expect(try await second.position == sent.position.next)
    await workspace.close()
  }

  @Test func `a submit beyond the capacity waits, or throws at once if it asked not to wait`() async throws {
    let workspace = try folder.open { $0.waitingMax = 2 }
    try await workspace.populate()
    let writerLock = try HeldWriterLock(of: workspace)
    async let first = workspace.send("1", "m1")
    async let second = workspace.send("2", "m2")
    await until { workspace.submitQueue.admissionLimiter.taken == 2 }
    let intent = ChatIntent.message(Message.Key("general", "m3"), .send(Message.Content("3")))
    await #expect {
      try await workspace.submit(Submission([intent], by: .user("ada")), waits: false)
    } throws: { error in
      if case .full(waiting: 2) = error as? SubmitError { true } else { false }
    }
    let third = Task { try await workspace.submit(intent, by: .user("ada")) }
    let fourth = Task { try await workspace.send("4", "m4") }
    await until { workspace.submitQueue.admissionLimiter.inLine == 2 }
    fourth.cancel()
    await #expect(throws: SubmitError.self) { try await fourth.value }
    writerLock.letGo()
    _ = try await (first, second, third.value)
    #expect(Set(try await workspace.texts()) == ["1", "2", "3"])
    #expect(workspace.submitQueue.admissionLimiter.taken == 0 && workspace.submitQueue.admissionLimiter.inLine == 0)
    await workspace.close()
  }

  @Test func `a submit beyond the timeout throws the lock's holder and the id for a retry`() async throws {
    let workspace = try folder.open { $0.writerLockTimeout = .milliseconds(50) }
    try await workspace.populate()
    let writerLock = try HeldWriterLock(of: workspace)
    await #expect {
      try await workspace.send("hello", "m1", as: id)
    } throws: { error in
      guard case .failed(id, .log(.writerLockHeld(let holder))) = error as? SubmitError else { return false }
      return holder.process.contains("\(ProcessInfo.processInfo.processIdentifier)")
    }
    writerLock.letGo()
    try await workspace.send("hello", "m1", as: id)
    #expect(try await workspace.texts() == ["hello"])
    await workspace.close()
  }
}

@Suite struct `Closing a workspace` {
  private let folder = WorkspaceFolder()

  @Test func `closing completes earlier submits and refuses later ones`() async throws {
    let workspace = try folder.open()
    try await workspace.populate()
    let writerLock = try await HeldWriterLock(ofIdle: workspace)
    async let sent = workspace.send("hello", "m1")
    await until { workspace.submitQueue.hasTakenAll }
    let closing = Task { await workspace.close() }
    await until { workspace.submitQueue.waiting == 1 }
    let late = Task { try await workspace.send("late", "m2") }
    await until { workspace.submitQueue.admissionLimiter.taken == 2 }
    writerLock.letGo()
    let answer = try await sent
    await closing.value
    await #expect {
      try await late.value
    } throws: { error in
      if case .closed = error as? SubmitError { true } else { false }
    }
    await #expect {
      try await workspace.send("later", "m3")
    } throws: { error in
      if case .closed = error as? SubmitError { true } else { false }
    }
    await workspace.close()
    let again = try folder.open()
    #expect(try again.head() == answer.position)
    #expect(try await again.texts() == ["hello"])
    await again.close()
  }

  // What broke: closing counted as done when the first try to record what was typed failed, and no other was made.
  @Test func `text typed while the writer lock is unavailable is recorded by closing`() async throws {
    let workspace = try folder.open {
      $0.writerLockTimeout = .milliseconds(20)
      // As many as it takes until the lock is free.
      $0.closingTriesMax = .max
    }
    try await workspace.populate()
    let key = Composer.Key(of: "ada", on: "phone", in: "general")
    let composer = try await workspace.openComposer(key)
    let writerLock = try HeldWriterLock(of: workspace)
    try composer.record([.typed(Splice(.start..<(.start), to: UserText("a")))])
    let closing = Task { await workspace.close() }
    await until { workspace.submitQueue.counts.withLock { $0.failed } > 0 }
    writerLock.letGo()
    await closing.value
    let again = try folder.open()
    #expect(try await again.openComposer(key).composer.content.text.userText == "a")
    await again.close()
  }

  @Test func `completed submits are on the disk without closing`() async throws {
    let workspace = try folder.open()
    try await workspace.populate()
    try await workspace.send("hello", "m1")
    let second = try folder.open()
    #expect(try await second.texts() == ["hello"])
    await second.close()
    _ = workspace
  }
}

@Suite struct `A chat state that cannot be folded` {
  private let folder = WorkspaceFolder()

  @Test func `the workspace is read-only: it can be read and followed, and submits are refused`()
    async throws
  {
    let workspace = try folder.open()
    try await workspace.populate()
    let id = AppendID(high: 3, low: 3)
    try await workspace.send("hello", "m1", as: id)
    let poison = ProposedEvent(stream: "channel/general", type: "pollOpened.1", payload: [1])
    let store = try folder.openStore()
    let position = try await store.append([poison]).positions.lowerBound
    store.close()
    await #expect {
      try await workspace.send("more", "m2")
    } throws: { error in
      guard case .readOnly(let stop) = error as? SubmitError else { return false }
      return stop.position == position && stop.projection == "state"
    }
    #expect(try await workspace.texts() == ["hello"])
    #expect(workspace.stops.map(\.position).contains(position))
    try await within("the event that is followed") {
      for try await event in workspace.follow(from: position) {
        #expect(event.type == "pollOpened.1")
        break
      }
    }
    // A receipt recorded before is returned all the same.
    #expect(try await workspace.send("hello", "m1", as: id).receipt?.id == id)
    let model = await ChannelModel(of: workspace.client(user: "ada").channel("general"))
    await until { workspace.projections.applied.position >= position }
    let told = try Elements(of: workspace.client(user: "ada").changes)
    let event = ProposedEvent(stream: "app/a", type: "app/b.1", payload: [])
    let again = try folder.openStore()
    _ = try await again.append([event])
    again.close()
    await #expect(throws: ChangesError.self) { try await told.next() }
    await until { await model.failure != nil }
    let changes = Elements(of: workspace.changes(from: position))
    await #expect(throws: ChangesError.self) { try await changes.next() }
    await workspace.close()
  }
}
