// The changed rows of a table, encoded and in the order of their keys, ready to be written.
internal import Bytes
package import Digests
internal import LMDB

/// The changed rows of a table, encoded for write-behind.
public struct ChangedRows: Sendable {
  private struct Row {
    let key: Range<Int>
    /// The value; nil for a removed row.
    let value: Range<Int>?
  }

  // Keys and values are stored contiguously, so that writing many rows allocates nothing for each.
  private var arena: [UInt8] = []
  private var rows: [Row] = []

  /// Creates an empty set of rows.
  public init() {}

  /// The number of rows.
  public var count: Int { rows.count }

  /// The size of the rows in bytes.
  public var byteCount: Int { arena.count }

  /// The size of the rows in memory, in bytes.
  public var memoryByteCount: Int { arena.capacity + rows.capacity * MemoryLayout<Row>.stride }

  /// Adds a changed or removed row; keys can be added in any order, each once.
  @usableFromInline
  mutating func add(key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer?) {
    let start = arena.count
    arena.append(contentsOf: key)
    let middle = arena.count
    if let value { arena.append(contentsOf: value) }
    rows.append(Row(key: start..<middle, value: value == nil ? nil : middle..<arena.count))
  }

  /// Sorts the rows by their keys.
  @usableFromInline
  mutating func sort() {
    if rows.count < 2 { return }
    arena.withUnsafeBytes { arena in
      // Most keys of a table have a common prefix: the bytes after it distinguish most of them without comparing keys.
      let common = rows.reduce(rows[0].key.count) { min($0, commonCount(arena[rows[0].key], arena[$1.key])) }
      var sortKeys = rows.indices.map { SortKey(head: head(arena[rows[$0].key].dropFirst(common)), row: $0) }
      sortKeys.sort { a, b in
        a.head == b.head ? compare(arena[rows[a.row].key], arena[rows[b.row].key]) < 0 : a.head < b.head
      }
      rows = sortKeys.map { rows[$0.row] }
    }
  }

  /// The sort key of a row: the first bytes in which its key differs from others, and the row's index.
  private struct SortKey {
    let head: UInt64
    let row: Int
  }

  /// Calls the closure with the keys in order.
  @usableFromInline
  func forEachKey(_ body: (UnsafeRawBufferPointer) -> Void) {
    forEach { (key: UnsafeRawBufferPointer, _: UnsafeRawBufferPointer?) throws(Never) in body(key) }
  }

  /// Calls the closure with the rows in order; the value of a removed row is nil.
  func forEach<E: Error>(
    _ body: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer?) throws(E) -> Void
  ) throws(E) {
    try arena.span.bytes.withUnsafeBytes { arena throws(E) in
      for row in rows {
        let key = UnsafeRawBufferPointer(rebasing: arena[row.key])
        let value = row.value.map { UnsafeRawBufferPointer(rebasing: arena[$0]) }
        try body(key, value)
      }
    }
  }
}

// MARK: Rows that override those of a table

extension ChangedRows {
  /// Returns the index of the first row whose key is not less than the given one.
  func index(notBefore key: UnsafeRawBufferPointer) -> Int {
    arena.withUnsafeBytes { arena in
      var (low, high) = (0, rows.count)
      while low < high {
        let middle = (low + high) / 2
        if compare(arena[rows[middle].key], key[...]) < 0 { low = middle + 1 } else { high = middle }
      }
      return low
    }
  }

  /// Compares the key of a row with another: less than zero when it comes first.
  func compares(_ index: Int, with key: UnsafeRawBufferPointer) -> Int {
    arena.withUnsafeBytes { compare($0[rows[index].key], key[...]) }
  }

  /// Returns the key of a row.
  @_lifetime(borrow self)
  func key(_ index: Int) -> RawSpan { arena.span.bytes.extracting(rows[index].key) }

  /// Returns the value of a row that is not removed.
  @_lifetime(borrow self)
  func value(_ index: Int) -> RawSpan { arena.span.bytes.extracting(rows[index].value ?? 0..<0) }

  /// Returns whether a row is removed.
  func isRemoved(_ index: Int) -> Bool { rows[index].value == nil }

  /// Returns these rows, overridden by newer ones.
  func overridden(by newer: ChangedRows) -> ChangedRows {
    if rows.isEmpty { return newer }
    if newer.rows.isEmpty { return self }
    var merged = ChangedRows()
    merged.arena.reserveCapacity(arena.count + newer.arena.count)
    merged.rows.reserveCapacity(rows.count + newer.rows.count)
    var index = 0
    newer.forEach { (key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer?) throws(Never) in
      let next = self.index(notBefore: key)
      merged.append(self, index..<next)
      merged.add(key: key, value: value)
      index = next < rows.count && compares(next, with: key) == 0 ? next + 1 : next
    }
    merged.append(self, index..<rows.count)
    return merged
  }

  /// Adds rows of others, which follow these.
  private mutating func append(_ other: ChangedRows, _ range: Range<Int>) {
    other.arena.withUnsafeBytes { bytes in
      for row in other.rows[range] {
        add(
          key: UnsafeRawBufferPointer(rebasing: bytes[row.key]),
          value: row.value.map { UnsafeRawBufferPointer(rebasing: bytes[$0]) })
      }
    }
  }
}

extension ChangedRows {
  /// The rows in order; the value of a removed row is nil.
  package var all: [(key: [UInt8], value: [UInt8]?)] {
    rows.map { (Array(arena[$0.key]), $0.value.map { Array(arena[$0]) }) }
  }

  /// Returns whether both have the same rows, in whatever order they were changed.
  package func isSame(as other: ChangedRows) -> Bool {
    guard rows.count == other.rows.count, arena.count == other.arena.count else { return false }
    return arena.withUnsafeBytes { mine in
      other.arena.withUnsafeBytes { theirs in
        zip(rows, other.rows).allSatisfy { one, two in
          guard (one.value == nil) == (two.value == nil), compare(mine[one.key], theirs[two.key]) == 0 else {
            return false
          }
          guard let value = one.value, let other = two.value else { return true }
          return compare(mine[value], theirs[other]) == 0
        }
      }
    }
  }

  /// Adds the rows to a digest, seeded by the table's name, including removed ones.
  package func count(in digest: inout TableDigest, ofTable name: String) {
    let seed = RowHashSeed.name.seeds(of: [name])[0]
    forEach { (key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer?) throws(Never) in
      digest.add(RowHash(key: key, value: value ?? key, seed: value == nil ? ~seed : seed))
    }
  }
}

/// Returns the length of the common prefix.
private func commonCount(_ a: Slice<UnsafeRawBufferPointer>, _ b: Slice<UnsafeRawBufferPointer>) -> Int {
  let count = min(a.count, b.count)
  var common = 0
  while common < count, a[a.startIndex + common] == b[b.startIndex + common] { common += 1 }
  return common
}

/// Returns the first eight bytes as a big-endian number, padded with zeros.
private func head(_ bytes: Slice<UnsafeRawBufferPointer>) -> UInt64 {
  let bytes = UnsafeRawBufferPointer(rebasing: bytes)
  if bytes.count >= 8 { return UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)) }
  return bytes.enumerated().reduce(0) { $0 | UInt64($1.element) << UInt64(56 - 8 * $1.offset) }
}

/// Returns less than zero when the first argument's bytes come first, zero when both are equal.
private func compare(_ a: Slice<UnsafeRawBufferPointer>, _ b: Slice<UnsafeRawBufferPointer>) -> Int {
  let (a, b) = (UnsafeRawBufferPointer(rebasing: a), UnsafeRawBufferPointer(rebasing: b))
  var index = 0
  let common = min(a.count, b.count)
  while index + 8 <= common {
    let x = UInt64(bigEndian: a.loadUnaligned(fromByteOffset: index, as: UInt64.self))
    let y = UInt64(bigEndian: b.loadUnaligned(fromByteOffset: index, as: UInt64.self))
    if x != y { return x < y ? -1 : 1 }
    index += 8
  }
  while index < common {
    if a[index] != b[index] { return a[index] < b[index] ? -1 : 1 }
    index += 1
  }
  return a.count - b.count
}

extension WriteTransaction {
  /// Writes sorted rows and updates the table's summary: each row subtracts the one that it replaces.
  mutating func write(
    _ changes: ChangedRows, to table: Table, seed: UInt64, counting summary: inout TableSummary
  ) throws(LMDBError) {
    guard changes.count > 0 else { return }
    var stored = ByteWriter()
    try withCursor(over: table) { cursor throws(LMDBError) in
      let last: [UInt8]? = try cursor.moveToLast() ? cursor.key.withUnsafeBytes { Array($0) } : nil
      try changes.forEach { key, value throws(LMDBError) in
        let isPastLast = last.map { last in last.withUnsafeBytes { compare($0[...], key[...]) < 0 } } ?? true
        let isThere = try isPastLast ? false : cursor.move(to: key)
        if isThere {
          // Also when it is damaged: the new row is correct, and the digest then shows that one was damaged.
          summary.digest.remove(StoredRow.hash(of: cursor.value, key: key, seed: seed))
          summary.rows &-= 1
        }
        guard let value else {
          if isThere { try cursor.remove() }
          return
        }
        stored.removeAll()
        stored.bytes(value)
        summary.digest.add(StoredRow.seal(&stored, key: key, seed: seed))
        summary.rows &+= 1
        try stored.withBytes { bytes throws(LMDBError) in
          if isPastLast { try cursor.append(bytes, for: key) } else { try cursor.put(bytes, for: key) }
        }
      }
    }
  }
}
