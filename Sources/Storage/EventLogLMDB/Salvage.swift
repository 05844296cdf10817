// Recovery of the undamaged blocks of a damaged log.
public import EventLog
internal import Files
internal import LMDBPages

/// The undamaged blocks of a log's file, found by scanning the file for blocks: pages and trees need not be sound.
public struct Salvage {
  /// The number of found blocks and the gaps between them.
  public struct Report: Sendable {
    /// The number of blocks found.
    public internal(set) var blocks = 0
    /// The number of their events.
    public internal(set) var events = 0
    /// The positions between them that were not found.
    public internal(set) var gaps: [ClosedRange<Position>] = []
    /// The end of the log according to its file; nil when the file is too damaged, so that the extent of a missing end
    /// is unknown.
    public internal(set) var head: Position?
  }

  private struct Candidate {
    let offset: Int
    let byteCount: Int
    /// Whether the log's tree leads to this copy; other copies are left over from earlier states.
    let isInTree: Bool
  }

  /// The genesis of the log; nil when it is damaged.
  public private(set) var genesis: Genesis?

  private let file: DataFile
  private var candidates: [Position: [Candidate]] = [:]
  /// The end of the log, if its file has it.
  private var end: Position?

  /// Scans the file of the log in a directory.
  public init(logAt path: String) throws(OpenError) {
    let path = FileSystem.resolved(path)
    try LMDBLog.requireFile(of: path)
    do throws(DataFileError) {
      self.init(try DataFile(path: LMDBLog.logPath(path) + "/data.mdb"))
      try scan(findTree())
    } catch {
      throw .storage(StorageFailure(of: error))
    }
  }

  private init(_ file: DataFile) { self.file = file }

  /// Returns whether a file holds a complete block, at any offset; true when the file cannot be read.
  internal static func holdsBlocks(_ file: DataFile) -> Bool {
    var salvage = Salvage(file)
    return (try? salvage.scan(Tree())) == nil || !salvage.candidates.isEmpty
  }

  /// Passes every undamaged block, in the order of positions, once to the closure.
  ///
  /// Of a block that is stored more than once, in pages that earlier states used, one copy is passed: the one that
  /// follows from the block before it, and otherwise the one in the log's tree. Where the block before it is there, no
  /// other is passed.
  public func forEachBlock<E: Error>(_ body: (BlockView) throws(E) -> Void) throws(E) -> Report {
    var report = Report()
    report.head = end
    var head = genesis.map { Head(of: $0) }
    var expected = Position.first
    for first in candidates.keys.sorted() where first >= expected {
      let bytes = choose(first, after: head?.position.next == first ? head : nil)
      guard let block = try? BlockView(bytes.span.bytes) else { continue }
      // After the end according to the file, only a block that follows it belongs to the log: one of a commit that is
      // not in force. Others are left over from abandoned states.
      if let end, first > end {
        guard let head, (try? block.validate(after: head)) != nil else { continue }
      }
      if first > expected { report.gaps.append(expected...Position(rawValue: first.rawValue - 1)) }
      try body(block)
      report.blocks += 1
      report.events += block.count
      head = block.head
      expected = block.last.next
    }
    if let end, expected <= end { report.gaps.append(expected...end) }
    return report
  }
}

extension Salvage {
  /// The blocks of the tree, as far as it can be followed.
  private struct Tree {
    /// The file offsets of all of them.
    var offsets: Set<Int> = []
    /// The ranges of the file with those that have their own length, in order.
    var ranges: [Range<Int>] = []
  }

  /// Returns the tree; also finds the end of the log.
  private mutating func findTree() -> Tree {
    var tree = Tree()
    var last = Position.zero
    guard let meta = try? file.newestMeta() else { return tree }
    let damages = try? file.forEachReachable(of: meta) { key, value, offset in
      guard let position = BlockKey(key.bytes)?.position else { return true }
      last = max(last, position)
      tree.offsets.insert(offset)
      if value.count >= Frame.headCount, Frame.length(at: value, 0) == value.count {
        tree.ranges.append(offset..<offset + value.count)
      }
      return true
    }
    if damages?.isEmpty == true, file.metaDisagreement() == nil { end = last }
    tree.ranges.sort { $0.lowerBound < $1.lowerBound }
    return tree
  }

  /// Searches for blocks at every byte of the file but for those within a block of the tree: it may be damaged, and
  /// what looks like a block in it is what a user wrote.
  private mutating func scan(_ tree: Tree) throws(DataFileError) {
    var next = 0
    try file.forEachFrame(in: 0..<file.size) { offset, bytes in
      while next < tree.ranges.count, tree.ranges[next].upperBound <= offset { next += 1 }
      let isInTree = tree.offsets.contains(offset)
      if !isInTree, next < tree.ranges.count, tree.ranges[next].lowerBound < offset { return false }
      return take(bytes, at: offset, isInTree: isInTree)
    }
  }

  /// Records a complete block or genesis at an offset; returns whether there is one.
  private mutating func take(_ bytes: [UInt8], at offset: Int, isInTree: Bool) -> Bool {
    if let block = try? BlockView(bytes.span.bytes) {
      guard (try? block.validate()) != nil else { return false }
      candidates[block.first, default: []].append(
        Candidate(offset: offset, byteCount: bytes.count, isInTree: isInTree))
      return true
    }
    guard let genesis = try? Genesis(validating: bytes.span.bytes) else { return false }
    self.genesis = genesis
    return true
  }

  /// Returns the bytes of the chosen copy; none when they can no longer be read.
  private func choose(_ first: Position, after head: Head?) -> [UInt8] {
    let copies = (candidates[first] ?? []).sorted { $0.isInTree && !$1.isInTree }
    if let head {
      for copy in copies {
        let bytes = (try? file.bytes(at: copy.offset, count: copy.byteCount)) ?? []
        if let block = try? BlockView(bytes.span.bytes), (try? block.validate(after: head)) != nil { return bytes }
      }
      // One that does not follow may be of an earlier state, or what a user wrote.
      if !copies[0].isInTree { return [] }
    }
    return (try? file.bytes(at: copies[0].offset, count: copies[0].byteCount)) ?? []
  }
}
