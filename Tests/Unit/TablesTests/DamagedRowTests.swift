// Threat: a row that is damaged, missing or of another table is accepted.
import Bytes
import Digests
import Foundation
import Files
import LMDB
import LMDBPages
import SeededRandom
import Testing

@testable import Tables

@Suite struct `A row` {
  private let scratch = Scratch()

  /// What broke: only the full check reported a damaged row; every other reader got a wrong result.
  @Test func `a row with any flipped bit in value or checksum is refused and others are not`() throws {
    try fill()
    let file = try Bytefile(scratch.path + "/data.mdb")
    let place = try file.place(of: [2], in: "one")
    #expect(place.value.count == 3 + 4)
    for offset in place.value {
      for bit in 0..<8 {
        try file.write { $0[offset] ^= 1 << bit }
        let folder = try scratch.open()
        expectRefused("\(offset), \(bit)") { try folder.value(of: [2]) }
        expectRefused("\(offset), \(bit)") { try folder.rows() }
        #expect(try folder.value(of: [1]) == [10] && folder.value(of: [3]) == [])
      }
    }
    try file.write { _ in }
    #expect(try scratch.open().rows() == [one, other])
  }

  @Test func `a row with any flipped bit in its key is not taken for missing`() throws {
    let rows = Dictionary(uniqueKeysWithValues: (0..<9).map { ([16 * UInt8($0), 7], [UInt8($0)]) })
    // It stays open: the first opening would find that keys are out of order, and drop the tables.
    let holder = try scratch.open()
    defer { holder.close() }
    _ = try holder.write(rows, at: logPoint(1))
    let file = try Bytefile(scratch.path + "/data.mdb")
    for key in rows.keys {
      for offset in try file.place(of: key, in: "one").key {
        for bit in 0..<8 {
          try file.write { $0[offset] ^= 1 << bit }
          let folder = try scratch.open()
          expectRefused("\(key), \(offset), \(bit)") { try folder.value(of: key) }
          expectRefused("\(key), \(offset), \(bit)") { try folder.rows() }
          for (key, value) in rows {
            do {
              #expect(try folder.value(of: key) == value)
            } catch TablesError.malformed {}
          }
        }
      }
    }
  }

  @Test func `a row is refused under another key and in another table`() throws {
    try fill()
    let stored = try value(of: [1], in: "one")
    #expect(stored != (try value(of: [1], in: "other")), "the same row in another table")
    for (key, table) in [([3], "one"), ([1], "other")] as [([UInt8], String)] {
      let before = try value(of: key, in: table)
      try set(stored, for: key, in: table)
      let folder = try scratch.open()
      expectRefused("\(key) in \(table)") { try folder.value(of: key, in: table == "one" ? 0 : 1) }
      #expect(try folder.value(of: [1]) == [10])
      try set(before, for: key, in: table)
    }
    #expect(try scratch.open().rows() == [one, other])
  }

  @Test(arguments: 0..<4)
  func `a row shorter than its checksum is refused`(count: Int) throws {
    try fill()
    try set(Array(repeating: 0, count: count), for: [3], in: "one")
    let folder = try scratch.open()
    expectRefused("\(count)") { try folder.value(of: [3]) }
  }

  @Test func `a whole row that does not decode is refused`() throws {
    let folder = try scratch.open()
    _ = try folder.write([[1]: [0xFF]], at: logPoint(1))
    expectRefused("value") { try folder.value(of: [1]) }
    expectRefused("rows") { try folder.rows() }
  }

  @Test func `lookups in a table of many pages match a dictionary`() throws {
    var random = SeededRandom.printingSeed()
    var model: Rows = [:]
    while model.count < 3_000 { model[random.noise(1 + random.below(3))] = [UInt8(random.below(200))] }
    let folder = try scratch.open()
    _ = try folder.write(model, at: logPoint(1))
    for _ in 0..<3_000 {
      let key = random.noise(1 + random.below(3))
      #expect(try folder.value(of: key) == model[key])
    }
    for (key, value) in model { #expect(try folder.value(of: key) == value) }
    #expect(try folder.rowCount(of: 0, upTo: 1) == model.count && folder.rowCount(of: 1, upTo: 1) == 0)
    let sorted = model.keys.sorted { $0.lexicographicallyPrecedes($1) }
    for from in [sorted[0], sorted[1_000], sorted[1_000] + [0], [255, 255, 255, 255]] {
      var keys: [[UInt8]] = []
      try folder.lend { reading throws(TablesError) in
        try reading.forEachRow(of: 0, from: from) { (key, _: Row) in
          keys.append(Array(key))
          return keys.count < 20
        }
      }
      #expect(keys == Array(sorted.drop { $0.lexicographicallyPrecedes(from) }.prefix(20)))
    }
  }

  private let one: Rows = [[1]: [10], [2]: [20, 21, 22], [3]: []]
  private let other: Rows = [[1]: [10]]

  private func fill() throws {
    let folder = try scratch.open()
    _ = try folder.write(one, other, at: logPoint(1))
    folder.close()
  }

  private func value(of key: [UInt8], in table: String) throws -> [UInt8] {
    try withTable(table) { environment, table in
      try environment.read { transaction throws(LMDBError) in
        try transaction.value(of: key, in: table)?.withUnsafeBytes { Array($0) } ?? []
      }
    }
  }

  private func set(_ value: [UInt8], for key: [UInt8], in table: String) throws {
    try withTable(table) { environment, table in
      try environment.write { transaction throws(LMDBError) in
        try value.span.bytes.withUnsafeBytes { bytes throws(LMDBError) in
          try transaction.put(bytes, for: key, in: table)
        }
      }
    }
  }

  private func withTable<R>(_ name: String, _ body: (borrowing Environment, Table) throws -> R) throws -> R {
    let environment = try Environment(path: scratch.path, options: TableStore.environmentOptions(tables: 2))
    return try body(environment, try environment.table(name))
  }
}

@Suite struct `A table store with damaged metadata` {
  private let scratch = Scratch()

  @Test func `a table store with any flipped bit in its log point row is dropped`() throws {
    try fill()
    let file = try Bytefile(scratch.path + "/data.mdb")
    let place = try file.place(of: Array("anchor".utf8), in: "meta")
    #expect(place.value.count == 8 + 32 + 2 * 24 + 4)
    for offset in place.key.lowerBound..<place.value.upperBound {
      try file.write { $0[offset] ^= 1 << (offset % 8) }
      try expectDropped("\(offset)")
    }
    try file.write { _ in }
    #expect(try scratch.open().rows()[0] == [[1]: [2]])
  }

  /// What broke: LMDB recreated an empty table, and all rows of the lost one were reported as missing.
  @Test func `a table store without a table or with another row count is dropped`() throws {
    try fill()
    let file = try Bytefile(scratch.path + "/data.mdb")
    let record = try file.place(of: Array("one".utf8), in: nil)
    // The count of entries is stored after padding, flags, depth and three counts of pages.
    for offset in [record.key.lowerBound, record.value.lowerBound + 32] {
      try file.write { $0[offset] ^= 1 }
      try expectDropped("\(offset)")
    }
  }

  /// Each row of such a table store, from before rows had checksums, would be refused.
  @Test func `a table store without row checksums is dropped`() throws {
    try FileSystem.makeDirectory(scratch.path)
    do {
      let environment = try Environment(path: scratch.path, options: TableStore.environmentOptions(tables: 2))
      let tables = [try environment.table("one"), try environment.table("other"), try environment.table("meta")]
      try environment.write { transaction throws(LMDBError) in
        let logPoint: [UInt8] = Array(repeating: 1, count: 8 + 32 + 2 * 16)
        for (table, key, value) in [(tables[0], [1], [2]), (tables[2], Array("anchor".utf8), logPoint)] {
          try value.span.bytes.withUnsafeBytes { bytes throws(LMDBError) in
            try transaction.put(bytes, for: key, in: table)
          }
        }
      }
    }
    try expectDropped("old")
    let folder = try scratch.open()
    #expect(try folder.write([[1]: [3]], at: logPoint(1)) == .written)
    #expect(try folder.rows()[0] == [[1]: [3]])
  }

  private func fill() throws {
    let folder = try scratch.open()
    _ = try folder.write([[1]: [2]], at: logPoint(1))
    folder.close()
  }

  private func expectDropped(_ what: Comment) throws {
    let folder = try scratch.open()
    #expect(try folder.logPoint() == nil && folder.rows() == [[:], [:]], what)
    folder.close()
  }
}

/// Expects that a closure throws that a row is damaged.
private func expectRefused<R>(_ what: String, _ body: () throws -> R) {
  #expect(Comment(rawValue: what)) {
    _ = try body()
  } throws: { error in
    if case TablesError.malformed = error { true } else { false }
  }
}

/// A data file that is overwritten with one change at a time.
private struct Bytefile {
  let path: String
  let bytes: [UInt8]
  let file: DataFile

  init(_ path: String) throws {
    self.path = path
    bytes = Array(try Data(contentsOf: URL(filePath: path)))
    file = try DataFile(path: path)
  }

  /// The offset of a row in the file.
  func place(of key: [UInt8], in table: String?) throws -> (key: Range<Int>, value: Range<Int>) {
    var found = (key: 0..<0, value: 0..<0)
    try file.forEach(in: table, of: try file.newestMeta()) { there, value, offset in
      if there.elementsEqual(key) { found = (offset - key.count..<offset, offset..<offset + value.count) }
      return true
    }
    return found
  }

  func write(_ change: (inout [UInt8]) -> Void) throws {
    var bytes = bytes
    change(&bytes)
    try Data(bytes).write(to: URL(filePath: path))
  }
}

extension TableStore {
  fileprivate func value(of key: [UInt8], in table: Int = 0) throws -> [UInt8]? {
    let row: Row? = try row(of: key, in: table, upTo: .max)
    return row?.bytes
  }
}
