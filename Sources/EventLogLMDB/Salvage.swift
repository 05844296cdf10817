// Gets what is whole out of a damaged log.
internal import Digests
public import EventLog
internal import LMDB

/// Finds every undamaged block of a log's file, by scanning the file for blocks: pages and trees need not be sound.
public struct Salvage {
  /// What was found and what was not.
  public struct Report: Sendable {
    /// How many blocks were found.
    public internal(set) var blocks = 0
    /// How many events they hold.
    public internal(set) var events = 0
    /// The positions between them that were not found.
    public internal(set) var gaps: [ClosedRange<Position>] = []
    /// The end of the log as its file tells it; nil when the file no longer does, so that what is missing at the
    /// end is not known.
    public internal(set) var head: Position?
  }

  private struct Candidate {
    let last: Position
    let offset: Int
    let byteCount: Int
    let hash: ChainHash
    /// Whether the tree of the log leads here; other copies are left over from earlier states.
    let isInTree: Bool
  }

  private let file: DataFile
  private var candidates: [Position: [Candidate]] = [:]
  private var genesis: Genesis?
  private var report = Report()

  private init(_ file: DataFile) { self.file = file }

  /// Lends every undamaged block, in the order of positions, each once.
  ///
  /// A block that stands in the file more than once, in pages that earlier states used, is lent once: the copy that
  /// follows from the block before it, and otherwise the one that the log's tree leads to.
  public static func blocks(
    ofLogAt path: String, _ body: (BlockView) throws(LogError) -> Void
  ) throws(OpenError) -> Report {
    try LMDBLog.requireFile(of: path)
    let outcome: (Report, LogError?)
    do throws(DataFileError) {
      var salvage = Salvage(try DataFile(path: LMDBLog.logPath(path) + "/data.mdb"))
      try salvage.scan(inTree: salvage.findTree())
      let failure = try salvage.lend(body)
      outcome = (salvage.report, failure)
    } catch {
      throw OpenError(error)
    }
    if let failure = outcome.1 {
      throw .storage(StorageFailure(failure.description, underlying: failure))
    }
    return outcome.0
  }
}

extension Salvage {
  /// Where in the file the tree's blocks stand, as far as it can be followed; learns where the log ends.
  private mutating func findTree() -> Set<Int> {
    var offsets: Set<Int> = []
    var last = Position.zero
    guard let meta = try? file.newestMeta() else { return [] }
    let damages = try? file.forEachReachable(of: meta) { key, _, offset in
      guard let position = BlockKey(key.bytes)?.position else { return true }
      last = max(last, position)
      offsets.insert(offset)
      return true
    }
    if damages?.isEmpty == true, file.metaDisagreement() == nil { report.head = last }
    return offsets
  }

  /// Looks for blocks at every byte of the file.
  private mutating func scan(inTree offsets: Set<Int>) throws(DataFileError) {
    let size = file.size
    let window = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
    defer { window.deallocate() }
    var start = 0
    while start < size {
      let count = try file.read(at: start, into: window)
      var index = 0
      // The last bytes of a window are looked at as the first of the next.
      while index + Frame.headCount <= count {
        guard window[index] == UInt8(ascii: "V"), let byteCount = Frame.length(at: window, index) else {
          index += 1
          continue
        }
        let isBlock = try take(start + index, byteCount, size, isInTree: offsets.contains(start + index))
        // What stands within a block is its content, even if it looks like a block.
        index += isBlock ? byteCount : 1
      }
      start += max(index, 1)
    }
  }

  /// Keeps what stands at an offset if it is a whole block or genesis; answers whether it is.
  private mutating func take(
    _ offset: Int, _ byteCount: Int, _ size: Int, isInTree: Bool
  ) throws(DataFileError) -> Bool {
    guard byteCount <= size - offset else { return false }
    let bytes = try read(offset, byteCount)
    if let block = try? BlockView(bytes.span.bytes) {
      guard (try? block.validate()) != nil else { return false }
      candidates[block.first, default: []].append(
        Candidate(last: block.last, offset: offset, byteCount: byteCount, hash: block.hash, isInTree: isInTree))
      return true
    }
    guard let genesis = try? Genesis(validating: bytes.span.bytes) else { return false }
    self.genesis = genesis
    return true
  }

  private func read(_ offset: Int, _ byteCount: Int) throws(DataFileError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: byteCount)
    let read = bytes.withUnsafeMutableBytes { buffer in
      Result { () throws(DataFileError) in try file.read(at: offset, into: buffer) }
    }
    if try read.get() < byteCount { return [] }
    return bytes
  }

  /// Lends the chosen blocks; answers what the closure threw.
  private mutating func lend(
    _ body: (BlockView) throws(LogError) -> Void
  ) throws(DataFileError) -> LogError? {
    var head = genesis.map { Head(of: $0) }
    var expected = Position.first
    for first in candidates.keys.sorted() where first >= expected && first <= report.head ?? first {
      let (candidate, bytes) = try choose(first, after: head?.position.next == first ? head : nil)
      guard let block = try? BlockView(bytes.span.bytes) else { continue }
      if first > expected { report.gaps.append(expected...Position(rawValue: first.rawValue - 1)) }
      do throws(LogError) { try body(block) } catch { return error }
      report.blocks += 1
      report.events += block.count
      head = block.head
      expected = candidate.last.next
    }
    if let end = report.head, expected <= end { report.gaps.append(expected...end) }
    return nil
  }

  private func choose(_ first: Position, after head: Head?) throws(DataFileError) -> (Candidate, [UInt8]) {
    let copies = (candidates[first] ?? []).sorted { $0.isInTree && !$1.isInTree }
    if let head {
      for copy in copies {
        let bytes = try read(copy.offset, copy.byteCount)
        if let block = try? BlockView(bytes.span.bytes), (try? block.validate(after: head)) != nil {
          return (copy, bytes)
        }
      }
    }
    return (copies[0], try read(copies[0].offset, copies[0].byteCount))
  }
}

extension OpenError {
  internal init(_ error: DataFileError) {
    self = .storage(StorageFailure(error.description, underlying: error))
  }
}
