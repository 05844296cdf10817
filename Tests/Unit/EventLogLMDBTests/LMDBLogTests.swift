// The log contract for the log on disk.
import Dispatch
import EventLog
import EventLogLMDB
import Foundation
import Locks
import LogContract
import LogWorker
import Testing

@Suite struct LMDBLogTests {
  @Test(arguments: ContractCase.all)
  func `a log on disk fulfills the log contract`(_ contract: ContractCase) async throws {
    let directory = TemporaryDirectory()
    try await contract.run(Disk(directory: directory))
  }

  // What broke: the copy that came second failed, and removed that of the first.
  @Test func `of several copies to one directory, one is made and stays`() throws {
    let (directory, copies) = (TemporaryDirectory(), TemporaryDirectory())
    let store = try makeLog(directory)
    try append(Workload(seed: 1, shape: .mixed), 0..<400, to: store)
    store.close()
    let log = try LMDBLog.open(at: directory.path)
    defer { log.close() }
    for round in 0..<10 {
      let (target, made) = ("\(copies.path)-\(round)", Locked(0))
      defer { try? FileManager.default.removeItem(atPath: target) }
      let (gate, group) = (DispatchSemaphore(value: 0), DispatchGroup())
      for _ in 0..<2 {
        group.enter()
        Thread.detachNewThread {
          gate.wait()
          if (try? log.backUp(to: target)) != nil { made.withLock { $0 += 1 } }
          group.leave()
        }
      }
      for _ in 0..<2 { gate.signal() }
      group.wait()
      #expect(made.withLock { $0 } == 1)
      let copy = try LMDBLog.open(at: target)
      defer { copy.close() }
      #expect(try copy.head() == log.head())
    }
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
