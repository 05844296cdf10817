/// The bits of a page's flags that determine its type.
enum PageKind {
  static let branch: UInt16 = 0x01
  static let leaf: UInt16 = 0x02
  static let overflow: UInt16 = 0x04
  static let meta: UInt16 = 0x08
  static let fixedSizeLeaf: UInt16 = 0x20
  static let subPage: UInt16 = 0x40
}

/// A branch or leaf page whose layout is sound: its nodes fill it without gap or overlap.
///
/// LMDB's readers do not need the nodes to fill the page exactly, but its writer ensures it: deleting a node moves the
/// others together. The check catches nearly every changed offset and size.
struct TreePage {
  let number: PageNumber
  let fileOffset: Int
  let bytes: [UInt8]
  let isLeaf: Bool
  let nodes: [Node]

  /// The offsets of a node and its parts within the page.
  struct Node {
    let offset: Int
    let key: Range<Int>
    /// The size of a leaf node's value, which with `isBig` is stored on overflow pages.
    let valueSize: Int
    let flags: UInt16
    /// The child page of a branch node.
    let child: PageNumber

    var isBig: Bool { flags & 1 != 0 }
    var isRecord: Bool { flags & 2 != 0 }
    var end: Int { key.upperBound }
  }

  /// The first 16 bytes of every page, then 2 for each node's offset.
  static let headerSize = 16
  /// The first 8 bytes of every node.
  static let nodeHeaderSize = 8
  /// The longest key LMDB 0.9 writes (`mdb_env_get_maxkeysize`).
  static let keySizeMax = 511
}

extension TreePage {
  func key(_ index: Int) -> ArraySlice<UInt8> { bytes[nodes[index].key] }

  func damage(at offset: Int = 0, _ reason: String) -> PageDamage {
    PageDamage(number, at: fileOffset + offset, reason)
  }

  /// Reads a page's nodes after checking its layout.
  init(_ bytes: [UInt8], number: PageNumber) throws(PageDamage) {
    self.number = number
    self.bytes = bytes
    let pageSize = bytes.count
    let fileOffset = Int(number.rawValue) * pageSize
    self.fileOffset = fileOffset
    let flags = bytes.load(UInt16.self, at: 10)
    isLeaf = flags == PageKind.leaf
    if let (offset, reason) = Self.headerFault(bytes, number: number, flags: flags) {
      throw PageDamage(number, at: fileOffset + offset, reason)
    }

    let lower = Int(bytes.load(UInt16.self, at: 12))
    let upper = Int(bytes.load(UInt16.self, at: 14))
    var nodes: [Node] = []
    for pointer in stride(from: Self.headerSize, to: lower, by: 2) {
      let offset = Int(bytes.load(UInt16.self, at: pointer))
      guard offset >= upper, offset <= pageSize - Self.nodeHeaderSize, offset % 2 == 0 else {
        throw PageDamage(
          number, at: fileOffset + pointer, "has a node at \(offset), not within \(upper)..<\(pageSize)")
      }
      nodes.append(Node(bytes, at: offset))
    }
    self.nodes = nodes
    try checkNodes(upper: upper)
  }

  private static func headerFault(
    _ bytes: [UInt8], number: PageNumber, flags: UInt16
  ) -> (offset: Int, reason: String)? {
    let claimed = bytes.load(UInt64.self, at: 0)
    let lower = Int(bytes.load(UInt16.self, at: 12))
    let upper = Int(bytes.load(UInt16.self, at: 14))
    if claimed != number.rawValue { return (0, "says it is page \(claimed)") }
    if flags & (PageKind.fixedSizeLeaf | PageKind.subPage) != 0 {
      return (10, "has the flags \(hex(flags)) of a table with sorted duplicates, which Verbatim does not use")
    }
    if flags != PageKind.leaf && flags != PageKind.branch {
      return (10, "has the flags \(hex(flags)), neither a branch's 0x1 nor a leaf's 0x2")
    }
    guard lower >= headerSize, lower % 2 == 0, lower <= upper, upper <= bytes.count else {
      return (12, "says its free space is \(lower)..<\(upper) of \(bytes.count) bytes")
    }
    let count = (lower - headerSize) / 2
    if count < 1 { return (12, "has no nodes") }
    return nil
  }

  /// Checks that every node is sound and that together they fill the page from `upper` to its end.
  private func checkNodes(upper: Int) throws(PageDamage) {
    for (index, node) in nodes.enumerated() {
      if let reason = isLeaf ? leafFault(node) : branchFault(node, isFirst: index == 0) {
        throw damage(at: node.offset, "has a node \(index) at \(node.offset) " + reason)
      }
    }
    var end = upper
    for node in nodes.sorted(by: { $0.offset < $1.offset }) {
      guard node.offset == end else {
        let reason = "has a node at \(node.offset) where \(end) was next: they overlap or leave a gap"
        throw damage(at: node.offset, reason)
      }
      end = extent(of: node)
    }
    if end != bytes.count { throw damage(at: 14, "has nodes that end at \(end) of \(bytes.count) bytes") }
  }

  /// Returns the end of a node, including its padding to an even size.
  private func extent(of node: Node) -> Int {
    let value = !isLeaf ? 0 : node.isBig ? 8 : node.valueSize
    return (node.end + value + 1) & ~1
  }

  private func leafFault(_ node: Node) -> String? {
    if node.flags & 4 != 0 {
      return "with sorted duplicates (flags \(hex(node.flags))), which Verbatim does not use"
    }
    if node.flags > 2 { return "with the flags \(hex(node.flags))" }
    if !(1...Self.keySizeMax).contains(node.key.count) { return "with a key of \(node.key.count) bytes" }
    if extent(of: node) > bytes.count {
      return "with a key of \(node.key.count) and a value of \(node.valueSize) bytes, which leave the page"
    }
    if node.isRecord && node.valueSize != TreeRecord.byteCount {
      return "with a table record of \(node.valueSize) bytes, not \(TreeRecord.byteCount)"
    }
    return nil
  }

  /// Returns what is wrong with a branch node; the first key of a branch is never read, and usually empty.
  private func branchFault(_ node: Node, isFirst: Bool) -> String? {
    let sizes = (isFirst ? 0 : 1)...Self.keySizeMax
    if !sizes.contains(node.key.count) { return "with a key of \(node.key.count) bytes" }
    if extent(of: node) > bytes.count {
      return "with a key of \(node.key.count) bytes, which leaves the page"
    }
    return nil
  }
}

extension TreePage.Node {
  /// Reads a node's header, which is within the page; key and value need not be.
  init(_ bytes: [UInt8], at offset: Int) {
    let size = bytes.load(UInt32.self, at: offset)
    flags = bytes.load(UInt16.self, at: offset + 4)
    let keySize = Int(bytes.load(UInt16.self, at: offset + 6))
    let keyStart = offset + TreePage.nodeHeaderSize
    self.offset = offset
    key = keyStart..<keyStart + keySize
    valueSize = Int(size)
    child = PageNumber(UInt64(size) | UInt64(flags) << 32)
  }
}
