// Invalid and refused queries for drafts, and their errors.
import Foundation
import Testing
import Verbatim

@testable import VerbatimCommand

@Suite struct `Invalid queries for drafts` {
  private let folder = Folder()

  @Test(arguments: [
    (["--sort", "size"], "--sort is “size” and must be created, updated or channel, or one of these with the suffix "),
    (["--sort", "created:down"], "--sort is “created:down” and must be created, updated or channel"),
    (["--sort", ""], "--sort is “” and must be created, updated or channel"),
    (["--sort", "created", "--sort", "created:desc"], "--sort names created twice: leave one out."),
    (["--limit", "0"], "--limit is 0 and must be 1 or more."),
    (["--limit", "many"], "--limit is “many” and must be a number from 0"),
    (["--offset=-1"], "--offset is “-1” and must be a number from 0"),
    (["--page", "here"], "--page is “here” and must be a page token, as shown by the previous page."),
    (["--page", ""], "--page is “” and must be a page token"),
    (["--as", "ben"], "--as is given twice: leave one out."),
  ])
  func `invalid options of a drafts query are errors with a sentence`(options: [String], sentence: String) {
    let run = verbatim(["query", "drafts", folder("none"), "--as", "ada"] + options, input: [])
    #expect(run.code == .misused)
    #expect(run.errors.hasPrefix("verbatim: \(sentence)"))
    #expect(run.errors.contains("usage: verbatim query drafts DIR [--as USER] [--sort KEY]… [--at POINT]"))
    #expect(run.output == "")
  }

  @Test func `a drafts query without a user or a workspace fails`() async throws {
    let missing = verbatim("query", "drafts", folder("none"))
    #expect(missing.code == .misused)
    #expect(missing.errors.hasPrefix("verbatim: --as is missing: name the user who queries, as in --as ada."))
    let nowhere = verbatim("query", "drafts", folder("none"), "--as", "ada")
    #expect(nowhere.code == .unable)
    #expect(nowhere.errors.hasPrefix("verbatim: There is no workspace at \(folder("none")): give the directory of "))
    #expect(!FileManager.default.fileExists(atPath: folder("none")))
    let log = verbatim("query", "drafts", logWithEvents(1, in: folder), "--as", "ada")
    #expect(log.code == .unable)
    #expect(log.errors.contains("is a log without a workspace"))
  }

  @Test func `a drafts query of an unknown or deactivated user is refused`() async throws {
    let drafts = try await Drafts(in: folder)
    let unknown = verbatim("query", "drafts", drafts.path, "--as", "kim")
    #expect(unknown.code == .refused)
    #expect(unknown.errors == "verbatim: \(Refusal.unknownUser("kim"))\n")
    try await drafts.ben.workspace.submit(.user("ben", .deactivate), by: .system)
    let gone = verbatim("query", "drafts", drafts.path, "--as", "ben")
    #expect(gone.code == .refused)
    #expect(gone.errors == "verbatim: \(Refusal.userDeactivated("ben"))\n")
    await drafts.close()
  }

  @Test func `a page token behind the head of the log is an error`() async throws {
    let (long, short) = (try await Drafts(in: folder, "long"), try await Drafts(in: folder, "short"))
    try await long.saveReplies(1...3)
    let token = try #require(long.query("--limit", "1", "--json").values("next").first)
    let run = short.query("--page", token)
    #expect(run.code == .unable)
    #expect(
      run.errors.contains(" ends at position 8, before --page \(token.prefix { $0 != "." }): give a position"))
    #expect(short.query("--page", token, "--offset", "1").code == .misused)
    await long.close()
    await short.close()
  }

  @Test func `the help describes the drafts query`() {
    let group = verbatim("query", "--help")
    #expect(group.code == .done)
    #expect(group.output.contains("  drafts              Shows the drafts of a user."))
    #expect(verbatim("--help").output.contains("  query               Queries a workspace as one"))
    let help = verbatim("query", "drafts", "--help").output
    for option in ["--as USER", "--sort KEY", "--limit N", "--offset N", "--page TOKEN", "--json"] {
      #expect(help.contains("\n  \(option)  "))
    }
    #expect(help.split(separator: "\n").allSatisfy { $0.count <= 104 })
    #expect(
      verbatim("query").errors.hasPrefix("verbatim: `verbatim query` needs a command: channels, channel, messages, "))
  }
}
