// The checksum of a commit: a hash of the pages that it can have changed, by which an incomplete one is recognised.
internal import Digests
package import Files

/// Access to the pages of a data file.
public protocol PageSource {
  /// The size of a page in bytes.
  var pageSize: Int { get }

  /// Passes the bytes of a page to the closure, for the duration of the call.
  func withPage(_ page: PageNumber, _ body: (UnsafeRawBufferPointer) throws(PageDamage) -> Void) throws(PageDamage)
}

/// The checksum of a commit that appends to the unnamed table, stored beside its meta page.
public struct CommitChecksum: Hashable, Sendable {
  /// The way in which a commit was made durable.
  public enum Kind: UInt32, Sendable {
    /// The pages and the meta page were synced together: by the hash, an incomplete commit is recognised.
    case hashed = 1
    /// The pages were synced before the meta page was written.
    case synced = 2
  }

  /// The way in which the commit was made durable.
  public let kind: Kind
  /// The number of the transaction.
  public let transaction: UInt64
  /// The last key of the table before the commit, as a number.
  public let previous: UInt64
  /// The hash of the pages; 0 for a commit that is not hashed.
  public let pages: UInt64
  /// A number that all checksums of a file have, and no other file.
  public let file: UInt64

  /// Creates a checksum from its parts.
  public init(kind: Kind, transaction: UInt64, previous: UInt64, pages: UInt64, file: UInt64) {
    (self.kind, self.transaction, self.previous) = (kind, transaction, previous)
    (self.pages, self.file) = (pages, file)
  }

  /// The offset within the meta page: its second sector, since LMDB writes to the first.
  public static let offset = 512
  /// The number of stored bytes.
  public static let byteCount = 48
  private static let magic = UInt32(littleEndian: 0x5343_4256)

  /// Creates the checksum from its stored bytes; nil when they are not one.
  public init?(stored bytes: UnsafeRawBufferPointer) {
    guard bytes.count == Self.byteCount else { return nil }
    let words = { (offset: Int) in
      UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
    guard words(0) & 0xFFFF_FFFF == UInt64(Self.magic), let kind = Kind(rawValue: UInt32(words(0) >> 32)),
      words(40) == quickHash(UnsafeRawBufferPointer(rebasing: bytes[..<40]))
    else { return nil }
    self.init(kind: kind, transaction: words(8), previous: words(16), pages: words(24), file: words(32))
  }

  /// The bytes to be stored, as little-endian words.
  public var stored: [6 of UInt64] {
    let head = UInt64(Self.magic) | UInt64(kind.rawValue) << 32
    var words: [6 of UInt64] = [head, transaction, previous, pages, file, 0]
    for index in 0..<5 { words[index] = words[index].littleEndian }
    let sum = words.span.bytes.withUnsafeBytes { quickHash(UnsafeRawBufferPointer(rebasing: $0[..<40])) }
    words[5] = sum.littleEndian
    return words
  }
}

extension DataFile {
  /// Returns the checksum beside a meta page; nil when there is none.
  public func checksum(at index: Int) throws(DataFileError) -> CommitChecksum? {
    var bytes = [UInt8](repeating: 0, count: CommitChecksum.byteCount)
    let offset = index * pageSize + CommitChecksum.offset
    let count = bytes.withUnsafeMutableBytes { buffer in
      Result { () throws(DataFileError) in try read(at: offset, into: buffer) }
    }
    return try count.get() == bytes.count ? bytes.withUnsafeBytes { CommitChecksum(stored: $0) } : nil
  }

  /// The number that the checksums of this file have; nil for a file without checksums.
  public func fileNumber() throws(DataFileError) -> UInt64? {
    if let first = try checksum(at: 0) { return first.file }
    return try checksum(at: 1)?.file
  }

  /// Puts the state of one meta page in force, durably: the other gets the same state, the number of the transaction
  /// before it, and no checksum. No process may have the file open.
  package func replaceMeta(by index: Int) throws(FileError) {
    var bytes = [UInt8](repeating: 0, count: pageSize)
    let count = bytes.withUnsafeMutableBytes { buffer in
      (try? read(at: index * pageSize, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<MetaOffset.end]))) ?? 0
    }
    guard count == MetaOffset.end else { throw .inputOutput }
    bytes.withUnsafeMutableBytes { bytes in
      let transaction = bytes.loadUnaligned(fromByteOffset: MetaOffset.transaction, as: UInt64.self)
      bytes.storeBytes(of: UInt64(1 - index), as: UInt64.self)
      bytes.storeBytes(of: transaction &- 1, toByteOffset: MetaOffset.transaction, as: UInt64.self)
    }
    try FileSystem.overwrite(path, bytes, at: (1 - index) * pageSize)
  }
}

extension CommitChecksum {
  /// The greatest number of pages of the free list with which a commit is hashed.
  public static let freePagesMax: UInt64 = 16

  /// Returns the hash of the meta page of a transaction and of the pages that it can have changed.
  ///
  /// These are all pages of the free list, and of the unnamed table those that an append after the key `previous` can
  /// have changed: at each level the page on the path to that key, the one before it, and all after it; and the pages
  /// of the large values of the keys after it.
  ///
  /// The closure gets the number of each page, if it is given.
  public static func hash(
    ofTransaction transaction: UInt64, after previous: UnsafeRawBufferPointer, in source: any PageSource,
    visiting visit: ((PageNumber) -> Void)? = nil
  ) throws(PageDamage) -> UInt64 {
    var walk = ChecksumWalk(source: source, visit: visit)
    let index = PageNumber(transaction & 1)
    var (free, main) = (ChecksumTree?.none, ChecksumTree?.none)
    try source.withPage(index) { page throws(PageDamage) in
      let stored = page.loadUnaligned(fromByteOffset: MetaOffset.transaction, as: UInt64.self)
      guard stored == transaction else {
        throw PageDamage(index, at: 0, "has transaction \(stored), not \(transaction)")
      }
      walk.add(UnsafeRawBufferPointer(rebasing: page[MetaOffset.magic..<MetaOffset.end]), of: index)
      (free, main) = (ChecksumTree(page, at: MetaOffset.free), ChecksumTree(page, at: MetaOffset.main))
    }
    if let main { try walk.addEnd(of: main, from: previous) }
    if let free { try walk.addAll(of: free) }
    return walk.hash
  }

  /// Returns the number of pages of the free list by the meta page of a transaction.
  public static func freePages(
    ofTransaction transaction: UInt64, in source: any PageSource
  ) throws(PageDamage) -> UInt64 {
    var count: UInt64 = 0
    try source.withPage(PageNumber(transaction & 1)) { count = ChecksumTree($0, at: MetaOffset.free).pageCount }
    return count
  }
}

/// A tree as a meta page has it.
private struct ChecksumTree {
  let root: PageNumber
  let depth: Int
  let pageCount: UInt64

  init(_ page: UnsafeRawBufferPointer, at offset: Int) {
    let number = { (relative: Int) in page.loadUnaligned(fromByteOffset: offset + relative, as: UInt64.self) }
    root = PageNumber(number(40))
    depth = Int(page.loadUnaligned(fromByteOffset: offset + 6, as: UInt16.self))
    pageCount = number(8) &+ number(16) &+ number(24)
  }
}

/// A walk through the pages of a commit, which hashes them.
private struct ChecksumWalk {
  let source: any PageSource
  let visit: ((PageNumber) -> Void)?
  var hash: UInt64 = 0
  private static let depthMax = 32

  mutating func add(_ bytes: UnsafeRawBufferPointer, of page: PageNumber) {
    hash = quickHash(bytes, seed: hash)
    visit?(page)
  }

  /// Adds the pages of a tree on the path to a key, one before it at each level, and all after it.
  mutating func addEnd(of tree: ChecksumTree, from key: UnsafeRawBufferPointer) throws(PageDamage) {
    if tree.root == .none { return }
    guard tree.depth <= Self.depthMax else { throw PageDamage(tree.root, at: 0, "is the root of \(tree.depth) levels") }
    let source = source
    // The pages of a level that are hashed, from left to right, and which of them is on the path.
    var (pages, onPath) = ([tree.root], 0)
    for level in 1...max(tree.depth, 1) {
      var (below, path, runs) = ([PageNumber](), 0, [PageNumber]())
      for (index, number) in pages.enumerated() {
        try source.withPage(number) { bytes throws(PageDamage) in
          add(bytes, of: number)
          let page = try ChecksumPage(bytes, number, isLeaf: level == tree.depth)
          if page.isLeaf {
            for node in try page.index(after: key)..<page.count {
              if let run = try page.run(node) { runs.append(run) }
            }
            return
          }
          var first = 0
          if index < onPath {
            first = page.count - 1
          } else if index == onPath {
            let child = try page.index(before: key)
            // The child before the one on the path, which may be the last one of the page before.
            first = max(child - 1, 0)
            if child > 0 { below.removeAll(keepingCapacity: true) }
            path = below.count + child - first
          }
          for child in first..<page.count { below.append(try page.child(child)) }
        }
      }
      for run in runs { try addRun(run) }
      (pages, onPath) = (below, path)
    }
  }

  /// Adds all pages of a tree whose values are free lists.
  mutating func addAll(of tree: ChecksumTree) throws(PageDamage) {
    if tree.root == .none { return }
    guard tree.depth <= Self.depthMax else { throw PageDamage(tree.root, at: 0, "is the root of \(tree.depth) levels") }
    let source = source
    var pages = [tree.root]
    for level in 1...max(tree.depth, 1) {
      var (below, runs) = ([PageNumber](), [PageNumber]())
      for number in pages {
        try source.withPage(number) { bytes throws(PageDamage) in
          add(bytes, of: number)
          let page = try ChecksumPage(bytes, number, isLeaf: level == tree.depth)
          for index in 0..<page.count {
            if !page.isLeaf {
              below.append(try page.child(index))
            } else if let run = try page.run(index) {
              runs.append(run)
            }
          }
        }
      }
      for run in runs { try addRun(run) }
      pages = below
    }
  }

  /// Adds the pages of a large value.
  private mutating func addRun(_ first: PageNumber) throws(PageDamage) {
    let source = source
    if first == .none { throw PageDamage(first, at: 0, "is no page") }
    var (number, end) = (first.rawValue, first.rawValue + 1)
    while number < end {
      try source.withPage(PageNumber(number)) { bytes throws(PageDamage) in
        add(bytes, of: PageNumber(number))
        guard number == first.rawValue else { return }
        let count = UInt64(bytes.loadUnaligned(fromByteOffset: 12, as: UInt32.self))
        guard bytes.loadUnaligned(fromByteOffset: 10, as: UInt16.self) == PageKind.overflow, count > 0 else {
          throw PageDamage(first, at: 0, "does not start a large value")
        }
        end = number &+ count
      }
      number += 1
    }
  }
}

/// A branch or leaf page of which only what is followed is checked.
private struct ChecksumPage {
  private let bytes: UnsafeRawBufferPointer
  private let number: PageNumber
  let count: Int
  let isLeaf: Bool

  init(_ bytes: UnsafeRawBufferPointer, _ number: PageNumber, isLeaf: Bool) throws(PageDamage) {
    (self.bytes, self.number, self.isLeaf) = (bytes, number, isLeaf)
    let lower = Int(bytes.loadUnaligned(fromByteOffset: 12, as: UInt16.self))
    count = (lower - TreePage.headerSize) / 2
    guard bytes.loadUnaligned(as: UInt64.self) == number.rawValue,
      bytes.loadUnaligned(fromByteOffset: 10, as: UInt16.self) == (isLeaf ? PageKind.leaf : PageKind.branch),
      count > 0, lower <= bytes.count
    else { throw PageDamage(number, at: 0, "is not a \(isLeaf ? "leaf" : "branch") page of its tree") }
  }

  /// Returns the index of the last child whose first key is not greater than a key.
  func index(before key: UnsafeRawBufferPointer) throws(PageDamage) -> Int {
    // The first key of a branch is never read. An append is near the end.
    var index = count - 1
    while index > 0 {
      if !key.lexicographicallyPrecedes(try self.key(index)) { return index }
      index -= 1
    }
    return 0
  }

  /// Returns the index of the first node of a leaf whose key is greater than a key.
  func index(after key: UnsafeRawBufferPointer) throws(PageDamage) -> Int {
    var index = count
    while index > 0 {
      if !key.lexicographicallyPrecedes(try self.key(index - 1)) { return index }
      index -= 1
    }
    return 0
  }

  func child(_ index: Int) throws(PageDamage) -> PageNumber {
    let node = try node(index)
    let low = UInt64(bytes.loadUnaligned(fromByteOffset: node, as: UInt32.self))
    return PageNumber(low | UInt64(bytes.loadUnaligned(fromByteOffset: node + 4, as: UInt16.self)) << 32)
  }

  /// Returns the first page of the value of a leaf's node; nil for one that is in the page.
  func run(_ index: Int) throws(PageDamage) -> PageNumber? {
    let node = try node(index)
    if bytes.loadUnaligned(fromByteOffset: node + 4, as: UInt16.self) & 1 == 0 { return nil }
    let value = try key(index).count + node + TreePage.nodeHeaderSize
    guard value + 8 <= bytes.count else { throw damage(node) }
    return PageNumber(bytes.loadUnaligned(fromByteOffset: value, as: UInt64.self))
  }

  private func key(_ index: Int) throws(PageDamage) -> UnsafeRawBufferPointer {
    let node = try node(index)
    let start = node + TreePage.nodeHeaderSize
    let end = start + Int(bytes.loadUnaligned(fromByteOffset: node + 6, as: UInt16.self))
    guard end <= bytes.count else { throw damage(node) }
    return UnsafeRawBufferPointer(rebasing: bytes[start..<end])
  }

  private func node(_ index: Int) throws(PageDamage) -> Int {
    let offset = Int(bytes.loadUnaligned(fromByteOffset: TreePage.headerSize + 2 * index, as: UInt16.self))
    guard offset >= TreePage.headerSize, offset + TreePage.nodeHeaderSize <= bytes.count else { throw damage(offset) }
    return offset
  }

  private func damage(_ offset: Int) -> PageDamage {
    PageDamage(number, at: Int(number.rawValue) * bytes.count, "has a node at \(offset) that leaves the page")
  }
}
