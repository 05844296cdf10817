// The key-value pairs of a data file's tables, in key order.

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension DataFile {
  /// Calls the closure with every key and value of a table in key order, until it returns false.
  ///
  /// The first damage of the tree ends the walk with an error, after every pair before it was passed on. Keys are
  /// ordered as in the table: as bytes, or as numbers. Both buffers are valid only during the call, and aligned for
  /// bytes alone; a value is stored contiguously in the file at the offset. The unnamed table (nil) also yields the
  /// records of the named ones, as LMDB does. `examine` checks whether the record's counts are right.
  public func forEach(
    in table: String? = nil, of meta: MetaPage,
    _ body: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, _ fileOffsetOfValue: Int) -> Bool
  ) throws(DataFileError) {
    let findings = Findings(limit: 1)
    try walk(table, of: meta, findings, body)
    if let damage = findings.damages.first { throw .damaged(damage) }
  }

  /// Calls the closure with every reachable pair of a table, and returns the first 100 damages between them, however
  /// many pages they cover.
  ///
  /// Keys still ascend. Pairs below a damaged page are missing without a trace, so the pairs are not a log, only
  /// material to salvage one from.
  public func forEachReachable(
    in table: String? = nil, of meta: MetaPage,
    _ body: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, _ fileOffsetOfValue: Int) -> Bool
  ) throws(DataFileError) -> [PageDamage] {
    let findings = Findings(limit: 100, isPatient: true)
    try walk(table, of: meta, findings, body)
    return findings.damages
  }

  /// Returns the names of the tables, in order.
  public func tableNames(of meta: MetaPage) throws(DataFileError) -> [String] {
    let findings = Findings(limit: 1)
    var names: [String] = []
    try walk(meta.main, of: meta, findings) { entry throws(DataFileError) in
      let name = entry.page.bytes[entry.node.key]
      if entry.node.isRecord { names.append(String(decoding: name, as: UTF8.self)) }
      return true
    }
    if let damage = findings.damages.first { throw .damaged(damage) }
    return names
  }

  /// Calls the closure with the values of the free list, until it returns false.
  func forEachFreeList(of meta: MetaPage, _ body: (UnsafeRawBufferPointer) -> Bool) throws(DataFileError) {
    let findings = Findings(limit: 1)
    let scratch = Scratch()
    try walk(meta.free, of: meta, findings) { entry throws(DataFileError) in
      try self.withKeyAndValue(of: entry, scratch) { body($1) }
    }
    if let damage = findings.damages.first { throw .damaged(damage) }
  }

  private func walk(
    _ table: String?, of meta: MetaPage, _ findings: Findings,
    _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer, Int) -> Bool
  ) throws(DataFileError) {
    let record = if let table { try record(of: table, meta) } else { meta.main }
    let scratch = Scratch()
    try walk(record, of: meta, findings) { entry throws(DataFileError) in
      try self.withKeyAndValue(of: entry, scratch) { body($0, $1, entry.valueOffset) }
    }
  }

  /// Walks one tree; damage that the closure throws counts like the walk's own, and any other error ends it.
  private func walk(
    _ record: TreeRecord, of meta: MetaPage, _ findings: Findings,
    _ body: (TreeWalk.Entry) throws(DataFileError) -> Bool
  ) throws(DataFileError) {
    let used = try PageSet(limit: pageCount)
    var failure: DataFileError?
    TreeWalk(record, of: meta, in: self, used: used, findings: findings).run { entry in
      do throws(DataFileError) { return try body(entry) } catch {
        if case .damaged(let damage) = error { findings.report(damage) } else { failure = error }
        return failure == nil && !findings.isStopped
      }
    }
    if let failure { throw failure }
  }

  /// Returns a table's record, skipping damage to other parts of the unnamed table.
  private func record(of table: String, _ meta: MetaPage) throws(DataFileError) -> TreeRecord {
    let findings = Findings(limit: 1, isPatient: true)
    let name = Array(table.utf8)
    var found: Result<TreeRecord, PageDamage>?
    try walk(meta.main, of: meta, findings) { entry throws(DataFileError) in
      guard entry.node.isRecord, entry.page.bytes[entry.node.key] == name[...] else { return true }
      found = self.record(at: entry, meta)
      return false
    }
    switch (found, findings.damages.first) {
    case (.success(let record), _): return record
    case (.failure(let damage), _), (nil, let damage?): throw .damaged(damage)
    case (nil, nil): throw .noSuchTable(table)
    }
  }
}

extension DataFile {
  /// Returns the record of a named table, stored as a value of the unnamed one.
  func record(at entry: TreeWalk.Entry, _ meta: MetaPage) -> Result<TreeRecord, PageDamage> {
    Result { () throws(PageDamage) -> TreeRecord in
      try TreeRecord(
        entry.page.bytes, at: entry.node.end, of: entry.page.number, pageSize: self.pageSize,
        lastPage: meta.lastPage)
    }
  }

  /// Calls the closure with the key and the value of an entry; a large value is read from its overflow pages.
  func withKeyAndValue(
    of entry: TreeWalk.Entry, _ scratch: Scratch,
    _ body: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Bool
  ) throws(DataFileError) -> Bool {
    let (page, node) = (entry.page, entry.node)
    let large = node.isBig ? try scratch.read(self, at: entry.valueOffset, count: node.valueSize) : nil
    return page.bytes.withUnsafeBytes { bytes in
      let value = large ?? UnsafeRawBufferPointer(rebasing: bytes[node.end..<node.end + node.valueSize])
      return body(UnsafeRawBufferPointer(rebasing: bytes[node.key]), value)
    }
  }
}

/// A reusable buffer for one large value at a time.
final class Scratch {
  private var memory: UnsafeMutableRawBufferPointer?

  deinit { free(memory?.baseAddress) }

  /// Reads a value; its size, which is at most the file's, is limited only by memory.
  func read(_ file: DataFile, at offset: Int, count: Int) throws(DataFileError) -> UnsafeRawBufferPointer {
    let buffer = UnsafeMutableRawBufferPointer(rebasing: try reserve(count)[..<count])
    guard try file.read(at: offset, into: buffer) == count else {
      let page = PageNumber(UInt64(offset / file.pageSize))
      let reason = "holds a value of \(count) bytes that the file's end cuts off"
      throw .damaged(PageDamage(page, at: offset, reason))
    }
    return UnsafeRawBufferPointer(buffer)
  }

  private func reserve(_ count: Int) throws(DataFileError) -> UnsafeMutableRawBufferPointer {
    if let memory, memory.count >= count { return memory }
    free(memory?.baseAddress)
    memory = nil
    let size = max(count, 1)
    guard let start = malloc(size) else { throw .outOfMemory(bytes: size) }
    let fresh = UnsafeMutableRawBufferPointer(start: start, count: size)
    memory = fresh
    return fresh
  }
}
