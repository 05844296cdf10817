// Threat: what a user does in a browser is done twice, out of order, or although the studio only shows.
import ChatComposer
import EventLog
import Foundation
import JSONLines
import RandomNumbers
import Testing
import Verbatim
import WebServer

@testable import VerbatimCommand

@Suite struct `The answers of a studio`: StudioSuite {
  let folder = Folder()

  @Test func `numbered actions are performed once and in order`() async throws {
    let workspace = try await makeWorkspace()
    let app = app(workspace)
    let boot = try await open(app)
    let typed = (1...5).map {
      #"{"n":\#($0),"kind":"edit","range":[\#($0 - 1),\#($0 - 1)],"text":"\#($0)","how":"typed"}"#
    }
    #expect(try await act(app, boot, typed.prefix(3).joined(separator: ",")).text.contains(#""handled":3"#))
    // A request that was answered, but whose answer was lost, comes again with more.
    #expect(try await act(app, boot, typed.joined(separator: ",")).text.contains(#""handled":5"#))
    #expect(await text(in: app) == "12345")
    let gap = try await act(app, boot, #"{"n":9,"kind":"undo"}"#)
    #expect(gap.status == 409 && gap.text.contains(#""handled":5"#))
    #expect(try await act(app, "other", #"{"n":6,"kind":"undo"}"#).status == 409)
    #expect(await text(in: app) == "12345")
    let behind = try await act(app, boot, #"{"n":6,"kind":"edit","range":[90,99],"text":"x"}"#)
    #expect(behind.status == 200 && behind.text.contains("The text has no range 90..<99"))
    _ = try await act(app, boot, #"{"n":7,"kind":"edit","range":[1,3],"text":""},{"n":8,"kind":"undo"}"#)
    #expect(await text(in: app) == "12345")
    await app.stop()
    await workspace.close()
  }

  // What broke: an action that could not be read made an error of the whole request, which the page sent for ever.
  @Test func `an action that cannot be read is refused alone, and the others are performed`() async throws {
    let workspace = try await makeWorkspace()
    let app = app(workspace)
    let boot = try await open(app)
    let unreadable = [
      #""kind":"jump","message":"no id""#, #""kind":"fly""#, #""kind":"edit","range":[1],"text":"x""#,
      #""kind":"undo","text":"x""#,
    ]
    for (index, action) in unreadable.enumerated() {
      let (first, second) = (2 * index + 1, 2 * index + 2)
      let answer = try await act(
        app, boot, #"{"n":\#(first),\#(action)},{"n":\#(second),"kind":"set","text":"text \#(index)"}"#)
      #expect(answer.status == 200 && answer.text.contains(#""handled":\#(second)"#), "\(answer.text)")
      #expect(answer.text.contains(#"[{"n":\#(first),"error":""#), "\(answer.text)")
      #expect(await text(in: app) == "text \(index)")
    }
    await app.stop()
    await workspace.close()
  }

  @Test func `requests of one tab that come at the same time are handled one after the other`() async throws {
    let workspace = try await makeWorkspace()
    let app = app(workspace)
    let boot = try await open(app)
    let typed = (1...20).map { number in
      // A send waits for the disk, during which another request can begin.
      let id = #""kind":"send","id":"m\#(number)""#
      return #"{"n":\#(number),\#(number.isMultiple(of: 2) ? id : #""kind":"set","text":"\#(number)""#)}"#
    }
    try await withThrowingTaskGroup { group in
      for _ in 0..<8 {
        group.addTask {
          let answer = try await self.act(app, boot, typed.joined(separator: ","))
          #expect(answer.status == 200 && answer.text.contains(#""handled":20"#) && !answer.text.contains("error"))
        }
      }
      try await group.waitForAll()
    }
    let messages = try await workspace.client(user: "ben").channel("general").messages(limit: 50).messages
    #expect(messages.map(\.content.text.string) == stride(from: 1, to: 20, by: 2).map { "\($0)" })
    await app.stop()
    await workspace.close()
  }

  @Test func `edits that a page made before it saw a change of the text are found in the new text`() {
    var random = SplitMix64(seed: UInt64.random(in: 0...9_999))
    print("seed \(random)")
    func below(_ limit: Int) -> Int { Int(random.next() % UInt64(limit)) }
    for _ in 0..<500 {
      var page = PageText()
      var text = String((0..<below(12)).map { _ in "abc".randomElement(using: &random)! })
      let version = page.sent(text)
      var seen = text
      // The composer takes a part out, as a command does; the page goes on typing at the end.
      let cut = below(seen.count + 1)
      text = String(text.dropFirst(cut))
      for letter in "xyz" {
        let range = seen.count..<seen.count
        let found = page.edit(range, "\(letter)", seen: version, in: text)
        #expect(found == text.count..<text.count, "\(seen) \(text)")
        text.append(letter)
        seen.append(letter)
      }
      #expect(text.hasSuffix("xyz"))
      let beyond = page.edit(seen.count + 1..<seen.count + 2, "x", seen: version, in: text)
      #expect(beyond == nil)
      // Once the page has shown the new text, its ranges are of that.
      let next = page.sent(text)
      let first = page.edit(0..<1, "x", seen: next, in: text)
      #expect(first == 0..<1)
    }
  }

  // What broke: after a send of a text that was picked, and not typed, the page's text was taken for that text again.
  @Test func `edits after a send are of the emptied text`() {
    var page = PageText()
    let typed = page.sent("@b")
    _ = page.edit(2..<2, "e", seen: typed, in: "@b")
    let picked = page.sent("@Ben ")
    page.clear()
    for (offset, letter) in "/mute ".enumerated() {
      let found = page.edit(offset..<offset, "\(letter)", seen: picked, in: String("/mute ".prefix(offset)))
      #expect(found == offset..<offset)
    }
    // The command takes its word out.
    for (offset, letter) in "@ben".enumerated() {
      let found = page.edit(
        offset + 6..<offset + 6, "\(letter)", seen: picked, in: String("@ben".prefix(offset)))
      #expect(found == offset..<offset)
    }
  }

  // What broke: versions began with 1 in each process, so that a text of another one could be taken for the page's.
  @Test func `a version of an earlier process is no version of this one`() {
    var earlier = PageText()
    let shown = earlier.sent("shown")
    while Timestamp.now.rawValue <= Int64(shown) {}
    var page = PageText()
    _ = (0..<8).map { page.sent("another \($0)") }
    let found = page.edit(5..<5, "!", seen: shown, in: "shown")
    #expect(found == 5..<5)
  }

  @Test func `a message is sent once under its id, also after a restart`() async throws {
    let workspace = try await makeWorkspace()
    for _ in 0..<2 {
      let app = app(workspace)
      let boot = try await open(app)
      let answer = try await act(
        app, boot, #"{"n":1,"kind":"set","text":"Hello"},{"n":2,"kind":"send","id":"m-once"}"#)
      #expect(answer.text.contains(#""sent":"m-once""#), "\(answer.text)")
      #expect(await text(in: app) == "")
      await app.stop()
    }
    let messages = try await workspace.client(user: "ben").channel("general").messages(limit: 10).messages
    #expect(messages.map(\.content.text.string) == ["Hello"])
    await workspace.close()
  }

  /// A slash command of an app, which sends the rest of the line in capitals.
  private struct ShoutCommand: CommandHandler {
    let id: ComposedCommand.ID = "shout"
    let displayInfo: CommandDisplayInfo? = CommandDisplayInfo(displayName: "Shout", icon: "shout", arguments: [])
    let replacesMessageSent = true
    let speaks = true

    func canBeExecuted(_ command: ComposerCommand) -> Bool { true }

    func executeOnMessageSent(
      _ command: ComposerCommand, in context: ExecutionContext
    ) async throws -> CommandOutcome {
      let text = UserText(command.arguments.string.uppercased())
      return CommandOutcome([.message(context.newMessage(), .send(Message.Content(text)))])
    }
  }

  @Test func `composers have the commands of the app`() async throws {
    let workspace = try await makeWorkspace()
    var context = Context()
    context.composer.commands = DefaultCommandsConfig(instantCommands: [ShoutCommand()])
    let app = StudioApp(workspace, viewer: nil, isReadOnly: false, in: context)
    let boot = try await open(app)
    _ = try await act(
      app, boot, #"{"n":1,"kind":"set","text":"/shout good morning"},{"n":2,"kind":"send","id":"m1"}"#)
    let messages = try await workspace.client(user: "ben").channel("general").messages(limit: 10).messages
    #expect(messages.map(\.content.text.string) == ["GOOD MORNING"])
    await app.stop()
    await workspace.close()
  }

  @Test func `a read-only studio refuses whatever could write`() async throws {
    let workspace = try await makeWorkspace()
    let app = app(workspace, isReadOnly: true)
    let boot = try await open(app)
    let head = try workspace.head()
    var number = 1
    for action in [
      #"{"n":1,"kind":"edit","range":[0,0],"text":"x"}"#, #"{"n":1,"kind":"set","text":"x"}"#,
      #"{"n":1,"kind":"send","id":"m1"}"#, #"{"n":1,"kind":"read"}"#, #"{"n":1,"kind":"press","action":"send"}"#,
      #"{"n":1,"kind":"press","action":"delete:m1"}"#, #"{"n":1,"kind":"react","message":"m1","reaction":"like"}"#,
      #"{"n":1,"kind":"undo"}"#, #"{"n":1,"kind":"redo"}"#, #"{"n":1,"kind":"select","range":[0,0]}"#,
      #"{"n":1,"kind":"press","action":"composer:attachments"}"#,
    ] {
      let answer = try await act(app, boot, action.replacing(#""n":1"#, with: #""n":\#(number)"#))
      #expect(answer.text.contains("error"), "\(answer.text)")
      number += 1
    }
    #expect(try await post(app, "/api/chat/attach", ["tab": Self.tab, "name": "a.txt"], "text").status == 403)
    #expect(await app.tabs.tab(Self.tab)?.composer == nil)
    #expect(try workspace.head() == head)
    await app.stop()
    await workspace.close()
  }

  @Test func `a studio for one user shows and does nothing as another`() async throws {
    let workspace = try await makeWorkspace()
    let app = app(workspace, as: "ben")
    let stream = try await get(
      app, "/api/chat/stream", ["tab": Self.tab, "user": "ada", "channel": "general"])
    #expect(stream.status == 403)
    let secret = try await get(app, "/api/past", ["position": "6", "channel": "secret"])
    #expect(secret.status == 200 && secret.text.contains(#""list":"""#) && secret.text.contains("refusal"))
    let step = try await get(app, "/api/step", ["position": "0", "by": "message", "channel": "secret"])
    #expect(step.status == 403)
    let own = try await get(app, "/api/step", ["position": "0", "by": "message", "channel": "general"])
    #expect(own.status == 200)
    let filtered = try await get(app, "/api/step", ["position": "0", "by": "event", "text": "secret"])
    #expect(filtered.text == #"{"position":1}"#)
    let about = try await get(app, "/api/workspace")
    #expect(!about.text.contains("secret") && !about.text.contains("Ada") && about.text.contains(#""mode":"user""#))
    for path in ["rows", "names", "event", "graph", "health", "verify"] {
      #expect(try await get(app, "/api/\(path)", ["position": "1"]).status == 403)
    }
    await app.stop()
    await workspace.close()
  }

  @Test func `the growth of the log counts the events of the last hour, day and week`() async throws {
    await (try await makeWorkspace()).close()
    for (hours, isNew) in [(0, [true, true, true]), (2, [false, true, true]), (48, [false, false, true])] {
      var configuration = Configuration()
      let clock = configuration.clock
      configuration.clock = { clock() + .seconds(Int64(hours) * 3_600) }
      let workspace = try Workspace.open(at: folder("chat"), configuration: configuration)
      let count = try workspace.head().rawValue
      let app = app(workspace)
      let answer = try await get(app, "/api/health")
      let expected = zip(["hour", "day", "week"], isNew).map { #""\#($0)":\#($1 ? count : 0)"# }
      #expect(answer.text.contains(#""growth":{\#(expected.joined(separator: ","))}"#), "\(hours) \(answer.text)")
      await app.stop()
      await workspace.close()
    }
  }

  @Test func `a file is served as a picture only if it is one`() async throws {
    let workspace = try await makeWorkspace()
    let app = app(workspace)
    let page = try await workspace.blobs.add(Array("<script>alert(1)</script>".utf8))
    let picture = try await workspace.blobs.add([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + Array("x".utf8))
    #expect(try await get(app, "/api/blob", ["id": page.id.text]).type == "application/octet-stream")
    #expect(try await get(app, "/api/blob", ["id": picture.id.text]).type == "image/png")
    for id in ["", "../../log/data.mdb", page.id.text + "0", "0"] {
      #expect(try await get(app, "/api/blob", ["id": id]).status >= 400, "\(id)")
    }
    await app.stop()
    await workspace.close()
  }

  @Test func `steps go to the next and the previous event, block, message and revision`() async throws {
    let workspace = try await makeWorkspace()
    let app = app(workspace)
    let ada = workspace.client(user: "ada").channel("general")
    let start = try workspace.head().rawValue
    // Three blocks: of two messages, of an edit, of another message.
    let sent = try await workspace.client(user: "ada").submit(
      ["m1", "m2"].map { .message(Message.Key("general", $0), .send(Message.Content("Text"))) })
    #expect(sent.position.rawValue == start + 2)
    try await ada.edit("m1", to: "Edited")
    try await ada.send("Last")
    while try await !get(app, "/api/rows", ["count": "1"]).text.contains(#""isComplete":true"#) {}
    func step(_ by: String, _ position: UInt64, _ direction: Int) async throws -> String {
      try await get(
        app, "/api/step",
        [
          "position": "\(position)", "by": by, "direction": "\(direction)", "channel": by == "event" ? "" : "general",
          "message": "m1",
        ]
      ).text.replacing(#"{"position":"#, with: "").replacing("}", with: "")
    }
    for (by, from, to) in [
      ("event", start, start + 1), ("event", start + 3, start + 4), ("block", start, start + 2),
      ("block", start + 2, start + 3), ("message", start + 1, start + 2), ("message", start + 2, start + 4),
      ("revision", start + 1, start + 3),
    ] {
      #expect(try await step(by, from, 1) == "\(to)", "\(by)")
      #expect(try await step(by, to, -1) == "\(from)", "\(by) back")
    }
    for (by, first, last) in [("event", 0, 4), ("block", 0, 4), ("message", 1, 4), ("revision", 1, 3)] {
      #expect(try await step(by, start + UInt64(last), 1) == "null", "\(by)")
      if by != "event", by != "block" { #expect(try await step(by, start + UInt64(first), -1) == "null", "\(by)") }
    }
    await app.stop()
    await workspace.close()
  }

  @Test func `random parameters are answered or refused with a sentence`() async throws {
    let workspace = try await makeWorkspace()
    let app = app(workspace)
    let paths = ["past", "step", "timeline", "names", "rows", "row", "event", "graph", "biography", "health", "verify"]
    let names = [
      "position", "user", "channel", "thread", "axis", "by", "buckets", "from", "count", "type", "actor", "text",
      "since", "until", "instant", "expand", "direction", "message", "runs", "device", "stream",
    ]
    let values = [
      "", "0", "1", "7", "99", "-1", "18446744073709551615", "99999999999999999999", "ada", "general", "m1", "clock",
      "position", "person", "2026-01-01T00:00:00Z", "x/y", "\u{202E}", "message", "block", "revision", "é", "[]",
    ]
    var random = SplitMix64(seed: UInt64.random(in: 0...9_999))
    print("seed \(random)")
    for _ in 0..<1_500 {
      let path = paths[Int(random.next() % UInt64(paths.count))]
      let query = (0..<Int(random.next() % 5)).map { _ in
        WebRequest.Field(
          names[Int(random.next() % UInt64(names.count))], values[Int(random.next() % UInt64(values.count))])
      }
      let request = WebRequest(method: "GET", path: "/api/\(path)", query: query)
      let answer = try await StudioResponse(app.answer(request))
      #expect(answer.status == 200 || answer.status == 400 || answer.status == 403, "\(path) \(query) \(answer.text)")
      _ = try JSONParser.parse(Array(answer.text.utf8))
      if answer.status != 200 { #expect(answer.text.hasPrefix(#"{"error":""#)) }
    }
    for body in ["", "{", "[]", #"{"tab":1}"#, #"{"tab":"abcdefgh01234567","boot":"x","actions":[{}]}"#] {
      #expect(try await post(app, "/api/chat/act", [:], body).status == 400, "\(body)")
    }
    await app.stop()
    await workspace.close()
  }
}
