// The reader of data files returns what LMDB returns for sound files.
import CLMDB
import Glibc
import Testing

@testable import LMDBPages

@Suite struct `A data file read without LMDB` {
  @Test(arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
  func `a data file yields the pairs that the cursor of LMDB yields`(seed: UInt64) throws {
    let sample = SampleFile()
    sample.churn(seed: seed, transactions: 60)
    let file = try DataFile(path: sample.path)
    for (name, flags) in SampleFile.tables {
      #expect(try file.pairs(in: name) == sample.pairs(in: name, flags: flags))
    }
    #expect(try file.pairs(in: nil).map(\.key) == sample.pairs(in: nil).map(\.key))
    #expect(try file.tableNames(of: file.newestMeta()) == ["bytes", "deep", "numbers"])
    #expect(throws: DataFileError.noSuchTable("none")) { try file.pairs(in: "none") }
  }

  @Test func `each value is passed with its file offset`() throws {
    let sample = SampleFile()
    sample.fillSmall()
    let file = try DataFile(path: sample.path)
    let contents = sample.contents
    var count = 0
    try file.forEach(in: "bytes", of: file.newestMeta()) { _, value, offset in
      count += 1
      return Array(value) == Array(contents[offset..<offset + value.count])
    }
    #expect(count == sample.pairs(in: "bytes").count)
  }

  @Test func `a walk stops when its closure returns false`() throws {
    let sample = SampleFile()
    sample.fillSmall()
    let file = try DataFile(path: sample.path)
    var count = 0
    try file.forEach(in: "numbers", of: file.newestMeta()) { _, _, _ in
      count += 1
      return count < 3
    }
    #expect(count == 3)
  }

  @Test func `forEachReachable yields the pairs beyond damage`() throws {
    let sample = SampleFile()
    sample.fillSmall()
    let file = try DataFile(path: sample.path)
    let all = sample.pairs(in: "numbers", flags: MDB_INTEGERKEY)
    let first = try #require(Layout(file).leaves["numbers"]?.first)
    sample.overwrite(at: first.fileOffset, [0xFF])
    var reached: [Pair] = []
    let damages = try file.forEachReachable(in: "numbers", of: file.newestMeta()) { key, value, _ in
      reached.append(Pair(Array(key), Array(value)))
      return true
    }
    #expect(reached == Array(all.dropFirst(first.nodes.count)) && !reached.isEmpty)
    #expect(damages.map(\.page) == [first.number])
  }

  @Test func `a walk yields every pair before the damage`() throws {
    let sample = SampleFile()
    sample.fillSmall()
    let file = try DataFile(path: sample.path)
    let all = sample.pairs(in: "numbers", flags: MDB_INTEGERKEY)
    let layout = try Layout(file)
    let last = try #require(layout.leaves["numbers"]?.last)
    sample.overwrite(at: last.fileOffset + 10, [0xFF])
    var found: [Pair] = []
    let error = #expect(throws: DataFileError.self) {
      try file.forEach(in: "numbers", of: file.newestMeta()) { key, value, _ in
        found.append(Pair(Array(key), Array(value)))
        return true
      }
    }
    #expect(found == Array(all.dropLast(last.nodes.count)))
    var reached: [Pair] = []
    let damages = try file.forEachReachable(in: "numbers", of: file.newestMeta()) { key, value, _ in
      reached.append(Pair(Array(key), Array(value)))
      return true
    }
    #expect(reached == found && damages.map(\.page) == [last.number])
    guard case .damaged(let damage)? = error else {
      Issue.record("expected damage, got \(String(describing: error))")
      return
    }
    #expect(damage.page == last.number)
  }
}

@Suite struct `A sound file` {
  @Test(arguments: [11, 12, 13, 14] as [UInt64])
  func `every page of a sound file is accounted for in both states`(seed: UInt64) throws {
    let sample = SampleFile()
    sample.churn(seed: seed, transactions: 80)
    try expectSound(sample)
    sample.close()
    sample.open()
    sample.churn(seed: seed + 100, transactions: 5)
    try expectSound(sample)
    try expectSound(sample.copy(compact: false))
    try expectSound(sample.copy(compact: true))
  }

  @Test func `a new file and an emptied file are sound`() throws {
    let sample = SampleFile()
    try expectSound(sample)
    try expectSound(sample.copy(compact: true))
    sample.write { $0.put([1], [2], in: $0.table(nil)) }
    try expectSound(sample)
    sample.write { $0.delete([1], in: $0.table(nil)) }
    try expectSound(sample)
    try expectSound(sample.copy(compact: false))
    try expectSound(sample.copy(compact: true))
  }

  /// A kill leaves all pages of a commit on disk, but no meta page, or half of it.
  @Test func `a file is sound after its writer died between the pages and the meta page`() throws {
    let sample = SampleFile()
    sample.churn(seed: 21, transactions: 30)
    for round in 0..<20 {
      let before = sample.contents
      sample.churn(seed: 100 + UInt64(round), transactions: 1)
      let after = sample.contents
      guard after != before else { continue }
      let killed = SampleFile()
      killed.close()
      killed.contents = Array(before[..<8192] + after[8192...])
      try expectSound(killed)
    }
  }

  @Test func `a sound file can end before freed pages that were never written`() throws {
    let sample = SampleFile()
    // A transaction returns pages that it took only when there are free pages to take; otherwise it writes them.
    for number in 0..<5 { sample.write { $0.put([0], [UInt8(number)], in: $0.table(nil)) } }
    sample.write { transaction in
      let table = transaction.table(nil)
      transaction.put([1], [1], in: table)
      transaction.put([2], [UInt8](repeating: 7, count: 100_000), in: table)
      transaction.delete([2], in: table)
    }
    let file = try DataFile(path: sample.path)
    let found = try file.examine(file.newestMeta())
    #expect(found.damages.isEmpty)
    #expect(found.oddities.map(\.page.rawValue) == [0])
    #expect(Int(try file.newestMeta().lastPage.rawValue) * file.pageSize >= file.size)
    #expect(try file.damages(of: file.metas[1].get()).isEmpty)
  }

  private func expectSound(_ sample: SampleFile, _ location: SourceLocation = #_sourceLocation) throws {
    let file = try DataFile(path: sample.path)
    #expect(file.metaDisagreement() == nil, sourceLocation: location)
    for meta in file.metas {
      #expect(try file.damages(of: meta.get()) == [], sourceLocation: location)
    }
  }
}

extension DataFile {
  func pairs(in table: String?) throws -> [Pair] {
    var pairs: [Pair] = []
    try forEach(in: table, of: newestMeta()) { key, value, _ in
      pairs.append(Pair(Array(key), Array(value)))
      return true
    }
    return pairs
  }
}
