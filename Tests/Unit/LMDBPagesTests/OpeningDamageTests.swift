// What is checked of a file before LMDB opens it.
import SeededRandom
import Testing

@testable import LMDBPages

/// Threat: LMDB overwrites memory and pages in use where the pages that it changes are damaged.
@Suite struct `Damage before opening` {
  private let sample = SampleFile()
  private let file: DataFile
  private let meta: MetaPage

  /// Writes a table of more pages than are all checked, with a few large values, each of which begins with its key.
  init() throws {
    sample.write { transaction in
      let table = transaction.table(nil)
      for number in 0..<5_000 {
        let size = number % 500 == 7 ? 10_000 : 900
        transaction.put(Self.key(number), Self.key(number) + [UInt8](repeating: 5, count: size), in: table)
      }
    }
    for number in 5_000..<5_004 {
      sample.write { $0.put(Self.key(number), Self.key(number), in: $0.table(nil)) }
    }
    sample.close()
    file = try DataFile(path: sample.path)
    meta = try file.newestMeta()
  }

  private static func key(_ number: Int) -> [UInt8] { [UInt8(number / 256), UInt8(number % 256), 1] }

  private func damage() throws -> PageDamage? {
    try file.openingDamage(of: file.newestMeta()) { Array($0.prefix(3)) }
  }

  @Test func `a sound file has none`() throws {
    #expect(meta.lastPage.rawValue > 1_024 && meta.main.depth > 1 && meta.main.overflowPages > 20)
    #expect(try damage() == nil)
    #expect(try file.examine(meta).damages == [])
  }

  @Test func `a page in use is found in the free list, whatever is in it`() throws {
    let root = try #require(meta.free.root)
    // The last value of the only page: its last number is the smallest.
    let end = Int(root.rawValue + 1) * file.pageSize - 8
    let smallest = sample.contents[end...].prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    let unused = try file.examine(meta).unusedPages
    #expect(smallest > 1_000 && smallest <= meta.lastPage.rawValue)
    var random = SeededRandom.printingSeed()
    var overflow = 0
    for page in 2..<smallest where page % 16 == 7 || random.below(12) == 0 {
      if unused.contains(where: { $0.contains(page) }) { continue }
      sample.overwrite(at: end, (0..<8).map { UInt8(truncatingIfNeeded: page >> ($0 * 8)) })
      #expect(try damage() != nil, "page \(page)")
      if (try? TreePage(file.bytes(of: PageNumber(rawValue: page)), number: PageNumber(rawValue: page))) == nil {
        overflow += 1
      }
    }
    #expect(overflow > 0)
  }

  @Test func `damage of the first and last pages of the table is found`() throws {
    var random = SeededRandom.printingSeed()
    let edges = try [Self.key(0), Self.key(5_003)].flatMap { try path(to: $0) }
    #expect(Set(edges).count > 3)
    for page in edges {
      // Each of the bytes of the header, after the two that LMDB does not use.
      for byte in [0, 1, 2, 3, 10, 11, 12, 13, 14, 15] {
        let offset = Int(page.rawValue) * file.pageSize + byte
        let before = sample.overwrite(at: offset, [sample.contents[offset] ^ 1 << random.below(8)])
        #expect(try damage() != nil, "byte \(byte) of page \(page)")
        sample.overwrite(at: offset, before)
      }
    }
    #expect(try damage() == nil)
  }

  /// Returns the pages on the path to a key.
  private func path(to key: [UInt8]) throws -> [PageNumber] {
    var pages = [try #require(meta.main.root)]
    while true {
      let page = try TreePage(file.bytes(of: pages[pages.count - 1]), number: pages[pages.count - 1])
      if page.isLeaf { return pages }
      let index = page.nodes.indices.dropFirst().last { !key[...].lexicographicallyPrecedes(page.key($0)) } ?? 0
      pages.append(page.nodes[index].child)
    }
  }
}
