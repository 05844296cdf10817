// Threat: half a change, a change seen too early, a value that is not what was put.
import Bytes
import CLMDB
import Foundation
import SeededRandom
import Testing

@testable import LMDB

@Suite struct `A write transaction` {
  private let scratch = Scratch()

  @Test func `a write transaction commits when its closure returns`() throws {
    let environment = try scratch.open()
    let table = try environment.table(nil)
    let number = try environment.write { transaction throws(LMDBError) in
      try transaction.set([1], [2], in: table)
      let own = try transaction.copy(of: [1], in: table)
      #expect(own == [2])
      return transaction.number
    }
    #expect(number == environment.lastTransaction())
    #expect(try environment.value(of: [1], in: table) == [2])
  }

  @Test func `a write transaction that throws changes nothing`() throws {
    let environment = try scratch.open()
    let table = try environment.table(nil)
    try environment.set([1], [1], in: table)
    #expect(throws: refusal) {
      try environment.write { transaction throws(LMDBError) in
        try transaction.set([1], [9], in: table)
        try transaction.set([2], [9], in: table)
        throw refusal
      }
    }
    #expect(try environment.pairs(in: table) == [Pair([1], [1])])
    try environment.set([3], [3], in: table)
    #expect(try environment.pairs(in: table) == [Pair([1], [1]), Pair([3], [3])])
  }

  @Test func `a write transaction replaces and removes values`() throws {
    let environment = try scratch.open()
    let table = try environment.table(nil)
    try environment.set([1], [1], in: table)
    try environment.set([1], [2, 2], in: table)
    #expect(try environment.value(of: [1], in: table) == [2, 2])
    let answers = try environment.write { transaction throws(LMDBError) in
      [try transaction.remove([1], from: table), try transaction.remove([1], from: table)]
    }
    #expect(answers == [true, false])
    #expect(try environment.value(of: [1], in: table) == nil)
  }

  @Test func `append throws for a key that is not past the last and the transaction continues`() throws {
    let environment = try scratch.open()
    let table = try environment.table(nil)
    try environment.write { transaction throws(LMDBError) in try transaction.add([5], [1], in: table) }
    for key in [[5], [4], [4, 255], []] as [[UInt8]] {
      let error = key.isEmpty ? LMDBError.badValueSize : .keyExists
      #expect(throws: error) {
        try environment.write { transaction throws(LMDBError) in try transaction.add(key, [9], in: table) }
      }
    }
    try environment.write { transaction throws(LMDBError) in
      expectThrown(.keyExists) { () throws(LMDBError) in try transaction.add([5], [9], in: table) }
      try transaction.add([5, 0], [2], in: table)
    }
    #expect(try environment.pairs(in: table) == [Pair([5], [1]), Pair([5, 0], [2])])
  }

  @Test func `an empty or too long key throws`() throws {
    let environment = try scratch.open()
    let table = try environment.table(nil)
    for count in [0, 512, 1000] {
      let key = [UInt8](repeating: 1, count: count)
      #expect(throws: LMDBError.badValueSize) { try environment.set(key, [], in: table) }
    }
    try environment.set([UInt8](repeating: 1, count: 511), [], in: table)
  }

  @Test func `a full map throws and nothing is committed`() throws {
    let environment = try Environment(
      path: scratch.path, options: .init(creates: true, isSynced: false, mapSize: 1 << 20))
    let table = try environment.table(nil)
    try environment.set([1], [1], in: table)
    #expect(throws: LMDBError.mapFull) {
      try environment.set([2], [UInt8](repeating: 2, count: 2 << 20), in: table)
    }
    #expect(try environment.pairs(in: table) == [Pair([1], [1])])
  }
}

@Suite struct `A read transaction` {
  private let scratch = Scratch()

  @Test func `a read transaction keeps its state during later commits`() throws {
    let environment = try scratch.open()
    let table = try environment.table(nil)
    try environment.set([1], [1], in: table)
    let (before, after) = try environment.read { transaction throws(LMDBError) in
      let before = try transaction.copy(of: [1], in: table)
      for number in 0..<50 {
        try environment.write { other throws(LMDBError) in
          try other.set([1], [UInt8](repeating: UInt8(number), count: 5000), in: table)
          try other.set([2], [2], in: table)
        }
      }
      let unseen = try transaction.copy(of: [2], in: table)
      #expect(unseen == nil)
      #expect(transaction.number + 50 == environment.lastTransaction())
      return (before, try transaction.copy(of: [1], in: table))
    }
    #expect(before == [1] && after == [1])
    #expect(try environment.value(of: [2], in: table) == [2])
  }

  @Test func `a read transaction returns values without copying them`() throws {
    let environment = try scratch.open()
    let table = try environment.table(nil)
    try environment.set([1], [UInt8](repeating: 1, count: 100_000), in: table)
    try environment.set([2], [2], in: table)
    let addresses = try environment.read { transaction throws(LMDBError) in
      var addresses: [UInt] = []
      for key in [[1], [1], [2], [2]] as [[UInt8]] {
        guard let value = try transaction.value(of: key, in: table) else { continue }
        value.withUnsafeBytes { addresses.append(UInt(bitPattern: $0.baseAddress)) }
      }
      return addresses
    }
    try #require(addresses.count == 4)
    #expect(addresses[0] == addresses[1] && addresses[2] == addresses[3])
    let start = try #require(environment.shared.mapStart)
    let end = start + UInt(environment.statistics().pages * environment.pageSize)
    #expect(addresses.allSatisfy { start <= $0 && $0 < end })
  }

  @Test(arguments: [0, 1, 2000, 5000, 1 << 20, 30 << 20])
  func `a value of any size is read back`(count: Int) throws {
    let environment = try scratch.open()
    let table = try environment.table(nil)
    var random = SeededRandom(seed: UInt64(count))
    let value = random.noise(min(count, 10_000)) + [UInt8](repeating: 5, count: max(0, count - 10_000))
    try environment.set([1], value, in: table)
    let stored = try environment.value(of: [1], in: table)
    #expect(stored == value)
  }

  @Test func `statistics report the size of a table`() throws {
    let environment = try scratch.open()
    let table = try environment.table("t")
    let empty = try environment.read { transaction throws(LMDBError) in try transaction.statistics(of: table)
    }
    #expect(empty.entries == 0 && empty.depth == 0 && empty.leafPages == 0)
    try environment.write { transaction throws(LMDBError) in
      for number in 0..<1000 as Range<UInt64> {
        try transaction.set(number, [UInt8](repeating: 0, count: 100), in: table)
      }
      try transaction.set([255] as [UInt8], [UInt8](repeating: 0, count: 9000), in: table)
      let own = try transaction.statistics(of: table)
      #expect(own.entries == 1001)
    }
    let full = try environment.read { transaction throws(LMDBError) in try transaction.statistics(of: table) }
    #expect(full.entries == 1001 && full.depth == 2 && full.branchPages == 1)
    #expect(full.leafPages > 20 && full.overflowPages == 3)
  }

  @Test func `a put in a read transaction throws`() throws {
    let environment = try scratch.open()
    let table = try environment.table(nil)
    try environment.set([1], [1], in: table)
    try environment.read { transaction throws(LMDBError) in
      try transaction.withCursor(over: table) { cursor throws(LMDBError) in
        expectThrown(LMDBError(rawValue: EACCES)) { () throws(LMDBError) in try cursor.set([2], [2]) }
        _ = try cursor.moveToFirst()
        expectThrown(LMDBError(rawValue: EACCES)) { () throws(LMDBError) in try cursor.remove() }
      }
    }
    #expect(try environment.pairs(in: table) == [Pair([1], [1])])
  }

  @Test func `a read transaction throws when all reader slots are taken`() throws {
    let environment = try Environment(
      path: scratch.path, options: .init(creates: true, isSynced: false, readersMax: 1))
    try environment.read { _ throws(LMDBError) in
      expectThrown(.readersFull) { () throws(LMDBError) in _ = try environment.read { _ in } }
    }
    try environment.read { _ in }
  }
}

@Suite struct `A table` {
  private let scratch = Scratch()

  @Test func `a table is created once and separate from the others`() throws {
    do {
      let environment = try scratch.open()
      for name in ["a", "b", "c", "d"] {
        let table = try environment.table(name)
        try environment.set([1], Array(name.utf8), in: table)
      }
      #expect(throws: LMDBError.self) { try environment.table("e") }
    }
    let environment = try scratch.open()
    for name in ["d", "c", "b", "a"] {
      #expect(try environment.value(of: [1], in: environment.table(name)) == Array(name.utf8))
    }
  }

  @Test func `a named table requires a higher tablesMax`() throws {
    let environment = try scratch.open(tablesMax: 0)
    #expect(throws: LMDBError.self) { try environment.table("a") }
    _ = try environment.table(nil)
  }

  /// A table of another program with sorted duplicates would break every assumption about values.
  @Test func `a table with other flags is refused`() throws {
    let scratch = Scratch()
    createTable("numbers", flags: MDB_INTEGERKEY, in: scratch.path)
    createTable("bytes", flags: 0, in: scratch.path)
    let environment = try scratch.open()
    #expect(throws: LMDBError.corrupted) { try environment.table("numbers") }
    _ = try environment.table("bytes")
  }

  @Test func `using a table in another environment traps`() async {
    let (one, other) = (Scratch(), Scratch())
    for misuse in ["value", "put", "append", "remove", "read cursor", "write cursor", "statistics", "closed"] {
      await #expect(processExitsWith: .failure) {
        [misuse = misuse as String, one = one.path as String, other = other.path as String] in
        misuseTable(misuse, one, other)
      }
    }
  }

  @Test func `big-endian keys order numbers by value`() throws {
    let environment = try scratch.open()
    let table = try environment.table("t")
    var random = SeededRandom.printingSeed()
    let numbers = Set((0..<500).map { _ in random.number() } + [0, 1, 255, 256, 257, .max, 1 << 63])
    try environment.write { transaction throws(LMDBError) in
      for number in numbers { try transaction.set(number, [1], in: table) }
    }
    let keys = try environment.pairs(in: table).map(\.key)
    #expect(keys.map { UInt64(keyBytes: $0.span.bytes) } == numbers.sorted())
    #expect(UInt64(keyBytes: [1, 2, 3, 4, 5, 6, 7].span.bytes) == nil)
    #expect(UInt64(keyBytes: [UInt8](repeating: 0, count: 9).span.bytes) == nil)
  }

  @Test func `a key is identified by its bytes in any representation`() throws {
    let environment = try scratch.open()
    let table = try environment.table("t")
    try environment.set(0x0102 as UInt64, [7], in: table)
    let bytes: [UInt8] = [0, 0, 0, 0, 0, 0, 1, 2]
    #expect(try environment.value(of: bytes, in: table) == [7])
    let found = try environment.read { transaction throws(LMDBError) in
      try bytes.span.bytes.withUnsafeBytes { key throws(LMDBError) in try transaction.copy(of: key, in: table)
      }
    }
    #expect(found == [7])
  }
}

/// Uses a table of one environment in another; returns normally, for the test to fail, if nothing traps.
private func misuseTable(_ misuse: String, _ one: String, _ other: String) {
  do {
    let options = Environment.Options(creates: true, tablesMax: 1, isSynced: false)
    var owner: Environment? = try Environment(path: one, options: options)
    let table = try owner!.table("a")
    // The next opening may well return the same address.
    if misuse == "closed" { owner = nil }
    let environment = try Environment(path: other, options: options)
    _ = try environment.table("a")
    try environment.read { transaction throws(LMDBError) in
      switch misuse {
      case "value", "closed": _ = try transaction.copy(of: [1], in: table)
      case "read cursor": try transaction.withCursor(over: table) { _ in }
      case "statistics": _ = try transaction.statistics(of: table)
      default: break
      }
    }
    try environment.write { transaction throws(LMDBError) in
      switch misuse {
      case "put": try transaction.set([1], [1], in: table)
      case "append": try transaction.add([1], [1], in: table)
      case "remove": try transaction.remove([1], from: table)
      case "write cursor": try transaction.withCursor(over: table) { _ in }
      default: break
      }
    }
    _ = owner?.path
  } catch { exit(EXIT_SUCCESS) }
}

/// Creates a table with LMDB itself.
private func createTable(_ name: String, flags: Int32, in directory: String) {
  var (environment, transaction, table) = (OpaquePointer?.none, OpaquePointer?.none, MDB_dbi())
  let codes = [
    mdb_env_create(&environment), mdb_env_set_maxdbs(environment, 4), mdb_env_open(environment, directory, 0, 0o600),
    mdb_txn_begin(environment, nil, 0, &transaction),
    mdb_dbi_open(transaction, name, UInt32(flags | MDB_CREATE), &table), mdb_txn_commit(transaction),
  ]
  mdb_env_close(environment)
  precondition(codes.allSatisfy { $0 == 0 }, "\(codes)")
}
