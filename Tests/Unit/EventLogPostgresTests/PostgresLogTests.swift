// The log contract for the log on PostgreSQL.
import EventLog
import TestThreads
@testable import EventLogPostgres
import Foundation
import LogContract
import PostgresServer
import Testing

@Suite(.waitsForProcesses) struct PostgresLogTests {
  @Test(arguments: ContractCase.all)
  func `a log on PostgreSQL fulfills the log contract`(_ contract: ContractCase) async throws {
    try await contract.run(Server())
  }

  @Test func `several blocks are appended by one statement, all or none`() async throws {
    let (source, machine) = (EventStore.inMemory(), Machine())
    let address = try PostgresServer.shared().address(ofLog: "several\(UInt32.random(in: 0 ... .max))")
    for number in 0..<40 {
      let payload = Array(repeating: UInt8(number), count: 1 + number * 97)
      let event = ProposedEvent(stream: "s", type: "t", payload: payload)
      _ = try await source.append(Append([event]))
    }
    var blocks: [[UInt8]] = []
    var heads = [Head(of: source.log.genesis)]
    try source.log.blocks(from: .first, .forward, checks: .full) { block in
      blocks.append(block.bytes.withUnsafeBytes { Array($0) })
      heads.append(block.head)
      return .next
    }
    let store = try machine.open(address, creates: source.log.genesis)
    let log = try #require(store.log as? PostgresLog)
    for wrong in [heads[1], heads[40]] {
      #expect(throws: LogError.self) { try log.append(copies: Array(blocks[3...]), after: wrong) }
    }
    #expect(try log.head() == heads[0])
    try log.append(copies: Array(blocks[..<25]), after: heads[0])
    #expect(throws: LogError.self) { try log.append(copies: Array(blocks[..<25]), after: heads[0]) }
    #expect(try log.head() == heads[25])
    try log.append(copies: Array(blocks[25...]), after: heads[25])
    #expect(try log.head() == heads[40])
    let report = try log.verify()
    #expect(report.holds && report.blocks == 40 && report.head == heads[40])
    _ = try store.events(from: .first, limit: 1)
    store.close()
  }

  @Test func `verifying compares the index of this machine with the blocks`() async throws {
    let machine = Machine()
    let address = try #require(
      PostgresAddress(PostgresServer.shared().address(ofLog: "indexed\(UInt32.random(in: 0 ... .max))")))
    let store = try machine.open(address, creates: .new())
    let log = try #require(store.log as? PostgresLog)
    for number in 0..<20 {
      let event = ProposedEvent(stream: "stream-of-the-index", type: "t", payload: [UInt8(number)])
      _ = try await store.append(Append([event]))
    }
    let path = log.derivedPath + "/index/data.mdb"
    store.close()
    func report() throws -> LogReport {
      var options = PostgresLog.Options()
      options.cacheDirectory = machine.directory
      let log = try PostgresLog.open(at: address, options: options)
      defer { log.close() }
      return try log.verify()
    }
    let sound = try report()
    #expect(sound.holds && sound.notes.isEmpty, "\(sound)")
    // The name of the stream is the key of its row.
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    var start = bytes.startIndex
    while let found = bytes.range(of: Data("stream-of-the-index".utf8), in: start..<bytes.endIndex) {
      bytes[found.lowerBound] ^= 1
      start = found.upperBound
    }
    try bytes.write(to: URL(fileURLWithPath: path))
    let damaged = try report()
    #expect(damaged.findings.contains { $0.location == .index } && damaged.blocks == 20, "\(damaged)")
  }

  // What broke: it was found by reading. The head was read before the index, in which an append was by then that
  // another process of the machine had made meanwhile: the log was reported as shortened.
  @Test func `verifying does not report an append that is made meanwhile as missing`() throws {
    let (server, machine) = (try PostgresServer.shared(), Machine())
    let proxy = try CuttingProxy(to: server.directory, cutting: 0, seed: 1)
    defer { proxy.close() }
    let address = server.address(ofLog: "verified\(UInt32.random(in: 0 ... .max))")
    @Sendable func append(creating genesis: Genesis? = nil) throws {
      let store = try machine.open(address, creates: genesis)
      // Closing writes the index.
      defer { store.close() }
      _ = try store.appendBlocking([ProposedEvent(stream: "s", type: "t", payload: [1])])
    }
    try append(creating: .new())
    var options = PostgresLog.Options()
    options.cacheDirectory = machine.directory
    let proxied = try #require(PostgresAddress(address.replacing(server.directory, with: proxy.directory)))
    let log = try PostgresLog.open(at: proxied, options: options)
    defer { log.close() }
    // The first answer is that about the head.
    proxy.interrupt { _ = try? append() }
    let report = try log.verify()
    #expect(report.holds && report.notes.isEmpty && report.events == 1, "\(report)")
    #expect(try log.head().position.rawValue == 2)
  }
}

private struct Server: LogBench {
  let machine = Machine()

  func makeStore(_ genesis: Genesis, _ configuration: EventStore.Configuration) throws -> EventStore {
    try machine.makeStore(genesis, configuration)
  }

  func reopen(_ store: EventStore) throws -> EventStore {
    let address = try #require(store.log as? PostgresLog).address
    store.close()
    return try machine.open(address)
  }
}
