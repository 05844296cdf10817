// Threat: a setting of one client stays in a session that a pooler shares among all, whose appends are then lost.
import ChildProcess
import EventLog
import Foundation
import PostgresServer
import Testing
import TestThreads

@testable import EventLogPostgres

@Suite(.waitsForProcesses) struct `A session that a pooler shares` {
  @Test(.enabled(if: TransactionPooler.isInstalled, "there is no PgBouncer"))
  func `commits durably after a notification was sent in it`() async throws {
    let server = try PostgresServer()
    defer { server.stop() }
    let pooler = try TransactionPooler(to: server, connections: 1)
    let store = try Machine().open(pooler.address(ofLog: "pooled"), creates: .new())
    defer { store.close() }
    let log = try #require(store.log as? PostgresLog)
    let listening = try Connection(to: #require(PostgresAddress(server.address(ofLog: "pooled"))))
    try listening.execute("LISTEN verbatim_\(log.id)")
    _ = try await store.append(Append([ProposedEvent(stream: "s", type: "t", payload: [1])]))
    try await within("a notification") {
      while try !listening.takeNotifications() {
        var descriptor = pollfd(fd: listening.descriptor, events: Int16(POLLIN), revents: 0)
        poll(&descriptor, 1, -1)
      }
    }
    let pooled = try Connection(to: log.address)
    let show = Statement(name: "", text: "SHOW synchronous_commit")
    #expect(try pooled.isPooled && pooled.execute(show).text(0, 0) == "on")
  }
}
