// Rows that changed, encoded and in the order of their keys, ready to be written.
internal import Bytes
package import Digests
internal import LMDB

/// The changed rows of a table, encoded: what is written behind.
public struct ChangedRows: Sendable {
  private struct Row {
    let key: Range<Int>
    /// Nothing for a row that is not there any more.
    let value: Range<Int>?
  }

  // Keys and values one behind the other, so that writing many rows allocates nothing for each.
  private var arena: [UInt8] = []
  private var rows: [Row] = []

  /// No rows.
  public init() {}

  /// How many rows there are.
  public var count: Int { rows.count }

  /// How many bytes they take.
  public var byteCount: Int { arena.count }

  /// Adds a row, or one that is not there any more; keys may come in any order, each once.
  @usableFromInline
  mutating func add(key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer?) {
    let start = arena.count
    arena.append(contentsOf: key)
    let middle = arena.count
    if let value { arena.append(contentsOf: value) }
    rows.append(Row(key: start..<middle, value: value == nil ? nil : middle..<arena.count))
  }

  /// Brings the rows into the order of their keys.
  @usableFromInline
  mutating func sort() {
    if rows.count < 2 { return }
    arena.withUnsafeBytes { arena in
      // Most keys of a table begin alike: what follows that tells most of them apart, without a look at the keys.
      let common = rows.reduce(rows[0].key.count) { min($0, commonCount(arena[rows[0].key], arena[$1.key])) }
      var places = rows.indices.map { Place(head: head(arena[rows[$0].key].dropFirst(common)), row: $0) }
      places.sort { a, b in
        a.head == b.head ? compare(arena[rows[a.row].key], arena[rows[b.row].key]) < 0 : a.head < b.head
      }
      rows = places.map { rows[$0.row] }
    }
  }

  /// Where a row belongs: by the first bytes in which its key differs from others, and the key itself.
  private struct Place {
    let head: UInt64
    let row: Int
  }

  /// Lends the keys in order.
  @usableFromInline
  func forEachKey(_ body: (UnsafeRawBufferPointer) -> Void) {
    forEach { (key: UnsafeRawBufferPointer, _: UnsafeRawBufferPointer?) throws(Never) in body(key) }
  }

  /// Lends the rows in order; nothing as the value of one that is not there any more.
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

extension ChangedRows {
  /// The rows in order; nothing as the value of one that is not there any more.
  package var all: [(key: [UInt8], value: [UInt8]?)] {
    rows.map { (Array(arena[$0.key]), $0.value.map { Array(arena[$0]) }) }
  }

  /// Whether both are the same rows, whatever the order in which they were changed.
  package func isSame(as other: ChangedRows) -> Bool {
    guard rows.count == other.rows.count, arena.count == other.arena.count else { return false }
    return arena.withUnsafeBytes { mine in
      other.arena.withUnsafeBytes { its in
        zip(rows, other.rows).allSatisfy { one, two in
          guard (one.value == nil) == (two.value == nil), compare(mine[one.key], its[two.key]) == 0 else {
            return false
          }
          guard let value = one.value, let other = two.value else { return true }
          return compare(mine[value], its[other]) == 0
        }
      }
    }
  }

  /// Counts the rows of the table with a name, those too that are not there any more.
  package func count(in digest: inout TableDigest, ofTable name: String) {
    let seed = RowHashSeed.name.seeds(of: [name])[0]
    forEach { (key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer?) throws(Never) in
      digest.add(RowHash(key: key, value: value ?? key, seed: value == nil ? ~seed : seed))
    }
  }
}

/// How many bytes both have in common at their beginnings.
private func commonCount(_ a: Slice<UnsafeRawBufferPointer>, _ b: Slice<UnsafeRawBufferPointer>) -> Int {
  let count = min(a.count, b.count)
  var common = 0
  while common < count, a[a.startIndex + common] == b[b.startIndex + common] { common += 1 }
  return common
}

/// The first eight bytes as a number that is greater for what comes later; zeros for those that are not there.
private func head(_ bytes: Slice<UnsafeRawBufferPointer>) -> UInt64 {
  let bytes = UnsafeRawBufferPointer(rebasing: bytes)
  if bytes.count >= 8 { return UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)) }
  return bytes.enumerated().reduce(0) { $0 | UInt64($1.element) << UInt64(56 - 8 * $1.offset) }
}

/// Less than zero when one's bytes come first, zero when they are the same.
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
  /// Writes sorted rows and keeps the tally of the table: each row takes back what stood at its key.
  mutating func write(
    _ changes: ChangedRows, to table: Table, seed: UInt64, counting tally: inout TableSummary
  ) throws(LMDBError) {
    guard changes.count > 0 else { return }
    var stored = ByteWriter()
    try withCursor(over: table) { cursor throws(LMDBError) in
      let last: [UInt8]? = try cursor.moveToLast() ? cursor.key.withUnsafeBytes { Array($0) } : nil
      try changes.forEach { key, value throws(LMDBError) in
        let isPastLast = last.map { last in last.withUnsafeBytes { compare($0[...], key[...]) < 0 } } ?? true
        let isThere = try isPastLast ? false : cursor.move(to: key)
        if isThere {
          // Also when it is damaged: what replaces it is right, and the digest tells that something was not.
          tally.digest.remove(StoredRow.hash(of: cursor.value, key: key, seed: seed))
          tally.rows &-= 1
        }
        guard let value else {
          if isThere { try cursor.remove() }
          return
        }
        stored.removeAll()
        stored.bytes(value)
        tally.digest.add(StoredRow.seal(&stored, key: key, seed: seed))
        tally.rows &+= 1
        try stored.withBytes { bytes throws(LMDBError) in
          if isPastLast { try cursor.append(bytes, for: key) } else { try cursor.put(bytes, for: key) }
        }
      }
    }
  }
}
