// Threat: small blocks that are followed by large ones are read as one result that fills the memory.
import EventLog
import PostgresServer
import Testing
import TestThreads

@testable import EventLogPostgres

@Suite(.waitsForProcesses) struct `A batch of blocks` {
  private static let (small, large, byteCount) = (300, 6, 1 << 20)

  @Test func `has a bounded size, whatever was read before`() throws {
    let machine = Machine()
    let store = try machine.makeStore(.new())
    defer { store.close() }
    let log = try #require(store.log as? PostgresLog)
    func append(_ payload: [UInt8]) throws {
      _ = try store.appendBlocking([ProposedEvent(stream: "s", type: "t", payload: payload)])
    }
    for _ in 0..<Self.small { try append([1]) }
    for _ in 0..<Self.large { try append(Array(repeating: 2, count: Self.byteCount)) }
    for _ in 0..<Self.small { try append([3]) }

    let end = Position(rawValue: UInt64(2 * Self.small + Self.large))
    for (start, direction) in [(Position.first, Direction.forward), (end, .backward)] {
      let rows = try log.read(from: start, direction, 4096, isFirst: false)
      let byteCount = (0..<rows.count).reduce(0) { $0 + rows.bytes($1, 1).count }
      let bounds = Schema.batchByteCount..<Schema.batchByteCount + Self.byteCount + 4096
      #expect(bounds.contains(byteCount) && rows.count > Self.small, "\(direction): \(byteCount), \(rows.count)")

      var positions: [Position] = []
      try log.blocks(from: start, direction, checks: .full) { block in
        positions.append(block.last)
        return .next
      }
      let all = (1...end.rawValue).map { Position(rawValue: $0) }
      #expect(positions == (direction == .forward ? all : all.reversed()))
    }
    let report = try log.verify()
    #expect(report.holds && report.head?.position == end)
  }

  @Test func `has a block that is larger than a batch`() throws {
    let store = try Machine().makeStore(.new())
    defer { store.close() }
    let log = try #require(store.log as? PostgresLog)
    let payload = Array(repeating: UInt8(1), count: Schema.batchByteCount)
    let events = (0..<2).map { _ in ProposedEvent(stream: "s", type: "t", payload: payload) }
    for _ in 0..<2 { _ = try store.appendBlocking(events) }
    for direction in [Direction.forward, .backward] {
      let start = direction == .forward ? Position.first : Position(rawValue: 4)
      #expect(try log.read(from: start, direction, 64, isFirst: false).count == 1)
    }
    #expect(try store.events(from: .first, limit: 5).count == 4)
  }
}
