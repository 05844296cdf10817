/// One of the two pages a data file starts with: the roots of everything, as of one transaction.
///
/// Transaction n writes page n & 1, so the other page holds the state before it, and both can be walked.
public struct MetaPage: Hashable, Sendable {
  /// 0 or 1: which of the two pages this is.
  public let index: Int

  /// The transaction that wrote it; 0 when none has yet.
  public let transaction: UInt64

  /// The size of the map the writer had reserved, in bytes; nothing of the file's content depends on it.
  public let mapSize: UInt64

  /// The last page ever taken; the pages up to it are in a tree or free.
  public let lastPage: PageNumber

  /// The unnamed table, whose values are the records of the named ones.
  public let main: TreeRecord

  /// The list of pages that are free, itself a table: transaction → the pages it freed.
  public let free: TreeRecord
}

/// The 48 bytes that describe a table: where its tree starts, and how large it should be (C: `MDB_db`).
public struct TreeRecord: Hashable, Sendable {
  /// The page at the top; nil when the table is empty.
  public let root: PageNumber?

  /// How many pages lie on every way from the top to an entry; 0 when the table is empty.
  public let depth: Int

  /// How many entries it should have.
  public let entries: UInt64

  /// How many pages should hold keys and child pages.
  public let branchPages: UInt64

  /// How many pages should hold entries.
  public let leafPages: UInt64

  /// How many pages should hold the values too large for a leaf.
  public let overflowPages: UInt64

  /// How the table orders its keys: 0 as bytes, 8 as integers (`MDB_INTEGERKEY`); the free list may carry two
  /// more.
  public let flags: UInt16

  /// Where the record is stored, for what is wrong with it as a whole.
  let page: PageNumber
  let fileOffset: Int
}

extension TreeRecord {
  /// `MDB_INTEGERKEY`: keys are numbers of 4 or 8 bytes in the host's order.
  static let integerKeys: UInt16 = 0x08

  /// The bits the free list's flags share with the environment's: `MDB_FIXEDMAP` and `MDB_NOSUBDIR`.
  static let environmentFlags: UInt16 = 0x4001

  static let byteCount = 48

  var hasIntegerKeys: Bool { flags & Self.integerKeys != 0 }

  /// Something wrong with what the record says.
  func damage(_ reason: String) -> PageDamage { PageDamage(page, at: fileOffset, reason) }

  /// Reads a record that lies in a page's bytes, and checks what can be told from it alone.
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

  /// What the record says that cannot be true of any tree.
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
  /// A number in the host's order; the caller has checked that it lies within.
  func load<Number: FixedWidthInteger & BitwiseCopyable>(_ type: Number.Type, at offset: Int) -> Number {
    withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: type) }
  }
}
