// The two meta pages of a data file: the page size, their content, and whether they are consistent.

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension DataFile {
  /// Both current meta pages, each as a page or as its damage; always exactly two.
  public var metas: [Result<MetaPage, PageDamage>] {
    [0, 1].map { index in
      Result { () throws(PageDamage) -> MetaPage in try self.meta(index) }
    }
  }

  /// Returns the newest meta page that is sound in itself.
  ///
  /// LMDB itself reads only the newer of the two: it refuses a file whose newer meta page is damaged, while this falls
  /// back to the other, which is the state one transaction earlier.
  public func newestMeta() throws(DataFileError) -> MetaPage {
    let metas = metas
    switch (metas[0], metas[1]) {
    case (.success(let first), .success(let second)):
      return first.transaction < second.transaction ? second : first
    case (.success(let only), .failure), (.failure, .success(let only)): return only
    case (.failure(let first), .failure(let second)):
      throw .noMetaPage(path: path, first, second)
    }
  }

  /// Returns the contradiction between the two meta pages; nil when they are as commits leave them.
  ///
  /// The page in force must be sound throughout. Of the other, which no transaction reads before the next commit
  /// overwrites it, only the fields that LMDB itself requires at opening count: after a failed write of a meta page,
  /// LMDB restores the transaction number and the last page and leaves the trees of the failed commit.
  public func metaDisagreement() -> String? {
    do throws(PageDamage) {
      let heads = (try head(0), try head(1))
      if let disagreement = disagreement(heads.0, heads.1) { return disagreement }
      let newer = heads.0.transaction < heads.1.transaction ? 1 : 0
      _ = try meta(newer)
      // Before the first commit both are in force.
      if heads.0.transaction == heads.1.transaction { _ = try meta(1 - newer) }
      return nil
    } catch {
      return error.description
    }
  }

  private func disagreement(_ first: MetaHead, _ second: MetaHead) -> String? {
    let isNew = first.transaction == 0 && second.transaction == 0
    if !isNew {
      for head in [first, second] where head.transaction & 1 != UInt64(head.index) {
        return "Meta page \(head.index) holds transaction \(head.transaction), which belongs in the other."
      }
    }
    let (older, newer) = second.transaction < first.transaction ? (second, first) : (first, second)
    if !isNew && newer.transaction - older.transaction != 1 {
      let pair = "\(older.transaction) and \(newer.transaction)"
      return "The meta pages hold transactions \(pair), not two in a row."
    }
    if newer.lastPage < older.lastPage {
      return "The last page fell from \(older.lastPage) to \(newer.lastPage) in transaction "
        + "\(newer.transaction); files never shrink."
    }
    if first.freeFlags != second.freeFlags {
      let flags = "\(hex(first.freeFlags)) and \(hex(second.freeFlags))"
      return "The meta pages hold the flags \(flags), which never change."
    }
    return nil
  }

  /// Returns how the meta page that is not in force differs from the state one transaction earlier; nil when it does
  /// not.
  ///
  /// Nothing that was committed depends on it: a failed write of a meta page leaves such a page, and the next commit
  /// overwrites it.
  public func unusedMetaDefect() -> String? {
    guard metaDisagreement() == nil, let inForce = try? newestMeta() else { return nil }
    switch metas[1 - inForce.index] {
    case .failure(let damage): return damage.description
    case .success(let other) where other.main.entries > inForce.main.entries:
      return "Meta page \(other.index) has \(other.main.entries) entries, and page \(inForce.index), which is in "
        + "force, has \(inForce.main.entries)."
    case .success: return nil
    }
  }

  /// Returns the entry counts of the unnamed table by the meta page in force and by the other; nil when a page is
  /// unreadable.
  ///
  /// A table that only grows has more entries in the other page when the last commit is not in force: its meta page
  /// could not be written, or a damaged number makes the older page count as the newer.
  public func entryCounts() -> (inForce: UInt64, other: UInt64)? {
    guard let inForce = try? newestMeta(),
      let bytes = try? bytes(of: PageNumber(UInt64(1 - inForce.index)), count: MetaOffset.end)
    else { return nil }
    return (inForce.main.entries, bytes.load(UInt64.self, at: MetaOffset.main + 32))
  }
}

extension DataFile {
  /// Whether the file's creation was interrupted: each of the first two pages is a part of a meta page of no
  /// transaction, or zeros.
  public var isUnfinished: Bool {
    (0..<2).allSatisfy { index in
      var bytes = [UInt8](repeating: 0, count: MetaOffset.end)
      let count = bytes.withUnsafeMutableBytes { (try? read(at: index * pageSize, into: $0)) ?? 0 }
      let found = bytes[..<min(count, MetaOffset.end)]
      if found.allSatisfy({ $0 == 0 }) { return true }
      let page = UInt64(index)
      let number = withUnsafeBytes(of: page.littleEndian) { Array($0) }
      let head = number + [0, 0, UInt8(PageKind.meta), 0, 0, 0, 0, 0, 0xDE, 0xC0, 0xEF, 0xBE]
      let hasNoTransaction = found.dropFirst(MetaOffset.transaction).allSatisfy { $0 == 0 }
      return found.prefix(head.count).elementsEqual(head.prefix(found.count)) && hasNoTransaction
    }
  }
}

/// The fields of a meta page other than its trees.
private struct MetaHead {
  let index: Int
  let transaction: UInt64
  let lastPage: PageNumber
  let freeFlags: UInt16
}

/// Offsets within a meta page (C: `MDB_meta` after the page header of 16 bytes).
enum MetaOffset {
  static let magic = 16
  static let version = 20
  static let mapSize = 32
  static let pageSize = 40
  static let free = 40
  static let main = 88
  static let lastPage = 136
  static let transaction = 144
  static let end = 152
}

extension DataFile {
  private static let magic: UInt32 = 0xBEEF_C0DE
  private static let version: UInt32 = 1

  private func head(_ index: Int) throws(PageDamage) -> MetaHead {
    let bytes = try soundBytes(index)
    return MetaHead(
      index: index, transaction: bytes.load(UInt64.self, at: MetaOffset.transaction),
      lastPage: PageNumber(bytes.load(UInt64.self, at: MetaOffset.lastPage)),
      freeFlags: bytes.load(UInt16.self, at: MetaOffset.free + 4))
  }

  /// Returns the bytes of a meta page whose head is sound.
  private func soundBytes(_ index: Int) throws(PageDamage) -> [UInt8] {
    let page = PageNumber(UInt64(index))
    let bytes = try bytes(of: page, count: MetaOffset.end)
    if let (offset, reason) = strangeness(bytes, of: page) {
      throw PageDamage(page, at: index * pageSize + offset, reason)
    }
    return bytes
  }

  private func meta(_ index: Int) throws(PageDamage) -> MetaPage {
    let page = PageNumber(UInt64(index))
    let bytes = try soundBytes(index)
    let lastPage = PageNumber(bytes.load(UInt64.self, at: MetaOffset.lastPage))
    let record = { (offset: Int) throws(PageDamage) in
      try TreeRecord(bytes, at: offset, of: page, pageSize: self.pageSize, lastPage: lastPage)
    }
    let (free, main) = (try record(MetaOffset.free), try record(MetaOffset.main))
    // The free list's field here holds the page size; newer versions of LMDB reject any value but 0 in the table's.
    let pad = bytes.load(UInt32.self, at: MetaOffset.main)
    if pad != 0 { throw main.damage("has a table record with \(hex(pad)) where 0 is required") }
    if free.flags & ~TreeRecord.environmentFlags != TreeRecord.integerKeys {
      throw free.damage("says that the free list has the flags \(hex(free.flags)), not \(hex(8))")
    }
    return MetaPage(
      index: index,
      transaction: bytes.load(UInt64.self, at: MetaOffset.transaction),
      mapSize: bytes.load(UInt64.self, at: MetaOffset.mapSize),
      lastPage: lastPage, main: main, free: free)
  }

  /// Returns why a page is not a meta page of this file, and the offset of the wrong field.
  private func strangeness(_ bytes: [UInt8], of page: PageNumber) -> (offset: Int, reason: String)? {
    let number = bytes.load(UInt64.self, at: 0)
    let flags = bytes.load(UInt16.self, at: 10)
    let magic = bytes.load(UInt32.self, at: MetaOffset.magic)
    let version = bytes.load(UInt32.self, at: MetaOffset.version)
    let size = bytes.load(UInt32.self, at: MetaOffset.pageSize)
    let lastPage = bytes.load(UInt64.self, at: MetaOffset.lastPage)
    if magic != Self.magic {
      return (MetaOffset.magic, "is not a meta page: its magic is \(hex(magic)), not \(hex(Self.magic))")
    }
    if version != Self.version { return (MetaOffset.version, "is of format \(version), not \(Self.version)") }
    if number != page.rawValue { return (0, "says it is page \(number)") }
    if flags != PageKind.meta { return (10, "has the flags \(hex(flags)), not a meta page's 0x8") }
    if size != pageSize { return (MetaOffset.pageSize, "says pages have \(size) bytes, not \(pageSize)") }
    // The limit leaves room to multiply by any page size, and to point to every page in a node's 48 bits.
    if lastPage < 1 || lastPage >= 1 << 47 { return (MetaOffset.lastPage, "says the last page is \(lastPage)") }
    return nil
  }

  /// Returns the page size that both meta pages give, else the one either gives, else 4096.
  ///
  /// The second is stored one page after the first, so a size is tried first where a meta page at that offset confirms
  /// it. LMDB 0.9 has pages of 32 KiB at most, since offsets within one have 16 bits.
  static func pageSize(of descriptor: Int32) -> Int {
    let sizes = (8...15).map { 1 << $0 }
    let first = claimedPageSize(of: descriptor, at: 0).flatMap { sizes.contains($0) ? $0 : nil }
    let candidates = (first.map { [$0] } ?? []) + sizes
    return candidates.first { claimedPageSize(of: descriptor, at: $0) == $0 } ?? first ?? 4096
  }

  private static func claimedPageSize(of descriptor: Int32, at offset: Int) -> Int? {
    var bytes = [UInt8](repeating: 0, count: MetaOffset.end)
    let count = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress!, $0.count, off_t(offset)) }
    guard count == bytes.count, bytes.load(UInt32.self, at: MetaOffset.magic) == magic else { return nil }
    return Int(bytes.load(UInt32.self, at: MetaOffset.pageSize))
  }
}

/// Returns a number as the format's documentation writes it.
func hex(_ number: some BinaryInteger) -> String { "0x" + String(number, radix: 16) }
