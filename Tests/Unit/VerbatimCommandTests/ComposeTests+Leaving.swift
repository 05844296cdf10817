// The start and the end of a composer in a terminal: text is kept, and missing parts are reported or created.
import ChatComposer
import ChildProcess
import EventLog
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
    func compose(_ user: String) throws -> PseudoTerminal {
      try PseudoTerminal([program!, "compose", path, "--as", user, "--create", "--name", "The team"], columns: 60)
    }
    let (ada, ben) = (try compose("ada"), try compose("ben"))
    try ada.wait { $0.isReady }
    try ben.wait { $0.isReady }
    try ben.send("Here" + Press.enter)
    try ada.wait { $0.says(" ben: Here") }
    #expect(verbatim("query", "channel", path, "general", "--as", "ada").output.contains("The team"))
  }

  @Test func `the name of a new channel is asked for, and that of an existing one is not`() async throws {
    let path = folder("new")
    func compose(_ more: String...) throws -> PseudoTerminal {
      try PseudoTerminal([program!, "compose", path, "--as", "ada", "--create"] + more, columns: 70)
    }
    for (channel, typed, name) in [("general", "Ada & friends", "Ada & friends"), ("random", "", "random")] {
      let terminal = try compose("--channel", channel)
      try terminal.wait { $0.text.contains("The channel \(channel) is new. Its name, or enter for \(channel):") }
      try terminal.send(typed + Press.enter)
      try terminal.wait { $0.isReady }
      let found = verbatim("query", "channel", path, channel, "--as", "ada", "--json").output
      #expect(found.contains(#""name":"\#(name)""#), "\(found)")
    }
    let again = try compose()
    try again.wait { $0.isReady }
    // Without a name nothing is created.
    let words = ["compose", path, "--as", "eve", "--create", "--channel", "x"]
    let other = try PseudoTerminal([program!] + words, columns: 140)
    try other.wait { $0.text.contains("Its name, or enter for x:") }
    try other.send(Press.control("d"))
    try #expect(other.finish() == .exit(1))
    #expect(other.screen.text.contains("The channel x has no name and was not created: type one, or give it with"))
    #expect(verbatim("query", "channels", path, "--as", "eve").errors.contains("There is no user eve"))
  }

  @Test func `leaving says whether text was kept`() async throws {
    let path = try await conversation(in: folder)
    for (typed, options, sentence) in [
      ("", [], "There was no text to keep."),
      ("Hello", [], "Your text is kept on the device terminal, and is shown again there."),
      ("Hi", ["--drafts", "--device", "desk"], "Your draft is kept, for all of your devices."),
    ] as [(String, [String], String)] {
      let ada = try PseudoTerminal([program!, "compose", path, "--as", "ada"] + options, columns: 80)
      try ada.wait { $0.isReady }
      try ada.send(typed)
      try ada.wait { $0.shows("> " + typed, caretAt: 2 + typed.count) || typed.isEmpty }
      try ada.send(Press.control("c"))
      try #expect(ada.finish() == .exit(0))
      let lines = ada.screen.text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      #expect(lines.last { !$0.isEmpty } == sentence && lines.count { $0 == sentence } == 1)
    }
  }

  // What broke: leaving an edit with --drafts said that the draft is kept, although the text was discarded.
  @Test func `leaving an edit says that it was not saved`() async throws {
    let path = try await conversation(in: folder)
    let ada = try PseudoTerminal([program!, "compose", path, "--as", "ada", "--drafts"], columns: 80)
    try ada.wait { $0.isReady }
    try ada.send("Hello" + Press.enter)
    try ada.wait { $0.says(" Ada: Hello") && $0.input.hasPrefix("> Write in") }
    try ada.send(Press.up)
    try ada.wait { $0.text.contains("[editing") }
    try ada.send(Press.control("c"))
    try #expect(ada.finish() == .exit(0))
    #expect(ada.screen.text.contains("The edit was not saved.") && !ada.screen.text.contains("kept"))
    var (command, composer) = (ComposeCommand(), Composer(Composer.Key(of: "ada", on: "d", in: "general")))
    (composer.editing, composer.aside) = ("m1", Composition("Next"))
    let kept = "Your text is kept on the device terminal, and is shown again there."
    #expect(command.farewell(to: composer, isDone: true) == kept)
    command.keepsDrafts = true
    let both = "The edit was not saved. Your draft is kept, for all of your devices."
    #expect(command.farewell(to: composer, isDone: true) == both)
  }

  // What broke: while a send was in progress, no key and no signal ended the program.
  @Test(arguments: [nil, SIGTERM]) func `leaving does not wait for a send that is stuck`(signal: CInt?) async throws {
    let path = try await conversation(in: folder)
    let ada = try terminal(of: "ada", in: path, columns: 90)
    try ada.send("Hello")
    try ada.wait { $0.shows("> Hello", caretAt: 7) }
    let workspace = try Workspace.open(at: path, creates: false)
    try await within("the event that records what was typed") {
      for try await _ in workspace.follow() {
        let composers = try await workspace.read { reading in try reading.chat.composers(of: "ada") }
        if composers.first?.content.text == "Hello" { break }
      }
    }
    try workspace.store.log.withWriterLock {
      do {
        try ada.send(Press.enter + " there")
        try ada.wait { $0.text.contains("not sent yet: keys wait until it is; ctrl-c leaves") }
        if let signal { ada.signal(signal) } else { try ada.send(Press.control("c")) }
        try #expect(ada.finish() == .exit(0))
      } catch {
        Issue.record(error)
      }
    }
    await workspace.close()
    #expect(ada.screen.text.contains("A send was still in progress: its text is sent, or is shown again on the device"))
    let again = try terminal(of: "ada", in: path)
    #expect(again.screen.shows("> Hello", caretAt: 7))
  }

  @Test func `keys behind a send are handled before the program ends`() async throws {
    let path = try await conversation(in: folder)
    let ada = try terminal(of: "ada", in: path)
    try ada.send("one" + Press.enter + "two" + Press.enter + "three" + Press.control("c"))
    try #expect(ada.finish() == .exit(0))
    let again = try terminal(of: "ada", in: path)
    #expect(again.screen.says(" Ada: one") && again.screen.says(" Ada: two"))
    #expect(again.screen.shows("> three", caretAt: 7))
  }

  @Test func `a thread has its own composer and shows its replies`() async throws {
    let path = try await conversation(in: folder)
    let workspace = try Workspace.open(at: path, creates: false)
    let general = workspace.client(user: "ben").channel("general")
    try await general.send("Who comes?", id: "m1")
    let (ada, ben) = (try terminal(of: "ada", in: path, "--thread", "m1"), try terminal(of: "ben", in: path))
    #expect(!ada.screen.everything.contains("Who comes?"))
    try ada.send("I do" + Press.enter)
    try ada.wait { $0.says(" Ada: I do") }
    try await general.thread("m1").reply("Me too", id: "m2")
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
      ([path, "--as", "ada", "--name", "x"], 2, "--name is for a new channel: add --create, or leave it out."),
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

  @Test func `the help lists every key, and ctrl-] shows the same list until the next key`() async throws {
    let run = verbatim("compose", "--help")
    #expect(run.code == .done)
    #expect(run.output.split(separator: "\n").allSatisfy { $0.count <= 104 })
    #expect(KeyTable.lines.allSatisfy { run.output.contains($0 + "\n") })
    // The list and the input fit a terminal of the usual size.
    #expect(KeyTable.lines.allSatisfy { $0.count <= 80 } && KeyTable.lines.count < 22)
    let ada = try terminal(of: "ada", in: try await conversation(in: folder), columns: 80, rows: 24)
    try ada.send("x" + Press.control("]"))
    try ada.wait { screen in KeyTable.lines.allSatisfy { screen.text.contains($0) } && screen.input == "> x" }
    for (key, input) in [("y", "> xy"), (Press.control("]"), "> xy"), (Press.escape, "> xy")] {
      try ada.send(key)
      try ada.wait { $0.input == input && !$0.everything.contains(KeyTable.lines[0]) }
      try ada.send(Press.control("]"))
      try ada.wait { $0.text.contains(KeyTable.lines[0]) }
    }
  }
}
