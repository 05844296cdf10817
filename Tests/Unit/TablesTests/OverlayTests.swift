// Threat: rows in memory that override those of a table are not seen, seen twice, or in another order.
import Files
import SeededRandom
import Testing

@testable import Tables

@Suite struct `Rows that override those of a table` {
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

  @Test func `every read is that of a table with the rows written, in both orders and with turns`() throws {
    var random = SeededRandom.printingSeed()
    for round in 0..<300 {
      let tables = try TableStore(
        at: scratch.path + "\(round)", tables: ["one", "other"], isOnChain: { _ in true })
      defer {
        tables.close()
        try? FileSystem.removeTree(scratch.path + "\(round)")
      }
      var expected = randomRows(&random, random.below(20)).compactMapValues { $0 }
      _ = try tables.write(expected, at: logPoint(5))
      for _ in 0...random.below(3) {
        let batches = (0...random.below(2)).map { _ in randomRows(&random, random.below(12)) }
        let before = expected
        for rows in batches {
          for (key, value) in rows { expected[key] = value }
        }
        let combined = batches.reduce(into: [[UInt8]: [UInt8]?]()) { $0.merge($1) { _, new in new } }
        let undo = try tables.rows(before: [changes(combined), ChangedRows()])
        _ = tables.override(with: batches.map { [changes($0), ChangedRows()] }, logPoint: logPoint(3))
        #expect(try tables.logPoint() == logPoint(3))
        try expect(expected, in: tables, &random, "round \(round)")
        if random.below(3) == 0 {
          _ = tables.override(with: [undo], logPoint: logPoint(2))
          expected = before
          try expect(expected, in: tables, &random, "round \(round), undone")
        }
        if random.below(3) == 0 {
          try tables.writeOverlay()
          #expect(try tables.recountedDigests() == tables.digests())
          try expect(expected, in: tables, &random, "round \(round), written")
        }
      }
    }
  }

  private func expect(
    _ expected: Rows, in tables: TableStore, _ random: inout SeededRandom, _ place: String
  ) throws {
    #expect(try tables.rows() == [expected, [:]], "\(place)")
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
