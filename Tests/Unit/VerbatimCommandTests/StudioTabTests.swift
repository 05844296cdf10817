// Threat: a tab shows another channel than its page, stays open when the page is gone, or leaves files to other users.
import ChatComposer
import Foundation
import Testing
import Verbatim
import WebClient
import WebServer

@testable import VerbatimCommand

@MainActor @Suite struct `The tabs of a studio`: StudioSuite {
  nonisolated let folder = Folder()

  /// Begins to show a channel in the tab.
  private func show(_ channel: Channel.ID, on stream: WebStream, of app: StudioApp) -> Task<Void, Never> {
    Task {
      await app.tabs.show(
        Self.tab, at: ChatTab.Place(user: "ada", channel: channel, thread: nil), on: stream, of: app)
    }
  }

  // What broke: the first of two moves waited for the composer of the channel before, and could end last; the composer
  // of the other one stayed open.
  @Test func `of two moves of a tab the later one wins, and the earlier one is left`() async throws {
    let workspace = try await makeWorkspace()
    try await workspace.client(user: "ada").channel("second").create()
    let app = app(workspace)
    let boot = try await open(app)
    _ = try await act(app, boot, #"{"n":1,"kind":"set","text":"Half a thought"}"#)
    let first = try #require(app.tabs.tab(Self.tab)?.composer)
    let streams = [WebStream(), WebStream()]
    let moves = [show("secret", on: streams[0], of: app), show("second", on: streams[1], of: app)]
    for move in moves { await move.value }
    let tab = try #require(app.tabs.tab(Self.tab))
    #expect(tab.place.channel == "second" && tab.composer?.key.channel == "second")
    #expect(!streams[0].send([0x20]) && streams[1].send([0x20]))
    #expect(!first.composer.isOpen)
    await app.stop()
    await workspace.close()
  }

  // What broke: the page was closed before its composer was open; the composer was then opened, and stayed so.
  @Test func `a page that is closed while its composer is being opened is left`() async throws {
    let workspace = try await makeWorkspace()
    let app = app(workspace)
    let stream = WebStream()
    let opening = show("general", on: stream, of: app)
    let leaving = Task { await app.tabs.leave(Self.tab) }
    await opening.value
    await leaving.value
    let tab = try #require(app.tabs.tab(Self.tab))
    #expect(tab.composer == nil && tab.isUnused && !stream.send([0x20]))
    await app.stop()
    await workspace.close()
  }

  // What broke: a page whose tab was removed, as one of more than 64, came back with a number that was too large.
  @Test func `a page whose tab was removed goes on with the numbers of its actions`() async throws {
    let workspace = try await makeWorkspace()
    let app = app(workspace)
    let boot = try await open(app)
    _ = try await act(app, boot, #"{"n":1,"kind":"set","text":"x"},{"n":2,"kind":"send","id":"m1"}"#)
    await app.tabs.leave(Self.tab)
    let place = ChatTab.Place(user: "ben", channel: "general", thread: nil)
    for number in 0..<64 {
      let name = String(repeating: "a", count: 14) + (number < 10 ? "0\(number)" : "\(number)")
      await app.tabs.show(name, at: place, on: WebStream(), of: app)
    }
    #expect(app.tabs.tab(Self.tab) == nil)
    _ = try await open(app)
    let answer = try await act(app, boot, #"{"n":3,"kind":"set","text":"back"}"#)
    #expect(answer.status == 200 && answer.text.contains(#""handled":3"#))
    #expect(await text(in: app) == "back")
    await app.stop()
    await workspace.close()
  }

  // What broke: leaving a composer ends an edit, and its text was then sent as a new message.
  @Test func `an edit goes on when the page is connected again, or to another process`() async throws {
    await (try await makeWorkspace()).close()
    var configuration = Configuration()
    configuration.draftMessagesEnabled = true
    let workspace = try Workspace.open(at: folder("chat"), configuration: configuration)
    let ada = workspace.client(user: "ada", device: "d").channel("general")
    try await ada.send("Teh fox", id: "m1")
    var app = app(workspace)
    var boot = try await open(app)
    let stream = WebStream()
    await show("general", on: stream, of: app).value
    let tab = try #require(app.tabs.tab(Self.tab))
    try tab.composer?.perform(.beginEdit(await ada.message("m1")))
    _ = try await act(app, boot, #"{"n":1,"kind":"set","text":"The fox","editing":"m1"}"#)
    await app.tabs.leave(Self.tab, on: stream)
    #expect(tab.composer == nil)
    await show("general", on: WebStream(), of: app).value
    #expect(await text(in: app) == "The fox" && tab.composer?.composer.editing == "m1")
    // A page that is closed ends its edit.
    await app.tabs.leave(Self.tab)
    _ = try await open(app)
    #expect(tab.composer?.composer.editing == nil)
    await app.stop()

    app = self.app(workspace)
    boot = try await open(app)
    var answer = try await act(
      app, boot,
      #"{"n":1,"kind":"set","text":"The quick fox","editing":"m1"},{"n":2,"kind":"send","id":"m2","editing":"m1"}"#)
    #expect(answer.text.contains("sent"), "\(answer.text)")
    #expect(try await ada.messages(limit: 10).messages.map(\.content.text) == ["The quick fox"])
    try await ada.delete("m1")
    answer = try await act(
      app, boot, #"{"n":3,"kind":"set","text":"x","editing":"m1"},{"n":4,"kind":"send","id":"m3","editing":"m1"}"#)
    #expect(answer.text.contains("The message m1 can no longer be edited"), "\(answer.text)")
    #expect(try await ada.messages(limit: 10).messages.allSatisfy { $0.key.id == "m1" })
    await app.stop()
    await workspace.close()
  }

  // What broke: Enter sent a text that its user had not seen yet, and the caret of the page's text was set in that one.
  @Test func `what is written before the page shows a text follows it, and is not sent with it`() async throws {
    let workspace = try await makeWorkspace()
    let app = app(workspace)
    let boot = try await open(app)
    _ = try await act(app, boot, #"{"n":1,"kind":"set","text":"Half a thou"}"#)
    // A page that comes back from another channel has shown nothing at first.
    _ = try await open(app, in: "secret")
    _ = try await open(app)
    let typed = #"{"n":2,"kind":"edit","range":[0,0],"text":"gh","how":"typed","seen":0}"#
    _ = try await act(app, boot, typed + #",{"n":3,"kind":"select","range":[1,1],"seen":0}"#)
    #expect(await text(in: app) == "Half a though")
    let selection = try #require(app.tabs.tab(Self.tab)?.composer?.composer.selection)
    #expect(selection.lowerBound.rawValue == 12 && selection.upperBound.rawValue == 12)
    let rest = #"{"n":4,"kind":"edit","range":[2,2],"text":"t","how":"typed","seen":0}"#
    var answer = try await act(app, boot, rest + #",{"n":5,"kind":"send","id":"m1","clears":true,"seen":0}"#)
    #expect(answer.text.contains("nothing was sent"), "\(answer.text)")
    let general = workspace.client(user: "ben").channel("general")
    #expect(try await general.messages(limit: 10).messages.isEmpty)
    #expect(await text(in: app) == "Half a thought")
    // The page has shown the text by now.
    answer = try await act(app, boot, #"{"n":6,"kind":"send","id":"m1","clears":true,"seen":1}"#)
    #expect(answer.text.contains(#""sent":"m1""#), "\(answer.text)")
    #expect(try await general.messages(limit: 10).messages.map(\.content.text.string) == ["Half a thought"])
    await app.stop()
    await workspace.close()
  }

  // What broke: the actions of a page were performed by the user and in the channel that the tab showed by then.
  @Test func `actions are performed only as the user and in the channel that the page shows`() async throws {
    let workspace = try await makeWorkspace()
    let app = app(workspace)
    let boot = try await open(app)
    let action = #"{"n":1,"kind":"set","text":"I resign"}"#
    for (user, channel, thread) in [("ben", "general", ""), ("ada", "secret", ""), ("ada", "general", "m1")] {
      let answer = try await act(app, boot, action, as: user, in: channel, thread: thread)
      #expect(answer.status == 409 && answer.text.contains("another place"), "\(answer.text)")
    }
    #expect(await text(in: app) == "")
    #expect(try await act(app, boot, action).status == 200)
    #expect(await text(in: app) == "I resign")
    await app.stop()
    await workspace.close()
  }

  // What broke: the keys that came while the connection of a page ended were refused, and the page removed them.
  @Test func `actions that come while the page is not connected are left for its next connection`() async throws {
    let workspace = try await makeWorkspace()
    let app = app(workspace)
    let boot = try await open(app)
    _ = try await act(app, boot, #"{"n":1,"kind":"set","text":"He"}"#)
    await app.tabs.leave(Self.tab)
    let typed = #"{"n":2,"kind":"edit","range":[2,2],"text":"y","how":"typed","seen":0}"#
    let refused = try await act(app, boot, typed)
    #expect(refused.status == 409 && refused.text.contains(#""handled":1"#), "\(refused.text)")
    _ = try await open(app)
    let answer = try await act(app, boot, typed)
    #expect(answer.status == 200 && answer.text.contains(#""handled":2,"outcomes":[]"#), "\(answer.text)")
    #expect(await text(in: app) == "Hey")
    await app.stop()
    await workspace.close()
  }

  // What broke: a file whose upload ended after the page had gone to another channel was attached there.
  @Test func `a file is attached only in the channel or thread for which it was given`() async throws {
    let workspace = try await makeWorkspace()
    let app = app(workspace)
    _ = try await open(app)
    _ = try await open(app, in: "secret")
    func attachments() -> Int? { app.tabs.tab(Self.tab)?.composer?.composer.content.attachments.count }
    for (channel, thread) in [("general", ""), ("secret", "m1")] {
      let answer = try await post(
        app, "/api/chat/attach", ["tab": Self.tab, "channel": channel, "thread": thread, "name": "a.txt"], "text")
      #expect(answer.status == 403 && answer.text.contains("was not attached"), "\(answer.text)")
    }
    #expect(attachments() == 0)
    let answer = try await post(
      app, "/api/chat/attach", ["tab": Self.tab, "channel": "secret", "name": "a.txt"], "text")
    #expect(answer.status == 200 && attachments() == 1, "\(answer.text)")
    await app.stop()
    await workspace.close()
  }

  // What broke: a text field has no CR, so the page's offsets were other ones than the composer's, and a key at the end
  // of such a text replaced all of it from the first line end on, with its mentions.
  @Test func `an edit of a text with CR LF keeps its mentions and its line ends`() async throws {
    let workspace = try await makeWorkspace()
    let ada = workspace.client(user: "ada", device: "d").channel("general")
    let mention = Mention("ben", at: 6..<10)
    let app = app(workspace)
    let boot = try await open(app)
    let tab = try #require(app.tabs.tab(Self.tab))
    var number = 0
    let edits: [(Message.ID, String)] = [
      ("m1", #""kind":"edit","range":[9,9],"text":"!","how":"typed","seen":99"#),
      ("m2", #""kind":"set","text":"a\n\nb @Ben!","editing":"m2""#),
    ]
    for (id, action) in edits {
      try await ada.send(Message.Content("a\r\n\nb @Ben", mentions: [mention]), id: id)
      try tab.composer?.perform(.beginEdit(await ada.message(id)))
      _ = try await act(app, boot, "{\"n\":\(number + 1),\(action)}")
      #expect(await text(in: app) == "a\r\n\nb @Ben!")
      let answer = try await act(app, boot, #"{"n":\#(number + 2),"kind":"send","id":"s\#(number)"}"#)
      #expect(answer.text.contains("sent"), "\(answer.text)")
      let edited = try await ada.message(id).content
      #expect(edited.text == "a\r\n\nb @Ben!" && edited.mentions == [mention])
      number += 2
    }
    await app.stop()
    await workspace.close()
  }

  @Test func `a page gets a text with the line ends of its field, and the caret in it`() async throws {
    let workspace = try await makeWorkspace()
    let app = app(workspace)
    _ = try await open(app)
    let composer = try #require(app.tabs.tab(Self.tab)?.composer)
    try composer.perform(.setText("a\r\nb\rc"))
    try composer.perform(.moveSelection(3..<4))
    let site = try WebServer(WebServer.Handlers { await app.answer($0) ?? WebResponse(status: 404) })
    let connection = try #require(Connection(to: site.port))
    let query = "tab=\(Self.tab)&user=ada&channel=general"
    connection.send("GET /api/chat/stream?\(query) HTTP/1.1\r\nHost: localhost\r\n\r\n")
    let events = await connection.receive(until: #""canSend""#)
    #expect(events.contains(#""text":"a\nb\nc","selection":[2,3]"#), "\(events)")
    await app.stop()
    site.stop()
    await workspace.close()
  }

  // What broke: all rows were one event, and the connection of all windows ended when it was too large.
  @Test func `the rows of long messages come in several events, the newest first`() async throws {
    let workspace = try await makeWorkspace()
    let long = String(repeating: "e" + String(repeating: "\u{301}", count: 20), count: 4_000)
    let ada = workspace.client(user: "ada", device: "d").channel("general")
    for name in ["one", "two", "three"] { try await ada.send("<\(name)> " + long) }
    let app = app(workspace)
    let site = try WebServer(WebServer.Handlers { await app.answer($0) ?? WebResponse(status: 404) })
    let connection = try #require(Connection(to: site.port))
    // Its response is not in chunks, which could split a name.
    connection.send("GET /api/chat/stream?tab=\(Self.tab)&user=ada&channel=general HTTP/1.0\r\n\r\n")
    let events = await connection.receive(until: "&lt;one").components(separatedBy: "event: ")
    let parts = events.filter { $0.hasPrefix("rows") && $0.contains("&lt;") }
    #expect(parts.map { $0.contains("&lt;three") } == [true, false])
    #expect(parts.map { $0.contains("&lt;one") } == [false, true])
    await app.stop()
    site.stop()
    await workspace.close()
  }

  // What broke: the last row was marked as read, which is an earlier message after the clock was set back.
  @Test func `all messages are marked as read when the clock was corrected`() async throws {
    await (try await makeWorkspace()).close()
    func open(hours: Int64) throws -> Workspace {
      var configuration = Configuration()
      let clock = configuration.clock
      configuration.clock = { clock() + .seconds(hours * 3_600) }
      return try Workspace.open(at: folder("chat"), configuration: configuration)
    }
    var workspace = try open(hours: 24 * 365 * 20)
    try await workspace.client(user: "ben", device: "d").channel("general").send("Early", id: "m1")
    await workspace.close()
    #expect(verbatim("clock", folder("chat"), "--correct").code == .done)
    workspace = try open(hours: 0)
    try await workspace.client(user: "ben", device: "d").channel("general").send("Late", id: "m2")
    let app = app(workspace)
    let boot = try await self.open(app)
    let tab = try #require(app.tabs.tab(Self.tab))
    while tab.newestMessage == nil { await Task.yield() }
    #expect(tab.newestMessage == "m2")
    _ = try await act(app, boot, #"{"n":1,"kind":"read"}"#)
    #expect(try await workspace.client(user: "ada").channel("general").unread().messages == 0)
    await app.stop()
    await workspace.close()
  }

  // What broke: the studio showed times in UTC without saying so, and days in the zone of the page.
  @Test func `days and times are those of the page's time zone`() async throws {
    await (try await makeWorkspace()).close()
    var configuration = Configuration()
    let noon = try #require(Timestamp(rfc3339: "2035-01-01T20:00:00Z"))
    configuration.clock = { noon }
    let workspace = try Workspace.open(at: folder("chat"), configuration: configuration)
    try await workspace.client(user: "ada", device: "d").channel("general").send("Hello", id: "m1")
    let app = app(workspace)
    let site = try WebServer(WebServer.Handlers { await app.answer($0) ?? WebResponse(status: 404) })
    for (zone, day, time) in [("Asia/Kolkata", "2035-01-02", "01:30"), ("America/New_York", "2035-01-01", "15:00")] {
      let connection = try #require(Connection(to: site.port))
      let query = "tab=\(Self.tab)&user=ada&channel=general&zone=\(zone)"
      connection.send("GET /api/chat/stream?\(query) HTTP/1.1\r\nHost: localhost\r\n\r\n")
      let rows = await connection.receive(until: "Hello")
      #expect(rows.contains(day) && rows.contains(time), "\(rows)")
      let past = try await get(
        app, "/api/past",
        ["position": "\(workspace.head().rawValue)", "user": "ada", "channel": "general", "zone": zone])
      #expect(past.text.contains(day) && past.text.contains(time), "\(past.text)")
    }
    await app.stop()
    site.stop()
    await workspace.close()
  }

  // What broke: the copy of each file that was attached, or refused, stayed until the studio ended.
  @Test func `the temporary file of an attachment is removed when it is uploaded or refused`() async throws {
    let workspace = try await makeWorkspace()
    var context = Context()
    context.composer.attachments.blockedExtensions = ["exe"]
    let app = StudioApp(workspace, viewer: nil, isReadOnly: false, in: context)
    _ = try await open(app)
    let query: KeyValuePairs = ["tab": Self.tab, "channel": "general", "name": "a.txt"]
    #expect(try await post(app, "/api/chat/attach", query, "text").status == 200)
    let composer = try #require(app.tabs.tab(Self.tab)?.composer)
    let deadline = ContinuousClock.now + .seconds(60)
    while composer.composer.content.attachments.first?.upload != .done, ContinuousClock.now < deadline {
      await Task.yield()
    }
    #expect(composer.composer.content.attachments.map(\.upload) == [.done])
    let directory = URL(fileURLWithPath: try app.temporary.path(of: "x")).deletingLastPathComponent().path
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == [])
    let blocked: KeyValuePairs = ["tab": Self.tab, "channel": "general", "name": "a.exe"]
    let answer = try await post(app, "/api/chat/attach", blocked, "text")
    #expect(answer.status != 200 && composer.composer.content.attachments.count == 1, "\(answer.text)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == [])
    await app.stop()
    await workspace.close()
  }

  // What broke: other users of the machine could read what was attached, and what a verification had found.
  @Test func `the temporary files of a studio are its user's alone, and end with it`() async throws {
    let workspace = try await makeWorkspace()
    var context = Context()
    context.executable = "/bin/true"
    let app = StudioApp(workspace, viewer: nil, isReadOnly: false, in: context)
    _ = try await open(app)
    let attached = try await post(
      app, "/api/chat/attach", ["tab": Self.tab, "channel": "general", "name": "a.txt"], "text")
    #expect(attached.status == 200)
    #expect(try await post(app, "/api/verify", [:], "").status == 200)
    let directory = URL(fileURLWithPath: try app.temporary.path(of: "x")).deletingLastPathComponent().path
    let mode = try FileManager.default.attributesOfItem(atPath: directory)[.posixPermissions] as? Int
    #expect(mode == 0o700)
    let names = try FileManager.default.contentsOfDirectory(atPath: directory)
    #expect(names.contains("verify.json") && names.contains("verify.progress"))
    await app.stop()
    #expect(!FileManager.default.fileExists(atPath: directory))
    await workspace.close()
  }
}
