// The log contract for the log on disk.
import EventLog
import EventLogLMDB
import LogContract
import Testing

@Suite struct LMDBLogTests {
  @Test(arguments: ContractCase.all)
  func `a log on disk fulfills the log contract`(_ contract: ContractCase) async throws {
    let directory = TemporaryDirectory()
    try await contract.run(Disk(directory: directory))
  }
}

private struct Disk: LogBench {
  let directory: TemporaryDirectory

  func makeStore(_ genesis: Genesis, _ configuration: EventStore.Configuration) throws -> EventStore {
    try .open(
      at: directory.path, options: LMDBLog.Options(creates: true, genesis: genesis), configuration: configuration)
  }

  func reopen(_ store: EventStore) throws -> EventStore {
    store.close()
    return try .open(at: directory.path)
  }
}
