// Threat: the tables of an earlier program are misread, or brought up to date unasked.
import EventLog
import EventLogPostgres
import PostgresServer
import Testing
import TestThreads

@Suite(.waitsForProcesses) struct `The tables of an earlier program` {
  @Test func `are refused until they are brought up to date, and keep their events`() async throws {
    let (server, machine) = (try PostgresServer.shared(), Machine())
    let database = "earlier\(UInt32.random(in: 0 ... .max))"
    try server.query("CREATE DATABASE \(database)")
    let address = try #require(PostgresAddress(server.address(ofLog: "old", in: database)))
    let store = try machine.open(address, creates: .new())
    _ = try await store.append(Append([ProposedEvent(stream: "s", type: "t", payload: [1])]))
    let head = try store.head()
    store.close()
    try PostgresLog.upgrade(at: address)
    #expect(try server.query("SELECT version FROM verbatim.format", in: database) == ["2"])
    // Version 1 had no checkpoints, and all blobs in the database.
    try server.query(
      """
      DROP TABLE verbatim.checkpoints;
      ALTER TABLE verbatim.logs DROP COLUMN blobs;
      UPDATE verbatim.format SET version = 1;
      """, in: database)
    for genesis in [nil, Genesis.new()] {
      let error = #expect(throws: OpenError.self) { try machine.open(address, creates: genesis) }
      #expect("\(try #require(error))".contains("(version 1): `verbatim init`"))
    }
    for _ in 0..<2 { try PostgresLog.upgrade(at: address) }
    let again = try machine.open(address)
    #expect(try again.head() == head)
    _ = try await again.append(Append([ProposedEvent(stream: "s", type: "t", payload: [2])]))
    again.close()
  }
}
