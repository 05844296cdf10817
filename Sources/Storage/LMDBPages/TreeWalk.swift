// The walk through one tree that reading and checking share.

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The damage found by a walk, and whether to continue.
final class Findings {
  private(set) var damages: [PageDamage] = []
  private(set) var oddities: [PageDamage] = []
  private let limit: Int
  private let isPatient: Bool

  /// Whether the walk must stop.
  var isStopped = false

  /// Creates findings; a walk stops when the limit is reached, unless it is patient: then it continues without
  /// recording more.
  init(limit: Int, isPatient: Bool = false) {
    self.limit = limit
    self.isPatient = isPatient
  }

  func report(_ damage: PageDamage) {
    if damages.count < limit { damages.append(damage) }
    if damages.count >= limit && !isPatient { isStopped = true }
  }

  func note(_ oddity: PageDamage) {
    if oddities.count < limit { oddities.append(oddity) }
  }
}

/// A walk through one table's tree in key order, which reports damage and continues beside it.
///
/// It terminates on every file: a page already visited is damage, and no path is longer than the record's depth.
final class TreeWalk {
  /// A visited pair: a node of a leaf, and the file offset of its value.
  struct Entry {
    let page: TreePage
    let node: TreePage.Node
    let valueOffset: Int
  }

  /// The counted entries and pages, to compare with the record's.
  struct Counts: Equatable {
    var entries: UInt64 = 0
    var branchPages: UInt64 = 0
    var leafPages: UInt64 = 0
    var overflowPages: UInt64 = 0
  }

  private(set) var counts = Counts()
  private let file: DataFile
  private let record: TreeRecord
  private let lastPage: PageNumber
  private let findings: Findings
  private let used: PageSet
  private let isOfEdges: Bool
  private var integerKeySize: Int?

  /// Creates a walk through a tree, or only along its edges: the paths to its first and its last page of entries.
  init(
    _ record: TreeRecord, of meta: MetaPage, in file: DataFile, used: PageSet, findings: Findings,
    isOfEdges: Bool = false
  ) {
    self.isOfEdges = isOfEdges
    self.file = file
    self.record = record
    self.lastPage = meta.lastPage
    self.used = used
    self.findings = findings
  }

  /// Calls the closure with every reachable entry, in key order, until it returns false.
  func run(_ body: (Entry) -> Bool) {
    if record.flags & ~(TreeRecord.integerKeys | (isFreeList ? TreeRecord.environmentFlags : 0)) != 0 {
      let reason = "has a table with the flags \(hex(record.flags)), which Verbatim does not use"
      findings.report(record.damage(reason))
    } else if let root = record.root {
      visit(root, Visit(level: 1, parent: record.page, offset: record.fileOffset), body)
    }
  }

  /// Whether the record is at the free list's offset in a meta page.
  private var isFreeList: Bool { record.page < .first && record.fileOffset % file.pageSize == 40 }

  /// The path to a page: its level, its parent, and the keys that bound it.
  private struct Visit {
    let level: Int
    let parent: PageNumber
    let offset: Int
    var lower: ArraySlice<UInt8>?
    var upper: ArraySlice<UInt8>?
    /// Whether the page is on the path to the first entry.
    var isFirst = true
    /// Whether the page is on the path to the last entry.
    var isLast = true

    func damage(_ reason: String) -> PageDamage { PageDamage(parent, at: offset, reason) }
  }

  private func visit(_ number: PageNumber, _ visit: Visit, _ body: (Entry) -> Bool) {
    do throws(PageDamage) {
      try claim(number, visit)
      let page = try TreePage(try file.bytes(of: number), number: number)
      try checkShape(page, level: visit.level)
      try checkKeys(page, visit)
      if page.isLeaf { leaf(page, body) } else { branch(page, visit, body) }
    } catch { findings.report(error) }
  }

  private func branch(_ page: TreePage, _ visit: Visit, _ body: (Entry) -> Bool) {
    counts.branchPages += 1
    for (index, node) in page.nodes.enumerated() where !findings.isStopped {
      let isLast = index + 1 == page.nodes.count
      if isOfEdges, !(visit.isFirst && index == 0), !(visit.isLast && isLast) { continue }
      let below = Visit(
        level: visit.level + 1, parent: page.number, offset: page.fileOffset + node.offset,
        lower: index == 0 ? visit.lower : page.key(index),
        upper: isLast ? visit.upper : page.key(index + 1), isFirst: visit.isFirst && index == 0,
        isLast: visit.isLast && isLast)
      self.visit(node.child, below, body)
    }
  }

  private func leaf(_ page: TreePage, _ body: (Entry) -> Bool) {
    counts.leafPages += 1
    for node in page.nodes where !findings.isStopped {
      counts.entries += 1
      do throws(PageDamage) {
        let offset = node.isBig ? try run(of: node, in: page) : page.fileOffset + node.end
        if !body(Entry(page: page, node: node, valueOffset: offset)) { findings.isStopped = true }
      } catch { findings.report(error) }
    }
  }

  /// Claims a page for this tree, if it exists and is not in use.
  private func claim(_ number: PageNumber, _ visit: Visit) throws(PageDamage) {
    if number < .first || number > lastPage {
      throw visit.damage("points to page \(number), not within 2...\(lastPage)")
    }
    if number.rawValue >= used.limit {
      throw visit.damage("points to page \(number), but the file ends after \(used.limit) pages")
    }
    if !used.insert(number) { throw visit.damage("points to page \(number), which is in use already") }
  }

  /// Checks that leaves are at the record's depth and nowhere else.
  private func checkShape(_ page: TreePage, level: Int) throws(PageDamage) {
    if page.isLeaf != (level == record.depth) {
      let kind = page.isLeaf ? "leaf" : "branch"
      throw page.damage("is a \(kind) at level \(level) of a tree \(record.depth) deep")
    }
    // LMDB allows a branch with one child only in the free list, which it changes while saving it.
    if !page.isLeaf && page.nodes.count < 2 && !isFreeList { throw page.damage("is a branch with one child") }
  }
}

extension TreeWalk {
  /// Checks that keys ascend and are within the parent's bounds, which every search relies on.
  private func checkKeys(_ page: TreePage, _ visit: Visit) throws(PageDamage) {
    let first = page.isLeaf ? 0 : 1
    guard first < page.nodes.count else { return }
    for index in first..<page.nodes.count {
      let key = page.key(index)
      let offset = page.nodes[index].offset
      try checkSize(key, page, offset)
      if index > first && !precedes(page.key(index - 1), key) {
        throw page.damage(at: offset, "has keys out of order at node \(index)")
      }
    }
    let (lowest, highest) = (page.key(first), page.key(page.nodes.count - 1))
    if let lower = visit.lower, page.isLeaf ? precedes(lowest, lower) : !precedes(lower, lowest) {
      throw page.damage("has a key below the one that page \(visit.parent) gives it")
    }
    if let upper = visit.upper, !precedes(highest, upper) {
      throw page.damage("has a key above what page \(visit.parent) gives it")
    }
  }

  private func checkSize(_ key: ArraySlice<UInt8>, _ page: TreePage, _ offset: Int) throws(PageDamage) {
    guard record.hasIntegerKeys else { return }
    let size = integerKeySize ?? key.count
    guard key.count == size, size == 8 || (size == 4 && !isFreeList) else {
      throw page.damage(at: offset, "has a key of \(key.count) bytes in a table of integer keys")
    }
    integerKeySize = size
  }

  private func precedes(_ one: ArraySlice<UInt8>, _ other: ArraySlice<UInt8>) -> Bool {
    record.hasIntegerKeys ? number(one) < number(other) : one.precedes(other)
  }

  /// Returns an integer key, whose size was checked before.
  private func number(_ key: ArraySlice<UInt8>) -> UInt64 {
    key.withUnsafeBytes {
      $0.count == 8 ? $0.loadUnaligned(as: UInt64.self) : UInt64($0.loadUnaligned(as: UInt32.self))
    }
  }

  /// Checks the pages of a value too large for a leaf, and returns the file offset of the value.
  ///
  /// A run can be longer than its value needs: a value overwritten by a smaller one in the same transaction keeps it.
  private func run(of node: TreePage.Node, in page: TreePage) throws(PageDamage) -> Int {
    let number = PageNumber(page.bytes.load(UInt64.self, at: node.end))
    try claim(number, Visit(level: 0, parent: page.number, offset: page.fileOffset + node.end))
    let header = try file.bytes(of: number, count: TreePage.headerSize)
    let offset = Int(number.rawValue) * file.pageSize
    let damage = { (relative: Int, reason: String) in PageDamage(number, at: offset + relative, reason) }
    let (claimed, flags) = (header.load(UInt64.self, at: 0), header.load(UInt16.self, at: 10))
    let count = UInt64(header.load(UInt32.self, at: 12))
    let needed = UInt64((TreePage.headerSize + node.valueSize + file.pageSize - 1) / file.pageSize)
    if claimed != number.rawValue { throw damage(0, "says it is page \(claimed)") }
    if flags != PageKind.overflow {
      throw damage(10, "has the flags \(hex(flags)), not an overflow page's 0x4")
    }
    let run = "starts \(count) overflow pages"
    if count < needed {
      throw damage(12, run + " for a value of \(node.valueSize) bytes, which needs \(needed)")
    }
    if count > min(used.limit, lastPage.rawValue + 1) - number.rawValue {
      throw damage(12, run + ", which reach past the last page \(lastPage) or the file's end")
    }
    if count > needed { findings.note(damage(12, run + " for a value that needs \(needed)")) }
    for next in number.rawValue + 1..<number.rawValue + count {
      if !used.insert(PageNumber(next)) { throw damage(12, run + " with page \(next), which is in use") }
    }
    counts.overflowPages += count
    return offset + TreePage.headerSize
  }
}

extension ArraySlice<UInt8> {
  /// Returns whether these bytes come first in LMDB's key order: by the first byte that differs, and a prefix before
  /// its continuations.
  func precedes(_ other: Self) -> Bool {
    let order = withUnsafeBytes { mine in
      other.withUnsafeBytes { memcmp(mine.baseAddress!, $0.baseAddress!, Swift.min(mine.count, $0.count)) }
    }
    return order < 0 || (order == 0 && count < other.count)
  }
}
