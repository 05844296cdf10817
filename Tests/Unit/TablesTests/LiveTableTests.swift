// Threat: a working table loses a row, finds a nonexistent one, or changes another's.
import Bytes
import SeededRandom
import Tables
import Testing

@Suite struct `A working table in a fold` {
  private let scratch = Scratch()

  /// Writes the changes, as the owner of the tables does now and then.
  private func write(_ tables: LiveTables, to folder: TableStore) throws {
    tables.position += 1
    #expect(try folder.write(tables.takeChanges(), logPoint: logPoint(tables.position)) == .written)
  }

  /// Rows are set, removed, written, evicted and read again, in a table store that was new or was not.
  private func expectAgreement(_ random: SeededRandom, _ folder: TableStore, _ model: inout Rows) throws {
    var random = random
    let tables = LiveTables(of: folder, at: try folder.logPoint()?.position ?? 0)
    let table = tables.table(named: "one", of: Row.self)
    for step in 0..<12 {
      // Enough keys for several layers of the filter of a new table store.
      for _ in 0..<4_000 {
        let key = Array("key \(random.below(60_000))".utf8)
        let value = random.below(5) == 0 ? nil : random.noise(random.below(6)).map { $0 & 0x7F }
        if random.below(2) == 0 {
          try table.set(value.map { Row($0) }, for: key)
        } else {
          let place = try table.index(of: key)
          table[place] = value.map { Row($0) }
        }
        model[key] = value
      }
      try write(tables, to: folder)
      let generation = table.generation
      if random.below(3) > 0 {
        tables.forgetUnchanged()
        #expect(table.generation == generation + 1)
      }
      var wrong = 0
      for number in 0..<60_000 where random.below(10) == 0 {
        let key = Array("key \(number)".utf8)
        if try table.row(of: key)?.bytes != model[key] { wrong += 1 }
      }
      #expect(wrong == 0, "seed \(random.seed), step \(step)")
    }
    #expect(try folder.rows()[0] == model)
  }

  @Test func `every row that was set is found after eviction`() throws {
    let random = SeededRandom.printingSeed()
    let folder = try scratch.open()
    var model: Rows = [:]
    try expectAgreement(random, folder, &model)
    // The table store is not new any more: its keys are unknown.
    try expectAgreement(SeededRandom(seed: random.seed &+ 1), folder, &model)
  }

  @Test func `rows that are written once are evicted when they are stored, others when there are many`() throws {
    let folder = try scratch.open()
    let tables = LiveTables(of: folder, at: 0)
    let (ordinary, once) = (tables.table(named: "one", of: Row.self), tables.table(named: "other", of: OnceRow.self))
    for key in UInt8(0)..<10 {
      try ordinary.set(Row([key]), for: [key])
      try once.set(OnceRow(Row([key])), for: [key])
    }
    tables.trim(heldMax: 100)
    #expect(tables.heldCount == 20, "what is not stored stays")
    try write(tables, to: folder)
    try once.set(OnceRow(Row([10])), for: [10])
    tables.trim(heldMax: 100)
    #expect(tables.heldCount == 11 && ordinary.generation == 0 && once.generation == 2)
    #expect(try once.row(of: [9])?.row == Row([9]))
    tables.trim(heldMax: 11)
    #expect(tables.heldCount == 1 && ordinary.generation == 1)
    try write(tables, to: folder)
    #expect(try folder.rows()[1].count == 11)
  }

  @Test func `a row is changed in place`() throws {
    let tables = LiveTables(of: try scratch.open(), at: 0)
    let table = tables.table(named: "one", of: Row.self)
    let place = try table.index(of: [1] as [UInt8])
    table[place] = Row([2])
    table[place]?.bytes.append(3)
    #expect(table[place] == Row([2, 3]))
    #expect(tables.takeChanges().map(\.count) == [1, 0])
    #expect(tables.takeChanges().map(\.count) == [0, 0])
  }
}
