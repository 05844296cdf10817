// Threat: a tab shows another channel than its page, stays open when the page is gone, or leaves files to other users.
import ChatComposer
import Foundation
import Testing
import Verbatim
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

  // What broke: other users of the machine could read what was attached, and what a verification had found.
  @Test func `the temporary files of a studio are its user's alone, and end with it`() async throws {
    let workspace = try await makeWorkspace()
    var context = Context()
    context.executable = "/bin/true"
    let app = StudioApp(workspace, viewer: nil, isReadOnly: false, in: context)
    _ = try await open(app)
    #expect(try await post(app, "/api/chat/attach", ["tab": Self.tab, "name": "a.txt"], "text").status == 200)
    #expect(try await post(app, "/api/verify", [:], "").status == 200)
    let directory = URL(fileURLWithPath: try app.temporary.path(of: "x")).deletingLastPathComponent().path
    let mode = try FileManager.default.attributesOfItem(atPath: directory)[.posixPermissions] as? Int
    #expect(mode == 0o700)
    let names = try FileManager.default.contentsOfDirectory(atPath: directory)
    #expect(names.count == 3 && names.contains("verify.json") && names.contains("verify.progress"))
    await app.stop()
    #expect(!FileManager.default.fileExists(atPath: directory))
    await workspace.close()
  }
}
