// The layout page's examples, compared with the written bytes.
import EventLog
import Foundation
import Testing

@Suite struct LayoutPageTests {
  @Test(arguments: ["VBG1, 71", "VBL1, 104", "VBL1, 225"])
  func `a log has the bytes of the genesis and the blocks on the layout page`(frame: String) throws {
    let page = try exampleOfPage(frame)
    #expect(try exampleFrames(createdAt: 1_767_225_600_000_000).contains(page))
  }

  // The page said that no field has its default value; a reader written after it refused logs of machines without a
  // clock, whose times are 0.
  @Test func `a time of 0 is stored like any other`() throws {
    let frames = try exampleFrames(createdAt: 0)
    let zero: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0]
    #expect(Array(frames[0][26..<35]) == [0x11] + zero)
    #expect(Array(frames[1][12..<21]) == [0x21] + zero)
  }

  /// Returns the genesis and the two blocks of the page's log.
  private func exampleFrames(createdAt microseconds: Int64) throws -> [[UInt8]] {
    var configuration = EventStore.Configuration()
    let instant = Timestamp(rawValue: microseconds)
    configuration.clock = { instant }
    let genesis = Genesis(id: id(0), created: instant)
    let store = EventStore.inMemory(genesis: genesis, configuration: configuration)
    _ = try store.appendBlocking(
      [ProposedEvent(stream: "channel/1", type: "noted", payload: Array("hello".utf8))], id: id(1))
    let one = ProposedEvent(
      stream: "channel/1", type: "noted", payload: Array("one".utf8), actor: "ada", device: "phone")
    let seen = ProposedEvent(stream: "user/ada", type: "seen", payload: [], actor: "ada", cause: .first)
    let proposal = ProposalHash(rawValue: 0x0102_0304_0506_0708)
    _ = try store.appendBlocking(Append([one, seen], id: id(2), correlation: "sync", proposal: proposal))
    var frames = [genesis.encoded()]
    try store.log.blocks(from: .first, .forward, checks: .full) { block in
      frames.append(block.bytes.withUnsafeBytes { Array($0) })
      return .next
    }
    return frames
  }

  private func id(_ number: UInt64) -> AppendID {
    AppendID(high: 0x019B_76DA_A800_7000, low: 0x8000_0000_0000_0000 + number)
  }

  /// Returns the hexadecimal digits of one of the page's examples; the rest of each line is explanation.
  private func exampleOfPage(_ frame: String) throws -> [UInt8] {
    let page = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Sources/Storage/EventLogLMDB/EventLogLMDB.docc/OnDiskLayout.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    let lines = text.split(separator: "\n").drop { !$0.contains(frame) }.prefix { !$0.hasPrefix("```") }
    return lines.flatMap { line in
      line.split(separator: " ").prefix { $0.count == 2 && UInt8($0, radix: 16) != nil }
        .compactMap { UInt8($0, radix: 16) }
    }
  }
}
