// A conversation of two terminals, and the commands of keys in them.
import Foundation
import PseudoTerminal
import Testing
import Verbatim

@testable import VerbatimCommand

@Suite(.enabled(if: program != nil, "the program was not built"), .serialized)
struct ComposeTests {
  private let folder = Folder()

  @Test func `two terminals show each other's messages and typing`() async throws {
    let path = try await conversation(in: folder)
    let (ada, ben) = (try terminal(of: "ada", in: path), try terminal(of: "ben", in: path))
    try ada.send("Hel")
    try ada.wait { $0.shows("> Hel", caretAt: 5) }
    try ben.wait { $0.text.contains("Ada is typing …") }
    try ada.send("lo" + Press.enter)
    try ada.wait { $0.says(" Ada: Hello") && $0.input.hasPrefix("> Write in general") && $0.column == 2 }
    try ben.wait { $0.says(" Ada: Hello") && !$0.text.contains("is typing") }
    let time = try #require(ben.screen.transcript.first { $0.text.contains("Ada: Hello") }?.text.prefix(8))
    #expect(time.split(separator: ":").compactMap { Int($0) }.count == 3)

    // A mention, picked from the suggestions.
    try ben.send("Hi @ad")
    try ben.wait { $0.text.contains("> Hi @ad\n  Ada  ada") }
    #expect(ben.screen.looks(of: " Ada  ") == Array(repeating: [7], count: 5) + [[2]])
    try ben.send(Press.tab)
    try ben.wait { $0.shows("> Hi @Ada", caretAt: 10) }
    try ben.send("there" + Press.enter)
    try ada.wait { $0.says(" Ben: Hi @Ada there") }
    #expect(ada.screen.looks(of: "Hi @Ada there")[2...7] == [[], [1], [1], [1], [1], []])

    // An edit of the last message, and a quote of the other's.
    try ada.send(Press.up)
    try ada.wait { $0.shows("> Hello", caretAt: 7) && $0.text.contains("[editing Ada: Hello]") }
    try ada.send(", Ben" + Press.enter)
    try ben.wait { $0.says(" Ada: (edited) Hello, Ben") }
    try ada.wait { $0.says(" Ada: (edited) Hello, Ben") && !$0.text.contains("[editing") }
    try ada.send(Press.control("g"))
    try ada.wait { $0.text.contains("[quoting Ben: Hi @Ada there]\n> Write") }
    try ada.send(Press.control("g"))
    try ada.wait { $0.text.contains("[quoting Ada: Hello, Ben]") }
    try ada.send(Press.escape)
    try ada.wait { !$0.text.contains("[quoting") }
    try ada.send(Press.control("g") + "Yes" + Press.enter)
    try ben.wait { $0.everything.contains("\n  > Ben: Hi @Ada there\n") && $0.says(" Ada: Yes") }

    // A composer opened later shows earlier messages.
    let late = try terminal(of: "ben", in: path, "--device", "other")
    #expect(late.screen.says(" Ada: Hello, Ben") && late.screen.says(" Ada: Yes"))
    for terminal in [ada, ben] {
      try terminal.send(Press.control("d"))
      try #expect(terminal.finish() == .exit(0))
      #expect(!terminal.screen.text.contains("> Write"))
      #expect(!terminal.screen.bracketsPastes)
    }
  }

  @Test func `a slash command is picked, gets a user and is executed`() async throws {
    let path = try await conversation(in: folder)
    let ada = try terminal(of: "ada", in: path)
    try ada.send("/")
    try ada.wait { $0.text.contains("> /\n  Giphy") && $0.looks(of: " Giphy ").first == [7] }
    try ada.send(Press.down)
    try ada.wait { $0.looks(of: " Mute ").first == [7] && $0.looks(of: " Giphy ").first == [] }
    try ada.send(Press.enter)
    try ada.wait { $0.text.contains("[Mute]\n>") && $0.text.contains("  Ben  ben") }
    try ada.send("@be")
    try ada.wait { $0.text.contains("> @be\n  Ben  ben") }
    try ada.send(Press.tab)
    try ada.wait { $0.text.contains("[Mute] [Ben]\n>") }
    try ada.send("8h" + Press.enter)
    try ada.wait { $0.says("  Mute: done") && !$0.text.contains("[Mute]") }
    #expect(try await mutes(in: path).map { $0.term.end != nil } == [true])

    // A command typed at once has the same effect; escape closes the suggestions, so that enter sends.
    try ada.send("/unmute @ben")
    try ada.wait { $0.text.contains("[Unmute]\n> @ben\n  Ben  ben") }
    try ada.send(Press.escape)
    try ada.wait { !$0.text.contains("  Ben  ben") }
    try ada.send(Press.enter)
    try ada.wait { $0.says("  Unmute: done") }
    #expect(try await mutes(in: path).isEmpty)

    // A missing argument of a command is reported; escape clears it.
    try ada.send("/giphy ")
    try ada.wait { $0.text.contains("[Giphy]\n>") }
    try ada.send(Press.enter)
    try ada.wait {
      $0.text.contains("The command giphy is incomplete")
        && $0.looks(of: "The command giphy").first == [31]
    }
    try ada.send(Press.escape)
    try ada.wait { !$0.text.contains("[Giphy]") && !$0.text.contains("The command giphy") }
  }

  // What broke: after suggestions at the start of the text were closed, the list of the commands was not shown.
  @Test func `ctrl-t lists the commands after escape has closed suggestions`() async throws {
    let ada = try terminal(of: "ada", in: try await conversation(in: folder))
    try ada.send("/")
    try ada.wait { $0.text.contains("> /\n  Giphy") }
    try ada.send(Press.escape)
    try ada.wait { !$0.text.contains("Giphy") }
    try ada.send(Press.control("t"))
    try ada.wait { $0.text.contains("> /\n  Giphy") }
  }

  // What broke: times were in UTC, without saying so, and those of `show` in the machine's time zone.
  @Test func `times are in the time zone of the machine`() async throws {
    let path = try await conversation(in: folder)
    let workspace = try Workspace.open(at: path, creates: false)
    let general = workspace.client(user: "ben").channel("general")
    try await general.send("Hello", id: "m1")
    let utc = try await general.message("m1").sent.description
    await workspace.close()
    for (zone, offset) in [("Asia/Kolkata", 330), ("UTC", 0)] {
      let ada = try terminal(of: "ada", in: path, environment: ["TZ": zone])
      let parts = utc.dropFirst(11).prefix(8).split(separator: ":").compactMap { Int($0) }
      let minutes = (parts[0] * 60 + parts[1] + offset) % 1440
      let time = [minutes / 60, minutes % 60, parts[2]].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
      try ada.wait { $0.says("\(time) Ben: Hello") }
      try ada.send(Press.control("c"))
      _ = try ada.finish()
    }
  }

  @Test func `an ephemeral message can be shuffled, sent and cancelled`() async throws {
    let path = try await conversation(in: folder)
    let (ada, ben) = (try terminal(of: "ada", in: path), try terminal(of: "ben", in: path))
    try ada.send("/giphy cat" + Press.enter)
    try ada.wait { $0.says(" Ada: [giphy cat]") && $0.text.contains("  only you see this: ctrl-p sends it") }
    try ada.send(Press.control("s"))
    try ada.wait { $0.says(" Ada: [giphy celebration]") }
    try ada.send(Press.control("p"))
    try ben.wait { $0.says(" Ada: [giphy celebration]") }
    #expect(!ben.screen.everything.contains("cat]"))
    try ada.send("/giphy dog" + Press.enter)
    try ada.wait { $0.says(" Ada: [giphy dog]") }
    try ada.send(Press.control("r"))
    try ada.wait { $0.says(" Ada: (deleted)") }
    try ada.send("over" + Press.enter)
    try ben.wait { $0.says(" Ada: over") }
    #expect(!ben.screen.everything.contains("dog"))
  }

  @Test func `text that cannot be sent is kept, and the reason is shown`() async throws {
    let path = try await conversation(in: folder, slowMode: 5000)
    let ben = try terminal(of: "ben", in: path)
    try ben.send(Press.enter)
    try ben.wait { $0.text.contains("The message is empty") }
    #expect(ben.screen.looks(of: "The message is").first == [31])
    try ben.send("one" + Press.enter)
    try ben.wait { $0.says(" Ben: one") && $0.text.contains("slow mode: ") }
    #expect(!ben.screen.text.contains("The message is empty"))
    try ben.send("two" + Press.enter)
    try ben.wait { $0.text.contains("The channel is in slow mode: send again in ") && $0.text.contains("> two") }
    // The remaining time counts down.
    let before = ben.screen.text.split(separator: "\n").first { $0.hasPrefix("slow mode") }
    try ben.wait { $0.text.split(separator: "\n").first { $0.hasPrefix("slow mode") } != before }
    try ben.send("!")
    try ben.wait { $0.shows("> two!", caretAt: 6) && !$0.text.contains("The channel is in slow mode") }
  }

  @Test func `the caret is in the right column for characters of any width`() async throws {
    let path = try await conversation(in: folder)
    let ada = try terminal(of: "ada", in: path)
    try ada.send("a東👨‍👩‍👧é")
    try ada.wait { $0.shows("> a東👨‍👩‍👧é", caretAt: 8) }
    for column in [7, 5, 3, 2] {
      try ada.send(Press.left)
      try ada.wait { $0.column == column }
    }
    try ada.send(Press.right + Press.right + Press.right + Press.backspace)
    try ada.wait { $0.shows("> a東é", caretAt: 5) }
    try ada.send(Press.control("z"))
    try ada.wait { $0.shows("> a東👨‍👩‍👧é", caretAt: 7) }
    try ada.send(Press.control("y"))
    try ada.wait { $0.shows("> a東é", caretAt: 5) }
    // A selection is inverse, and typed text replaces it.
    try ada.send(Press.selectLeft)
    try ada.wait { $0.column == 3 && $0.looks(of: "東") == [[7]] }
    try ada.send("x")
    try ada.wait { $0.shows("> axé", caretAt: 4) }
    try ada.send(Press.control("u") + "one two")
    try ada.wait { $0.shows("> one twoé", caretAt: 9) }
    try ada.send(Press.wordLeft)
    try ada.wait { $0.column == 6 }
    try ada.send(Press.control("w") + Press.control("k") + "." + Press.enter)
    try ada.wait { $0.says(" Ada: .") }
  }

  @Test func `several lines can be pasted, edited and sent`() async throws {
    let path = try await conversation(in: folder)
    let ada = try terminal(of: "ada", in: path)
    try ada.send(Press.paste("first\rsecond line\r\nthird"))
    try ada.wait { $0.text.contains("> first\n  second line\n  third") && $0.column == 7 }
    try ada.send(Press.up + Press.up)
    try ada.wait { $0.shows("> first", caretAt: 7) }
    try ada.send("!" + Press.down)
    try ada.wait { $0.text.contains("> first!\n") && $0.shows("  second line", caretAt: 8) }
    try ada.send(Press.control("j"))
    try ada.wait { $0.text.contains("> first!\n  second\n   line\n  third") && $0.shows("   line", caretAt: 2) }
    try ada.send(Press.enter)
    try ada.wait { $0.everything.contains(" Ada: first!\n  second\n   line\n  third\n> Write") }
    // Of a long text only some lines are shown, including that of the caret.
    try ada.send(Press.paste((1...9).map(String.init).joined(separator: "\r")))
    try ada.wait { $0.shows("  9", caretAt: 3) && $0.text.contains("\n… 5\n  6\n  7\n  8\n  9") }
    try ada.send(String(repeating: Press.up, count: 8))
    try ada.wait { $0.shows("> 1", caretAt: 3) && $0.text.contains("> 1\n  2\n  3\n  4\n… 5") }
  }

  @Test func `a file can be attached and sent`() async throws {
    let path = try await conversation(in: folder)
    let (ada, ben) = (try terminal(of: "ada", in: path), try terminal(of: "ben", in: path))
    try Data("words".utf8).write(to: URL(filePath: folder("words.txt")))
    try ada.send(Press.control("o"))
    try ada.wait { $0.input.hasPrefix("file:") }
    try ada.send(folder("nothing.txt") + Press.enter)
    try ada.wait { $0.text.contains("The file ") && $0.input.hasPrefix(">") }
    for _ in 1...2 {
      try ada.send(Press.control("o") + folder("words.txt") + Press.enter)
      try ada.wait { $0.text.contains("[file words.txt]") }
      try ada.send(Press.control("x"))
      try ada.wait { !$0.text.contains("[file words.txt") }
    }
    try ada.send(Press.control("o") + folder("words.txt") + Press.enter)
    try ada.wait { $0.text.contains("[file words.txt]") }
    try ada.send("see" + Press.enter)
    try ben.wait { $0.everything.contains(" Ada: see\n  [file words.txt]\n") }
  }
}

/// Returns the users and channels that Ada mutes.
private func mutes(in path: String) async throws -> [Mute] {
  let workspace = try Workspace.open(at: path, creates: false)
  let mutes = try await workspace.client(user: "ada").me.mutes()
  await workspace.close()
  return mutes
}
