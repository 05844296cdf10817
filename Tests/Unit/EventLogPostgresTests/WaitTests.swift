// Threat: a wait with a deadline goes on for as long as a lost server is tried again.
import ChildProcess
import EventLog
import EventLogPostgres
import PostgresServer
import Testing
import TestThreads

@Suite(.waitsForProcesses) struct `A wait for an append` {
  @Test func `ends at its deadline where the server cannot be reached`() throws {
    let (server, machine) = (try PostgresServer(), Machine())
    defer { server.stop() }
    var options = PostgresLog.Options(creates: true)
    (options.cacheDirectory, options.retryTimeout) = (machine.directory, .seconds(100_000))
    let address = try #require(PostgresAddress(server.address(ofLog: "main")))
    let log = try PostgresLog.open(at: address, options: options)
    #expect(try !log.wait(beyond: .zero, until: .now))
    try server.kill()
    _ = try blocking("the end of the wait", within: 120, orElse: log.close) {
      #expect(throws: LogError.self) { try log.wait(beyond: .zero, until: .now + .milliseconds(50)) }
    }
    log.close()
  }
}
