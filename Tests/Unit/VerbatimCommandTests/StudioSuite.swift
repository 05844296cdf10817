// Requests to a studio within the test's process.
import ChatComposer
import Testing
import Verbatim
import WebServer

@testable import VerbatimCommand

/// A suite that sends requests to a studio.
protocol StudioSuite {
  /// The directory of its workspace.
  var folder: Folder { get }
}

/// A response of a studio; without text if it is a stream.
struct StudioResponse {
  let status: Int
  let text: String
  let type: String?

  init(_ response: WebResponse?) throws {
    let response = try #require(response)
    status = response.status
    type = response.headers.first { $0.name == "Content-Type" }?.value
    guard case .bytes(let bytes) = response.content else {
      text = ""
      return
    }
    text = String(decoding: bytes, as: UTF8.self)
  }
}

extension StudioSuite {
  /// The name of the tab.
  static var tab: String { "abcdefgh01234567" }

  /// A workspace in which Ada and Ben share a channel.
  func makeWorkspace() async throws -> Workspace {
    let workspace = try Workspace.open(at: folder("chat"))
    let ada = workspace.client(user: "ada", device: "d")
    try await ada.me.create(name: "Ada")
    try await workspace.client(user: "ben", device: "d").me.create(name: "Ben")
    try await ada.channel("general").create()
    try await ada.channel("general").add("ben")
    try await ada.channel("secret").create()
    return workspace
  }

  func app(_ workspace: Workspace, as user: User.ID? = nil, isReadOnly: Bool = false) -> StudioApp {
    StudioApp(workspace, viewer: user, isReadOnly: isReadOnly, in: Context())
  }

  func get(
    _ app: StudioApp, _ path: String, _ query: KeyValuePairs<String, String> = [:]
  ) async throws -> StudioResponse {
    try await StudioResponse(app.answer(WebRequest(method: "GET", path: path, query: query.map { .init($0, $1) })))
  }

  func post(
    _ app: StudioApp, _ path: String, _ query: KeyValuePairs<String, String> = [:], _ body: String
  ) async throws -> StudioResponse {
    try await StudioResponse(
      app.answer(
        WebRequest(method: "POST", path: path, query: query.map { .init($0, $1) }, body: Array(body.utf8))))
  }

  /// Opens the stream of the tab; returns the name of the process.
  func open(_ app: StudioApp, as user: String = "ada", in channel: String = "general") async throws -> String {
    let answer = try await get(app, "/api/chat/stream", ["tab": Self.tab, "user": user, "channel": channel])
    #expect(answer.status == 200)
    return app.tabs.boot
  }

  /// Performs actions of a page that shows a place.
  func act(
    _ app: StudioApp, _ boot: String, _ actions: String, as user: String = "ada", in channel: String = "general",
    thread: String = ""
  ) async throws -> StudioResponse {
    try await post(
      app, "/api/chat/act", ["user": user, "channel": channel, "thread": thread],
      #"{"tab":"\#(Self.tab)","boot":"\#(boot)","actions":[\#(actions)]}"#)
  }

  /// The text of the tab's composer.
  func text(in app: StudioApp) async -> String? { await app.tabs.tab(Self.tab)?.composer?.text }
}
