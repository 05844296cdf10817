/// One of the two meta pages at the start of a data file, with the tree roots as of one transaction.
///
/// Transaction n writes page n & 1, so the other page holds the state before it, and both can be walked.
public struct MetaPage: Hashable, Sendable {
  /// The index of this meta page: 0 or 1.
  public let index: Int

  /// The transaction that wrote it; 0 before the first.
  public let transaction: UInt64

  /// The size of the map that the writer had reserved, in bytes; the file's content does not depend on it.
  public let mapSize: UInt64

  /// The last page ever allocated; the pages up to it are in a tree or free.
  public let lastPage: PageNumber

  /// The unnamed table, whose values are the records of the named ones.
  public let main: TreeRecord

  /// The free list, itself a table: transaction → the pages it freed.
  public let free: TreeRecord
}

/// The 48-byte record of a table: its root and its expected size (C: `MDB_db`).
public struct TreeRecord: Hashable, Sendable {
  /// The root page; nil when the table is empty.
  public let root: PageNumber?

  /// The number of pages on every path from the root to an entry; 0 when the table is empty.
  public let depth: Int

  /// The expected number of entries.
  public let entries: UInt64

  /// The expected number of pages with keys and child pages.
  public let branchPages: UInt64

  /// The expected number of pages with entries.
  public let leafPages: UInt64

  /// The expected number of pages with values too large for a leaf.
  public let overflowPages: UInt64

  /// The order of the keys: 0 as bytes, 8 as integers (`MDB_INTEGERKEY`); the free list can have two more bits.
  public let flags: UInt16

  /// The page that stores the record, for damage to the record as a whole.
  let page: PageNumber
  let fileOffset: Int
}

extension TreeRecord {
  /// The flag `MDB_INTEGERKEY`: keys are numbers of 4 or 8 bytes in the host's order.
  static let integerKeys: UInt16 = 0x08

  /// The bits the free list's flags share with the environment's: `MDB_FIXEDMAP` and `MDB_NOSUBDIR`.
  static let environmentFlags: UInt16 = 0x4001

  static let byteCount = 48

  var hasIntegerKeys: Bool { flags & Self.integerKeys != 0 }

  /// Returns a damage to this record.
  func damage(_ reason: String) -> PageDamage { PageDamage(page, at: fileOffset, reason) }

  /// Reads a record from a page's bytes and checks its consistency.
  init(
    _ bytes: [UInt8], at offset: Int, of page: PageNumber, pageSize: Int, lastPage: PageNumber
  ) throws(PageDamage) {
    let root = PageNumber(bytes.load(UInt64.self, at: offset + 40))
    self.root = root == .none ? nil : root
    depth = Int(bytes.load(UInt16.self, at: offset + 6))
    branchPages = bytes.load(UInt64.self, at: offset + 8)
    leafPages = bytes.load(UInt64.self, at: offset + 16)
    overflowPages = bytes.load(UInt64.self, at: offset + 24)
    entries = bytes.load(UInt64.self, at: offset + 32)
    flags = bytes.load(UInt16.self, at: offset + 4)
    self.page = page
    fileOffset = Int(page.rawValue) * pageSize + offset
    if let reason = contradiction(lastPage: lastPage) { throw damage("has a table record " + reason) }
  }

  /// Returns the contradiction in the record that no tree can have; nil when there is none.
  private func contradiction(lastPage: PageNumber) -> String? {
    guard let root else {
      let isEmpty = depth == 0 && entries == 0 && branchPages == 0 && leafPages == 0 && overflowPages == 0
      return isEmpty
        ? nil
        : "without a root, of depth \(depth), \(entries) entries and "
          + "\(branchPages) + \(leafPages) + \(overflowPages) pages"
    }
    if root < .first || root > lastPage { return "whose root \(root) is not within 2...\(lastPage)" }
    if !(1...32).contains(depth) { return "of depth \(depth), not 1 to 32" }
    if entries == 0 || leafPages == 0 { return "of \(entries) entries on \(leafPages) leaf pages" }
    if (branchPages == 0) != (depth == 1) { return "of depth \(depth) with \(branchPages) branch pages" }
    if let most = [branchPages, leafPages, overflowPages].max(), most > lastPage.rawValue {
      return "of \(most) pages, more than the \(lastPage) there are"
    }
    return nil
  }
}

extension PageNumber {
  /// All ones: no page (C: `P_INVALID`).
  static let none = PageNumber(.max)

  /// The first page after the two meta pages.
  static let first = PageNumber(2)
}

extension [UInt8] {
  /// Returns a number in the host's byte order; the caller has checked that it is within the array.
  func load<Number: FixedWidthInteger & BitwiseCopyable>(_ type: Number.Type, at offset: Int) -> Number {
    withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: type) }
  }
}
