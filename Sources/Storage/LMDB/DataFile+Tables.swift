// The pairs of a data file's tables, in key order.

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension DataFile {
  /// Hands out every key and value of a table in key order, until the body returns false.
  ///
  /// The first damage of the tree ends the walk with an error, after every pair before it was handed out.
  /// Keys order as the table does: as bytes, or as numbers. Both buffers are good only during the call, and
  /// aligned for bytes alone; a value lies in the file at the offset, in one piece. The unnamed table (nil)
  /// also hands out the records of the named ones, as LMDB does. Whether the record's counts are right is for
  /// `examine` to say.
  public func forEach(
    in table: String? = nil, of meta: MetaPage,
    _ body: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, _ fileOffsetOfValue: Int) -> Bool
  ) throws(DataFileError) {
    let findings = Findings(limit: 1)
    try walk(table, of: meta, findings, body)
    if let damage = findings.damages.first { throw .damaged(damage) }
  }

  /// Hands out every pair of a table that can still be reached, and returns the damage in between: at most
  /// the first 100 damages, however many pages they are.
  ///
  /// Keys still ascend. What lay below a damaged page is missing without a trace, so what is handed out is no
  /// log, only what one can be salvaged from.
  public func forEachReachable(
    in table: String? = nil, of meta: MetaPage,
    _ body: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, _ fileOffsetOfValue: Int) -> Bool
  ) throws(DataFileError) -> [PageDamage] {
    let findings = Findings(limit: 100, isPatient: true)
    try walk(table, of: meta, findings, body)
    return findings.damages
  }

  /// The names of the tables, in order.
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

  /// Hands out the values of the free list, until the body returns false.
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

  /// Walks one tree; damage that the body meets counts like the walk's own, and any other error ends it.
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

  /// Finds a table's record, past damage to other parts of the unnamed table.
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
  /// The record of a named table, stored as a value of the unnamed one.
  func record(at entry: TreeWalk.Entry, _ meta: MetaPage) -> Result<TreeRecord, PageDamage> {
    Result { () throws(PageDamage) -> TreeRecord in
      try TreeRecord(
        entry.page.bytes, at: entry.node.end, of: entry.page.number, pageSize: self.pageSize,
        lastPage: meta.lastPage)
    }
  }

  /// The key of an entry, and its value, read from the overflow pages when it is large.
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

/// Memory for one large value at a time, reused from one to the next.
final class Scratch {
  private var memory: UnsafeMutableRawBufferPointer?

  deinit { free(memory?.baseAddress) }

  /// Reads a value; nothing but the system's refusal limits its size, which is at most the file's.
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
