// Threat: an app's own tool shows refusals and failures in English although the app has texts in its language.
import Foundation
import Terminal
import Testing
import Verbatim
import VerbatimUI

@testable import VerbatimCommand

@MainActor
@Suite struct OwnWordsTests {
  private let folder = Folder()

  /// The streams of a test, and the texts of an app.
  private func context() -> Context {
    var context = Context()
    context.output = FileHandle.nullDevice.fileDescriptor
    context.words.sendRefusal = { "Nicht gesendet: \($0.code)" }
    context.words.refusal = { _ in "Abgelehnt" }
    context.words.notice = { _ in "Hinweis" }
    return context
  }

  @Test func `the terminal composer draws refusals and notices with the texts of the app`() async throws {
    var command = ComposeCommand()
    (command.path, command.user, command.creates, command.channelName) = (folder("chat"), "ada", true, "General")
    let target = try await ChatTarget.open(command, Configuration(), in: context())
    let composer = try await target.channel.composer(options: ComposerOptions())
    let session = Session(target, composer, in: context())
    func lines() -> [String] {
      session.frame(at: target.workspace.now).lines.map { $0.runs.map(\.text).joined() }
    }
    try composer.perform(.type("Hello"))
    try composer.perform(.attach(Attachment("a", .file, at: .device("a"))))
    #expect(lines().last == "Nicht gesendet: uploading")
    composer.notice = .notSent(.frozen)
    #expect(lines().first == "Nicht gesendet: frozen")
    composer.notice = .notSent(.refused(.oneself))
    #expect(lines().first == "Abgelehnt")
    composer.notice = .commandFailed("mute", RecordedFailure("acme.quota"))
    #expect(lines().first == "Hinweis")
    try await session.leave()
  }

  @Test func `show draws with the texts of the app`() async throws {
    let chat = try await Drafts(in: folder)
    try await chat.ben.channel("general").send("Who comes?", id: "m1")
    _ = FileManager.default.createFile(atPath: folder("out"), contents: nil)
    let output = try #require(FileHandle(forUpdatingAtPath: folder("out")))
    var context = context()
    context.output = output.fileDescriptor
    context.words.conversationStart = "Hier beginnt das Gespräch"
    #expect(Invocation(["show", chat.path, "general", "--as", "ada"], in: context).run() == .done)
    #expect(try String(contentsOfFile: folder("out"), encoding: .utf8).contains("Hier beginnt das Gespräch"))
    await chat.close()
  }
}
