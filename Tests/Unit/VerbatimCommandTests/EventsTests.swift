// Threat: an event is shown differently than it was recorded, or an unreadable event ends the output.
import EventLog
import Foundation
import JSONLines
import Testing
import Verbatim

@testable import VerbatimCommand

@Suite struct `The output of events` {
  private let folder = Folder()

  /// Creates a workspace whose first events create Ada, Ben and two channels, followed by messages.
  private func chat() async throws -> Drafts {
    let chat = try await Drafts(in: folder)
    let (ada, ben) = (chat.ada.channel("general"), chat.ben.channel("general"))
    chat.pass()
    try await ben.send("Who comes,\nwhen?", id: "m1")
    try await ada.send(Message.Content("I do", quoted: "m1"), id: "m2")
    try await ada.react(to: "m1", "like")
    chat.pass()
    try await ben.edit("m1", to: "Who comes?")
    try await ada.delete("m2")
    return chat
  }

  private func events(_ chat: Drafts, _ options: String...) -> Run {
    verbatim(["events", chat.path, "--time-zone", "UTC"] + options, input: [])
  }

  @Test func `an event is a line with position, time, stream, type, actor and summary`() async throws {
    let chat = try await chat()
    #expect(
      events(chat).output == """
         1  2026-01-01 00:00:00  user/ada         userCreated     ada   “Ada”
         2  2026-01-01 00:00:00  user/ben         userCreated     ben   “Ben”
         3  2026-01-01 00:00:00  channel/general  channelCreated  ada   team “A channel”
         4  2026-01-01 00:00:00  channel/general  memberAdded     ada   ada as owner
         5  2026-01-01 00:00:00  channel/general  memberAdded     ada   ben as member
         6  2026-01-01 00:00:00  channel/random   channelCreated  ada   team “A channel”
         7  2026-01-01 00:00:00  channel/random   memberAdded     ada   ada as owner
         8  2026-01-01 00:00:00  channel/random   memberAdded     ada   ben as member
         9  2026-01-01 00:00:01  channel/general  messageSent     ben   m1 “Who comes, when?”
        10  2026-01-01 00:00:01  channel/general  messageSent     ada   m2 “I do” [quotes m1]
        11  2026-01-01 00:00:01  channel/general  reactionAdded   ada   m1 like
        12  2026-01-01 00:00:02  channel/general  messageEdited   ben   m1 “Who comes?”
        13  2026-01-01 00:00:02  channel/general  messageDeleted  ada   m2\n
        """)
    await chat.close()
  }

  @Test(
    arguments: [
      (["--from", "10", "--to", "11"], [10, 11]), (["--actor", "ben"], [2, 9, 12]), (["--limit", "2"], [1, 2]),
      (["--type", "messageSent"], [9, 10]), (["--type", "messageSent.1", "--actor", "ada"], [10]),
      (["--type", "userCreated", "--type", "reactionAdded"], [1, 2, 11]), (["--backward", "--limit", "2"], [13, 12]),
      (["--stream", "channel/random"], [6, 7, 8]),
      (["--stream", "channel/random", "--backward", "--to", "7"], [7, 6]),
      (["--type", "messageSent", "--backward", "--limit", "1"], [10]), (["--correlation", "c"], []),
      (["--stream", "channel/none"], []), (["--limit", "0"], []), (["--actor", "system"], []),
    ] as [([String], [Int])])
  func `options select events`(options: [String], positions: [Int]) async throws {
    let chat = try await chat()
    let run = verbatim(["events", chat.path, "--json"] + options, input: [])
    #expect(run.code == .done && run.values("position") == positions.map { "\($0)" })
    await chat.close()
  }

  @Test func `the JSON of an event is that of log read with the decoded change in place of the payload`() async throws {
    let chat = try await chat()
    let log = verbatim("log", "read", chat.path).lines, shown = events(chat, "--json").lines
    try #require(log.count == 13 && shown.count == 13)
    for (line, shown) in zip(log, shown) {
      let members = try #require(line.range(of: ",\"payload"))
      #expect(shown.hasPrefix(line[..<members.lowerBound] + #","event":{"#) && !shown.contains("payload"))
    }
    #expect(
      shown[10].hasSuffix(
        #","event":{"reaction":{"message":{"channel":"general","id":"m1"},"user":"ada"},"#
          + #""added":{"kind":"like","score":1}}}"#))
    #expect(shown[12].hasSuffix(#"{"message":{"channel":"general","id":"m2"},"deleted":{"forGood":false}}}"#))
    // Repeated runs have the same output.
    #expect(events(chat, "--json").lines == shown)
    await chat.close()
  }

  @Test func `an event of a composer has the time since the composer's previous event`() async throws {
    let chat = try await Drafts(in: folder)
    let composer = try await chat.ada.channel("general").openComposer()
    for text in ["H", "i"] as [UserText] {
      chat.pass()
      try composer.record([.typed(Splice(.start ..< .start, to: text))])
      await chat.flush()
      // The time is since the previous event, even if the filter omits that one.
      chat.pass()
      try composer.record([.extraSet(["last": .text(text)])])
      await chat.flush()
    }
    try await chat.ben.channel("general").send("Hello")
    func pauses(_ options: String...) -> [String] {
      verbatim(["events", chat.path, "--json", "--type", "composerTyped"] + options, input: []).lines.map { line in
        (try? JSONParser.parse(Array(line.utf8)))?["sincePrevious"]?.text ?? "none"
      }
    }
    #expect(pauses() == ["none", "1000000"] && pauses("--backward") == ["1000000", "none"])
    #expect(pauses("--limit", "1", "--backward") == ["1000000"])
    #expect(verbatim("tail", chat.path, "--json", "--lines", "2").output.contains(#""sincePrevious":1000000,"#))
    #expect(verbatim("events", chat.path, "--json", "--type", "messageSent").output.contains("since") == false)
    await chat.close()
  }

  @Test func `an unreadable event is shown with its byte count`() {
    let log = logWithEvents(2, in: folder)
    let run = verbatim("events", log)
    #expect(run.code == .done && run.lines.map { $0.hasSuffix("(unreadable, 1 byte)") } == [true, true])
    let json = verbatim("events", log, "--json").lines.first ?? ""
    #expect(json.contains(#""payload":"1","unreadable":""#) && !json.contains(#""event""#))
  }

  @Test func `tail selects the newest events that pass the filter`() async throws {
    let chat = try await chat()
    let run = verbatim("tail", chat.path, "--lines", "1", "--type", "messageSent", "--json")
    #expect(run.values("position") == ["10"])
    #expect(verbatim("tail", chat.path, "--lines", "2", "--json").values("position") == ["12", "13"])
    #expect(verbatim("tail", chat.path, "--from", "13", "--json").values("position") == ["13"])
    #expect(verbatim("tail", chat.path, "--lines", "1", "--from", "3").code == .misused)
    await chat.close()
  }

  @Test(arguments: [
    (["--type", "mesageSent"], "--type is “mesageSent” and must be an event type, as messageSent."),
    (["--from", "3", "--to", "2"], "--from 3 is after --to 2: swap them."),
    (["--stream", ""], "--stream is “” and must be a name"),
  ])
  func `invalid options of events are errors with a sentence`(options: [String], sentence: String) {
    let run = verbatim(["events", folder("none")] + options, input: [])
    #expect(run.code == .misused && run.errors.hasPrefix("verbatim: \(sentence)"), "\(run.errors)")
  }
}

@Suite struct `One event in full` {
  private let folder = Folder()

  @Test func `an event shows its causes, effects, append and correlation`() throws {
    let log = folder("log")
    let lines = [
      #"{"events":[{"stream":"user/ada","type":"userDeactivated.1","payload":""},"#
        + #"{"stream":"user/ben","type":"userDeactivated.1","payload":""}],"correlation":"c"}"#,
      #"{"stream":"user/ada","type":"userReactivated.1","payload":"","cause":1}"#,
      #"{"stream":"user/kim","type":"userReactivated.1","payload":"","cause":3}"#,
      #"{"stream":"user/ben","type":"userReactivated.1","payload":"","correlation":"c"}"#,
    ]
    #expect(verbatim("log", "append", log, "--create", input: lines.joined(separator: "\n")).code == .done)
    func relatedPositions(_ position: Int) throws -> [[String]] {
      let run = verbatim("event", log, "\(position)", "--json")
      let json = try JSONParser.parse(Array(run.output.utf8).dropLast())
      #expect(json["position"]?.text == "\(position)" && json["event"] != nil)
      return ["causes", "effects", "appended", "correlated"].map { key in
        guard case .array(let events)? = json[key] else { return ["none"] }
        return events.compactMap { $0["position"]?.text }
      }
    }
    #expect(try relatedPositions(1) == [[], ["3", "4"], ["2"], ["5"]])
    #expect(try relatedPositions(4) == [["3", "1"], [], [], []])
    #expect(try relatedPositions(3) == [["1"], ["4"], [], []])
    let text = verbatim("event", log, "4").output
    #expect(text.contains("type      userReactivated.1\n") && text.contains("event     user: \"kim\"\n"))
    #expect(text.contains("\ncaused by:\n3  ") && !text.contains("correlated:"))
    let beyond = verbatim("event", log, "6")
    #expect(beyond.code == .unable)
    #expect(beyond.errors == "verbatim: The log at \(log) ends at position 5, before 6: give a position of the log.\n")
  }
}

@Suite struct `The biography of a message` {
  private let folder = Folder()

  @Test func `the biography lists the changes of a message to users with permission`() async throws {
    let chat = try await Drafts(in: folder)
    let (ada, ben) = (chat.ada.channel("general"), chat.ben.channel("general"))
    try await ben.send("Who comes?", id: "m1")
    try await ada.react(to: "m1", "like")
    try await chat.ada.submit(
      .flag(Flag.Key(by: "ada", on: .message(Message.Key("general", "m1"))), .raise(reason: "rude")))
    chat.pass()
    try await ben.edit("m1", to: "Who else comes?")
    try await ada.pin("m1")
    let told = """
      position  when                 who  what
             9  2026-01-01 00:00:00  Ben  sent it: “Who comes?”
            10  2026-01-01 00:00:00  Ada  reacted with like
            12  2026-01-01 00:00:01  Ben  edited it: “Who else comes?”
            13  2026-01-01 00:00:01  Ada  pinned it permanently\n
      """
    func biography(_ message: String, as user: String, _ options: String...) -> Run {
      verbatim(["biography", chat.path, message, "--as", user, "--time-zone", "UTC"] + options, input: [])
    }
    #expect(biography("general/m1", as: "ben").output == told)
    #expect(biography("m1", as: "ada").output == told)
    #expect(biography("m1", as: "ada", "--at", "10").lines.count == 3)
    let json = biography("m1", as: "ben", "--json").output
    #expect(json.contains(#""biography":[{"position":9,"at":"2026-01-01T00:00:00.000000Z","actor":{"user":"ben"},"#))
    #expect(json.contains(#""event":{"message":{"channel":"general","id":"m1"},"sent":{"kind":"#))
    try await ada.send("Mine", id: "m2")
    let refused = biography("general/m2", as: "ben")
    #expect(refused.code == .refused && refused.errors == "verbatim: \(Refusal.notAllowed(.editAny, in: "general"))\n")
    #expect(biography("m3", as: "ada").errors.contains("No channel of the user has a message m3"))
    try await chat.ada.channel("random").send("Another", id: "m2")
    #expect(
      biography("m2", as: "ada").errors.contains("Several channels have a message m2: use one of general/m2, random/"))
    #expect(biography("a/b/c", as: "ada").code == .misused)
    await chat.close()
  }
}
