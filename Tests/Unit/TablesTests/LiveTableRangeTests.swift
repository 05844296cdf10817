// Threat: a range of a working table misses an unwritten row, or includes a removed one.
import Bytes
import SeededRandom
import Tables
import Testing

@Suite struct `A range of a working table` {
  @Test func `a range matches a dictionary during concurrent writes`() throws {
    var random = SeededRandom.printingSeed()
    var (asked, ahead) = (0, 0)
    for _ in 0..<8 {
      let scratch = Scratch()
      var folding = try Folding(SeededRandom(seed: random.next()), scratch.open())
      for _ in 0..<2_500 { try folding.step() }
      asked += folding.asked
      ahead += folding.ahead
    }
    #expect(asked > 1_000 && ahead > 10, "\(asked) and \(ahead), seed \(random.seed)")
  }

  @Test func `a range is sorted after many and after few new keys`() throws {
    let scratch = Scratch()
    let tables = LiveTables(of: try scratch.open(), at: 0)
    let table = tables.table(named: "one", of: Row.self)
    let keys = (0..<100 as Range<UInt8>).map { [7, $0 &* 37] }
    for (number, key) in keys.enumerated() {
      try table.set(Row(key), for: key)
      guard [2, 60, 61, 99].contains(number) else { continue }
      let found = try table.rows(under: [7] as [UInt8]).map(\.key)
      #expect(found == keys[...number].sorted { $0.lexicographicallyPrecedes($1) })
    }
  }
}

/// Rows that are set and removed, block by block, and written, restored or evicted; another process writes to the same
/// table store.
private struct Folding {
  /// The number of ranges that matched the dictionary, and of those that could not be read since the table store was
  /// ahead.
  private(set) var (asked, ahead) = (0, 0)
  private var random: SeededRandom
  private let changes: [(key: [UInt8], value: [UInt8]?)]
  private let folder: TableStore
  private var tables: LiveTables
  private var table: LiveTable<Row>
  private var folded = 0
  private var model: Rows = [:]

  init(_ random: SeededRandom, _ folder: TableStore) {
    (self.random, self.folder) = (random, folder)
    // There are few keys, many with a common prefix.
    var random = random
    changes = (0..<5_000).map { _ in
      let key = (0...random.below(3)).map { _ in Self.letter(&random) }
      return (key, random.below(3) == 0 ? nil : random.noise(random.below(4)).map { $0 & 0x7F })
    }
    tables = LiveTables(of: folder, at: 0)
    table = tables.table(named: "one")
  }

  private static func letter(_ random: inout SeededRandom) -> UInt8 { [0, 0x20, 0x21, 0xFE, 0xFF][random.below(5)] }

  mutating func step() throws {
    let written = try folder.logPoint()?.position ?? 0
    switch random.below(40) {
    case 0 where tables.position == UInt64(folded): try write()
    case 1 where random.below(6) == 0: try foldElsewhere(from: Int(written), through: folded + random.below(60))
    case 2...14: try ask()
    // A process that another one has overtaken continues from there.
    case 15 where written > tables.position: startOver(at: Int(written))
    // Rows past the position in the table store could not have been read to change them.
    case 16... where written <= tables.position:
      try table.set(changes[folded].value.map { Row($0) }, for: changes[folded].key)
      model[changes[folded].key] = changes[folded].value
      folded += 1
      // The position is set at the end of the block.
      if random.below(4) == 0 { tables.position = UInt64(folded) }
    default: tables.position = UInt64(folded)
    }
  }

  private mutating func ask() throws {
    let prefix = (0..<random.below(3)).map { _ in Self.letter(&random) }
    let place = "under \(prefix), at \(folded), seed \(random.seed)"
    let isAhead = try (folder.logPoint()?.position ?? 0) > tables.position
    let range: [(key: [UInt8], row: Row)]
    do throws(TablesError) { range = try table.rows(under: prefix) } catch {
      guard case .ahead = error else { throw error }
      #expect(isAhead, "\(place)")
      ahead += 1
      return
    }
    asked += 1
    let keys = model.keys.filter { $0.starts(with: prefix) }.sorted { $0.lexicographicallyPrecedes($1) }
    #expect(!isAhead, "\(place)")
    #expect(range.map(\.key) == keys, "\(place)")
    #expect(range.map(\.row.bytes) == keys.map { model[$0] }, "\(place)")
  }

  /// Rows being written are read, too, before and after they are in the table store.
  private mutating func write() throws {
    let taken = tables.takeChanges()
    try ask()
    if random.below(3) == 0 { return tables.restoreChanges(taken) }
    _ = try folder.write(taken, logPoint: logPoint(tables.position))
    try ask()
    if random.below(2) == 0 { tables.forgetUnchanged() }
  }

  private func foldElsewhere(from start: Int, through end: Int) throws {
    if end <= start { return }
    let tables = LiveTables(of: folder, at: UInt64(start))
    let table = tables.table(named: "one", of: Row.self)
    for change in changes[start..<end] { try table.set(change.value.map { Row($0) }, for: change.key) }
    #expect(try folder.write(tables.takeChanges(), logPoint: logPoint(UInt64(end))) == .written)
  }

  private mutating func startOver(at position: Int) {
    tables = LiveTables(of: folder, at: UInt64(position))
    table = tables.table(named: "one")
    (folded, model) = (position, [:])
    for change in changes[..<position] { model[change.key] = change.value }
  }
}
