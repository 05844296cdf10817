// The question whether a page of the free list is in use.

/// A page that the free list has.
struct FreePage {
  private let number: PageNumber
  private let meta: MetaPage
  private let file: DataFile

  init(_ number: PageNumber, of meta: MetaPage, in file: DataFile) {
    (self.number, self.meta, self.file) = (number, meta, file)
  }

  /// Returns the damage if the table has the page nevertheless.
  ///
  /// A free page has what was in it before it was freed, or what was in the file before. The tree is searched for the
  /// key that the page begins with: if the page is in use, it is on that path.
  func use(_ key: (UnsafeRawBufferPointer) -> [UInt8]?) -> PageDamage? {
    guard let bytes = try? file.bytes(of: number) else { return nil }
    if let page = try? TreePage(bytes, number: number),
      let first = page.nodes.indices.dropFirst(page.isLeaf ? 0 : 1).first
    {
      return isOnPath(to: page.key(first), number) ? damage : nil
    }
    guard let run = valueRun(), let value = try? file.bytes(of: run.start, count: run.count * file.pageSize),
      let key = value.withUnsafeBytes({ key(UnsafeRawBufferPointer(rebasing: $0[TreePage.headerSize...])) })
    else { return nil }
    return isOnPath(to: key[...], run.start) ? damage : nil
  }

  private var damage: PageDamage {
    PageDamage(number, at: Int(number.rawValue) * file.pageSize, "is in the free list, and is in use")
  }

  /// Returns the run of overflow pages that reaches the page; nil if there is none.
  private func valueRun() -> (start: PageNumber, count: Int)? {
    for distance in 0..<min(number.rawValue, Self.runLengthMax) {
      let start = PageNumber(number.rawValue - distance)
      guard let header = try? file.bytes(of: start, count: TreePage.headerSize) else { return nil }
      guard header.load(UInt64.self, at: 0) == start.rawValue else { continue }
      let count = header.load(UInt32.self, at: 12)
      guard header.load(UInt16.self, at: 10) == PageKind.overflow, count > distance, count <= Self.runLengthMax else {
        return nil
      }
      return (start, Int(count))
    }
    return nil
  }

  /// The number of pages of the longest value that is searched for: 64 MiB.
  private static let runLengthMax: UInt64 = 1 << 14

  /// Returns whether a page is on the path to a key, or has its value.
  private func isOnPath(to key: ArraySlice<UInt8>, _ page: PageNumber) -> Bool {
    var next = meta.main.root
    for _ in 0..<meta.main.depth {
      guard let number = next else { return false }
      if number == page { return true }
      guard number <= meta.lastPage, let bytes = try? file.bytes(of: number),
        let tree = try? TreePage(bytes, number: number)
      else { return false }
      if tree.isLeaf {
        guard let node = tree.nodes.indices.first(where: { tree.key($0) == key }).map({ tree.nodes[$0] }) else {
          return false
        }
        return node.isBig && PageNumber(tree.bytes.load(UInt64.self, at: node.end)) == page
      }
      // The first key of a branch is never read: all keys below the second one are there.
      let index = tree.nodes.indices.dropFirst().last { !key.precedes(tree.key($0)) } ?? 0
      next = tree.nodes[index].child
    }
    return false
  }
}
