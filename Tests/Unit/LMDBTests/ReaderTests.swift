// Threat: a reader that pins pages forever, an incomplete copy, a value with a wrong size.
import Files
import Foundation
import LMDBPages
import Testing

@testable import LMDB

@Suite struct `Readers` {
  private let scratch = Scratch()

  @Test func `open readers are listed with their process and transaction`() throws {
    let environment = try scratch.open()
    try environment.set([1], [1], in: environment.table(nil))
    #expect(environment.readers() == [])
    try environment.read { transaction throws(LMDBError) in
      let number = transaction.number
      let readers = environment.readers()
      #expect(readers == [Reader(process: Int(getpid()), transaction: number)])
      try environment.read { _ throws(LMDBError) in
        let count = environment.readers().count
        #expect(count == 2)
      }
    }
    #expect(!environment.readers().contains { $0.transaction != nil })
    #expect(environment.statistics().readersUsed == 2)
    #expect(environment.reapStaleReaders() == 0)
  }

  @Test func `readers are counted with the lag of the oldest`() throws {
    let environment = try scratch.open()
    let table = try environment.table(nil)
    try environment.set([1], [1], in: table)
    let none = environment.readerStatistics()
    #expect(none.lag == 0 && none.max == environment.statistics().readersMax)
    try environment.read { _ throws(LMDBError) in
      for number in 2...4 as ClosedRange<UInt8> {
        try environment.write { transaction throws(LMDBError) in try transaction.set([number], [1], in: table) }
      }
      let one = environment.readerStatistics()
      try environment.read { _ throws(LMDBError) in
        let two = environment.readerStatistics()
        #expect(one.used == 1 && one.lag == 3)
        #expect(two.used == 2 && two.lag == 3)
      }
    }
    #expect(environment.readerStatistics().lag == 0)
  }

  @Test func `a reader of a newer transaction has no lag`() {
    let readers = [Reader(process: 1, transaction: 8), Reader(process: 2, transaction: nil)]
    #expect(ReaderStatistics(readers, of: 9, lastTransaction: 7).lag == 0)
  }

  @Test func `readers fill a file of known size`() throws {
    let environment = try scratch.open()
    let before = environment.statistics()
    try environment.set([1], [UInt8](repeating: 7, count: 100_000), in: environment.table(nil))
    let after = environment.statistics()
    #expect(after.usedByteCount - before.usedByteCount >= 100_000)
    #expect(after.usedByteCount == after.pages * after.pageSize)
    #expect(
      after.fileByteCount == FileSystem.byteCount(of: scratch.path + "/data.mdb") && after.fileByteCount >= 100_000)
  }

  @Test func `the reader list of LMDB is parsed`() {
    let list = "    pid     thread     txnid\n      4711 7f00 12\n      4712 7f01 -\n"
    #expect(
      Environment.readers(inList: list)
        == [Reader(process: 4711, transaction: 12), Reader(process: 4712, transaction: nil)])
    #expect(Environment.readers(inList: "(no active readers)\n") == [])
  }

  @Test func `the slots of a dead process are reaped`() async throws {
    let environment = try scratch.open()
    let number = environment.lastTransaction()
    await #expect(processExitsWith: .exitCode(7)) { [path = scratch.path as String] in
      let environment = try Environment(path: path, options: .init(tablesMax: 4, isSynced: false))
      try environment.read { _ in leave(7) }
    }
    let readers = environment.readers()
    #expect(readers.map(\.transaction) == [number])
    #expect(readers.allSatisfy { $0.process != Int(getpid()) })
    #expect(environment.reapStaleReaders() == 1)
    #expect(environment.readers() == [])
  }

  @Test func `the slots of a dead process are reaped at the next opening`() async throws {
    let path = scratch.path
    // The open first handle keeps the reader table from being recreated.
    let keeper = try scratch.open()
    await #expect(processExitsWith: .exitCode(7)) { [path = path as String] in
      let environment = try Environment(path: path, options: .init(tablesMax: 4, isSynced: false))
      try environment.read { _ in leave(7) }
    }
    #expect(keeper.readers().count == 1)
    await #expect(processExitsWith: .exitCode(8)) { [path = path as String] in
      let environment = try Environment(path: path, options: .init(tablesMax: 4, isSynced: false))
      exit(environment.readers() == [] ? 8 : 9)
    }
    #expect(keeper.readers() == [])
  }
}

/// Ends the process; unlike `_exit` it can be followed by statements.
private func leave(_ code: CInt) { _exit(code) }

@Suite struct `A copy` {
  private let scratch = Scratch()

  @Test func `a copy made during writes is one state without free pages`() throws {
    let environment = try scratch.open()
    let (one, other) = (try environment.table("one"), try environment.table("other"))
    let copies = (0..<5).map { _ in Scratch() }
    for number in 0..<50 as Range<UInt64> { try environment.set(number % 50, in: one, other) }
    DispatchQueue.concurrentPerform(iterations: 2) { turn in
      do {
        if turn == 0 {
          for number in 50..<400 as Range<UInt64> { try environment.set(number % 50, in: one, other) }
        } else {
          for copy in copies { try environment.copy(to: copy.path) }
        }
      } catch { Issue.record(error) }
    }
    for copy in copies {
      let copied = try copy.open()
      let pairs = try copied.pairs(in: copied.table("one"))
      #expect(try copied.pairs(in: copied.table("other")) == pairs && pairs.count == 50)
      #expect(copied.statistics().pages < environment.statistics().pages)
      let file = try DataFile(path: copy.path + "/data.mdb")
      #expect(try file.damages(of: file.newestMeta()) == [])
    }
  }

  @Test func `a copy requires an empty directory`() throws {
    let environment = try scratch.open()
    #expect(throws: LMDBError(rawValue: ENOENT)) { try environment.copy(to: scratch.path + "/none") }
    #expect(throws: LMDBError(rawValue: EEXIST)) { try environment.copy(to: scratch.path) }
  }
}

extension Environment {
  /// Sets a key to the same value in two tables at once.
  fileprivate func set(_ key: UInt64, in one: Table, _ other: Table) throws {
    let value = [UInt8](repeating: UInt8(key), count: 3000)
    try write { transaction throws(LMDBError) in
      try transaction.set(key, value, in: one)
      try transaction.set(key, value, in: other)
    }
  }
}

@Suite struct `A value with a wrong size` {
  private let scratch = Scratch()
  private let key = Array("the key to look for".utf8)

  /// The values are one within its page, and one on overflow pages.
  @Test(arguments: [100, 10_000], [0x7FFF_FFFF, 0xFFFF_FFFF, 1 << 20] as [UInt32])
  func `a wrong value size throws instead of returning the value`(count: Int, size: UInt32) throws {
    do {
      let environment = try scratch.open()
      let table = try environment.table("t")
      try environment.set(key, [UInt8](repeating: 1, count: count), in: table)
      try environment.set([255] as [UInt8], [UInt8](repeating: 1, count: 10), in: table)
    }
    try overwriteSize(size)
    let environment = try scratch.open()
    let table = try environment.table("t")
    #expect(throws: LMDBError.corrupted) { try environment.value(of: key, in: table) }
    #expect(throws: LMDBError.corrupted) { try environment.pairs(in: table) }
    try environment.read { transaction throws(LMDBError) in
      try transaction.withCursor(over: table) { cursor throws(LMDBError) in
        expectThrown(.corrupted) { () throws(LMDBError) in _ = try cursor.move(to: key) }
        let left = cursor.pair
        #expect(left == Pair([], []))
      }
    }
    #expect(try environment.value(of: [255] as [UInt8], in: table)?.count == 10)
  }

  /// Overwrites the value size of a node: the size of its value (4), its flags (2), the size of its key (2), and the
  /// key.
  private func overwriteSize(_ size: UInt32) throws {
    let url = URL(filePath: scratch.path + "/data.mdb")
    var data = try Data(contentsOf: url)
    var places: [Int] = []
    var start = 0
    while let found = data.range(of: Data(key), in: start..<data.count) {
      places.append(found.lowerBound)
      start = found.upperBound
    }
    #expect(!places.isEmpty)
    for place in places {
      withUnsafeBytes(of: size.littleEndian) { data.replaceSubrange(place - 8..<place - 4, with: Array($0)) }
    }
    try data.write(to: url)
  }
}
