// Threat: text is lost or reappears when a composer is left and opened, here or on another device.
import Foundation
import Testing

@testable import Verbatim
@testable import VerbatimUI

@MainActor @Suite struct `Leaving a composer` {
  private let folder = WorkspaceFolder()

  private func open() async throws -> Workspace {
    let workspace = try folder.open { $0.draftMessagesEnabled = true }
    try await workspace.populate()
    return workspace
  }

  private func draft(_ workspace: Workspace, thread: Message.ID? = nil) async throws -> Composition? {
    try await workspace.read { try $0.chat.draft(Draft.Key(by: "ada", in: "general", thread: thread))?.content }
  }

  @Test func `without drafts, the content stays on this device only`() async throws {
    let workspace = try folder.open()
    try await workspace.populate()
    let composer = try await workspace.composer()
    try composer.perform(.type("hello"))
    try composer.perform(.moveSelection(2..<2))
    try await composer.leave()
    #expect(try await draft(workspace) == nil)
    #expect(try await workspace.composer(on: "desk").text.isEmpty)
    #expect(try await workspace.read { try $0.chat.composers(of: "ada") }.contains { $0.content.text == "hello" })
    let again = try await workspace.composer()
    #expect(again.text == "hello" && again.composer.selection == 2..<2 && again.composer.isOpen)
    await workspace.close()
  }

  @Test func `leaving saves the draft in one append, which fills the composer of another device`() async throws {
    let workspace = try await open()
    let composer = try await workspace.composer()
    try composer.perform(.type("Hi @be"))
    await until { composer.suggestions?.isLoading == false }
    try composer.pick("ben")
    try await composer.flush()
    let start = try workspace.head().next
    try await composer.leave()
    let events = try workspace.store.events(from: start, limit: 10)
    #expect(events.map(\.type.text) == ["draftUpdated.1", "composerLeft.1"])
    #expect(Set(events.map(\.append)).count == 1)
    #expect(composer.text.isEmpty)
    let other = try await workspace.composer(on: "desk")
    #expect(other.text == "Hi @ben " && other.composer.selection == 8..<8)
    #expect(other.composer.content.mentions == [Mention("ben", at: 3..<7)])
    // An unchanged draft is a no-op, touched or not.
    let key = composer.key.draft
    let before = try await workspace.read { try $0.chat.draft(key) }
    try other.perform(.type("x"))
    try other.perform(.backspace)
    try await other.leave()
    #expect(try await workspace.read { try $0.chat.draft(key) } == before)
    await workspace.close()
  }

  @Test func `leaving an empty composer deletes the draft, at once and after a restart`() async throws {
    var workspace = try await open()
    for isRestarted in [false, true] {
      let first = try await workspace.composer()
      try first.perform(.type("hello"))
      try await first.leave()
      var second = try await workspace.composer()
      #expect(second.text == "hello")
      try second.perform(.clear)
      try await second.flush()
      if isRestarted {
        await workspace.close()
        workspace = try folder.open { $0.draftMessagesEnabled = true }
        second = try await workspace.composer()
        #expect(second.text.isEmpty)
      }
      try await second.leave()
      #expect(try await draft(workspace) == nil)
    }
    await workspace.close()
  }

  @Test func `a composer that records nothing more cannot be cleared, and keeps its text`() async throws {
    let workspace = try await open()
    let composer = try await workspace.composer()
    try composer.perform(.type("hello"))
    try await composer.leave()
    try await composer.open()
    await workspace.close()
    #expect(throws: ComposerError.self) { try composer.perform(.clear) }
    #expect(composer.text == "hello")
    let again = try folder.open { $0.draftMessagesEnabled = true }
    #expect(try await draft(again)?.text == "hello")
    await again.close()
  }

  @Test func `leaving during an edit keeps the text set aside`() async throws {
    let workspace = try await open()
    try await workspace.send("sent", "m1")
    let message = try #require(try await workspace.read { try $0.chat.message(Message.Key("general", "m1")) })
    let composer = try await workspace.composer()
    try composer.perform(.type("aside"))
    try composer.perform(.beginEdit(message))
    try composer.perform(.type(" changed"))
    try await composer.leave()
    #expect(try await draft(workspace)?.text == "aside")
    #expect(try await workspace.composer().text == "aside")
    await workspace.close()
  }

  @Test func `leaving during a send leaves no draft and no duplicate`() async throws {
    let workspace = try await open()
    let composer = try await workspace.composer()
    try composer.perform(.type("hello"))
    try await composer.flush()
    let writerLock = try HeldWriterLock(of: workspace)
    async let sent = composer.send()
    await until { composer.isSending }
    try composer.perform(.type(" more"))
    async let left: Void = composer.leave()
    await Task.yield()
    writerLock.letGo()
    _ = try await (sent, left)
    #expect(try await workspace.texts() == ["hello"])
    #expect(try await draft(workspace)?.text == " more")
    #expect(composer.text.isEmpty)
    await workspace.close()
  }

  @Test func `a thread's composer is independent of its channel's`() async throws {
    let workspace = try await open()
    try await workspace.send("parent", "m1")
    let (channel, thread) = (try await workspace.composer(), try await workspace.composer(thread: "m1"))
    try channel.perform(.type("channel"))
    try thread.perform(.type("thread"))
    try await thread.leave()
    #expect(try await draft(workspace) == nil)
    try await channel.leave()
    #expect(try await draft(workspace)?.text == "channel")
    #expect(try await draft(workspace, thread: "m1")?.text == "thread")
    let again = try await workspace.composer(thread: "m1")
    try await again.send()
    #expect(try await draft(workspace, thread: "m1") == nil)
    #expect(try await draft(workspace)?.text == "channel")
    await workspace.close()
  }

  @Test func `leaving a composer of a deleted channel keeps the text on this device`() async throws {
    let workspace = try await open()
    let composer = try await workspace.composer()
    try composer.perform(.type("hello"))
    try await workspace.client(user: "ada").channel("general").delete()
    try await composer.leave()
    #expect(composer.text == "hello")
    #expect(try await workspace.read { try $0.chat.composers(of: "ada") }.map(\.content.text) == ["hello"])
    await workspace.close()
  }

  @Test func `a saved draft reaches an open and untouched composer on another device, and no other`() async throws {
    let workspace = try await open()
    let (phone, desk) = (try await workspace.composer(), try await workspace.composer(on: "desk"))
    let laptop = try await workspace.composer(on: "laptop")
    try laptop.perform(.type("mine"))
    try phone.perform(.type("hello"))
    try await phone.leave()
    await until { desk.text == "hello" }
    #expect(laptop.text == "mine")
    await workspace.close()
  }
}
