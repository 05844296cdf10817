// Threat: typed text is lost, reordered, or overwritten by another process.
import ChildProcess
import Foundation
import Testing

@testable import Verbatim

@Suite struct `An open composer` {
  private let folder = WorkspaceFolder()
  private let key = Composer.Key(of: "ada", on: "phone", in: "general")

  private func typed(_ text: String, at offset: Int) -> Composer.Event {
    .typed(Splice(UTF16Offset(rawValue: offset)..<UTF16Offset(rawValue: offset), to: UserText(text)))
  }

  private func stored(_ workspace: Workspace) async throws -> String? {
    let key = key
    return try await workspace.read {
      try $0.chat.composers(of: key.user, in: key.channel).first?.content.text.userText.string
    }
  }

  @Test func `recording returns at once, and everything is on the disk after a flush`() async throws {
    let workspace = try folder.open()
    try await workspace.populate()
    let composer = try await workspace.openComposer(key)
    let writerLock = try HeldWriterLock(of: workspace)
    for (place, letter) in "hello".enumerated() { try composer.record([typed(String(letter), at: place)]) }
    #expect(composer.composer.content.text.userText.string == "hello")
    writerLock.letGo()
    try await composer.flush()
    #expect(try await stored(workspace) == "hello")
    #expect(workspace.submitQueue.admissionLimiter.taken == 0)
    await workspace.close()
  }

  @Test func `a blocking flush puts everything on the disk`() async throws {
    let workspace = try folder.open()
    try await workspace.populate()
    let composer = try await workspace.openComposer(key)
    let head = try workspace.head()
    /// No task runs in between.
    func type(_ letters: String) throws -> Position {
      for (place, letter) in letters.enumerated() { try composer.record([typed(String(letter), at: place)]) }
      workspace.flushBlocking()
      return try workspace.head()
    }
    #expect(try type("hello").rawValue == head.rawValue + 5)
    #expect(try await stored(workspace) == "hello")
    await workspace.close()
  }

  @Test func `recorded events are on the disk soon without a flush`() async throws {
    let workspace = try folder.open()
    try await workspace.populate()
    let head = try workspace.head()
    let composer = try await workspace.openComposer(key)
    try composer.record([typed("a", at: 0)])
    #expect(try await workspace.reached(head.next, within: .seconds(Deadline.seconds)))
    #expect(try await stored(workspace) == "a")
    await workspace.close()
  }

  @Test func `text typed before a submit precedes it in the log, in typing order`() async throws {
    let workspace = try folder.open()
    try await workspace.populate()
    let start = try workspace.head().next
    let composer = try await workspace.openComposer(key)
    for round in 0..<20 {
      try composer.record([typed("a", at: 0)])
      try composer.record([typed("b", at: 1)])
      try await workspace.send("\(round)", Message.ID(rawValue: "m\(round)")!)
    }
    let types = try workspace.store.events(from: start, limit: 100).map(\.type.text)
    #expect(types == (0..<20).flatMap { _ in ["composerTyped.1", "composerTyped.1", "messageSent.1"] })
    await workspace.close()
  }

  @Test func `a composer continues where it was left, also in another process`() async throws {
    let workspace = try folder.open()
    try await workspace.populate()
    let first = try await workspace.openComposer(key)
    try first.record([typed("hel", at: 0)])
    await workspace.close()
    let again = try folder.open()
    let second = try await again.openComposer(key)
    #expect(second.composer.content.text.userText.string == "hel")
    try second.record([typed("lo", at: 3)])
    try await second.flush()
    #expect(try await stored(again) == "hello")
    await again.close()
  }

  @Test func `a composer written to by another process reports it and keeps its text`() async throws {
    let workspace = try folder.open()
    let other = try folder.open()
    try await workspace.populate()
    let mine = try await workspace.openComposer(key)
    let theirs = try await other.openComposer(key)
    try theirs.record([typed("theirs", at: 0)])
    try await theirs.flush()
    try mine.record([typed("mine", at: 0)])
    await #expect {
      try await mine.flush()
    } throws: { error in
      if case .openElsewhere(key) = error as? SubmitError { true } else { false }
    }
    #expect(mine.composer.content.text.userText.string == "mine")
    #expect(throws: SubmitError.self) { try mine.record([typed("!", at: 4)]) }
    #expect(try await stored(workspace) == "theirs")
    let again = try await workspace.openComposer(key)
    #expect(again.composer.content.text.userText.string == "theirs" && again.failure == nil)
    await workspace.close()
    await other.close()
  }

  @Test func `opening again in this process returns the same instance with its unflushed text`()
    async throws
  {
    let workspace = try folder.open()
    try await workspace.populate()
    let first = try await workspace.openComposer(key)
    try first.record([typed("a", at: 0)])
    let second = try await workspace.openComposer(key)
    #expect(first === second)
    try second.record([typed("b", at: 1)])
    try await first.flush()
    #expect(try await stored(workspace) == "ab")
    await workspace.close()
  }

  @Test func `the text of a deallocated composer is in the next one`() async throws {
    let workspace = try folder.open()
    try await workspace.populate()
    do { try await workspace.openComposer(key).record([typed("a", at: 0)]) }
    let next = try await workspace.openComposer(key)
    #expect(next.composer.content.text.userText == "a")
    try next.record([typed("b", at: 1)])
    try await next.flush()
    #expect(try await stored(workspace) == "ab")
    await workspace.close()
  }

  @Test func `text typed while the writer lock is unavailable is kept, and recorded later`() async throws {
    let workspace = try folder.open { $0.writerLockTimeout = .milliseconds(20) }
    try await workspace.populate()
    let composer = try await workspace.openComposer(key)
    let writerLock = try HeldWriterLock(of: workspace)
    try composer.record([typed("a", at: 0)])
    await #expect {
      try await composer.flush()
    } throws: { error in
      if case .failed(nil, .log(.writerLockHeld)) = error as? SubmitError { true } else { false }
    }
    #expect(composer.failure == nil)
    try composer.record([typed("b", at: 1)])
    writerLock.letGo()
    await until { workspace.submitQueue.admissionLimiter.taken == 0 }
    try await composer.flush()
    #expect(try await stored(workspace) == "ab")
    #expect(try await workspace.openComposer(key).composer.content.text.userText == "ab")
    await workspace.close()
  }

  @Test func `refused events throw, and nothing of them is recorded`() async throws {
    let workspace = try folder.open()
    try await workspace.populate()
    let composer = try await workspace.openComposer(key)
    #expect {
      try composer.record([typed("a", at: 0), typed("b", at: 7)])
    } throws: { error in
      if case .refused(.notComposable(key), _) = error as? SubmitError { true } else { false }
    }
    #expect(composer.composer.content.text.userText.string == "")
    try composer.record([typed("a", at: 0)])
    try await composer.flush()
    #expect(try await stored(workspace) == "a")
    await workspace.close()
    #expect(throws: SubmitError.self) { try composer.record([typed("b", at: 1)]) }
  }

  @Test func `opening is refused if the user or the channel is missing`() async throws {
    let workspace = try folder.open()
    try await workspace.populate()
    for key in [Composer.Key(of: "nobody", on: "phone", in: "general"), Composer.Key(of: "ada", on: "phone", in: "no")]
    {
      await #expect(throws: SubmitError.self) { try await workspace.openComposer(key) }
    }
    await workspace.close()
  }

  @Test func `typing among many submits keeps all events in order`() async throws {
    let workspace = try folder.open()
    try await workspace.populate()
    let composer = try await workspace.openComposer(key)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<8 {
        group.addTask {
          for round in 0..<20 { try await workspace.send("x", Message.ID(rawValue: "m\(task).\(round)")!) }
        }
      }
      group.addTask {
        for place in 0..<1000 {
          try composer.record([typed(String(place % 10), at: place)])
          if place % 50 == 0 { await Task.yield() }
        }
      }
      try await group.waitForAll()
    }
    try await composer.flush()
    #expect(try await stored(workspace) == (0..<1000).map { String($0 % 10) }.joined())
    #expect(workspace.submitQueue.admissionLimiter.taken == 0)
    await workspace.close()
  }

  @Test func `typing is refused while the queue is full`() async throws {
    let workspace = try folder.open { $0.waitingMax = 10 }
    try await workspace.populate()
    let composer = try await workspace.openComposer(key)
    let writerLock = try HeldWriterLock(of: workspace)
    for place in 0..<10 { try composer.record([typed("a", at: place)]) }
    #expect {
      try composer.record([typed("b", at: 10)])
    } throws: { error in
      if case .full = error as? SubmitError { true } else { false }
    }
    writerLock.letGo()
    try await composer.flush()
    try composer.record([typed("b", at: 10)])
    try await composer.flush()
    #expect(try await stored(workspace) == "aaaaaaaaaab")
    await workspace.close()
  }
}
