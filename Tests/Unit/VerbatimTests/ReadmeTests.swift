// The README's example of a chat, which compiles, runs, and equals the one below.
import Foundation
import Testing
import Verbatim

@Suite struct ReadmeTests {
  private let folder = WorkspaceFolder()

  @Test func `the example of the README has the documented results`() async throws {
    let (texts, before) = try await example(path: folder.path)
    #expect(texts == ["Hello, everybody"] && before == ["Hello"])
  }

  @Test func `the example of the README is the one that is run`() throws {
    let tests = URL(filePath: #filePath)
    let readmePath = tests.deletingLastPathComponent().appending(path: "../../../README.md")
    let readme = try String(contentsOf: readmePath, encoding: .utf8)
    let code = readme.split(separator: "```swift\n")[1].split(separator: "\n```")[0]
    let source = try String(contentsOf: tests, encoding: .utf8)
    let run = source.components(separatedBy: "// example\n")[1].components(separatedBy: "    // end\n")[0]
    let lines = run.split(separator: "\n", omittingEmptySubsequences: false).map { $0.dropFirst(4) }
    #expect(code.hasSuffix(lines.joined(separator: "\n").trimmingCharacters(in: .newlines)))
  }

  private func example(path: String) async throws -> (texts: [String], before: [String]) {
    // example
    // Open: a directory, which any number of processes may have open at once.
    let workspace = try Workspace.open(at: path)
    let ada = workspace.client(user: "ada", device: "phone")
    let general = ada.channel("general")

    // Submit: an intent is decided, appended and durable when the call returns.
    try await ada.me.create(name: "Ada")
    try await general.create()
    let hello = try await general.send("Hello")
    try await general.edit(hello.key.id, to: "Hello, everybody")

    // Query: what Ada may see, all at one position.
    let page = try await general.messages(limit: 50)
    let texts = page.messages.map(\.content.text.string)

    // Travel in time: the chat when the message had just been sent.
    let past = try await workspace.at(hello.position)
    let before = try await past.read { projections in
      try projections.chat.messages(in: "general", limit: 50).messages.map(\.content.text.string)
    }
    // end
    past.close()
    await workspace.close()
    return (texts, before)
  }
}
