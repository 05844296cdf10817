// Live composers of a workspace: typed text is persistent, a message is sent once.
import Chat
import Foundation
import Testing
import Verbatim
import VerbatimUI

@MainActor
struct LiveComposerInWorkspace {
  let folder = WorkspaceFolder()

  private func type(_ text: String, in composer: LiveComposer) throws {
    for character in text { try composer.perform(.type(String(character))) }
  }

  @Test func `typed text and caret are restored when the workspace is opened again`() async throws {
    let workspace = try folder.open()
    try await workspace.populate()
    let composer = try await workspace.client(user: "ada", device: "phone").channel("general").composer()
    try type("Hello Ben", in: composer)
    try composer.perform(.moveSelection(5..<5))
    try await composer.flush()
    await workspace.close()
    let again = try folder.open()
    let reopened = try await again.client(user: "ada", device: "phone").channel("general").composer()
    #expect(reopened.text == "Hello Ben")
    #expect(reopened.composer.selection == 5..<5)
    #expect(reopened.composer.content == composer.composer.content)
    await again.close()
  }

  @Test func `sending records the message with its mention and empties the composer`() async throws {
    let workspace = try folder.open()
    try await workspace.populate()
    let composer = try await workspace.client(user: "ada", device: "phone").channel("general").composer()
    try type("Hi @be", in: composer)
    await until { composer.suggestions?.isLoading == false }
    try composer.pick("ben")
    try await composer.send()
    #expect(try await workspace.texts() == ["Hi @ben"])
    #expect(composer.text.isEmpty)
    let stored = try await workspace.read { reading in try reading.chat.composers(of: "ada") }
    #expect(stored.map(\.content) == [Composition()])
    try type("again", in: composer)
    try await composer.send()
    #expect(try await workspace.texts() == ["Hi @ben", "again"])
    await workspace.close()
  }

  @Test func `an attachment is copied into the workspace and sent with its URL`() async throws {
    let workspace = try folder.open()
    try await workspace.populate()
    let file = folder.path + ".txt"
    try Data("What is attached".utf8).write(to: URL(fileURLWithPath: file))
    defer { try? FileManager.default.removeItem(atPath: file) }
    let composer = try await workspace.client(user: "ada", device: "phone").channel("general").composer()
    try composer.perform(
      .attach(Attachment("a1", .file, at: .device(UserText(file)), title: "words.txt", mimeType: "text/plain")))
    await until { composer.canSend }
    try await composer.send()
    let message = try await workspace.read { reading in
      try reading.chat.messages(in: "general", .latest, limit: 1, for: "ada").messages[0]
    }
    guard case .url(let url)? = message.content.attachments.first?.location else {
      Issue.record("it has no address")
      return
    }
    let path = try #require(workspace.blobs.path(of: url))
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("What is attached".utf8))
    await workspace.close()
  }

  @Test func `a banned user is notified before and after sending`() async throws {
    let workspace = try folder.open()
    try await workspace.populate()
    let composer = try await workspace.client(user: "ben", device: "phone").channel("general").composer()
    try type("Hello", in: composer)
    #expect(composer.canSend)
    try await workspace.client(user: "ada").channel("general").ban("ben")
    await until { !composer.canSend }
    #expect(composer.refusal == .banned(until: nil))
    await #expect(throws: ComposerError.self) { try await composer.send() }
    #expect(composer.text == "Hello")
    await workspace.close()
  }

  @Test func `opening a composer again returns the same instance`() async throws {
    let workspace = try folder.open()
    try await workspace.populate()
    let general = workspace.client(user: "ada", device: "phone").channel("general")
    let (first, second) = (try await general.composer(), try await general.composer())
    #expect(first === second)
    #expect(try await general.composer(thread: nil) === first)
    await workspace.close()
  }
}
