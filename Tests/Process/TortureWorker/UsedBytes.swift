// The bytes of a file that have a meaning, by what they are: for LMDB's files, those of the pages in its trees.

/// The ranges of a file that have a meaning, each with a name; the rest is unused.
struct UsedBytes {
  private(set) var ranges: [(name: String, range: Range<Int>)] = []
  private let bytes: [UInt8]
  private let pageSize = 4096

  /// Reads an undamaged file; of a file that is not LMDB's, every byte has a meaning.
  init(of bytes: [UInt8], isDataFile: Bool) {
    self.bytes = bytes
    guard isDataFile else {
      ranges = [("content", 0..<bytes.count)]
      return
    }
    let newest = (0...1).max { number(8, at: $0 * pageSize + 144) < number(8, at: $1 * pageSize + 144) } ?? 0
    for page in 0...1 { addMeta(page * pageSize, isNewest: page == newest) }
    let records = newest * pageSize + 40
    addTree(number(8, at: records + 40), "free list", records: false)
    addTree(number(8, at: records + 48 + 40), "tables", records: true)
  }

  /// The ranges that have no meaning.
  var unused: [Range<Int>] {
    var (unused, end) = ([Range<Int>](), 0)
    for range in ranges.map(\.range).sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if range.lowerBound > end { unused.append(end..<range.lowerBound) }
      end = max(end, range.upperBound)
    }
    return end < bytes.count ? unused + [end..<bytes.count] : unused
  }

  private func number(_ count: Int, at offset: Int) -> Int {
    (0..<count).reversed().reduce(0) { $0 << 8 | Int(bytes[offset + $1]) }
  }

  private mutating func add(_ name: String, _ start: Int, _ count: Int) {
    if count > 0 { ranges.append((name, start..<start + count)) }
  }

  private mutating func addMeta(_ start: Int, isNewest: Bool) {
    let name = isNewest ? "newest meta page" : "older meta page"
    add("\(name): header", start, 16)
    add("\(name): magic number and version", start + 16, 8)
    add("\(name): address and size of the map", start + 24, 16)
    add("\(name): record of the free list", start + 40, 48)
    add("\(name): record of the tables", start + 88, 48)
    add("\(name): last page and transaction", start + 136, 16)
  }

  /// Adds the pages of a tree; with `records`, the values may be records of further tables.
  private mutating func addTree(_ root: Int, _ name: String, records: Bool) {
    // The number of no page: the tree is empty.
    if root == -1 { return }
    let start = root * pageSize
    let (flags, lower, upper) = (number(2, at: start + 10), number(2, at: start + 12), number(2, at: start + 14))
    add("page header", start, 16)
    add("offsets of nodes", start + 16, lower - 16)
    var end = start + upper
    for node in stride(from: start + 16, to: start + lower, by: 2).map({ start + number(2, at: $0) }).sorted() {
      // Nodes begin at even offsets; between two is a byte without meaning, if the first has an odd length.
      add("byte between nodes", end, node - end)
      end = addNode(node, isBranch: flags & 1 == 1, name, records: records)
    }
    add("byte between nodes", end, start + pageSize - end)
  }

  private mutating func addNode(_ node: Int, isBranch: Bool, _ name: String, records: Bool) -> Int {
    let (low, flags, keySize) = (number(4, at: node), number(2, at: node + 4), number(2, at: node + 6))
    let value = node + 8 + keySize
    add("node header", node, 8)
    add("key", node + 8, keySize)
    if isBranch {
      addTree(low | flags << 32, name, records: records)
      return value
    }
    if flags & 1 == 1 {
      let overflow = number(8, at: value)
      add("number of an overflow page", value, 8)
      add("header of an overflow page", overflow * pageSize, 16)
      add("value", overflow * pageSize + 16, low)
      return value + 8
    }
    let isRecord = records && flags & 2 == 2
    add(isRecord ? "record of a table" : name == "free list" ? "free list" : "value", value, low)
    if isRecord { addTree(number(8, at: value + 40), name, records: false) }
    return value + low
  }
}
