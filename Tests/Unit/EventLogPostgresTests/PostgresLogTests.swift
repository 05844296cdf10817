// The log contract for the log on PostgreSQL.
import EventLog
import EventLogPostgres
import LogContract
import PostgresServer
import Testing

@Suite struct PostgresLogTests {
  @Test(arguments: ContractCase.all)
  func `a log on PostgreSQL fulfills the log contract`(_ contract: ContractCase) async throws {
    try await contract.run(Server(server: PostgresServer.shared()))
  }
}

private struct Server: LogBench {
  let server: PostgresServer
  let machine = Machine()

  func makeStore(_ genesis: Genesis, _ configuration: EventStore.Configuration) throws -> EventStore {
    let address = try #require(PostgresAddress(server.address(ofLog: "log\(UInt32.random(in: 0 ... .max))")))
    return try machine.open(address, creates: genesis, configuration: configuration)
  }

  func reopen(_ store: EventStore) throws -> EventStore {
    let address = try #require(store.log as? PostgresLog).address
    store.close()
    return try machine.open(address)
  }
}
