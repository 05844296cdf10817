// The reader of stored blocks.
import Bytes
import Digests
@testable import EventLog
import Foundation
@testable import VerbatimCommand

extension Target {
  /// A first byte for the form, and the bytes of a block, or the bodies of frames whose checksums and hashes are added.
  static let blocks = Target("blocks", seeds: BlockTarget.seeds, check: BlockTarget.check)
}

private enum BlockTarget {
  /// The genesis that the first block follows.
  static let genesis = Genesis(id: AppendID(high: 1, low: 2), created: Timestamp(rawValue: 50))

  static func check(_ input: [UInt8]) {
    let rest = Array(input.dropFirst())
    switch (input.first ?? 0) & 3 {
    case 0: read(rest)
    case 1: read(framed(rest, Frame.blockMagic, after: genesis.hash))
    case 2: checkGenesis(framed(rest, Frame.genesisMagic, after: nil))
    default: checkChain(rest)
    }
  }

  private static func framed(_ body: [UInt8], _ magic: UInt32, after previous: ChainHash?) -> [UInt8] {
    var frame = ByteWriter()
    Frame.begin(magic, in: &frame)
    body.withUnsafeBytes { frame.bytes($0) }
    Frame.end(&frame, after: previous)
    return frame.array()
  }

  /// Reads all parts of a block that passes validation; one in canonical form must be encoded to the same bytes.
  private static func read(_ bytes: [UInt8]) {
    do throws(BlockDefect) {
      let block = try BlockView(bytes.span.bytes)
      try block.validate()
      var appends: [AppendView] = []
      block.forEachAppend { appends.append($0) }
      let events = block.events(0..<block.count)
      require(events.count == block.count, "\(events.count) of \(block.count) events are in appends")
      for index in 0..<block.count {
        let event = block.event(at: index)
        require(event.version == events[index].version, "event \(index) has two versions")
        require(event.stream.byteCount > 0 && event.type.byteCount > 0, "event \(index) has an empty name")
      }
      try block.validateCanonical()
      require(encoded(block, appends, events) == bytes, "a canonical block is encoded to other bytes")
    } catch {
      require(!error.description.isEmpty, "a defect has no description")
    }
  }

  private static func encoded(_ block: BlockView, _ appends: [AppendView], _ events: [RecordedEvent]) -> [UInt8] {
    var copy = CopiedBlock()
    for append in appends {
      let part = events[append.firstIndex..<append.firstIndex + append.count]
      let proposed = part.map { event in
        ProposedEvent(
          stream: event.stream, type: event.type, payload: event.payload, actor: event.actor, device: event.device,
          cause: event.cause)
      }
      copy.add(
        Append(proposed, correlation: part.first?.correlation, proposal: part.first?.proposal), append.id,
        versions: part.map(\.version))
    }
    let before = Head(
      position: Position(rawValue: block.first.rawValue - 1), hash: genesis.hash, blocks: block.ordinal - 1,
      recorded: block.recorded)
    return copy.withBlock(after: before, at: block.recorded) { $0.bytes.withUnsafeBytes { Array($0) } }
  }

  /// Decodes a genesis, which must be encoded to the same bytes.
  private static func checkGenesis(_ bytes: [UInt8]) {
    guard let genesis = try? Genesis(validating: bytes.span.bytes) else { return }
    require(genesis.encoded() == bytes, "\(genesis) is encoded to other bytes")
  }

  /// Checks the chain of blocks, the body of each after its length in two bytes; a length of 0 stands for damage.
  private static func checkChain(_ bytes: [UInt8]) {
    var chain = ChainCheck()
    chain.begin(genesis)
    var rest = bytes[...]
    while rest.count > 2 {
      let count = Int(rest.removeFirst()) | Int(rest.removeFirst()) << 8
      let body = Array(rest.prefix(count))
      rest = rest.dropFirst(count)
      let block = count == 0 ? [] : framed(body, Frame.blockMagic, after: chain.head?.hash)
      let last = (try? BlockView(block.span.bytes).last) ?? chain.head?.position.next ?? .first
      try? chain.check(block.span.bytes, endingAt: last) { _ in }
    }
  }

  /// Returns the bodies of blocks of the logs in the fixtures, alone and in chains.
  static func seeds(_ fixtures: URL) throws -> [String: [UInt8]] {
    var bodies: [[UInt8]] = []
    var seeds: [String: [UInt8]] = [:]
    for log in ["conversation", "typed"] {
      let path = fixtures.appending(path: "logs/\(log)/log.jsonl").path(percentEncoded: false)
      let input = try InputFile(file: path)
      var blocks = ImportedBlocks(input.descriptor)
      let lines = try blocks.forEachBlock { block, _ in
        bodies.append(block.bytes.withUnsafeBytes { Array($0[Frame.headCount..<$0.count - Frame.tailCount]) })
      }
      let genesis = lines.genesis.encoded()
      seeds["genesis-\(log)"] = [2] + genesis[Frame.headCount..<genesis.count - Frame.tailCount]
    }
    for (index, body) in bodies.enumerated() where index % 8 == 0 && body.count < 2000 {
      seeds["\(index)"] = [1] + body
    }
    seeds["chain-last-version"] = [3, 0, 0] + part(lastVersions)
    for start in [0, 1, 4] {
      var chain: [UInt8] = start == 1 ? [3, 0, 0] : [3]
      for body in bodies[start..<start + 3] where body.count < 1200 { chain += part(body) }
      seeds["chain-\(start)"] = chain
    }
    return seeds
  }

  /// Returns a body after its length.
  private static func part(_ body: [UInt8]) -> [UInt8] { [UInt8(body.count & 0xFF), UInt8(body.count >> 8)] + body }

  /// The body of a block whose events have the largest version.
  private static var lastVersions: [UInt8] {
    var block = CopiedBlock()
    let event = ProposedEvent(stream: "s", type: "t", payload: [])
    block.add(Append([event, event]), genesis.id, versions: [.max, .max].map { StreamVersion(rawValue: $0) })
    return block.withBlock(after: Head(of: genesis), at: Timestamp(rawValue: 60)) { block in
      block.bytes.withUnsafeBytes { Array($0[Frame.headCount..<$0.count - Frame.tailCount]) }
    }
  }
}
