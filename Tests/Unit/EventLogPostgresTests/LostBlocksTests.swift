// Threat: events that a server acknowledged and lost are gone, although a machine still has them.
import EventLog
import Foundation
import PostgresServer
import Testing
import TestThreads

@testable import EventLogPostgres

@Suite(.waitsForProcesses) struct `Events that a server lost` {
  private let server: PostgresServer
  private let log = "lost-\(UInt32.random(in: 0 ... .max))"
  private let here = Machine()
  private let there = Machine()

  init() throws { server = try PostgresServer.shared() }

  private var address: PostgresAddress { PostgresAddress(server.address(ofLog: log))! }

  private func append(_ texts: [String], _ store: EventStore) async throws {
    for text in texts {
      _ = try await store.append(Append([ProposedEvent(stream: "s", type: "t", payload: Array(text.utf8))]))
    }
  }

  private func lost(_ machine: Machine) throws -> LostBlocks {
    var options = PostgresLog.Options()
    options.cacheDirectory = machine.directory
    return try LostBlocks(of: address, options: options)
  }

  private func expectNothingLost(_ machine: Machine) throws {
    let lost = try lost(machine)
    #expect(lost.count == 0 && lost.missing.isEmpty)
  }

  private func texts(_ lost: LostBlocks) -> [String] {
    var texts: [String] = []
    lost.forEach { block in
      for index in 0..<block.count {
        texts.append(block.event(at: index).payload.withUnsafeBytes { String(decoding: $0, as: UTF8.self) })
      }
    }
    return texts
  }

  @Test func `are found on the machines that appended them, and those of others are named as missing`() async throws {
    let (one, two) = (try here.open(address, creates: .new()), try there.open(address))
    try await append(["a", "b"], one)
    try server.rememberHead(of: log)
    try expectNothingLost(here)
    try await append(["c", "d"], one)
    try await append(["e"], two)
    try await append(["f"], one)
    one.close()
    two.close()
    for machine in [here, there] { try expectNothingLost(machine) }
    try server.lose(of: log, after: 2)

    for machine in [here, there] { #expect(throws: OpenError.self) { try machine.open(address) } }
    let (ours, theirs) = (try lost(here), try lost(there))
    #expect(texts(ours) == ["c", "d", "f"] && ours.count == 3)
    #expect(ours.missing == [Position(rawValue: 5)...Position(rawValue: 5)])
    #expect(texts(theirs) == ["e"])
    #expect(theirs.missing == [Position(rawValue: 3)...Position(rawValue: 4)])

    var options = PostgresLog.Options()
    (options.cacheDirectory, options.acceptsMissingTail) = (here.directory, true)
    let accepting = try PostgresLog.open(at: address, options: options)
    try accepting.acceptMissingTail()
    accepting.close()
    try expectNothingLost(here)
  }

  // What broke: it was found by reading. The search began after the machine's own last block that the server has.
  @Test func `are none that another machine appended before, which the server has`() async throws {
    let (one, two) = (try here.open(address, creates: .new()), try there.open(address))
    try await append(["a"], one)
    try await append(["b", "c"], two)
    try server.rememberHead(of: log)
    try await append(["d"], two)
    try await append(["e"], one)
    one.close()
    two.close()
    try server.lose(of: log, after: 3)
    let lost = try lost(here)
    #expect(texts(lost) == ["e"] && lost.missing == [Position(rawValue: 4)...Position(rawValue: 4)])
  }

  @Test func `are found behind blocks that were written in part or damaged`() async throws {
    let store = try here.open(address, creates: .new())
    try server.rememberHead(of: log)
    try await append(["a", "b", "c", "d"], store)
    let path = try #require((store.log as? PostgresLog)?.derivedPath) + "/recent"
    store.close()
    try server.lose(of: log, after: 0)
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(texts(try lost(here)) == ["a", "b", "c", "d"])
    // Four blocks of equal size follow the first page.
    let count = Int(bytes[0]) | Int(bytes[1]) << 8
    bytes[4096 + count / 4 + 20] ^= 1
    // A part of the first one at the end of the file, and behind the last one.
    for place in [bytes.count - 30, 4096 + count] {
      bytes.replaceSubrange(place..<place + 30, with: bytes[4096..<4096 + 30])
    }
    try bytes.write(to: URL(fileURLWithPath: path))
    let found = try lost(here)
    #expect(texts(found) == ["a", "c", "d"])
    #expect(found.missing == [Position(rawValue: 2)...Position(rawValue: 2)])
  }

  @Test func `are kept up to a bound, the newest ones`() async throws {
    let store = try here.open(address, creates: .new())
    try server.rememberHead(of: log)
    let payload = String(repeating: "x", count: 1 << 20)
    for number in 0..<30 { try await append(["\(number) \(payload)"], store) }
    let directory = try #require((store.log as? PostgresLog)?.derivedPath)
    store.close()
    try server.lose(of: log, after: 0)
    let found = try lost(here)
    #expect(found.count == 7 && texts(found).last?.hasPrefix("29 ") == true)
    #expect(found.missing == [.first...Position(rawValue: 23)])
    let size = try FileManager.default.attributesOfItem(atPath: directory + "/recent")[.size] as? Int
    #expect(size == (8 << 20) + 4096)
  }
}
