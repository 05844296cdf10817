// The mapped pages of an environment in one state, read with every number checked.
internal import CLMDB
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The mapped pages that a read transaction sees.
///
/// LMDB follows page numbers and offsets unchecked, so that a damaged page can crash the process. Here every number in
/// a page is checked before it is followed: damage is an error. Pages that a transaction sees do not change during it.
internal struct MappedPages {
  private let base: UnsafeRawPointer
  private let environment: OpaquePointer
  let pageSize: Int
  /// Pages below this number are within the file.
  private let pageCount: UInt64
  /// The record of the unnamed table.
  private let main: TreeTop

  /// The root of a tree and its depth, the number of pages on every path.
  struct TreeTop {
    let root: UInt64
    let depth: Int
  }

  /// Creates the state that a transaction sees; nil when the address of the map is unknown, or when other writers have
  /// committed twice since the transaction began and overwritten its meta page.
  init?(_ shared: SharedEnvironment, transaction: OpaquePointer) {
    guard let start = shared.mapStart, let base = UnsafeRawPointer(bitPattern: start) else { return nil }
    let wanted = UInt64(truncatingIfNeeded: mdb_txn_id(transaction))
    // Transaction n writes page n & 1. Safe because every open environment has both meta pages.
    let meta = base + Int(wanted & 1) * shared.pageSize + MappedPages.headerSize
    guard meta.number(at: 128) == wanted else { return nil }
    let main = TreeTop(meta + 72)
    let lastPage = meta.number(at: 120)
    // The number is read again after the fields that it validates: another process may have just overwritten the page.
    atomicMemoryFence(ordering: .acquiring)
    guard meta.number(at: 128) == wanted else { return nil }
    guard let pageCount = shared.pageCount(reaching: lastPage) else { return nil }
    (self.base, environment, pageSize) = (base, shared.pointer, shared.pageSize)
    (self.pageCount, self.main) = (min(pageCount, lastPage &+ 1), main)
  }

  /// Returns the tree of a table; it was created when the table was opened, so its absence is damage.
  func top(of table: Table) throws(LMDBError) -> TreeTop {
    guard let name = table.name else { return main }
    var cursor = MappedCursor(self, main)
    guard try cursor.move(to: Array(name.utf8)), cursor.isRecord else { throw .corrupted }
    return TreeTop(cursor.valueStart)
  }

  // The first 16 bytes of every page, then 2 for each node's offset; 8 bytes of each node before its key.
  static let headerSize = 16
  static let nodeHeaderSize = 8
  static let recordSize = 48

  /// Returns a branch or leaf page.
  func page(_ number: UInt64, isLeaf: Bool) throws(LMDBError) -> MappedPage {
    let start = try address(of: number)
    let (lower, upper) = (start.half(at: 12), start.half(at: 14))
    guard start.number(at: 0) == number, start.half(at: 10) == (isLeaf ? PageFlags.leaf : PageFlags.branch),
      lower > Self.headerSize, lower.isMultiple(of: 2), lower <= upper, upper <= pageSize
    else { throw .corrupted }
    return MappedPage(start: start, size: pageSize, count: (lower - Self.headerSize) / 2, isLeaf: isLeaf)
  }

  /// Returns the content of a run of overflow pages that holds one large value.
  func run(_ number: UInt64, byteCount: Int) throws(LMDBError) -> UnsafeRawPointer {
    let start = try address(of: number)
    let count = UInt64(start.word(at: 12))
    let end = number.addingReportingOverflow(count)
    guard start.number(at: 0) == number, start.half(at: 10) == PageFlags.overflow, !end.overflow,
      end.partialValue <= pageCount, Self.headerSize + byteCount <= Int(count) * pageSize
    else { throw .corrupted }
    return start + Self.headerSize
  }

  private func address(of number: UInt64) throws(LMDBError) -> UnsafeRawPointer {
    guard number >= 2, number < pageCount else { throw .corrupted }
    return base + Int(number) * pageSize
  }
}

/// The flags of a page that determine its type (C: `P_BRANCH`, `P_LEAF`, `P_OVERFLOW`).
private enum PageFlags {
  static let branch = 0x01
  static let leaf = 0x02
  static let overflow = 0x04
}

extension MappedPages.TreeTop {
  /// Reads a table's record, 48 bytes.
  fileprivate init(_ record: UnsafeRawPointer) {
    depth = record.half(at: 6)
    root = record.number(at: 40)
  }
}

/// A branch or leaf page whose header is sound; each node is checked when it is read.
internal struct MappedPage {
  fileprivate let start: UnsafeRawPointer
  fileprivate let size: Int
  let count: Int
  let isLeaf: Bool

  /// Returns the key at an index; empty for the first of a branch, which is never read.
  func key(_ index: Int) throws(LMDBError) -> UnsafeRawBufferPointer {
    let node = try self.node(index)
    let keySize = node.half(at: 6)
    guard node - start + MappedPages.nodeHeaderSize + keySize <= size else { throw .corrupted }
    return UnsafeRawBufferPointer(start: node + MappedPages.nodeHeaderSize, count: keySize)
  }

  /// Returns the child page of a branch's node.
  func child(_ index: Int) throws(LMDBError) -> UInt64 {
    let node = try self.node(index)
    return UInt64(node.word(at: 0)) | UInt64(node.half(at: 4)) << 32
  }

  /// The entry of a leaf's node.
  struct Entry {
    let key: UnsafeRawBufferPointer
    let flags: Int
    /// The address of the value, or of the number of its first overflow page.
    let value: UnsafeRawPointer
    let valueCount: Int
  }

  /// Returns the entry at an index of a leaf.
  @inline(__always)
  func entry(_ index: Int) throws(LMDBError) -> Entry {
    let node = try self.node(index)
    let (flags, keySize, valueCount) = (node.half(at: 4), node.half(at: 6), Int(node.word(at: 0)))
    let key = node + MappedPages.nodeHeaderSize
    let valueOffset = key - start + keySize
    guard flags <= 2, keySize > 0, valueOffset + (flags & 1 != 0 ? 8 : valueCount) <= size else { throw .corrupted }
    return Entry(
      key: UnsafeRawBufferPointer(start: key, count: keySize), flags: flags, value: start + valueOffset,
      valueCount: valueCount)
  }

  @inline(__always)
  private func node(_ index: Int) throws(LMDBError) -> UnsafeRawPointer {
    let offset = start.half(at: MappedPages.headerSize + 2 * index)
    guard offset >= start.half(at: 14), offset + MappedPages.nodeHeaderSize <= size else { throw .corrupted }
    return start + offset
  }
}

extension UnsafeRawPointer {
  @inline(__always)
  fileprivate func half(at offset: Int) -> Int { Int(loadUnaligned(fromByteOffset: offset, as: UInt16.self)) }
  @inline(__always)
  fileprivate func word(at offset: Int) -> UInt32 { loadUnaligned(fromByteOffset: offset, as: UInt32.self) }
  internal func number(at offset: Int) -> UInt64 { loadUnaligned(fromByteOffset: offset, as: UInt64.self) }
}
