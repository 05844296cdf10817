// Threat: a channel is shown differently than a user sees it, or its content controls the terminal or the page.
import Foundation
import Testing
import Verbatim

@testable import VerbatimCommand

@Suite struct `The output of show` {
  private let folder = Folder()

  /// Creates a workspace with some messages, a second apart.
  private func chat() async throws -> Drafts {
    let chat = try await Drafts(in: folder)
    let (ada, ben) = (chat.ada.channel("general"), chat.ben.channel("general"))
    chat.pass()
    try await ben.send("Who comes?", id: "m1")
    chat.pass()
    try await ada.send(Message.Content("I do", quoted: "m1"), id: "m2")
    try await ada.send(Message.Content("When?", parent: "m1"), id: "r1")
    try await ada.react(to: "m1", "like")
    return chat
  }

  private func show(_ chat: Drafts, _ options: String..., as user: String = "ada") -> Run {
    verbatim(["show", chat.path, "general", "--as", user, "--time-zone", "UTC"] + options, input: [])
  }

  @Test func `text fits the requested width and has no colors outside a terminal`() async throws {
    let chat = try await chat()
    let shown = show(chat, "--columns", "40")
    let words = shown.lines.map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    #expect(words.first == "This is where the conversation begins")
    #expect(words.contains { $0.contains(" 2026-01-01 ") } && words.contains { $0.contains(" 1 unread message ") })
    let said = words.firstIndex(of: "Who comes?"), answer = words.firstIndex(of: "I do")
    #expect(said.map { words[$0 - 1] } == "Ben" && answer.map { words[$0 - 1] } == "│ Ben: Who comes?")
    #expect(words.contains("↳ 1 reply") && words.contains("00:00 · ✓ sent"))
    #expect(shown.lines.allSatisfy { $0.count <= 40 } && shown.output.hasSuffix("sent\n"))
    #expect(shown.code == .done && shown.errors == "" && !shown.output.contains("\u{1B}"))
    #expect(show(chat, "--columns", "40", "--time-zone", "Asia/Tokyo").code == .misused)
    let elsewhere = verbatim(
      ["show", chat.path, "general", "--as", "ada", "--time-zone", "Asia/Tokyo", "--columns", "40"], input: [])
    #expect(elsewhere.output.contains("09:00"))
    await chat.close()
  }

  @Test func `HTML is a self-contained page`() async throws {
    let chat = try await chat()
    let page = show(chat, "--format", "html").output
    #expect(page.hasPrefix("<!DOCTYPE html>\n") && page.hasSuffix("</html>\n"))
    #expect(page.contains("<title>A channel</title>") && page.contains("Who comes?"))
    #expect(!page.contains("<script") && !page.contains(" src=\"http"))
    await chat.close()
  }

  @Test func `show renders a thread, the surroundings of a message, and the past`() async throws {
    let chat = try await chat()
    let before = try chat.ada.workspace.head()
    try await chat.ada.channel("general").edit("m2", to: "I do not")
    #expect(show(chat).output.contains("I do not") && show(chat).output.contains("edited"))
    let then = show(chat, "--at", "\(before)").output
    #expect(!then.contains("I do not") && then.contains("I do"))
    #expect(show(chat, as: "ben").output.contains("Ada"))
    let thread = show(chat, "--thread", "m1").output
    #expect(thread.contains("When?") && thread.contains("1 reply") && !thread.contains("I do"))
    for number in 1...9 {
      try await chat.ben.channel("general").send("later \(number)", id: ID(stringLiteral: "l\(number)"))
    }
    let around = show(chat, "--around", "m2", "--limit", "2").output
    #expect(around.contains("I do not") && !around.contains("later 9") && around.contains("Load later messages"))
    #expect(show(chat, "--limit", "1").output.contains("Load earlier messages"))
    await chat.close()
  }

  @Test func `content of a channel cannot control the terminal or the page`() async throws {
    let chat = try await chat()
    let hostile = "\u{1B}[2J\u{7}</article><script>alert(1)</script>\u{202E}" + String(repeating: "x", count: 4000)
    try await chat.ben.channel("general").send(hostile, id: "h")
    let text = show(chat, "--columns", "60").output
    let isQuiet = text.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }
    #expect(isQuiet && !text.unicodeScalars.contains("\u{202E}"))
    let page = show(chat, "--format", "html").output
    #expect(!page.contains("<script") && page.contains("&lt;script&gt;"))
    await chat.close()
  }

  @Test(arguments: [
    (["general"], "--as is missing: name the user who looks, as in --as ada."),
    (["general", "--as", "ada", "--limit", "0"], "--limit is 0 and must be 1 or more."),
    (["general", "--as", "ada", "--columns", "9223372036854775807"], "--columns is 9223372036854775807 and must be 1"),
    (["general", "--as", "ada", "--columns", "0"], "--columns is 0 and must be 1 or more, and 1000 at most."),
    (["general", "--as", "ada", "--columns", "9", "--format", "html"], "--columns applies to text only: leave it"),
    (["general", "--as", "ada", "--format", "pdf"], "--format is “pdf” and must be text or html."),
    (["general", "--as", "ada", "--time-zone", "Here"], "--time-zone is “Here” and must be the name of a time zone"),
    (["general", "--as", "ada", "--at", "0"], "--at is “0” and must be a position, as 1200, an instant"),
  ])
  func `invalid options of show are errors with a sentence`(options: [String], sentence: String) {
    let run = verbatim(["show", folder("none")] + options, input: [])
    #expect(run.code == .misused && run.output == "")
    #expect(run.errors.hasPrefix("verbatim: \(sentence)"), "\(run.errors)")
  }

  @Test func `show is refused without permission, and fails for a missing channel or position`() async throws {
    let chat = try await chat()
    let unknown = verbatim("show", chat.path, "elsewhere", "--as", "ada")
    #expect(unknown.code == .refused && unknown.errors == "verbatim: \(Refusal.unknownChannel("elsewhere"))\n")
    #expect(show(chat, as: "kim").errors == "verbatim: \(Refusal.unknownUser("kim"))\n")
    let end = try chat.ada.workspace.head()
    let beyond = show(chat, "--at", "99999")
    #expect(beyond.code == .unable)
    #expect(
      beyond.errors
        == "verbatim: The log at \(chat.path) ends at position \(end), before --at 99999: give a position of the log.\n"
    )
    #expect(verbatim("show", folder("none"), "general", "--as", "ada").code == .unable)
    await chat.close()
  }
}
