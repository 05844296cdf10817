// Threat: a query has another result than in the library, or that of another position, instant or user.
import Foundation
import JSONLines
import Testing
import Verbatim

@testable import VerbatimCommand

@Suite struct `Queries of a workspace` {
  private let folder = Folder()

  /// Creates a workspace in which Ada and Ben sent messages in `general`, a second apart.
  private func chat() async throws -> Drafts {
    let chat = try await Drafts(in: folder)
    let (ada, ben) = (chat.ada.channel("general"), chat.ben.channel("general"))
    chat.pass()
    try await ben.send("Who comes,\nwhen?", id: "m1")
    chat.pass()
    try await ada.send(Message.Content("I do", quoted: "m1"), id: "m2")
    try await ada.send(Message.Content("Where?", parent: "m1"), id: "r1")
    try await ada.react(to: "m1", "like")
    chat.pass()
    try await ben.edit("m1", to: "Who comes, and when?")
    return chat
  }

  @Test func `a query prints columns with the texts of the lists`() async throws {
    let chat = try await chat()
    try await chat.ada.user("ben").mute()
    #expect(
      chat.ask("messages", "general").output == """
        message  sent                 author  what
        m1       2026-01-01 00:00:01  Ben     Who comes, and when? [edited] [like 1] [1…
        m2       2026-01-01 00:00:02  Ada     I do [quotes m1]\n
        """)
    #expect(
      chat.ask("channels", as: "ben").output == """
        channel  name       waiting  last                 what
        general  A channel        1  2026-01-01 00:00:02  Ada: I do [quotes m1]
        random   A channel           2026-01-01 00:00:00\n
        """)
    #expect(
      chat.ask("members", "general").output == """
        user  name  role    joined               read  received
        ada   Ada   owner   2026-01-01 00:00:00     0         0
        ben   Ben   member  2026-01-01 00:00:00     0         0\n
        """)
    #expect(
      chat.ask("threads").output == """
        thread      about                      replies  last                 what
        general/m1  Ben: Who comes, and when…        1  2026-01-01 00:00:02  Ada: Where?\n
        """)
    #expect(
      chat.ask("mutes").output == """
        muted     since                how long
        user ben  2026-01-01 00:00:03  permanently\n
        """)
    #expect(
      chat.ask("unread", as: "ben").output == """
        channel  name       messages  mentions
        general  A channel         1         0
        all                        1         0\n
        """)
    #expect(
      chat.ask("message", "general", "m1").output == """
        message  m1 in general, its number 1
        author   Ben
        sent     2026-01-01 00:00:01
        edited   2026-01-01 00:00:03, 1 time
        text     Who comes, and when?
        replies  1
        like     Ada\n
        """)
    #expect(chat.ask("search", "COME", "--channel", "general").lines.last?.hasPrefix("general  m1 ") == true)
    #expect(chat.ask("thread", "general", "m1").lines.map { $0.prefix(2) } == ["me", "r1"])
    #expect(chat.ask("channel", "general").lines.contains("members  2"))
    await chat.close()
  }

  // What broke: archived channels were in the total, but not listed.
  @Test func `the unread counts of hidden and archived channels are listed`() async throws {
    let chat = try await Drafts(in: folder)
    try await chat.ben.channel("random").archive()
    for id in ["m1", "m2"] as [Message.ID] { try await chat.ada.channel("random").send("Archived?", id: id) }
    try await chat.ada.channel("general").send("Hidden?", id: "m1")
    try await chat.ben.channel("general").hide()
    #expect(
      chat.ask("unread", as: "ben").output == """
        channel  name       messages  mentions
        general  A channel         1         0
        random   A channel         2         0
        all                        3         0\n
        """)
    // A message is found by its id alone in an archived channel, too.
    try await chat.ben.channel("random").send("Mine?", id: "m3")
    let biography = verbatim(["biography", chat.path, "m3", "--as", "ben"], input: [])
    #expect(biography.code == .done, "\(biography)")
    await chat.close()
  }

  // A deleted message that its author may restore was returned with its reactions in it and an empty list of them; and
  // queries of the past showed messages deleted for good.
  @Test func `a deleted message is visible only with permission, also in the past`() async throws {
    let chat = try await chat()
    let before = try chat.ada.workspace.head()
    try await chat.ben.submit(.message(Message.Key("general", "m1"), .delete(forGood: false)))
    try await chat.ada.submit(.message(Message.Key("general", "m2"), .delete(forGood: true)))
    let own = chat.ask("message", "general", "m1", as: "ben").lines
    #expect(own.contains("text     Who comes, and when?") && own.contains("like     Ada"), "\(own)")
    let json = try JSONParser.parse(
      Array(chat.ask("message", "general", "m1", "--json", as: "ben").output.utf8).dropLast())
    guard case .array(let reactions) = json["reactions"] else { throw InputDefect("\(json)") }
    #expect(reactions.map { $0["key"]?["user"]?.text } == ["ada"], "\(json)")
    for arguments in [[], ["--at", "\(before)"]] {
      let gone = verbatim(["query", "message", chat.path, "general", "m2", "--as", "ben"] + arguments, input: [])
      #expect(gone.code == .refused)
      let messages = verbatim(["query", "messages", chat.path, "general", "--as", "ben"] + arguments, input: [])
      #expect(messages.code == .done && !messages.output.contains("I do"))
      let shown = verbatim(["show", chat.path, "general", "--as", "ben"] + arguments, input: [])
      #expect(shown.code == .done && !shown.output.contains("I do"))
    }
    // An operator, who reads without a user, sees all events.
    #expect(verbatim("events", chat.path, "--to", "\(before)").output.contains("I do"))
    try await chat.ben.submit(.member(Member.Key("general", "ben"), .leave))
    let left = verbatim("query", "messages", chat.path, "general", "--as", "ben", "--at", "\(before)")
    #expect(left.code == .refused && left.output == "")
    await chat.close()
  }

  @Test func `queries return users by id and prefix, and mentions`() async throws {
    let chat = try await Drafts(in: folder)
    let mention = Mention("ada", at: 0..<4)
    try await chat.ben.channel("general").send(Message.Content("@Ada?", mentions: [mention]), id: "m1")
    #expect(chat.ask("mentions").lines.last == "general  m1       2026-01-01 00:00:00  Ben     @Ada?")
    #expect(chat.ask("mentions", as: "ben").output == "There are no mentions.\n")
    #expect(
      chat.ask("user", "ben").output == """
        user     ben
        name     Ben
        role     user
        created  2026-01-01 00:00:00
        changed  2026-01-01 00:00:00\n
        """)
    #expect(chat.ask("user", "kim").output == "There is no user kim.\n")
    #expect(chat.ask("users", "B").lines.dropFirst() == ["ben   Ben   user  2026-01-01 00:00:00"])
    #expect(chat.ask("users", "ada").output == "There are no such users.\n")
    try await chat.ada.workspace.submit(.user("kim", .create(User.Profile(name: "Kim"))), by: .system)
    #expect(chat.ask("users", "").lines.map { $0.prefix(3) } == ["use", "ben", "kim"])
    #expect(chat.ask("users", "", "--limit", "1").following != nil)
    #expect(chat.ask("users", "", "--limit", "1", "--offset", "1").lines.map { $0.prefix(3) } == ["use", "kim"])
    #expect(chat.ask("users", "", "--channel", "general").lines.map { $0.prefix(3) } == ["use", "ben"])
    await chat.close()
  }

  @Test func `an empty result is a sentence`() async throws {
    let chat = try await Drafts(in: folder)
    #expect(chat.ask("messages", "general").output == "There are no messages.\n")
    #expect(chat.ask("messages", "general", "--offset", "1").output == "There are no more messages.\n")
    #expect(chat.ask("threads").output == "There are no threads.\n")
    #expect(chat.ask("typing", "general").output == "No user is typing.\n")
    #expect(chat.ask("search", "hello").output == "There are no such messages.\n")
    for question in ["mutes", "composers", "commands"] {
      #expect(chat.ask(question).output == "There are no \(question).\n")
    }
    await chat.close()
  }

  @Test(arguments: [
    (["channels"], "channels"), (["channel", "general"], "channel"), (["messages", "general"], "messages"),
    (["message", "general", "m1"], "message"), (["thread", "general", "m1"], "messages"), (["threads"], "threads"),
    (["members", "general"], "members"), (["unread"], "unread"), (["unread", "--channel", "general"], "unread"),
    (["mutes"], "mutes"), (["bans", "--channel", "general"], "bans"), (["drafts"], "drafts"),
    (["composers"], "composers"), (["commands"], "commands"), (["search", "who"], "messages"),
    (["typing", "general"], "typing"), (["mentions"], "messages"), (["user", "ben"], "user"),
    (["users", "b"], "users"),
  ])
  func `the JSON of a query is one line with position and instant`(question: [String], key: String) async throws {
    let chat = try await chat()
    let run = chat.ask(question[0], Array(question.dropFirst()) + ["--json", "--now", "2026-01-01T00:00:03Z"])
    #expect(run.code == .done && run.errors == "" && run.lines.count == 1)
    let json = try JSONParser.parse(Array(run.output.utf8).dropLast())
    #expect(json["position"]?.text == "\(try chat.ada.workspace.head())")
    #expect(json["instant"]?.text == "2026-01-01T00:00:03.000000Z")
    #expect(json[key] != nil)
    await chat.close()
  }

  @Test func `a query reads a past position and a given instant`() async throws {
    let chat = try await chat()
    let before = try chat.ada.workspace.head()
    chat.pass()
    try await chat.ada.channel("general").edit("m2", to: "I do not")
    try await chat.ada.user("ben").mute(for: .until(Timestamp(rfc3339: "2026-01-01T00:01:00Z")!))
    #expect(chat.ask("messages", "general").output.contains("I do not"))
    let then = chat.ask("messages", "general", "--at", "\(before)")
    #expect(then.output.contains("  I do [quotes m1]"))
    #expect(
      chat.ask("messages", "general", "--at", "\(before)", "--json").output.hasPrefix(#"{"position":\#(before),"#))
    // In the past, the instant is the time at which the position was recorded.
    #expect(chat.ask("mutes", "--at", "\(before)", "--json").values("instant") == ["2026-01-01T00:00:03.000000Z"])
    #expect(
      chat.ask("mutes", "--now", "2026-01-01T00:00:59Z").output.contains(
        "user ben  2026-01-01 00:00:04  until 2026-01-01 00:01:00"))
    #expect(chat.ask("mutes", "--now", "2026-01-01T02:01:00+02:00").output == "There are no mutes.\n")
    let end = try chat.ada.workspace.head()
    #expect(chat.ask("mutes", "--at", "\(end)", "--json").values("instant") == ["2026-01-01T00:00:04.000000Z"])
    #expect(chat.ask("mutes", "--at", "\(end)", "--now", "2026-01-01T00:01:00Z").output == "There are no mutes.\n")
    await chat.close()
  }

  @Test func `a query of the past requires a present permission`() async throws {
    let chat = try await chat()
    let before = try chat.ada.workspace.head()
    try await chat.ada.workspace.submit(.user("ben", .deactivate), by: .system)
    #expect(chat.ask("messages", "general", as: "ben").errors == "verbatim: \(Refusal.userDeactivated("ben"))\n")
    let then = chat.ask("messages", "general", "--at", "\(before)", as: "ben")
    #expect(then.code == .refused && then.errors == "verbatim: \(Refusal.userDeactivated("ben"))\n")
    try await chat.ada.workspace.submit(.user("ben", .reactivate), by: .system)
    let again = chat.ask("messages", "general", "--at", "\(before)", as: "ben")
    #expect(again.code == .done && again.lines.count == 3)
    await chat.close()
  }

  @Test func `pages show the state of the first page`() async throws {
    let chat = try await Drafts(in: folder)
    for number in 1...7 { try await chat.ben.channel("general").send("\(number)", id: ID(stringLiteral: "m\(number)")) }
    var run = chat.ask("messages", "general", "--limit", "3")
    var pages = [run.lines.filter { $0.hasPrefix("m") }.compactMap(\.last)]
    while let following = run.following {
      try await chat.ben.channel("general").send("later")
      try await chat.ben.channel("general").edit("m1", to: "else")
      run = verbatim(following, input: [])
      pages.append(run.lines.filter { $0.hasPrefix("m") }.compactMap(\.last))
    }
    #expect(pages.map { String($0) } == ["t567", "t234", "t1"])
    let first = chat.ask("members", "general", "--limit", "1", "--json")
    let next = try #require(first.values("next").first)
    #expect(chat.ask("members", "general", "--page", next).output.contains("ben"))
    #expect(!chat.ask("members", "general", "--page", next).output.contains("ada "))
    await chat.close()
  }

  // What broke: later pages skipped one result for each earlier one that was deleted since the first page, and a page
  // without any was the last.
  @Test func `later pages skip nothing where results were deleted since the first page`() async throws {
    let chat = try await Drafts(in: folder)
    let (ada, ben) = (chat.ada.channel("general"), chat.ben.channel("general"))
    try await ada.send("News?", id: "top")
    for number in 1...7 {
      chat.pass()
      let id = ID<Message>(stringLiteral: "m\(number)")
      let mention = Mention("ada", at: 0..<4)
      try await ben.send(
        Message.Content("@Ada \(number)", mentions: [mention], parent: "top", showsInChannel: true), id: id)
      try await ada.pin(id)
    }
    let questions = [
      (["messages", "general"], ["m6m7", "", "m2m3", "m1"]),
      (["thread", "general", "top"], ["m6m7", "", "m2m3", "m1"]),
      (["messages", "general", "--pinned"], ["m7m6", "", "m3m2", "m1"]), (["mentions"], ["m7m6", "", "m3m2", "m1"]),
      (["search", "ada"], ["m7m6", "", "m3m2", "m1"]),
    ]
    let firsts = questions.map { chat.ask($0.0[0], $0.0.dropFirst() + ["--limit", "2"]) }
    for id in ["m4", "m5", "m7"] as [Message.ID] { try await ada.delete(id, forGood: true) }
    for ((question, expected), first) in zip(questions, firsts) {
      var (pages, run) = ([first], first)
      while let following = run.following {
        run = verbatim(following, input: [])
        pages.append(run)
      }
      let found = pages.map { page in
        page.lines.compactMap { $0.firstMatch(of: #/^(?:general +)?(m\d) /#)?.output.1 }.joined()
      }
      #expect(found == expected, "\(question)")
      #expect(pages[1].lines.first?.hasSuffix(" of this page can no longer be seen.") == true, "\(pages[1].output)")
    }
    await chat.close()
  }

  @Test func `later pages skip no channel where earlier ones were joined or are no longer public`() async throws {
    let chat = try await Drafts(in: folder)
    for id in ["c1", "c2", "c3"] as [Channel.ID] {
      try await chat.ada.channel(id).create("team", config: ChannelConfig(isPublic: true))
      try await chat.ada.channel(id).invite("ben")
    }
    let firsts = ["invitations", "public"].map { chat.ask($0, "--limit", "1", as: "ben") }
    try await chat.ben.channel("c1").join()
    try await chat.ada.channel("c1").configure(ChannelConfig())
    for first in firsts {
      let second = verbatim(try #require(first.following), input: [])
      let third = verbatim(try #require(second.following), input: [])
      #expect([first, second, third].map { $0.lines[1].prefix(2) } == ["c1", "c2", "c3"])
      #expect(third.following == nil)
    }
    await chat.close()
  }

  @Test(arguments: [
    (["messages", "general", "--as", "ada", "--at", "0"], "--at is “0” and must be a position"),
    (["messages", "general"], "--as is missing: name the user who queries, as in --as ada."),
    (["messages", "general", "--as", "ada", "--now", "today"], "--now is “today” and must be an instant, as 2026-"),
    (
      ["messages", "general", "--as", "ada", "--page", "1.2.3", "--at", "1"],
      "--page and --at cannot be combined: leave one"
    ),
    (["messages", "general", "--as", "ada", "--page", "1.2"], "--page is “1.2” and must be a page token"),
    (["channels", "--as", "ada", "--by", "size"], "--by is “size” and must be lastActivity, unreadFirst or name."),
    (["channel", "general", "--as", "ada", "--limit", "1"], "--limit is not an option of `verbatim query channel`"),
    (["search", "--as", "ada"], "WORDS is missing"),
  ])
  func `invalid options of a query are errors with a sentence`(options: [String], sentence: String) {
    let run = verbatim(["query", options[0], folder("none")] + options.dropFirst(), input: [])
    #expect(run.code == .misused && run.output == "")
    #expect(run.errors.hasPrefix("verbatim: \(sentence)"), "\(run.errors)")
  }

  @Test func `a query without permission is refused`() async throws {
    let chat = try await chat()
    let bans = chat.ask("bans", "--channel", "general", as: "ben")
    #expect(bans.code == .refused && bans.errors == "verbatim: \(Refusal.notAllowed(.ban, in: "general"))\n")
    #expect(chat.ask("bans").errors == "verbatim: \(Refusal.notAdministrator)\n")
    #expect(chat.ask("messages", "elsewhere").errors == "verbatim: \(Refusal.unknownChannel("elsewhere"))\n")
    #expect(chat.ask("message", "general", "m9").code == .refused)
    #expect(chat.ask("channels", as: "kim").errors == "verbatim: \(Refusal.unknownUser("kim"))\n")
    let end = try chat.ada.workspace.head()
    let beyond = chat.ask("channels", "--at", "\(end.next)")
    #expect(beyond.code == .unable && beyond.output == "")
    #expect(
      beyond.errors
        == "verbatim: The log at \(chat.path) ends at position \(end), before --at \(end.next): "
        + "give a position of the log.\n")
    await chat.close()
  }

  @Test func `the output of a query fits the window and is safe for the terminal`() async throws {
    let chat = try await chat()
    let hostile = "\u{1B}[2J\u{7}\r\n\u{202E}" + String(repeating: "東", count: 200)
    try await chat.ben.channel("general").send(hostile, id: "h")
    for question in [["messages", "general"], ["channels"], ["message", "general", "h"]] {
      let run = chat.ask(question[0], Array(question.dropFirst()))
      let isQuiet = run.output.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 && $0.value != 0x202E }
      #expect(run.code == .done && isQuiet)
      #expect(run.lines.allSatisfy { $0.unicodeScalars.reduce(0) { $0 + ($1 == "東" ? 2 : 1) } <= 80 }, "\(run.output)")
    }
    await chat.close()
  }
}
