// The table `meta` of a table store: the log point, and the row counts and digests of the other tables.
internal import Bytes
package import Digests
package import LMDB

/// The row count and the digest of a table.
package struct TableSummary: Hashable, Sendable {
  package internal(set) var rows: UInt64 = 0
  package internal(set) var digest = TableDigest()
}

extension TableSummary: CustomStringConvertible {
  package var description: String { "\(digest) of \(rows) rows" }
}

/// The only row of the table `meta`.
internal struct MetaRow: BinaryRow {
  static let key = Array("anchor".utf8)
  /// A seed that no other table has.
  static let seed = UInt64.max

  let logPoint: LogPoint
  let summaries: [TableSummary]

  init(logPoint: LogPoint, summaries: [TableSummary]) {
    self.logPoint = logPoint
    self.summaries = summaries
  }

  init?(decoding bytes: RawSpan) {
    guard bytes.byteCount >= 40, (bytes.byteCount - 40).isMultiple(of: 24) else { return nil }
    guard let hash = bytes.extracting(8..<40).withUnsafeBytes({ ChainHash(bytes: $0) }) else { return nil }
    func number(at offset: Int) -> UInt64 {
      UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
    logPoint = LogPoint(position: number(at: 0), hash: hash)
    summaries = stride(from: 40, to: bytes.byteCount, by: 24).map { offset in
      let sum = UInt128(number(at: offset + 16)) << 64 | UInt128(number(at: offset + 8))
      return TableSummary(rows: number(at: offset), digest: TableDigest(sum: sum))
    }
  }

  func encode(into writer: inout ByteWriter) {
    writer.fixed64(logPoint.position)
    logPoint.hash.withBytes { writer.bytes($0) }
    for summary in summaries {
      writer.fixed64(summary.rows)
      writer.fixed64(UInt64(truncatingIfNeeded: summary.digest.sum))
      writer.fixed64(UInt64(truncatingIfNeeded: summary.digest.sum >> 64))
    }
  }

  /// Decodes a stored row; throws when it is damaged.
  init(stored: RawSpan) throws(LMDBError) {
    let row = Self.key.withUnsafeBytes { MetaRow(stored: stored, key: $0, seed: Self.seed) }
    guard let row else { throw .corrupted }
    self = row
  }

  /// Returns the summaries of all tables; throws when their number differs.
  func summaries(count: Int) throws(LMDBError) -> [TableSummary] {
    guard summaries.count == count else { throw .corrupted }
    return summaries
  }
}

extension TableStore {
  /// The name of the table that stores the log point.
  package static let metaTableName = "meta"

  /// Returns whether a key of the table `meta` is that of its only row.
  package static func isLogPoint(_ key: UnsafeRawBufferPointer) -> Bool { key.elementsEqual(MetaRow.key) }

  /// Decodes the row of the table `meta`; nil when it is damaged or of other tables.
  package static func logPointAndSummaries(in stored: RawSpan, tables: Int) -> (LogPoint, [TableSummary])? {
    guard let row = try? MetaRow(stored: stored), row.summaries.count == tables else { return nil }
    return (row.logPoint, row.summaries)
  }

  /// Returns the options of a table store's environment: it reserves an eighth of a log's address space, so that many
  /// can be open in one process.
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
