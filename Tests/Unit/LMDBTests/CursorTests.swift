// Threat: a cursor whose position differs from the one it reports.
import SeededRandom
import Testing

@testable import LMDB

@Suite struct `A cursor` {
  private let scratch = Scratch()

  @Test func `a cursor over an empty table finds no key by any move`() throws {
    let environment = try scratch.open()
    try environment.read(environment.table("t")) { cursor throws(LMDBError) in
      let moves = [
        try cursor.moveToFirst(), try cursor.moveToLast(), try cursor.moveToNext(),
        try cursor.moveToPrevious(),
        try cursor.move(to: [1]), try cursor.move(toFirstFrom: [1]), try cursor.move(toLastBefore: [1]),
      ]
      #expect(moves == [Bool](repeating: false, count: 7))
      let pair = cursor.pair
      #expect(pair == Pair([], []))
    }
  }

  @Test func `a cursor moves from the first key to the last and back`() throws {
    let environment = try filled(["a", "b", "c"])
    try environment.read(environment.table("t")) { cursor throws(LMDBError) in
      var visited = ""
      while try cursor.moveToNext() { visited += cursor.name }
      #expect(visited == "abc")
      let past = cursor.pair
      #expect(past == Pair([], []))
      visited = ""
      _ = try cursor.moveToLast()
      repeat { visited += cursor.name } while try cursor.moveToPrevious()
      #expect(visited == "cba")
    }
    try environment.read(environment.table("t")) { cursor throws(LMDBError) in
      let isThere = try cursor.moveToPrevious()
      let name = cursor.name
      #expect(isThere && name == "c")
    }
  }

  @Test func `each search of a cursor matches a sorted array`()
    throws
  {
    var random = SeededRandom.printingSeed()
    let keys = Set((0..<400).map { _ in random.noise(1 + random.below(3)) })
    let sorted = keys.sorted { $0.lexicographicallyPrecedes($1) }
    let environment = try scratch.open()
    let table = try environment.table("t")
    try environment.write { transaction throws(LMDBError) in
      for key in keys { try transaction.set(key, key.reversed(), in: table) }
    }
    let probes = (0..<1000).map { _ in random.noise(1 + random.below(3)) } + sorted
    try environment.read(table) { cursor throws(LMDBError) in
      for probe in probes {
        let index = sorted.firstIndex { !$0.lexicographicallyPrecedes(probe) } ?? sorted.count
        let isThere = try cursor.move(to: probe)
        if isThere != keys.contains(probe) { Issue.record("to \(probe)") }
        if isThere { expect(cursor.pair, sorted, index) }
        let isFrom = try cursor.move(toFirstFrom: probe)
        if isFrom != (index < sorted.count) { Issue.record("from \(probe)") }
        expect(cursor.pair, sorted, index)
        let isBefore = try cursor.move(toLastBefore: probe)
        if isBefore != (index > 0) { Issue.record("before \(probe)") }
        expect(cursor.pair, sorted, index - 1)
      }
    }
  }

  @Test func `a cursor continues after the key that it moved to`() throws {
    let environment = try filled(["a", "c", "e"])
    try environment.read(environment.table("t")) { cursor throws(LMDBError) in
      _ = try cursor.move(toFirstFrom: Array("b".utf8))
      _ = try cursor.moveToNext()
      let next = cursor.name
      #expect(next == "e")
      _ = try cursor.move(toLastBefore: Array("e".utf8))
      _ = try cursor.moveToPrevious()
      let previous = cursor.name
      #expect(previous == "a")
    }
  }

  @Test func `a move to an empty key throws`() throws {
    let environment = try filled(["a"])
    try environment.read(environment.table("t")) { cursor throws(LMDBError) in
      expectThrown(.badValueSize) { () throws(LMDBError) in _ = try cursor.move(to: [UInt8]()) }
      expectThrown(.badValueSize) { () throws(LMDBError) in _ = try cursor.move(toFirstFrom: [UInt8]()) }
    }
  }

  @Test func `a cursor puts and appends keys`() throws {
    let environment = try filled(["b"])
    let table = try environment.table("t")
    try environment.write(table) { cursor throws(LMDBError) in
      try cursor.set([1], [10])
      try cursor.set([1], [11])
      try cursor.add([200], [12])
      expectThrown(.keyExists) { () throws(LMDBError) in try cursor.add([199], [13]) }
      let pair = cursor.pair
      #expect(pair == Pair([], []))
    }
    #expect(
      try environment.pairs(in: table) == [Pair([1], [11]), Pair(Array("b".utf8), [1]), Pair([200], [12])])
  }

  @Test func `remove deletes the current key and the next move continues after it`() throws {
    let environment = try filled(["a", "b", "c", "d"])
    let table = try environment.table("t")
    try environment.write(table) { cursor throws(LMDBError) in
      _ = try cursor.move(to: Array("b".utf8))
      try cursor.remove()
      let removed = cursor.pair
      #expect(removed == Pair([], []))
      _ = try cursor.moveToNext()
      let next = cursor.name
      #expect(next == "c")
      try cursor.remove()
      _ = try cursor.moveToPrevious()
      let previous = cursor.name
      #expect(previous == "a")
    }
    #expect(try environment.pairs(in: table).map { String(decoding: $0.key, as: UTF8.self) } == ["a", "d"])
  }

  @Test func `a cursor empties a table of many pages`() throws {
    let environment = try scratch.open()
    let table = try environment.table("t")
    try environment.write { transaction throws(LMDBError) in
      for number in 0..<2000 as Range<UInt64> {
        try transaction.set(number, [UInt8](repeating: 1, count: Int(number % 300)), in: table)
      }
    }
    try environment.write(table) { cursor throws(LMDBError) in
      var count = 0
      while try cursor.moveToNext() {
        try cursor.remove()
        count += 1
      }
      #expect(count == 2000)
    }
    #expect(try environment.pairs(in: table) == [])
  }

  private func filled(_ names: [String]) throws -> Environment {
    let environment = try scratch.open()
    let table = try environment.table("t")
    for name in names { try environment.set(Array(name.utf8), [1], in: table) }
    return environment
  }

  private func expect(_ pair: Pair, _ keys: [[UInt8]], _ index: Int) {
    let key = keys.indices.contains(index) ? keys[index] : []
    if pair != Pair(key, key.reversed()) { Issue.record("\(pair) where \(key) was to be") }
  }
}

extension Environment {
  fileprivate func read(_ table: Table, _ body: (inout Cursor) throws(LMDBError) -> Void) throws {
    try read { transaction throws(LMDBError) in try transaction.withCursor(over: table, body) }
  }

  fileprivate func write(_ table: Table, _ body: (inout Cursor) throws(LMDBError) -> Void) throws {
    try write { transaction throws(LMDBError) in try transaction.withCursor(over: table, body) }
  }
}

extension Cursor {
  fileprivate var name: String { String(decoding: key.copy, as: UTF8.self) }
}
