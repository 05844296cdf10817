// Threat: text that cannot be recorded as usual is lost or sent twice without a notice.
import Foundation
import Testing

@testable import ChatComposer
@testable import Verbatim
@testable import VerbatimUI

@MainActor @Suite struct `A composer that cannot record` {
  private let folder = WorkspaceFolder()

  private func type(_ text: String, in composer: LiveComposer) throws { try composer.perform(.type(text)) }

  @Test func `a composer written to by another process shows a notice and keeps its text`() async throws {
    let (workspace, other) = (try folder.open(), try folder.open())
    try await workspace.populate()
    let mine = try await workspace.composer()
    try type("mine", in: mine)
    try await mine.flush()
    let theirs = try await other.composer()
    #expect(theirs.text == "mine")
    try type(" and theirs", in: theirs)
    try await theirs.flush()
    await until { mine.notice == .openElsewhere }
    #expect(mine.stopped == .openElsewhere && mine.text == "mine")
    #expect {
      try type("!", in: mine)
    } throws: { error in
      "\(error)".contains("open it again")
    }
    await #expect(throws: ComposerError.self) { try await mine.send() }
    await #expect(throws: ComposerError.self) { try await mine.leave() }
    #expect(mine.text == "mine")
    let next = try await workspace.composer()
    #expect(next !== mine && next.text == "mine and theirs" && next.stopped == nil)
    #expect(mine.text == "mine")
    try type("!", in: next)
    try await next.send()
    #expect(try await workspace.texts() == ["mine and theirs!"])
    await workspace.close()
    await other.close()
  }

  // What broke: drafts were ordered by the times at which they were recorded, which fall at a correction of the clock.
  @Test func `a draft of another device is taken over after a correction of the clock`() async throws {
    let clock = SetClock(1_800_086_400_000_000)
    let workspace = try folder.open {
      $0.clock = { clock.now }
      $0.draftMessagesEnabled = true
    }
    try await workspace.populate()
    let laptop = workspace.client(user: "ada", device: "laptop").channel("general")
    let phone = try await workspace.client(user: "ada", device: "phone").channel("general").composer()
    func save(_ text: String) async throws {
      let composer = try await laptop.composer()
      composer.text = text
      try await composer.leave()
    }
    try await save("one")
    await until { phone.text == "one" }
    clock.set(1_800_000_000_000_000)
    #expect(try await workspace.correctClock() != nil)
    try await save("two")
    await until { phone.text == "two" }
    await workspace.close()
  }

  @Test func `if both processes write, their texts do not mix`() async throws {
    let (workspace, other) = (try folder.open(), try folder.open())
    try await workspace.populate()
    // Nothing is recorded while both open: else one of them would stop before it writes.
    let writerLock = try HeldWriterLock(of: workspace, other)
    let (mine, theirs) = (try await workspace.composer(), try await other.composer())
    try type("mine", in: mine)
    try type("theirs", in: theirs)
    writerLock.letGo()
    await until { mine.stopped != nil || theirs.stopped != nil }
    let (loser, winner) = mine.stopped == nil ? (theirs, mine) : (mine, theirs)
    #expect(loser.notice == .openElsewhere)
    try await winner.flush()
    #expect(winner.stopped == nil)
    #expect(mine.text == "mine" && theirs.text == "theirs")
    #expect(try await workspace.read { try $0.chat.composers(of: "ada") }.map(\.content) == [winner.composer.content])
    await workspace.close()
    await other.close()
  }

  @Test func `a keystroke is refused while the queue is full, and accepted afterwards`() async throws {
    let workspace = try folder.open { $0.waitingMax = 4 }
    try await workspace.populate()
    let composer = try await workspace.composer()
    try await composer.flush()
    let writerLock = try HeldWriterLock(of: workspace)
    for _ in 0..<4 { try type("a", in: composer) }
    #expect(throws: ComposerError.self) { try type("b", in: composer) }
    #expect(composer.text == "aaaa" && composer.stopped == nil)
    if case .notRecorded = composer.notice {} else { Issue.record("nobody is told") }
    writerLock.letGo()
    try await composer.flush()
    try type("b", in: composer)
    try await composer.send()
    #expect(try await workspace.texts() == ["aaaab"])
    await workspace.close()
  }

  @Test func `closing the workspace keeps the text`() async throws {
    let workspace = try folder.open()
    try await workspace.populate()
    let composer = try await workspace.composer()
    try type("hello", in: composer)
    await workspace.close()
    #expect(throws: ComposerError.self) { try type("!", in: composer) }
    await #expect(throws: ComposerError.self) { try await composer.send() }
    #expect(composer.text == "hello")
    let again = try folder.open()
    #expect(try await again.composer().text == "hello")
    await again.close()
  }

  @Test func `typing continues while the writer lock is held, and a failed send is recorded once`() async throws {
    let workspace = try folder.open { $0.writerLockTimeout = .milliseconds(20) }
    try await workspace.populate()
    let composer = try await workspace.composer()
    try await composer.flush()
    let writerLock = try HeldWriterLock(of: workspace)
    try type("hello", in: composer)
    await #expect(throws: ComposerError.self) { try await composer.flush() }
    for _ in 0..<2 { await #expect(throws: ComposerError.self) { try await composer.send() } }
    #expect(composer.text == "hello" && !composer.isBusy)
    try type("!", in: composer)
    await #expect(throws: ComposerError.self) { try await composer.leave() }
    #expect(composer.text == "hello!")
    writerLock.letGo()
    await until { workspace.submitQueue.admissionLimiter.taken == 0 }
    try await composer.send()
    #expect(try await workspace.texts() == ["hello!"])
    #expect(composer.text.isEmpty)
    await workspace.close()
  }

  @Test func `a flush waits for text typed while a message was being sent`() async throws {
    let workspace = try folder.open()
    try await workspace.populate()
    let composer = try await workspace.composer()
    try type("first", in: composer)
    try await composer.flush()
    let writerLock = try HeldWriterLock(of: workspace)
    async let sent = composer.send()
    await until { composer.isSending && composer.recording.isHolding }
    try type(" second", in: composer)
    async let flushed: Void = composer.flush()
    await Task.yield()
    writerLock.letGo()
    _ = try await (sent, flushed)
    #expect(composer.text == " second")
    #expect(try await workspace.read { try $0.chat.composers(of: "ada") }.map(\.content) == [composer.composer.content])
    try await composer.send()
    #expect(try await workspace.texts() == ["first", "second"])
    await workspace.close()
  }
}

extension Workspace {
  /// Opens the composer of Ada on her phone.
  @MainActor
  func composer(on device: Device.ID = "phone", thread: Message.ID? = nil) async throws -> LiveComposer {
    try await client(user: "ada", device: device).channel("general").composer(thread: thread)
  }
}
