// The log contract for the in-memory log.
import EventLog
import LogContract
import Testing

@Suite struct InMemoryLogTests {
  @Test(arguments: ContractCase.all)
  func `an in-memory log fulfills the log contract`(_ contract: ContractCase) async throws {
    try await contract.run(Memory())
  }
}

private struct Memory: LogBench {
  func makeStore(_ genesis: Genesis, _ configuration: EventStore.Configuration) -> EventStore {
    .inMemory(genesis: genesis, configuration: configuration)
  }

  func reopen(_ store: EventStore) -> EventStore {
    EventStore(log: store.log, index: InMemoryIndex(genesis: store.log.genesis))
  }
}
