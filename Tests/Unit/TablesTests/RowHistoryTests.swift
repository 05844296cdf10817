// Threat: rows of the past are not those of then, or are not seen, seen twice, or in another order.
import Files
import Foundation
import SeededRandom
import Testing

@testable import Tables

@Suite struct `A history of rows` {
  private let scratch = Scratch()

  /// Few keys of few bytes, so that many changes meet.
  private func key(_ random: inout SeededRandom) -> [UInt8] {
    (0...random.below(3)).map { _ in UInt8(random.below(4)) }
  }

  private func changes(_ rows: [[UInt8]: [UInt8]?]) -> ChangedRows {
    var table = WorkingTable<Row>()
    for (key, value) in rows {
      key.withUnsafeBytes { key in
        let number = table.hold(nil, for: key)
        table.replace(number) { $0 = value.map { Row($0) } }
      }
    }
    return table.takeChanges()
  }

  private func randomRows(_ random: inout SeededRandom, _ count: Int) -> [[UInt8]: [UInt8]?] {
    var rows: [[UInt8]: [UInt8]?] = [:]
    for _ in 0..<count {
      let value: [UInt8]? = random.below(3) == 0 ? nil : [UInt8(random.below(200)), 1]
      rows.updateValue(value, forKey: key(&random))
    }
    return rows
  }

  @Test func `every read at every point gives the rows of then, in both orders and with turns`() throws {
    var random = SeededRandom.printingSeed()
    for round in 0..<60 {
      let history = try RowHistory(
        at: scratch.path + "\(round)", tables: ["one", "other"], isOnChain: { _ in true })
      defer {
        history.close()
        try? FileSystem.removeTree(scratch.path + "\(round)")
      }
      // The rows after each number of points.
      var states: [[[UInt8]: [UInt8]?]] = [[:]]
      while states.count < 12 {
        let count = 1 + random.below(4)
        let last = states.count == 1 ? nil : logPoint(UInt64(10 * states.count - 10))
        var new: [(changes: [ChangedRows], logPoint: LogPoint)] = []
        for _ in 0..<count {
          let rows = randomRows(&random, random.below(12))
          new.append(([changes(rows), ChangedRows()], logPoint(UInt64(10 * states.count))))
          states.append(states[states.count - 1].merging(rows) { $1 })
        }
        #expect(try history.add(new, after: last, until: .now) == .written)
        #expect(try history.add(new, after: last, until: .now) == .alreadyThere)
        #expect(try history.damage() == nil)
      }
      for (number, state) in states.enumerated() {
        let position = UInt64(10 * number)
        let point = try history.point(upTo: position + UInt64(random.below(10)))
        #expect(point?.position ?? 0 == position)
        let tables = PastTables(of: history, at: point)
        try expect(state, in: tables, &random, "round \(round), point \(number)")
        let later = [randomRows(&random, random.below(12)), randomRows(&random, random.below(12))]
        var expected = state
        for rows in later {
          tables.override(with: [changes(rows), ChangedRows()], logPoint: logPoint(position + 3))
          expected.merge(rows) { $1 }
          try expect(expected, in: tables, &random, "round \(round), behind point \(number)")
        }
        #expect(tables.logPoint() == logPoint(position + 3))
        #expect(throws: TablesError.self) { try tables.lend(upTo: position + 2) { _ in } }
        tables.move(to: point, overriddenBy: nil, logPoint: point)
        try expect(state, in: tables, &random, "round \(round), point \(number) again")
      }
    }
  }

  @Test func `rows that did not change are stored once`() throws {
    let history = try RowHistory(at: scratch.path, tables: ["one"], isOnChain: { _ in true })
    defer { history.close() }
    let all = Dictionary(uniqueKeysWithValues: (0..<100).map { ([UInt8($0)], [UInt8(1)]) })
    var new = [(changes: [changes(all)], logPoint: logPoint(1))]
    for point in 2..<50 { new.append(([changes([[UInt8(7)]: [UInt8(point)]])], logPoint(UInt64(point)))) }
    #expect(try history.add(new, after: nil, until: .now) == .written)
    // Nor is one that came and went between two points.
    let last = new[new.count - 1].logPoint
    #expect(try history.add([([changes([[9, 9]: nil])], logPoint(50))], after: last, until: .now) == .written)
    #expect(try history.store.summaries().map(\.rows) == [100, 48, 50])
  }

  /// Two processes that add points at once: the second has read the history before the first wrote.
  @Test func `rows that depend on a log point are written only after it`() throws {
    let store = try scratch.open()
    defer { store.close() }
    func write(_ value: UInt8, at position: UInt64, after last: UInt64?) throws -> TableStore.WriteOutcome {
      try store.write(
        [changes([[1]: [value]]), ChangedRows()], logPoint: logPoint(position), after: last.map { logPoint($0) },
        until: .now)
    }
    #expect(try write(1, at: 5, after: 3) == .alreadyThere)
    #expect(try write(1, at: 5, after: nil) == .written)
    #expect(try write(2, at: 9, after: nil) == .alreadyThere && write(2, at: 9, after: 4) == .alreadyThere)
    #expect(try store.rows(of: 0) == [[1]: [1]])
    #expect(try write(2, at: 9, after: 5) == .written)
    #expect(try store.rows(of: 0) == [[1]: [2]])
  }

  // With the given seed, keys of a page above the rows are damaged, so that rows are there and not found.
  @Test(arguments: [nil, 211_581_950] as [UInt64?])
  func `a damaged row is an error, and damage that a read cannot see is found by a check`(seed: UInt64?) throws {
    var random = seed.map { SeededRandom(seed: $0) } ?? .printingSeed()
    let path = scratch.path + "/damaged"
    var states: [[[UInt8]: [UInt8]?]] = [[:]]
    let history = try RowHistory(at: path, tables: ["one"], isOnChain: { _ in true })
    defer { history.close() }
    for number in 1...20 {
      let rows = randomRows(&random, 20)
      let last = number == 1 ? nil : logPoint(UInt64(number - 1))
      _ = try history.add([([changes(rows)], logPoint(UInt64(number)))], after: last, until: .now)
      states.append(states[number - 1].merging(rows) { $1 })
    }
    // The file is damaged while it is open: LMDB itself, which opens it, can crash on a damaged page.
    let whole = try Data(contentsOf: URL(filePath: path + "/data.mdb"))
    let used = whole.indices.filter { $0 > 8_192 && whole[$0] != 0 }
    let file = try FileHandle(forUpdating: URL(filePath: path + "/data.mdb"))
    var (errors, losses) = (0, 0)
    for _ in 0..<100 {
      let index = used[random.below(used.count)]
      func write(_ byte: UInt8) throws {
        try file.seek(toOffset: UInt64(index))
        try file.write(contentsOf: [byte])
      }
      try write(whole[index] ^ UInt8(1 << random.below(8)))
      defer { try? write(whole[index]) }
      do {
        for number in states.indices.dropFirst() {
          let point = try history.point(upTo: UInt64(number))
          let tables = PastTables(of: history, at: point)
          // A leaf whose count of rows is damaged loses its last ones, which only reading all of them shows.
          let isRight = try tables.rows(of: 0) == states[number].compactMapValues { $0 }
          let damage = try isRight ? nil : history.damage()
          #expect(isRight || damage != nil)
          if !isRight { losses += 1 }
        }
      } catch is TablesError {
        errors += 1
        // What broke: the check recounted the rows without their checksums, and found nothing.
        let damage: String?
        do { damage = try history.damage() } catch { damage = "\(error)" }
        #expect(damage != nil, "byte \(index)")
      }
    }
    print("Of 100 flipped bits, \(errors) were errors, and \(losses) reads lost rows.")
    #expect(errors > 0)
  }

  private func expect(
    _ state: [[UInt8]: [UInt8]?], in tables: PastTables, _ random: inout SeededRandom, _ place: String
  ) throws {
    let expected = state.compactMapValues { $0 }
    #expect(try [tables.rows(of: 0), tables.rows(of: 1)] == [expected, [:]], "\(place)")
    let keys = expected.keys.sorted { $0.lexicographicallyPrecedes($1) }
    var random = random
    try tables.lend { reading throws(TablesError) in
      try reading.withRows(of: 0) { rows throws(TablesError) in
        for _ in 0..<12 {
          let start = key(&random)
          let found = try start.withUnsafeBytes { key in Result { () throws(TablesError) in try rows.find(key) } }.get()
          #expect(found == (expected[start] != nil), "\(place), \(start)")
          var index = keys.firstIndex { !$0.lexicographicallyPrecedes(start) } ?? keys.count
          var isThere = found
          if !found || random.below(2) == 0 {
            let order: RowOrder = random.below(2) == 0 ? .upwards : .downwards
            if order == .downwards { index -= 1 }
            isThere = try start.withUnsafeBytes { key in
              Result { () throws(TablesError) in try rows.move(from: key, order) }
            }.get()
          }
          // A walk that turns ends with the table, on either side.
          for _ in 0..<8 {
            #expect(isThere == keys.indices.contains(index), "\(place), \(start), \(index)")
            guard isThere, keys.indices.contains(index) else { break }
            let (key, value) = (rows.key.withUnsafeBytes { Array($0) }, rows.value.withUnsafeBytes { Array($0) })
            #expect(key == keys[index] && value == expected[key], "\(place), \(start), \(index)")
            let isUp = random.below(3) > 0
            index += isUp ? 1 : -1
            isThere = try rows.moveOn(isUp ? .upwards : .downwards)
          }
        }
      }
      for (order, sorted) in [(.upwards, keys), (.downwards, keys.reversed())] as [(RowOrder, [[UInt8]])] {
        var seen: [[UInt8]] = []
        try reading.withRows(of: 0) { rows throws(TablesError) in
          while try rows.moveOn(order) { seen.append(rows.key.withUnsafeBytes { Array($0) }) }
        }
        #expect(seen == sorted, "\(place)")
      }
    }
  }
}
