// Threat: the error of a connection hides its reason.
import EventLog
import PostgresServer
import Testing
import TestThreads

@testable import EventLogPostgres

@Suite(.waitsForProcesses) struct `The error of a connection` {
  @Test(arguments: [
    ("one\n\ta hint?\n", "one"), ("one\n\ta hint?\ntwo\n\ta hint?\n", "one; two"), ("one\ntwo", "one; two"),
    ("\n", "the connection was lost"), ("\ta hint", "the connection was lost"), ("", "the connection was lost"),
  ])
  func `has all lines of the message but the hints`(message: String, reason: String) {
    #expect(Connection.reason(message) == reason)
  }

  @Test func `names the reason of each host`() throws {
    let address = "postgres:///postgres?host=/tmp/verbatim-no-server,/tmp/verbatim-nor-this"
    let text = "\(try #require(throws: OpenError.self) { try Machine().open(address) })"
    #expect(text.contains("/verbatim-no-server/") && text.contains("/verbatim-nor-this/"), "\(text)")
    #expect(!text.contains("\n") && !text.contains("\t"), "\(text)")
  }
}
