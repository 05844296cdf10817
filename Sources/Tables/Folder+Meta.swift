// The table `meta` of a folder: where the tables stand, and their digests.
internal import Bytes
package import Digests
package import LMDB

// "anchor": position (8, little-endian), chain hash (32), then for each table its digest (16, little-endian).
private let anchorKey = Array("anchor".utf8)

extension Folder {
  /// The table that says where the others stand.
  package static let metaTableName = "meta"

  /// Whether a key of that table is that of its one row.
  package static func isAnchor(_ key: UnsafeRawBufferPointer) -> Bool { key.elementsEqual(anchorKey) }

  /// What that row says; nil when it is none.
  package static func anchorAndDigests(in stored: RawSpan, tables: Int) -> (Anchor, [TableDigest])? {
    guard let anchor = try? parseAnchor(stored), let digests = try? parseDigests(stored, tables) else { return nil }
    return (anchor, digests)
  }

  /// How the environment of a folder is opened: it takes an eighth of the addresses that a log does, so that many can
  /// be open in one process.
  package static func environmentOptions(tables: Int) -> Environment.Options {
    Environment.Options(creates: true, tablesMax: tables + 1, isSynced: false, mapSize: 1 << 37)
  }
}

extension ReadTransaction {
  borrowing func anchor(in meta: Table) throws(LMDBError) -> Anchor? {
    guard let stored = try value(of: anchorKey, in: meta) else { return nil }
    return try parseAnchor(stored)
  }

  borrowing func digests(in meta: Table, count: Int) throws(LMDBError) -> [TableDigest] {
    guard let stored = try value(of: anchorKey, in: meta) else { return Array(repeating: TableDigest(), count: count) }
    return try parseDigests(stored, count)
  }
}

extension WriteTransaction {
  borrowing func anchor(in meta: Table) throws(LMDBError) -> Anchor? {
    guard let stored = try value(of: anchorKey, in: meta) else { return nil }
    return try parseAnchor(stored)
  }

  borrowing func digests(in meta: Table, count: Int) throws(LMDBError) -> [TableDigest] {
    guard let stored = try value(of: anchorKey, in: meta) else { return Array(repeating: TableDigest(), count: count) }
    return try parseDigests(stored, count)
  }

  mutating func set(_ anchor: Anchor, _ digests: [TableDigest], in meta: Table) throws(LMDBError) {
    var row = ByteWriter()
    row.fixed64(anchor.position)
    anchor.hash.withBytes { row.bytes($0) }
    for digest in digests {
      row.fixed64(UInt64(truncatingIfNeeded: digest.sum))
      row.fixed64(UInt64(truncatingIfNeeded: digest.sum >> 64))
    }
    try row.withBytes { bytes throws(LMDBError) in try put(bytes, for: anchorKey, in: meta) }
  }
}

private func parseAnchor(_ stored: RawSpan) throws(LMDBError) -> Anchor {
  guard stored.byteCount >= 40 else { throw .corrupted }
  let position = UInt64(littleEndian: stored.unsafeLoadUnaligned(as: UInt64.self))
  let hash = stored.extracting(8..<40).withUnsafeBytes { ChainHash(bytes: $0) }
  guard let hash else { throw .corrupted }
  return Anchor(position: position, hash: hash)
}

private func parseDigests(_ stored: RawSpan, _ count: Int) throws(LMDBError) -> [TableDigest] {
  guard stored.byteCount == 40 + TableDigest.byteCount * count else { throw .corrupted }
  return (0..<count).map { number in
    let place = 40 + TableDigest.byteCount * number
    let low = UInt64(littleEndian: stored.unsafeLoadUnaligned(fromByteOffset: place, as: UInt64.self))
    let high = UInt64(littleEndian: stored.unsafeLoadUnaligned(fromByteOffset: place + 8, as: UInt64.self))
    return TableDigest(sum: UInt128(high) << 64 | UInt128(low))
  }
}
