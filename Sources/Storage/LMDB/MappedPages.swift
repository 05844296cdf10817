// The pages of an environment as they are mapped, one state of them, read with every step checked.
internal import CLMDB
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The pages that a read transaction sees.
///
/// LMDB follows what a page says without a look, so that a damaged one may end the process. Here every number that a
/// page holds is checked before it is followed: damage is an error. Pages that a transaction sees do not change while
/// it lasts.
internal struct MappedPages {
  private let base: UnsafeRawPointer
  private let environment: OpaquePointer
  let pageSize: Int
  /// Pages below this number lie within the file.
  private let pageCount: UInt64
  /// The record of the unnamed table.
  private let main: TreeTop

  /// Where a tree starts, and how many pages lie on every way down.
  struct TreeTop {
    let root: UInt64
    let depth: Int
  }

  /// The state that a transaction sees; nil where it is not known where the file is mapped to, or where others have
  /// committed twice since the transaction began, so that its meta page is no more.
  init?(_ shared: SharedEnvironment, transaction: OpaquePointer) {
    guard let start = shared.mapStart, let base = UnsafeRawPointer(bitPattern: start) else { return nil }
    let wanted = UInt64(truncatingIfNeeded: mdb_txn_id(transaction))
    // Transaction n writes page n & 1. Safe because both meta pages are there in every environment that is open.
    let meta = base + Int(wanted & 1) * shared.pageSize + MappedPages.headerSize
    guard meta.number(at: 128) == wanted else { return nil }
    let main = TreeTop(meta + 72)
    let lastPage = meta.number(at: 120)
    // The number is read again behind what it vouches for: another process may just have written the page anew.
    atomicMemoryFence(ordering: .acquiring)
    guard meta.number(at: 128) == wanted else { return nil }
    guard let pageCount = shared.pageCount(reaching: lastPage) else { return nil }
    (self.base, environment, pageSize) = (base, shared.pointer, shared.pageSize)
    (self.pageCount, self.main) = (min(pageCount, lastPage &+ 1), main)
  }

  /// The tree of a table, which was made when it was opened: that it is not there is damage.
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

  /// A branch or leaf page.
  func page(_ number: UInt64, isLeaf: Bool) throws(LMDBError) -> MappedPage {
    let start = try address(of: number)
    let (lower, upper) = (start.half(at: 12), start.half(at: 14))
    guard start.number(at: 0) == number, start.half(at: 10) == Int(isLeaf ? PageKind.leaf : PageKind.branch),
      lower > Self.headerSize, lower.isMultiple(of: 2), lower <= upper, upper <= pageSize
    else { throw .corrupted }
    return MappedPage(start: start, size: pageSize, count: (lower - Self.headerSize) / 2, isLeaf: isLeaf)
  }

  /// The content of a run of pages that holds one large value.
  func run(_ number: UInt64, byteCount: Int) throws(LMDBError) -> UnsafeRawPointer {
    let start = try address(of: number)
    let count = UInt64(start.word(at: 12))
    let end = number.addingReportingOverflow(count)
    guard start.number(at: 0) == number, start.half(at: 10) == Int(PageKind.overflow), !end.overflow,
      end.partialValue <= pageCount, Self.headerSize + byteCount <= Int(count) * pageSize
    else { throw .corrupted }
    return start + Self.headerSize
  }

  private func address(of number: UInt64) throws(LMDBError) -> UnsafeRawPointer {
    guard number >= 2, number < pageCount else { throw .corrupted }
    return base + Int(number) * pageSize
  }
}

extension MappedPages.TreeTop {
  /// Reads a table's record, 48 bytes.
  fileprivate init(_ record: UnsafeRawPointer) {
    depth = record.half(at: 6)
    root = record.number(at: 40)
  }
}

/// A branch or leaf page whose header is sound; its nodes are checked as they are looked at.
internal struct MappedPage {
  fileprivate let start: UnsafeRawPointer
  fileprivate let size: Int
  let count: Int
  let isLeaf: Bool

  /// The key at an index; nothing for the first of a branch, which is never looked at.
  func key(_ index: Int) throws(LMDBError) -> UnsafeRawBufferPointer {
    let node = try self.node(index)
    let keySize = node.half(at: 6)
    guard node - start + MappedPages.nodeHeaderSize + keySize <= size else { throw .corrupted }
    return UnsafeRawBufferPointer(start: node + MappedPages.nodeHeaderSize, count: keySize)
  }

  /// The page below a branch's node.
  func child(_ index: Int) throws(LMDBError) -> UInt64 {
    let node = try self.node(index)
    return UInt64(node.word(at: 0)) | UInt64(node.half(at: 4)) << 32
  }

  /// What a leaf's node holds.
  struct Entry {
    let key: UnsafeRawBufferPointer
    let flags: Int
    /// Where the value starts, or the number of the first page that it lies on.
    let value: UnsafeRawPointer
    let valueCount: Int
  }

  /// The node of a leaf at an index.
  @inline(__always)
  func entry(_ index: Int) throws(LMDBError) -> Entry {
    let node = try self.node(index)
    let (flags, keySize, valueCount) = (node.half(at: 4), node.half(at: 6), Int(node.word(at: 0)))
    let key = node + MappedPages.nodeHeaderSize
    let place = key - start + keySize
    guard flags <= 2, keySize > 0, place + (flags & 1 != 0 ? 8 : valueCount) <= size else { throw .corrupted }
    return Entry(
      key: UnsafeRawBufferPointer(start: key, count: keySize), flags: flags, value: start + place,
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
