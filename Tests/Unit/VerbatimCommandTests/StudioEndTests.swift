// Threat: a studio cannot be ended, or leaves the files of its users behind.
import ChildProcess
import EventLog
import Foundation
import Testing
import TestThreads
import Verbatim
import WebClient

@testable import VerbatimCommand

@Suite(.waitsForProcesses, .enabled(if: program != nil, "the program was not built"))
struct `A studio that is interrupted` {
  private let folder = Folder()

  /// Sends a request as a page of the studio does.
  private func ask(_ line: String, _ fields: String..., body: String = "", at port: UInt16) throws -> Connection {
    let connection = try #require(Connection(to: port))
    let host = "127.0.0.1:\(port)"
    let head =
      ["\(line) HTTP/1.1", "Host: \(host)", "Origin: http://\(host)", "Content-Length: \(body.utf8.count)"] + fields
      + ["Connection: close", "", ""]
    connection.send(head.joined(separator: "\r\n") + body)
    return connection
  }

  // What broke: it waited without a limit for a change that could not be recorded, and took no further signal.
  @Test func `ends while nothing can be recorded, and removes its temporary files`() async throws {
    let path = try await conversation(in: folder)
    try FileManager.default.createDirectory(atPath: folder("temporary"), withIntermediateDirectories: true)
    let studio = try Child([program ?? "", "studio", path], environment: ["TMPDIR": folder("temporary")])
    let address = try #require(try studio.line())
    let parts = try #require(address.firstMatch(of: /http:\/\/127\.0\.0\.1:([0-9]+)(\/.*)/))
    let port = try #require(UInt16(parts.1))
    let entrance = try await ask("GET \(parts.2)", at: port).receive()
    let entry = try #require(entrance.firstMatch(of: /Set-Cookie: ([^;]+)/))
    let cookie = "Cookie: \(entry.1)"
    let tab = "tab=abcdefgh01234567&channel=general"
    let chat = try ask("GET /api/chat/stream?\(tab)&user=ada", cookie, at: port)
    #expect(await chat.receive(until: "event: composer").contains("event: begin"))
    let attached = try ask("POST /api/chat/attach?\(tab)&name=a.txt", cookie, body: "text", at: port)
    #expect(await attached.receive().hasPrefix("HTTP/1.1 200 "))
    let workspace = try Workspace.open(at: path, creates: false)
    try workspace.store.log.withWriterLock {
      studio.signal(SIGINT)
      #expect(studio.wait() == .exit(0))
    }
    await workspace.close()
    chat.close()
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder("temporary")) == [])
  }
}
