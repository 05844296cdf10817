// A cursor in a B+ tree of mapped pages.

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A cursor over one table of the pages that a read transaction sees.
internal struct MappedCursor {
  let pages: MappedPages
  private let top: MappedPages.TreeTop
  /// The path of branch pages from the root to the leaf.
  private var path: [Level] = []
  /// The current leaf; nil before the first move and past the ends.
  private var leaf: MappedPage?
  private var index = 0
  private var hasMoved = false
  private(set) var key = UnsafeRawBufferPointer(start: nil, count: 0)
  private(set) var value = UnsafeRawBufferPointer(start: nil, count: 0)
  /// Whether the value is the record of a named table.
  private(set) var isRecord = false

  private struct Level {
    var page: MappedPage
    var index: Int
  }

  /// The greatest depth of a tree.
  private static let depthMax = 32

  init(_ pages: MappedPages, _ top: MappedPages.TreeTop) { (self.pages, self.top) = (pages, top) }

  /// The address of the value at the current key.
  var valueStart: UnsafeRawPointer { value.baseAddress! }

  /// Whether the cursor is at a key.
  private var isSomewhere: Bool { leaf != nil }

  mutating func moveToFirst() throws(LMDBError) -> Bool { try arrive(if: try descend { _ in 0 }) }

  mutating func moveToLast() throws(LMDBError) -> Bool { try arrive(if: try descend { $0.count - 1 }) }

  mutating func moveToNext() throws(LMDBError) -> Bool {
    guard isSomewhere else { return try hasMoved ? false : moveToFirst() }
    return try arrive(if: try step(1))
  }

  mutating func moveToPrevious() throws(LMDBError) -> Bool {
    guard isSomewhere else { return try hasMoved ? false : moveToLast() }
    return try arrive(if: try step(-1))
  }

  /// Moves to the first key that is not less than the given one.
  mutating func move(toFirstFrom key: UnsafeRawBufferPointer) throws(LMDBError) -> Bool {
    if key.isEmpty { throw .badValueSize }
    let isThere = try descend { page throws(LMDBError) in
      page.isLeaf ? try page.firstIndex(notBefore: key) : try page.childIndex(for: key)
    }
    guard isThere else { return false }
    // Past the last key of its leaf, the target is the first key of the next.
    return try arrive(if: try step(0))
  }

  mutating func move(to key: UnsafeRawBufferPointer) throws(LMDBError) -> Bool {
    guard try move(toFirstFrom: key) else { return false }
    if compare(self.key, key) == 0 { return true }
    forgetPosition()
    return false
  }

  mutating func move(to key: [UInt8]) throws(LMDBError) -> Bool {
    try key.span.bytes.withUnsafeBytes { key throws(LMDBError) in try move(to: key) }
  }

  mutating func forgetPosition() {
    path.removeAll(keepingCapacity: true)
    leaf = nil
    (key, value, isRecord) = (UnsafeRawBufferPointer(start: nil, count: 0), .init(start: nil, count: 0), false)
  }

  /// Descends from the root to a leaf, at each page to the index that the closure chooses.
  private mutating func descend(
    _ choose: (MappedPage) throws(LMDBError) -> Int
  ) throws(LMDBError) -> Bool {
    hasMoved = true
    path.removeAll(keepingCapacity: true)
    if top.depth == 0 {
      forgetPosition()
      return false
    }
    guard top.depth <= Self.depthMax else { throw .corrupted }
    path.reserveCapacity(top.depth - 1)
    try descend(from: top.root, choose)
    return true
  }

  private mutating func descend(
    from number: UInt64, _ choose: (MappedPage) throws(LMDBError) -> Int
  ) throws(LMDBError) {
    var number = number
    while path.count < top.depth - 1 {
      let page = try pages.page(number, isLeaf: false)
      let index = try choose(page)
      path.append(Level(page: page, index: index))
      number = try page.child(index)
    }
    let page = try pages.page(number, isLeaf: true)
    (leaf, index) = (page, try choose(page))
  }

  /// Moves by 1 or -1 entries; with 0, from past the end of a leaf to the next one. Returns false past the ends.
  @inline(__always)
  private mutating func step(_ distance: Int) throws(LMDBError) -> Bool {
    index += distance
    if let leaf, index >= 0, index < leaf.count { return true }
    return try leaveLeaf(distance)
  }

  /// Moves to the adjacent leaf.
  private mutating func leaveLeaf(_ distance: Int) throws(LMDBError) -> Bool {
    while let branch = path.popLast() {
      let next = branch.index + (distance < 0 ? -1 : 1)
      guard next >= 0, next < branch.page.count else { continue }
      path.append(Level(page: branch.page, index: next))
      try descend(from: try branch.page.child(next)) { distance < 0 ? $0.count - 1 : 0 }
      return true
    }
    forgetPosition()
    return false
  }

  /// Reads key and value at the new position, if it is at an entry.
  @inline(__always)
  private mutating func arrive(if isThere: Bool) throws(LMDBError) -> Bool {
    guard isThere, let leaf else { return false }
    do throws(LMDBError) {
      let entry = try leaf.entry(index)
      key = entry.key
      isRecord = entry.flags & 2 != 0
      if isRecord, entry.valueCount != MappedPages.recordSize { throw .corrupted }
      let isBig = entry.flags & 1 != 0
      let address = isBig ? try pages.run(entry.value.number(at: 0), byteCount: entry.valueCount) : entry.value
      value = UnsafeRawBufferPointer(start: address, count: entry.valueCount)
      return true
    } catch {
      forgetPosition()
      throw error
    }
  }
}

extension MappedPage {
  /// Returns the index of a leaf's first key that is not less than the given one; the count when all are less.
  fileprivate func firstIndex(notBefore key: UnsafeRawBufferPointer) throws(LMDBError) -> Int {
    try search(from: 0) { index throws(LMDBError) in compare(try self.key(index), key) < 0 }
  }

  /// Returns the index of the branch's child under which a key belongs.
  fileprivate func childIndex(for key: UnsafeRawBufferPointer) throws(LMDBError) -> Int {
    try search(from: 1) { index throws(LMDBError) in compare(try self.key(index), key) <= 0 } - 1
  }

  /// Returns the first index from a lower one on at which a condition that is monotonic in the index fails.
  private func search(
    from low: Int, _ holds: (Int) throws(LMDBError) -> Bool
  ) throws(LMDBError) -> Int {
    var (low, high) = (low, max(low, count))
    while low < high {
      let middle = (low + high) / 2
      if try holds(middle) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// Returns less than zero when the first argument's bytes come first, zero when both are equal.
private func compare(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Int {
  let common = min(a.count, b.count)
  if common > 0 {
    let order = memcmp(a.baseAddress!, b.baseAddress!, common)
    if order != 0 { return Int(order) }
  }
  return a.count - b.count
}
