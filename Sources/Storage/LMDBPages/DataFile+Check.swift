// The check of everything below a meta page: both trees, the named tables, and the use of every page.
package import Synchronization

/// The findings of a check of a data file.
public struct DataFileReport: Sendable {
  /// The damage; empty when every entry can be reached and every page is accounted for.
  public var damages: [PageDamage]

  /// Unusual structures that lose nothing and occur in undamaged files.
  ///
  /// They are overflow runs longer than their value, and a file that ends before free pages that were never written.
  public var oddities: [PageDamage]

  /// The pages of the file that no tree uses: free ones, and those of commits that are not in force.
  public var unusedPages: [Range<UInt64>]
}

extension DataFile {
  /// Checks the whole structure below a meta page and returns at most 100 damages.
  ///
  /// It reads every page of the trees but only the first page of a large value: LMDB does not check the content of
  /// values. 0.9 has no checksums, so a changed key or value passes as long as keys still ascend.
  public func damages(of meta: MetaPage) throws(DataFileError) -> [PageDamage] { try examine(meta).damages }

  /// Checks the whole structure below a meta page: at most 100 damages and 100 oddities.
  public func examine(_ meta: MetaPage) throws(DataFileError) -> DataFileReport {
    let check = try Check(meta, of: self)
    check.run()
    return DataFileReport(
      damages: check.findings.damages, oddities: check.findings.oddities, unusedPages: check.unusedPages)
  }

  /// Returns the first damage that is found before LMDB opens the file; nil when there is none.
  ///
  /// In a file of at most 1,024 pages, everything is checked. In a larger one, the free list is checked, and what LMDB
  /// reads in any case: the records of named tables, or, in a log, the pages on the paths to the first and the last
  /// entries. There, a free page that is in use is damage, too, since an append would overwrite it: pages of the tree
  /// are found by the first key in them, and pages of large values by the key that the closure returns for a value. A
  /// file of named tables has no such closure.
  public func openingDamage(
    of meta: MetaPage, key: ((UnsafeRawBufferPointer) -> [UInt8]?)? = nil
  ) throws(DataFileError) -> PageDamage? {
    let check = try Check(meta, of: self)
    if meta.lastPage.rawValue < Self.completePagesMax.load(ordering: .relaxed) {
      check.run()
    } else if let key {
      check.runEdges(key)
    } else {
      check.runRoots()
    }
    return check.findings.damages.first
  }

  /// The number of pages up to which a file is checked completely when it is opened. A negative control sets it to 0:
  /// the complete check would find what a missing sync leaves in small files, where large ones break a promise.
  package static let completePagesMax = Atomic<UInt64>(1024)
}

/// A check of one meta page, with the pages visited so far.
private final class Check {
  let findings = Findings(limit: 100)
  private let meta: MetaPage
  private let file: DataFile
  private let used: PageSet
  private let free: PageSet
  private let scratch = Scratch()

  init(_ meta: MetaPage, of file: DataFile) throws(DataFileError) {
    self.meta = meta
    self.file = file
    let pages = file.pageCount
    used = try PageSet(limit: pages)
    free = try PageSet(limit: pages)
  }

  func run() {
    for table in tables() {
      walk(table) { entry in
        if entry.node.isRecord {
          self.findings.report(entry.page.damage(at: entry.node.offset, "has a table within a named table"))
        }
        return !self.findings.isStopped
      }
    }
    walkFreeList()
    account()
  }

  func runRoots() {
    _ = tables()
    walkFreeList()
  }

  func runEdges(_ key: (UnsafeRawBufferPointer) -> [UInt8]?) {
    walk(meta.main, isOfEdges: true) { entry in
      if entry.node.isRecord {
        self.findings.report(entry.page.damage(at: entry.node.offset, "has a named table, which no log has"))
      }
      return !self.findings.isStopped
    }
    walkFreeList()
    guard findings.damages.isEmpty else { return }
    for page in free.members {
      guard let damage = FreePage(page, of: meta, in: file).use(key) else { continue }
      findings.report(damage)
      return
    }
  }

  /// Walks the table of the named tables; returns their records.
  private func tables() -> [TreeRecord] {
    var tables: [TreeRecord] = []
    walk(meta.main) { entry in
      guard entry.node.isRecord else { return true }
      switch self.file.record(at: entry, self.meta) {
      case .success(let record): tables.append(record)
      case .failure(let damage): self.findings.report(damage)
      }
      return !self.findings.isStopped
    }
    return tables
  }

  private func walkFreeList() {
    walk(meta.free) { entry in
      self.list(entry)
      return !self.findings.isStopped
    }
  }

  /// The pages of the file in no tree; after damage, also those that were not reached.
  var unusedPages: [Range<UInt64>] { used.limit > 2 ? used.gaps(with: used, in: 2..<used.limit) : [] }

  /// Walks a tree, or its edges, and compares the counts with the record's, unless the tree is damaged anyway or has
  /// more than its edges.
  private func walk(_ record: TreeRecord, isOfEdges: Bool = false, _ body: (TreeWalk.Entry) -> Bool) {
    let before = findings.damages.count
    let walk = TreeWalk(record, of: meta, in: file, used: used, findings: findings, isOfEdges: isOfEdges)
    if !findings.isStopped { walk.run(body) }
    if findings.damages.count > before || findings.isStopped || isOfEdges && record.depth > 1 { return }
    let expected = TreeWalk.Counts(
      entries: record.entries, branchPages: record.branchPages, leafPages: record.leafPages,
      overflowPages: record.overflowPages)
    if walk.counts != expected {
      findings.report(
        record.damage("has a table record of \(expected.sentence) where there are \(walk.counts.sentence)"))
    }
  }
}

extension TreeWalk.Counts {
  fileprivate var sentence: String {
    "\(entries) entries on \(branchPages) branch, \(leafPages) leaf and \(overflowPages) overflow pages"
  }
}

extension Check {
  /// Reads one entry of the free list: a transaction, and a count and the pages it freed (C: `MDB_IDL`).
  private func list(_ entry: TreeWalk.Entry) {
    do throws(DataFileError) {
      _ = try file.withKeyAndValue(of: entry, scratch) { key, value in
        let transaction = key.loadUnaligned(as: UInt64.self)
        do throws(PageDamage) { try self.list(value, freedBy: transaction, entry) } catch {
          self.findings.report(error)
        }
        return true
      }
    } catch {
      findings.report(entry.page.damage(at: entry.node.offset, "has a value that cannot be read: \(error)"))
    }
  }

  private func list(
    _ value: UnsafeRawBufferPointer, freedBy transaction: UInt64, _ entry: TreeWalk.Entry
  ) throws(PageDamage) {
    let damage = { (offset: Int, reason: String) in
      PageDamage(entry.page.number, at: entry.valueOffset + offset, reason)
    }
    if transaction == 0 || transaction > meta.transaction {
      throw damage(0, "lists pages freed by transaction \(transaction), not within 1...\(meta.transaction)")
    }
    guard value.count >= 8, value.count % 8 == 0 else {
      throw damage(0, "lists free pages in \(value.count) bytes")
    }
    let count = value.loadUnaligned(as: UInt64.self)
    // LMDB reserves entries and may leave one unused: then the count is 0, and the bytes after it are stale.
    if count == 0 { return }
    guard count == value.count / 8 - 1 else {
      throw damage(0, "lists \(count) free pages in \(value.count) bytes")
    }
    var above = PageNumber.none
    for index in 1...Int(count) {
      let page = PageNumber(value.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self))
      guard page >= .first, page <= meta.lastPage, page < above else {
        let order = above == .none ? "first" : "after \(above)"
        throw damage(index * 8, "lists page \(page) as free \(order), not descending in 2...\(meta.lastPage)")
      }
      if used.contains(page) { throw damage(index * 8, "lists page \(page) as free, which is in use") }
      if !free.insert(page) { throw damage(index * 8, "lists page \(page) as free a second time") }
      above = page
    }
  }

  /// Reports pages up to the last that are neither in a tree nor free; only when the trees are undamaged, since a lost
  /// branch hides all pages below it.
  private func account() {
    guard findings.damages.isEmpty else { return }
    let end = meta.lastPage.rawValue + 1
    for gap in used.gaps(with: free, in: 2..<max(2, min(end, used.limit))) {
      lose(gap)
      if findings.isStopped { return }
    }
    accountBeyond(end)
  }

  private func lose(_ pages: Range<UInt64>) {
    let offset = Int(pages.lowerBound) * file.pageSize
    findings.report(
      PageDamage(
        PageNumber(pages.lowerBound), at: offset,
        "and the \(pages.count - 1) after it are neither in a table nor free: lost space"))
  }

  /// Checks that the pages after the file's end are free: pages taken and freed by one transaction are never written.
  private func accountBeyond(_ end: UInt64) {
    guard end > max(used.limit, 2) else { return }
    let meta = PageNumber(UInt64(meta.index))
    let missing = end - max(used.limit, 2)
    let offset = Int(meta.rawValue) * file.pageSize
    let counted = "says the last page is \(end - 1), but the file ends after \(used.limit)"
    if free.beyond.count == missing {
      findings.note(PageDamage(meta, at: offset, counted + "; the missing \(missing) are free"))
    } else {
      let free = "; \(free.beyond.count) of the missing \(missing) are free"
      findings.report(PageDamage(meta, at: offset, counted + free))
    }
  }
}
