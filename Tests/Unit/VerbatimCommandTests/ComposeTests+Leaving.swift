// The start and the end of a composer in a terminal: text is kept, and missing parts are reported or created.
import ChildProcess
import Foundation
import PseudoTerminal
import Testing
import Verbatim

@testable import VerbatimCommand

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@Suite(.enabled(if: program != nil, "the program was not built"), .serialized)
struct ComposeLeavingTests {
  private let folder = Folder()

  @Test func `a killed composer keeps its text and caret`() async throws {
    let path = try await conversation(in: folder)
    let workspace = try Workspace.open(at: path, creates: false)
    let ada = try terminal(of: "ada", in: path)
    try ada.send("Hello wor" + Press.left + Press.left)
    try ada.wait { $0.shows("> Hello wor", caretAt: 9) }
    // It is recorded some moments after it is shown.
    try await within("the event that records what was typed") {
      for try await _ in workspace.follow() {
        let composers = try await workspace.read { reading in try reading.chat.composers(of: "ada") }
        if composers.first?.content.text == "Hello wor", composers.first?.selection == 7..<7 { break }
      }
    }
    ada.signal(SIGKILL)
    try #expect(ada.finish() == .signal(SIGKILL))
    let again = try terminal(of: "ada", in: path)
    #expect(again.screen.shows("> Hello wor", caretAt: 9))
    try again.send("!")
    try again.wait { $0.shows("> Hello w!or", caretAt: 10) }
    await workspace.close()
  }

  @Test(arguments: [SIGTERM, SIGHUP]) func `a signal restores the terminal and keeps the typed text`(
    signal: CInt
  ) async throws {
    let path = try await conversation(in: folder)
    let before = try PseudoTerminal(["cat"]).settings
    let ada = try terminal(of: "ada", in: path)
    try ada.send("Hello")
    try ada.wait { $0.shows("> Hello", caretAt: 7) }
    ada.signal(signal)
    try #expect(ada.finish() == .exit(0))
    #expect(ada.settings == before)
    #expect(ada.screen.column == 0 && ada.screen.isCaretVisible && !ada.screen.bracketsPastes)
    let again = try terminal(of: "ada", in: path)
    #expect(again.screen.shows("> Hello", caretAt: 7))
  }

  @Test func `leaving keeps the typed text and restores the terminal`() async throws {
    let path = try await conversation(in: folder)
    let before = try PseudoTerminal(["cat"]).settings
    let ada = try terminal(of: "ada", in: path)
    #expect(ada.settings != before)
    // Where text is typed, ctrl-d deletes the character behind the caret.
    try ada.send("Hello!" + Press.left + Press.control("d"))
    try ada.wait { $0.shows("> Hello", caretAt: 7) }
    try ada.send(Press.control("c"))
    try #expect(ada.finish() == .exit(0))
    #expect(ada.settings == before)
    #expect(!ada.screen.text.contains("Hello"))
    let again = try terminal(of: "ada", in: path)
    #expect(again.screen.shows("> Hello", caretAt: 7))
  }

  @Test func `a draft appears on another open device and in queries, and is deleted when it is sent`() async throws {
    let path = try await conversation(in: folder)
    let phone = try terminal(of: "ada", in: path, "--drafts", "--device", "phone")
    let desk = try terminal(of: "ada", in: path, "--drafts", "--device", "desk")
    try phone.send("Hello")
    try phone.wait { $0.shows("> Hello", caretAt: 7) }
    #expect(verbatim("query", "drafts", path, "--as", "ada").output == "There are no drafts.\n")
    try phone.send(Press.control("c"))
    try #expect(phone.finish() == .exit(0))
    try desk.wait { $0.shows("> Hello", caretAt: 7) }
    #expect(verbatim("query", "drafts", path, "--as", "ada").words == ["Hello"])
    try desk.send(", Ben" + Press.enter)
    try desk.wait { $0.says(" Ada: Hello, Ben") }
    #expect(verbatim("query", "drafts", path, "--as", "ada").output == "There are no drafts.\n")
    // Without drafts, each device has only the text that was left on it.
    try desk.send("Mine")
    try desk.wait { $0.shows("> Mine", caretAt: 6) }
    try desk.send(Press.control("c"))
    try #expect(desk.finish() == .exit(0))
    let other = try terminal(of: "ada", in: path, "--device", "other")
    #expect(other.screen.input.hasPrefix("> Write in general"))
  }

  @Test func `two processes with --create create missing parts at once`() async throws {
    let path = folder("new")
    let ada = try PseudoTerminal([program!, "compose", path, "--as", "ada", "--create"], columns: 60)
    let ben = try PseudoTerminal([program!, "compose", path, "--as", "ben", "--create"], columns: 60)
    try ada.wait { $0.isReady }
    try ben.wait { $0.isReady }
    try ben.send("Here" + Press.enter)
    try ada.wait { $0.says(" ben: Here") }
  }

  @Test func `a thread has its own composer and shows its replies`() async throws {
    let path = try await conversation(in: folder)
    let workspace = try Workspace.open(at: path, creates: false)
    let general = workspace.client(user: "ben").channel("general")
    try await general.send("Who comes?", as: "m1")
    let (ada, ben) = (try terminal(of: "ada", in: path, "--thread", "m1"), try terminal(of: "ben", in: path))
    #expect(!ada.screen.everything.contains("Who comes?"))
    try ada.send("I do" + Press.enter)
    try ada.wait { $0.says(" Ada: I do") }
    try await general.thread("m1").reply("Me too", as: "m2")
    try ada.wait { $0.says(" Ben: Me too") }
    try await general.delete("m2")
    try ada.wait { $0.says(" Ben: (deleted)") }
    try await general.send("Good")
    try ben.wait { $0.says(" Ben: Good") }
    #expect(!ben.screen.everything.contains("I do"))
    await workspace.close()
  }

  @Test func `missing parts are reported with the reason`() async throws {
    let path = try await conversation(in: folder)
    let workspace = try Workspace.open(at: path, creates: false)
    try await workspace.client(user: "eve").me.create(name: "Eve")
    await workspace.close()
    let cases: [(arguments: [String], code: CInt, sentence: String)] = [
      (
        [folder("none"), "--as", "ada"], 3, "There is no workspace at \(folder("none")): give another path, or create "
      ),
      ([path, "--as", "kim"], 1, "There is no user kim: name an existing user, or create this one with --create."),
      ([path, "--as", "eve"], 1, "eve is not a member of general: add them with --create, or ask a member to."),
      (
        [path, "--as", "ada", "--channel", "other"], 1,
        "There is no channel other: name an existing channel, or create this one with --create."
      ),
      (
        [path, "--as", "ada", "--thread", "m9"], 1,
        "There is no message m9 in general: name an existing message with --thread."
      ),
      ([path], 2, "--as is missing: name the user who writes, as in --as ada."),
      ([path, "--as", "a b"], 2, "--as is “a b” and must be an id: 1 to 64 visible ASCII characters other than “/”."),
    ]
    for (arguments, code, sentence) in cases {
      let terminal = try PseudoTerminal([program!, "compose"] + arguments, columns: 200)
      try #expect(terminal.finish() == .exit(code))
      #expect(terminal.screen.text.hasPrefix("verbatim: \(sentence)"))
    }
    #expect(!FileManager.default.fileExists(atPath: folder("none")))
  }

  @Test func `compose without a terminal starts nothing`() {
    let run = verbatim("compose", folder("new"), "--as", "ada", "--create")
    #expect(run.code == .unable)
    #expect(run.errors.hasSuffix(" is not a terminal: start the program in one.\n"))
    #expect(!FileManager.default.fileExists(atPath: folder("new")))
  }

  @Test func `the help lists every key, and ctrl-] shows the same list`() async throws {
    let run = verbatim("compose", "--help")
    #expect(run.code == .done)
    #expect(run.output.split(separator: "\n").allSatisfy { $0.count <= 104 })
    #expect(KeyTable.lines.allSatisfy { run.output.contains($0 + "\n") })
    let ada = try terminal(of: "ada", in: try await conversation(in: folder), columns: 104, rows: 40)
    try ada.send(Press.control("]"))
    try ada.wait { screen in KeyTable.lines.allSatisfy { screen.everything.contains($0) } }
  }
}
