// The page's example of a log, compiled, run, and compared with the code below.
import ChildProcess
import EventLog
import EventLogLMDB
import Foundation
import Testing

@Suite struct PageExampleTests {
  @Test func `the page's example appends its event`() async throws {
    let directory = TemporaryDirectory()
    try await within("the event that the example follows") { [path = directory.path] in try await example(path: path) }
    let store = try EventStore.open(at: directory.path)
    #expect(try store.events(limit: 10).map(\.stream) == ["channel/general"])
    store.close()
  }

  @Test func `the page's example is the code of this test`() throws {
    let tests = URL(filePath: #filePath)
    let pagePath = tests.deletingLastPathComponent()
      .appending(path: "../../../Sources/Storage/EventLogLMDB/EventLogLMDB.docc/EventLogLMDB.md")
    let page = try String(contentsOf: pagePath, encoding: .utf8)
    let source = try String(contentsOf: tests, encoding: .utf8)
    let run = source.components(separatedBy: "// example\n")[1].components(separatedBy: "    // end\n")[0]
    let lines = run.split(separator: "\n", omittingEmptySubsequences: false).map { $0.dropFirst(4) }
    #expect(page.contains(lines.joined(separator: "\n").trimmingCharacters(in: .newlines)))
  }

  private func example(path: String) async throws {
    // example
    let store = try EventStore.open(at: path, options: LMDBLog.Options(creates: true))

    let message = ProposedEvent(stream: "channel/general", type: "messageSent", payload: Array("Hello".utf8))
    let receipt = try await store.append([message], expecting: [StreamExpectation("channel/general", .none)])

    for event in try store.events(of: "channel/general", limit: 50) {
      print(event.position, event.recorded, String(decoding: event.payload, as: UTF8.self))
    }

    for try await event in store.follow(from: receipt.positions.lowerBound) {
      print(event.stream, event.version)
      break
    }
    // end
  }
}
