// The bytes of a data file that are structure.
@testable import LMDBPages

/// The bytes of a sound file that are structure, which a reader must be able to rely on, in both states.
struct Layout {
  private(set) var structure: Set<Int> = []
  /// The pages of each table in the newer state.
  private(set) var leaves: [String: [TreePage]] = [:]
  private(set) var branches: [String: [TreePage]] = [:]
  /// The offsets of the values of the free list.
  private(set) var freeLists: [Int] = []
  /// The low bytes of sizes in leaves: a change by one can vanish in the padding to an even size.
  private var padded: Set<Int> = []

  init(_ file: DataFile) throws {
    let metas = try file.metas.map { try $0.get() }.sorted { $0.transaction < $1.transaction }
    for meta in metas {
      freeLists = []
      let start = meta.index * file.pageSize
      add(start..<start + 8, start + 10..<start + 12, start + 16..<start + 24, start + 40..<start + 88)
      add(start + 92..<start + 152)
      try addTree(meta.free, "free", file, meta)
      try addTree(meta.main, "main", file, meta)
      for entry in try addTree(meta.main, "main", file, meta) {
        add(entry.valueOffset + 4..<entry.valueOffset + 48)
        let name = String(decoding: entry.page.bytes[entry.node.key], as: UTF8.self)
        try addTree(file.record(at: entry, meta).get(), name, file, meta)
      }
    }
  }

  /// Whether flipping this byte must be reported.
  func mustTell(_ offset: Int, _ old: UInt8, _ new: UInt8) -> Bool {
    structure.contains(offset) && !(padded.contains(offset) && abs(Int(old) - Int(new)) == 1)
  }

  private mutating func add(_ ranges: Range<Int>...) { for range in ranges { structure.formUnion(range) } }

  @discardableResult
  private mutating func addTree(
    _ record: TreeRecord, _ name: String, _ file: DataFile, _ meta: MetaPage
  ) throws -> [TreeWalk.Entry] {
    (leaves[name], branches[name]) = ([], [])
    if let root = record.root { try addPages(root, name, file) }
    var entries: [TreeWalk.Entry] = []
    let used = try PageSet(limit: file.pageCount)
    TreeWalk(record, of: meta, in: file, used: used, findings: Findings(limit: 1)).run { entry in
      if entry.node.isBig { addRun(entry) }
      if name == "free" {
        add(entry.valueOffset..<entry.valueOffset + entry.node.valueSize)
        freeLists.append(entry.valueOffset)
      }
      entries.append(entry)
      return true
    }
    return entries
  }

  private mutating func addPages(_ number: PageNumber, _ name: String, _ file: DataFile) throws {
    let page = try TreePage(file.bytes(of: number), number: number)
    let start = page.fileOffset
    add(start..<start + 8, start + 10..<start + 16 + 2 * page.nodes.count)
    for node in page.nodes {
      let offset = start + node.offset
      // The size of a large value can change within its last page unnoticed.
      add(offset + (node.isBig ? 2 : 0)..<offset + 8)
      if page.isLeaf { padded.formUnion([offset, offset + 6]) }
      if !page.isLeaf { try addPages(node.child, name, file) }
    }
    if page.isLeaf { leaves[name]?.append(page) } else { branches[name]?.append(page) }
  }

  /// Adds the overflow page's number, flags and count, and the page number in the node above it.
  private mutating func addRun(_ entry: TreeWalk.Entry) {
    let start = entry.valueOffset - TreePage.headerSize
    add(start..<start + 8, start + 10..<start + 16)
    let pointer = entry.page.fileOffset + entry.node.end
    add(pointer..<pointer + 8)
  }
}
