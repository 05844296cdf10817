// Threat: bytes of a log's file are not what was written.
import ChildProcess
import EventLog
import EventLogLMDB
import Foundation
import LMDB
import LMDBPages
import LogWorker
import Testing

/// Each damage is examined by one process that verifies and by another that reads through LMDB, which damaged pages can
/// crash.
@Suite struct DamageTests {
  @Test func `no flipped byte causes a hang or a wrong result, and those of blocks are reported`() throws {
    let sample = try Sample()
    let examiners = Examiners()
    var outcomes: [Outcome: Int] = [:]
    for (number, offset) in sample.offsets.enumerated() {
      var bytes = sample.bytes
      bytes[offset] ^= 0xFF
      let outcome = try examiners.examine(sample, bytes, withIndex: number % 4 == 0, "byte \(offset)")
      outcomes[outcome, default: 0] += 1
      if let last = sample.liveBlock(at: offset) {
        #expect(outcome == .toldByBoth, "byte \(offset) of block \(last)")
        #expect(examiners.found.contains(last), "byte \(offset) of block \(last): \(examiners.verdict)")
      }
    }
    print("Of \(sample.offsets.count) bytes flipped, one by one, of \(sample.bytes.count): \(outcomes).")
  }

  @Test func `an overwritten newest meta page is reported, and every block can be salvaged`() throws {
    let sample = try Sample()
    let examiners = Examiners()
    let newest = try DataFile(path: sample.path + "/log/data.mdb").newestMeta().index
    for fill in [0, 0xAA, 0xFF] as [UInt8] {
      var bytes = sample.bytes
      for offset in newest * 4096..<(newest + 1) * 4096 { bytes[offset] = fill }
      #expect(try examiners.examine(sample, bytes, withIndex: true, "meta \(fill)") == .toldByBoth)
    }
    // Set back to the other's state: each page is sound in itself.
    var bytes = sample.bytes
    bytes.replaceSubrange(newest * 4096..<(newest + 1) * 4096, with: bytes[(1 - newest) * 4096..<(2 - newest) * 4096])
    #expect(try examiners.examine(sample, bytes, withIndex: false, "meta set back") == .toldByBoth)
  }

  @Test func `a file truncated at any page is reported, and its remaining blocks can be salvaged`() throws {
    let sample = try Sample()
    let examiners = Examiners()
    for pages in 0..<sample.bytes.count / 4096 {
      let bytes = Array(sample.bytes[..<(pages * 4096)])
      let outcome = try examiners.examine(sample, bytes, withIndex: pages % 2 == 0, "\(pages) pages")
      // A last page that holds nothing of the newest state may be missing.
      #expect(outcome != .unnoticed || !sample.isInUse(from: pages * 4096), "\(pages) pages: \(outcome)")
      #expect(outcome != .readerDied, "\(pages) pages")
    }
  }

  @Test func `a file truncated at any page is refused when it is opened, or takes an append`() async throws {
    let sample = try Sample()
    let pages = sample.bytes.count / 4096
    for count in 2...pages {
      let path = sample.path + "/cut-\(count)/log"
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      try Data(sample.bytes[..<(count * 4096)]).write(to: URL(fileURLWithPath: path + "/data.mdb"))
    }
    await #expect(processExitsWith: .success) { [path = sample.path as String, pages = pages as Int] in
      for count in 2...pages {
        guard let store = try? EventStore.open(at: path + "/cut-\(count)") else { continue }
        defer { store.close() }
        let event = ProposedEvent(stream: "a", type: "noted", payload: [1])
        let receipt = try await store.append(Append([event]))
        guard try store.events(from: receipt.positions.lowerBound, limit: 1).count == 1 else { exit(2) }
      }
    }
  }
}

// MARK: Missing and exchanged blocks

extension DamageTests {
  // What broke: what looked like a block in a damaged event was salvaged as an event of the log.
  @Test(arguments: [false, true])
  func `what looks like a block in an event is not salvaged if the event is damaged`(isTreeDamaged: Bool) throws {
    let directory = TemporaryDirectory(inMemory: true)
    let other = EventStore.inMemory()
    for text in ["one", "forged"] {
      _ = try other.appendBlocking([ProposedEvent(stream: "a", type: "said", payload: Array(text.utf8))])
    }
    var forged: [UInt8] = []
    try other.log.blocks(from: Position(rawValue: 2), .forward, checks: .full) { block in
      forged = block.bytes.withUnsafeBytes { Array($0) }
      return .next
    }
    let store = try makeLog(directory)
    for (stream, payload) in [("a", [1]), ("carrier", forged), ("a", [3])] as [(Name, [UInt8])] {
      _ = try store.appendBlocking([ProposedEvent(stream: stream, type: "said", payload: payload)])
    }
    store.close()
    var bytes = try contents(directory.path + "/log/data.mdb")
    for place in Data(bytes).ranges(of: Data("carrier".utf8)) { bytes[place.lowerBound] ^= 1 }
    if isTreeDamaged { for offset in 0..<8192 { bytes[offset] = 0xFF } }
    try write(bytes, to: directory.path + "/log/data.mdb")
    var salvaged: [Position] = []
    let report = try Salvage(logAt: directory.path).forEachBlock { block in
      #expect(!block.bytes.withUnsafeBytes { Array($0) }.elementsEqual(forged))
      salvaged.append(block.first)
    }
    #expect(salvaged == [Position(rawValue: 1), Position(rawValue: 3)])
    #expect(report.gaps == [Position(rawValue: 2)...Position(rawValue: 2)])
  }

  @Test func `a missing block is reported at the next one`() throws {
    let sample = try Sample()
    for missing in 1..<sample.blocks.count {
      var blocks = sample.blocks
      blocks.remove(at: missing)
      let found = try verifyRaw(blocks)
      let next = missing == sample.blocks.count - 1 ? nil : sample.blocks[missing + 1].last
      if let next { #expect(found.first == next) }
      // Nothing refers to the newest block: without it the log is as before that append.
      if next == nil { #expect(found == []) }
    }
  }

  @Test func `two exchanged blocks are both reported`() throws {
    let sample = try Sample()
    var blocks = sample.blocks
    (blocks[3].bytes, blocks[6].bytes) = (blocks[6].bytes, blocks[3].bytes)
    let found = try verifyRaw(blocks)
    #expect(found.contains(blocks[3].last) && found.contains(blocks[6].last))
  }

  @Test func `a block replaced by another valid one is reported at the next`() throws {
    let sample = try Sample()
    // The same log up to block 5, which then has other content, with a correct checksum and hash.
    let directory = TemporaryDirectory()
    let other = try EventStore.open(
      at: directory.path, options: LMDBLog.Options(creates: true, genesis: sample.genesis),
      configuration: sample.configuration)
    for number in 0..<4 { _ = try other.appendBlocking(sample.append(number)) }
    var forged = sample.append(4)
    forged.events[0].payload[0] ^= 1
    _ = try other.appendBlocking(forged)
    let replacement = try storedBlocks(of: other)
    other.close()
    #expect(replacement[4].bytes == sample.blocks[4].bytes)
    #expect(replacement[5].bytes.count == sample.blocks[5].bytes.count)
    #expect(replacement[5].bytes != sample.blocks[5].bytes)
    var blocks = sample.blocks
    blocks[5].bytes = replacement[5].bytes
    #expect(try verifyRaw(blocks) == [blocks[6].last])
  }

  /// Creates a log with these entries, by LMDB alone; returns the blocks that verification reports as damaged.
  private func verifyRaw(_ blocks: [StoredBlock]) throws -> [UInt64] {
    let directory = TemporaryDirectory(inMemory: true)
    try writeRawLog(blocks, at: directory.path)
    let report = try LogCheck.verify(logAt: directory.path)
    return report.findings.compactMap { finding in
      if case .block(let last, _) = finding.location { last.rawValue } else { nil }
    }
  }
}

/// A block, or the genesis, as it is stored in the table of a log.
struct StoredBlock {
  /// The position of its last event, which is its key.
  let last: UInt64
  var bytes: [UInt8]

  /// The key: six bytes, the most significant first.
  var key: [UInt8] { (0..<6).map { UInt8(truncatingIfNeeded: last >> UInt64(40 - 8 * $0)) } }
}

/// Returns the genesis and the blocks of a log.
func storedBlocks(of store: EventStore) throws -> [StoredBlock] {
  var blocks = [StoredBlock(last: 0, bytes: store.log.genesis.encoded())]
  try store.log.blocks(from: .first, .forward, checks: .full) { block in
    blocks.append(StoredBlock(last: block.last.rawValue, bytes: block.bytes.withUnsafeBytes { Array($0) }))
    return .next
  }
  return blocks
}

/// Creates a log of entries, by LMDB alone.
func writeRawLog(_ blocks: [StoredBlock], at path: String) throws {
  try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  let environment = try Environment(path: path + "/log", options: .init(creates: true))
  let table = try environment.table(nil)
  for block in blocks {
    try environment.write { transaction throws(LMDBError) in
      try block.bytes.span.bytes.withUnsafeBytes { bytes throws(LMDBError) in
        try transaction.append(bytes, for: block.key, in: table)
      }
    }
  }
}

// MARK: The sample log

/// A small log: events of all sizes, pages that earlier states used, a value on pages of its own.
private struct Sample {
  let directory = TemporaryDirectory(inMemory: true)
  let genesis = Genesis.new()
  let configuration: EventStore.Configuration
  let bytes: [UInt8]
  let blocks: [StoredBlock]
  /// The file ranges of the newest state's blocks.
  private let live: [(last: UInt64, range: Range<Int>)]
  let answer: String

  var path: String { directory.path }

  init() throws {
    var configuration = EventStore.Configuration()
    let now = Timestamp.now
    configuration.clock = { now }
    self.configuration = configuration
    let store = try EventStore.open(
      at: directory.path, options: LMDBLog.Options(creates: true, genesis: genesis), configuration: configuration)
    for number in 0..<16 { _ = try store.appendBlocking(Self.append(number)) }
    blocks = try storedBlocks(of: store)
    answer = try Worker.fingerprint(of: store)
    store.close()
    let path = directory.path + "/log/data.mdb"
    bytes = try contents(path)
    let file = try DataFile(path: path)
    var live: [(UInt64, Range<Int>)] = []
    try file.forEach(of: file.newestMeta()) { key, value, offset in
      live.append((key.reduce(0) { $0 << 8 | UInt64($1) }, offset..<offset + value.count))
      return true
    }
    self.live = live
    #expect(live.count == blocks.count)
  }

  func append(_ number: Int) -> Append { Self.append(number) }

  private static func append(_ number: Int) -> Append {
    let byteCounts = number == 9 ? [5_000] : number % 3 == 0 ? [number, 300, 40] : [20 * number]
    var append = Append(
      byteCounts.enumerated().map { index, byteCount in
        ProposedEvent(
          stream: Name(stringLiteral: "s\((number + index) % 4)"), type: "t",
          payload: (0..<max(byteCount, 1)).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ number) }, actor: "a")
      })
    append.id = AppendID(high: 77, low: UInt64(number))
    if number == 6 { append.correlation = "c" }
    return append
  }

  /// Returns the last position of the block that a byte of the file belongs to, in the newest state.
  func liveBlock(at offset: Int) -> UInt64? { live.first { $0.range.contains(offset) }?.last }

  /// Returns whether the newest state has a block that ends after an offset.
  func isInUse(from offset: Int) -> Bool { live.contains { $0.range.upperBound > offset } }

  /// Returns the blocks that do not depend on a byte that differs.
  func undamaged(in bytes: [UInt8]) -> [StoredBlock] {
    blocks.dropFirst().filter { block in
      guard let range = live.first(where: { $0.last == block.last })?.range, range.upperBound <= bytes.count else {
        return false
      }
      return bytes[range].elementsEqual(block.bytes)
    }
  }

  /// The offsets of the bytes to flip: all page structure and node headers, and some of the rest; or all.
  var offsets: [Int] {
    if Choice.isLong { return Array(bytes.indices) }
    // Fewer of the bytes that the newest state does not use.
    var chosen = Set(stride(from: 0, to: bytes.count, by: 7).filter { $0 % 9 == 0 || liveBlock(at: $0) != nil })
    chosen.formUnion(0..<160)
    chosen.formUnion(4096..<4096 + 160)
    for page in stride(from: 2 * 4096, to: bytes.count, by: 4096) {
      // The head of a page, and in a branch or leaf the offsets of its nodes.
      let lower = Int(bytes[page + 12]) | Int(bytes[page + 13]) << 8
      let isTreePage = bytes[page + 10] & 3 != 0 && lower <= 200
      chosen.formUnion(page..<page + (isTreePage ? max(lower, 16) : 16))
    }
    // The node before each value: flags, sizes, key.
    for entry in live { chosen.formUnion(entry.range.lowerBound - 24..<entry.range.lowerBound + 8) }
    return chosen.sorted()
  }
}

// MARK: Examination

/// The outcome of one damage.
private enum Outcome: String, Hashable, CustomStringConvertible {
  /// No result depends on it: verified without findings, and the same results.
  case unnoticed = "not noticed, same answers"
  /// Reported by verification; the read does not reach it, and returns the same results.
  case toldByCheck = "told by the check, same answers"
  case toldByBoth = "told by both"
  /// The reading process died, which is accepted for a page that verification reports.
  case readerDied = "told by the check, the reader died"
  /// The read throws although verification finds nothing.
  case toldByReader = "told by the reader alone"

  var description: String { rawValue }
}

private final class Examiners {
  private var checker: Child?
  private var reader: Child?
  private var count = 0
  private(set) var verdict = ""

  /// The last positions of the blocks that verification reported.
  var found: Set<UInt64> {
    guard let open = verdict.firstIndex(of: "["), let close = verdict.firstIndex(of: "]") else { return [] }
    return Set(verdict[verdict.index(after: open)..<close].split(separator: ",").compactMap { UInt64($0) })
  }

  /// Verifies, reads and salvages a damaged file of the sample's log.
  func examine(_ sample: Sample, _ bytes: [UInt8], withIndex: Bool, _ what: String) throws -> Outcome {
    let paths = try [0, 1].map { try place(sample, bytes, withIndex: withIndex, $0) }
    defer { for path in paths { try? FileManager.default.removeItem(atPath: path) } }
    let checker = try self.checker ?? serve(sample)
    let reader = try self.reader ?? serve(sample)
    (self.checker, self.reader) = (checker, reader)
    checker.send("verify \(paths[0])")
    reader.send("read \(paths[1])")
    // In parallel, before the results are read: salvages the first copy.
    try salvage(sample, bytes, paths[0], what)
    guard let verdict = try checker.line(within: 20) else {
      (self.checker, self.reader) = (nil, nil)
      Issue.record("\(what): the check died: \(checker.wait())")
      return .readerDied
    }
    self.verdict = verdict
    let isTold = !verdict.hasPrefix("whole")
    guard let answer = try reader.line(within: 20) else {
      self.reader = nil
      #expect(isTold, "\(what): the reader died (\(reader.wait())), and the check says: \(verdict)")
      return .readerDied
    }
    if answer.hasPrefix("error") { return isTold ? .toldByBoth : toldByReader(what, answer) }
    #expect(answer == "same \(sample.answer)", "\(what): another answer")
    return isTold ? .toldByCheck : .unnoticed
  }

  /// Starts a worker with its temporary files beside the sample, which is faster than a disk.
  private func serve(_ sample: Sample) throws -> Child {
    try Child(["env", "TMPDIR=\(sample.path)", Child.workerPath, "serve"])
  }

  private func toldByReader(_ what: String, _ answer: String) -> Outcome {
    print("\(what): told by the reader alone: \(answer)")
    return .toldByReader
  }

  private func place(_ sample: Sample, _ bytes: [UInt8], withIndex: Bool, _ copyNumber: Int) throws -> String {
    count += 1
    let path = sample.path + "/case-\(count)-\(copyNumber)"
    try FileManager.default.createDirectory(atPath: path + "/log", withIntermediateDirectories: true)
    try write(bytes, to: path + "/log/data.mdb")
    if withIndex { try copy(sample.path + "/index", path + "/index") }
    return path
  }

  /// Expects every undamaged block to be salvaged from the file, and none that was not written.
  private func salvage(_ sample: Sample, _ bytes: [UInt8], _ path: String, _ what: String) throws {
    var salvaged: [UInt64: [UInt8]] = [:]
    guard bytes.count > 0 else { return }
    _ = try Salvage(logAt: path).forEachBlock { block in
      salvaged[block.last.rawValue] = block.bytes.withUnsafeBytes { Array($0) }
    }
    for block in sample.undamaged(in: bytes) where salvaged[block.last] != block.bytes {
      Issue.record("\(what): block \(block.last) is undamaged and not salvaged")
    }
    for block in sample.blocks.dropFirst() {
      // The checksum covers the events; the salvager does not check the hash at the end.
      if let other = salvaged.removeValue(forKey: block.last) {
        #expect(other.dropLast(32) == block.bytes.dropLast(32), "\(what): block \(block.last) is salvaged otherwise")
      }
    }
    #expect(salvaged.isEmpty, "\(what): blocks are salvaged that the log never had")
  }
}
