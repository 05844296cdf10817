// Threat: what is shown stays as it was when the server was away for a while, and nothing says so.
import ChildProcess
import Foundation
import PostgresServer
import PseudoTerminal
import Testing
import TestThreads
import Verbatim
import WebClient
import WebServer

@testable import VerbatimCommand

@Suite(.waitsForProcesses) struct `A server that was away` {
  private let server: PostgresServer
  private let folder = Folder()
  private let database = "outage\(UInt64.random(in: 0 ... .max))"
  private let workspace: Workspace

  /// Creates a workspace in a database of its own.
  init() async throws {
    server = try PostgresServer.shared()
    try server.query("CREATE DATABASE \(database)")
    var configuration = Configuration()
    configuration.cacheDirectory = folder("cache")
    workspace = try Workspace.open(at: server.address(ofLog: "chat", in: database), configuration: configuration)
    for (id, name) in [("ada", "Ada"), ("ben", "Ben")] as [(User.ID, UserText)] {
      try await workspace.client(user: id).me.create(name: name)
    }
    try await workspace.client(user: "ada").channel("general").create(members: ["ben"])
  }

  /// Lets each statement fail: at once, unlike those of a server that cannot be reached.
  private func leave() throws { try server.query("ALTER SCHEMA verbatim RENAME TO away", in: database) }

  private func comeBack() throws { try server.query("ALTER SCHEMA away RENAME TO verbatim", in: database) }

  // What broke: the models of a tab ended at the first error, and its page showed an old state without a word.
  @Test func `is named by the chat of a studio, which goes on when the server is back`() async throws {
    let app = StudioApp(workspace, viewer: nil, isReadOnly: false, in: Context())
    let site = try WebServer(WebServer.Handlers { await app.answer($0) ?? WebResponse(status: 404) })
    let (chat, head) = (try #require(Connection(to: site.port)), try #require(Connection(to: site.port)))
    chat.send(
      "GET /api/chat/stream?tab=abcdefgh01234567&user=ada&channel=general HTTP/1.1\r\nHost: localhost\r\n\r\n")
    #expect(await chat.receive(until: "event: composer").contains("event: rows"))
    head.send("GET /api/head HTTP/1.1\r\nHost: localhost\r\n\r\n")
    #expect(await head.receive(until: "event: head").contains("event: head"))
    try leave()
    #expect(await chat.receive(until: "cannot be read").contains("event: lost"))
    #expect(await head.receive(until: "event: lost").contains("event: lost"))
    try comeBack()
    #expect(await chat.receive(until: #"{"error":""}"#).contains("event: lost"))
    #expect(await head.receive(until: "event: head").contains("event: head"))
    try await workspace.client(user: "ben").channel("general").send("Good morning")
    #expect(await chat.receive(until: "Good morning").contains("Good morning"))
    await app.stop()
    site.stop()
    await workspace.close()
  }

  // What broke: the news of a channel ended at the first error.
  @Test(.enabled(if: program != nil, "the program was not built"))
  func `is named in a terminal, which goes on when the server is back`() async throws {
    let ada = try terminal(
      of: "ada", in: server.address(ofLog: "chat", in: database), environment: ["VERBATIM_CACHE_DIR": folder("ada")])
    try leave()
    try ada.wait { $0.text.contains("Not up to date") }
    try comeBack()
    try ada.wait { !$0.text.contains("Not up to date") }
    try await workspace.client(user: "ben").channel("general").send("Good morning")
    try ada.wait { $0.says(" Ben: Good morning") }
    try ada.send(Press.control("d"))
    try #expect(ada.finish() == .exit(0))
    await workspace.close()
  }
}
