// The layout page's example, compared with the written bytes.
import EventLog
import Foundation
import Testing

@Suite struct LayoutPageTests {
  @Test func `an append writes the bytes of the block on the layout page`() throws {
    #expect(try exampleBytes() == exampleOfPage())
  }

  /// Returns the block of the page's log: its genesis and one event.
  private func exampleBytes() throws -> [UInt8] {
    var configuration = EventStore.Configuration()
    let instant = Timestamp(rawValue: 1_767_225_600_000_000)
    configuration.clock = { instant }
    let genesis = Genesis(id: AppendID(high: 0x019B_76DA_A800_7000, low: 0x8000_0000_0000_0000), created: instant)
    let store = EventStore.inMemory(genesis: genesis, configuration: configuration)
    let event = ProposedEvent(stream: "channel/1", type: "noted", payload: Array("hello".utf8))
    _ = try store.appendBlocking([event], id: AppendID(high: 0x019B_76DA_A800_7000, low: 0x8000_0000_0000_0001))
    var bytes: [UInt8] = []
    try store.log.blocks(from: .first, .forward, checks: .full) { block in
      bytes = block.bytes.withUnsafeBytes { Array($0) }
      return .stop
    }
    return bytes
  }

  /// Returns the hexadecimal digits of the page's example; the rest of each line is explanation.
  private func exampleOfPage() throws -> [UInt8] {
    let page = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Sources/Storage/EventLogLMDB/EventLogLMDB.docc/OnDiskLayout.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    let lines = text.split(separator: "\n").drop { !$0.hasPrefix("56 42 4C 31") }.prefix { !$0.hasPrefix("```") }
    return lines.flatMap { line in
      line.split(separator: " ").prefix { $0.count == 2 && UInt8($0, radix: 16) != nil }
        .compactMap { UInt8($0, radix: 16) }
    }
  }
}
