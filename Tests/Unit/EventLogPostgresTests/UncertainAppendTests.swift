// Threat: an append is reported as not made, although an attempt that was cut off may still be committed.
import EventLog
import EventLogPostgres
import PostgresServer
import Testing
import TestThreads

@Suite(.waitsForProcesses) struct `An append that a server refuses` {
  /// Runs an append whose first attempts lose their connection before one is refused for good; returns its error.
  private func error(
    afterLostAttempts count: Int, with state: String = "P0001", retryingFor time: Duration = .seconds(30)
  ) throws -> LogError {
    let (server, machine) = (try PostgresServer.shared(), Machine())
    let database = "refusing\(UInt32.random(in: 0 ... .max))"
    try server.query("CREATE DATABASE \(database)")
    var options = PostgresLog.Options(creates: true)
    (options.cacheDirectory, options.retryTimeout) = (machine.directory, time)
    let address = try #require(PostgresAddress(server.address(ofLog: "main", in: database)))
    let store = try EventStore.open(at: address, options: options)
    defer { store.close() }
    // The sequence counts the attempts: what it returned is not rolled back.
    try server.query(
      """
      CREATE SEQUENCE attempts;
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF nextval('attempts') <= \(count) THEN
          PERFORM pg_terminate_backend(pg_backend_pid());
          LOOP PERFORM 1; END LOOP;
        END IF;
        RAISE EXCEPTION 'refused' USING ERRCODE = '\(state)';
      END $$;
      CREATE TRIGGER refuse BEFORE UPDATE ON verbatim.logs FOR EACH ROW EXECUTE FUNCTION refuse();
      """, in: database)
    var found: LogError?
    do throws(AppendError) {
      _ = try store.appendBlocking([ProposedEvent(stream: "s", type: "t", payload: [1])])
    } catch {
      if case .log(let error) = error { found = error }
    }
    return try #require(found)
  }

  @Test func `at once is reported as not made`() throws {
    let error = try self.error(afterLostAttempts: 0)
    guard case .storage(let failure) = error else { throw Unexpected() }
    #expect(!error.isOfConnection)
    #expect(failure.description.contains("refused") && failure.description.contains("nothing was appended"))
  }

  @Test(arguments: 1...2) func `after a lost connection is reported as of unknown outcome`(lost: Int) throws {
    guard case .outcomeUnknown(let failure) = try error(afterLostAttempts: lost) else { throw Unexpected() }
    #expect(failure.description.contains("refused") && failure.description.contains("same append id"))
  }

  // What broke: each error after which another attempt is made was taken for a lost connection.
  @Test(arguments: ["25006", "53300", "40001"])
  func `at each attempt is reported as not made`(state: String) throws {
    let error = try self.error(afterLostAttempts: 0, with: state, retryingFor: .milliseconds(20))
    guard case .storage(let failure) = error else { throw Unexpected() }
    #expect(error.isOfConnection)
    #expect(failure.description.contains("nothing was appended") && failure.description.contains(state))
    #expect(failure.description.contains("a server that accepts changes") == (state == "25006"))
  }

  private struct Unexpected: Error {}
}
