// The table `meta` of a folder: where the tables stand, how many rows they have, and their digests.
internal import Bytes
package import Digests
package import LMDB

/// How many rows a table has, and the digest of them.
package struct TableSummary: Hashable, Sendable {
  package internal(set) var rows: UInt64 = 0
  package internal(set) var digest = TableDigest()
}

extension TableSummary: CustomStringConvertible {
  package var description: String { "\(digest) of \(rows) rows" }
}

/// The one row of that table.
internal struct MetaRow: TableRow {
  static let key = Array("anchor".utf8)
  /// A number that no table has.
  static let seed = UInt64.max

  let anchor: LogPoint
  let tallies: [TableSummary]

  init(anchor: LogPoint, tallies: [TableSummary]) {
    self.anchor = anchor
    self.tallies = tallies
  }

  init?(decoding bytes: RawSpan) {
    guard bytes.byteCount >= 40, (bytes.byteCount - 40).isMultiple(of: 24) else { return nil }
    guard let hash = bytes.extracting(8..<40).withUnsafeBytes({ ChainHash(bytes: $0) }) else { return nil }
    func number(at place: Int) -> UInt64 {
      UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: place, as: UInt64.self))
    }
    anchor = LogPoint(position: number(at: 0), hash: hash)
    tallies = stride(from: 40, to: bytes.byteCount, by: 24).map { place in
      let sum = UInt128(number(at: place + 16)) << 64 | UInt128(number(at: place + 8))
      return TableSummary(rows: number(at: place), digest: TableDigest(sum: sum))
    }
  }

  func encode(into writer: inout ByteWriter) {
    writer.fixed64(anchor.position)
    anchor.hash.withBytes { writer.bytes($0) }
    for tally in tallies {
      writer.fixed64(tally.rows)
      writer.fixed64(UInt64(truncatingIfNeeded: tally.digest.sum))
      writer.fixed64(UInt64(truncatingIfNeeded: tally.digest.sum >> 64))
    }
  }

  /// The row that is stored.
  init(stored: RawSpan) throws(LMDBError) {
    let row = Self.key.withUnsafeBytes { MetaRow(stored: stored, key: $0, seed: Self.seed) }
    guard let row else { throw .corrupted }
    self = row
  }

  /// The tallies of all tables; throws when they are those of other tables.
  func tallies(count: Int) throws(LMDBError) -> [TableSummary] {
    guard tallies.count == count else { throw .corrupted }
    return tallies
  }
}

extension TableStore {
  /// The table that says where the others stand.
  package static let metaTableName = "meta"

  /// Whether a key of that table is that of its one row.
  package static func isAnchor(_ key: UnsafeRawBufferPointer) -> Bool { key.elementsEqual(MetaRow.key) }

  /// What that row says; nil when it is none.
  package static func anchorAndTallies(in stored: RawSpan, tables: Int) -> (LogPoint, [TableSummary])? {
    guard let row = try? MetaRow(stored: stored), row.tallies.count == tables else { return nil }
    return (row.anchor, row.tallies)
  }

  /// How the environment of a folder is opened: it takes an eighth of the addresses that a log does, so that many can
  /// be open in one process.
  package static func environmentOptions(tables: Int) -> Environment.Options {
    Environment.Options(creates: true, tablesMax: tables + 1, isSynced: false, mapSize: 1 << 37)
  }
}

extension ReadTransaction {
  func metaRow(in meta: Table) throws(LMDBError) -> MetaRow? {
    guard let stored = try value(of: MetaRow.key, in: meta) else { return nil }
    return try MetaRow(stored: stored)
  }
}

extension WriteTransaction {
  borrowing func metaRow(in meta: Table) throws(LMDBError) -> MetaRow? {
    guard let stored = try value(of: MetaRow.key, in: meta) else { return nil }
    return try MetaRow(stored: stored)
  }

  mutating func set(_ row: MetaRow, in meta: Table) throws(LMDBError) {
    var stored = ByteWriter()
    row.encode(into: &stored)
    _ = MetaRow.key.withUnsafeBytes { StoredRow.seal(&stored, key: $0, seed: MetaRow.seed) }
    try stored.withBytes { bytes throws(LMDBError) in try put(bytes, for: MetaRow.key, in: meta) }
  }
}
