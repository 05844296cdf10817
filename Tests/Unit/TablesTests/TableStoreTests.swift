// Threat: tables without the written rows, or with a wrong log point.
import Digests
import Dispatch
import Files
import Foundation
import SeededRandom
import Testing

@testable import Tables

@Suite struct `A table store` {
  private let scratch = Scratch()

  @Test func `a new table store is empty and has no log point`() throws {
    let folder = try scratch.open()
    #expect(try folder.logPoint() == nil)
    #expect(try folder.rows(upTo: 0) == [[:], [:]])
    #expect(try folder.digests() == [TableDigest(), TableDigest()])
    #expect(try folder.recountedDigests() == [TableDigest(), TableDigest()])
    #expect(folder.path == scratch.path && folder.tableNames == ["one", "other"])
  }

  @Test func `a table store has the written rows in their tables and their log point`() throws {
    let folder = try scratch.open()
    #expect(try folder.write([[1]: [10], [2]: []], [[1]: [11]], at: logPoint(3)) == .written)
    #expect(try folder.rows() == [[[1]: [10], [2]: []], [[1]: [11]]])
    #expect(try folder.logPoint() == logPoint(3))
    #expect(try folder.write([[2]: [20]], at: logPoint(7)) == .written)
    #expect(try folder.rows() == [[[1]: [10], [2]: [20]], [[1]: [11]]])
    #expect(try folder.logPoint() == logPoint(7))
  }

  @Test func `a read below the log point of the tables throws`() throws {
    let folder = try scratch.open()
    _ = try folder.write([[1]: [1]], at: logPoint(5))
    // Twice, since the log point is cached.
    for _ in 0..<2 {
      #expect { try folder.rows(upTo: 4) } throws: { error in
        if case TablesError.ahead(logPoint(5)) = error { true } else { false }
      }
      #expect(try folder.rows(upTo: 5)[0].count == 1)
      #expect(try folder.rows(upTo: 6)[0].count == 1)
    }
    let other = try scratch.open()
    _ = try other.write([[2]: [2]], at: logPoint(6))
    #expect(throws: TablesError.self) { try folder.rows(upTo: 5) }
    #expect(try folder.logPoint() == logPoint(6))
  }

  @Test func `a write of an earlier log point is a no-op`() throws {
    let folder = try scratch.open()
    _ = try folder.write([[1]: [1]], at: logPoint(5))
    let digests = try folder.digests()
    for position in [5, 4, 0] as [UInt64] {
      #expect(try folder.write([[1]: [9], [2]: [9]], at: logPoint(position)) == .alreadyThere)
    }
    #expect(try folder.rows()[0] == [[1]: [1]])
    #expect(try folder.logPoint() == logPoint(5) && folder.digests() == digests)
  }

  @Test func `a write is busy while another writer holds the lock and succeeds afterwards`() throws {
    try scratch.open().close()
    let folder = try scratch.open()
    let writer = try FileLock(path: scratch.path + "/writer")
    #expect(writer.tryLock())
    #expect(try folder.write([[1]: [1]], at: logPoint(1)) == .busy)
    #expect(try folder.logPoint() == nil && folder.rows()[0].isEmpty)
    #expect(scratch.dirtyMark == nil)
    writer.unlock()
    #expect(try folder.write([[1]: [1]], at: logPoint(1)) == .written)
    #expect(writer.tryLock())
  }

  @Test func `a write is visible in every open handle`() throws {
    let (one, other) = (try scratch.open(), try scratch.open())
    _ = try one.write([[1]: [1]], at: logPoint(1))
    #expect(try other.logPoint() == logPoint(1))
    _ = try other.write([[1]: [2]], at: logPoint(2))
    #expect(try one.logPoint() == logPoint(2))
    #expect(try one.rows()[0] == [[1]: [2]])
  }

  @Test func `random batches leave the rows of a model and recountable digests`() throws {
    var random = SeededRandom.printingSeed()
    var folder = try scratch.open()
    var model: [Rows] = [[:], [:]]
    for position in 1...60 as ClosedRange<UInt64> {
      var batch: [Rows] = [[:], [:]]
      for number in batch.indices {
        // Some keys are overwritten, some are between others, some past the last.
        for _ in 0..<random.below(30) {
          batch[number][random.noise(1 + random.below(2))] = random.noise(random.below(20)).map { $0 & 0x7F }
        }
        if random.below(3) == 0 { batch[number] = [[255, 255, UInt8(position)]: [1]] }
        model[number].merge(batch[number]) { _, new in new }
      }
      #expect(try folder.write(batch[0], batch[1], at: logPoint(position)) == .written)
      #expect(try folder.digests() == folder.recountedDigests())
      if random.below(10) == 0 {
        folder.close()
        folder = try scratch.open()
      }
    }
    #expect(try folder.rows() == model)
    let expected = model.enumerated().map { number, rows in digest(rows, seed: UInt64(number)) }
    #expect(try folder.digests() == expected)
    #expect(expected[0] != expected[1])
  }

  @Test func `a changed byte changes the digest and changing it back restores it`() throws {
    let folder = try scratch.open()
    let rows: Rows = [[1]: [1, 2, 3], [2]: [], [3, 0]: Array(0..<20)]
    var position: UInt64 = 1
    _ = try folder.write(rows, rows, at: logPoint(position))
    let digests = try folder.digests()
    func write(_ key: [UInt8], _ value: [UInt8]) throws -> [TableDigest] {
      position += 1
      _ = try folder.write([key: value], at: logPoint(position))
      return try folder.digests()
    }
    for (key, value) in rows {
      for index in value.indices {
        var changed = value
        changed[index] ^= 1
        let other = try write(key, changed)
        #expect(other[0] != digests[0] && other[1] == digests[1])
      }
      #expect(try write(key, value + [0])[0] != digests[0])
      #expect(try write(key, value) == digests)
    }
  }

  @Test func `a write after close throws`() throws {
    let folder = try scratch.open()
    _ = try folder.write([[1]: [1]], at: logPoint(1))
    folder.close()
    #expect(throws: TablesError.self) { try folder.write([[1]: [2]], at: logPoint(2)) }
    #expect(scratch.dirtyMark == nil)
    #expect(try scratch.open().logPoint() == logPoint(1))
  }

  @Test func `a write without rows for each table traps`() async {
    let scratch = Scratch()
    await #expect(processExitsWith: .failure) { [path = scratch.path as String] in
      let folder = try? TableStore(at: path, tables: ["one", "other"], isOnChain: { _ in true })
      _ = try? folder?.write([changes([:])], logPoint: logPoint(1))
    }
  }

  @Test func `a table store below a missing directory cannot be opened`() {
    #expect { try TableStore(at: scratch.path + "/below", tables: [], isOnChain: { _ in true }) } throws: {
      error in
      if case TablesError.failed = error { true } else { false }
    }
  }
}

@Suite struct `Errors of tables` {
  @Test(
    arguments: [
      .busy(path: "/a"), .foreign(path: "/a"), .ahead(logPoint(3)), .failed(path: "/a", reason: "bad disk"),
      .noSpace(path: "/a"),
      .malformed(path: "/a", table: "t"),
    ] as [TablesError])
  func `an error is one sentence that ends with advice`(error: TablesError) {
    let text = error.description
    #expect(text.hasSuffix(".") && !text.contains(". ") && text.contains("/a") != text.contains("position 3"))
    let advice = text.split(separator: ": ").last ?? ""
    #expect(["let", "close", "read", "check", "rebuild", "free"].contains { advice.hasPrefix($0 + " ") })
  }
}

private func digest(_ rows: Rows, seed: UInt64) -> TableDigest {
  var digest = TableDigest()
  for (key, value) in rows {
    digest.add(key.withUnsafeBytes { key in value.withUnsafeBytes { RowHash(key: key, value: $0, seed: seed) } })
  }
  return digest
}

@Suite struct `Digests seeded by names` {
  @Test func `digests depend on the rows and the name of a table only`() throws {
    let (one, other) = (Scratch(), Scratch())
    let first = try TableStore(at: one.path, tables: ["a", "b"], seededBy: .name, isOnChain: { _ in true })
    let second = try TableStore(at: other.path, tables: ["c", "b", "a"], seededBy: .name, isOnChain: { _ in true })
    _ = try first.write([changes([[1]: [2]]), changes([[1]: [2], [3]: [4]])], logPoint: logPoint(1))
    _ = try second.write([changes([:]), changes([[1]: [2], [3]: [4]]), changes([[1]: [2]])], logPoint: logPoint(9))
    let digests = try first.digests()
    #expect(try Array(second.digests().reversed().prefix(2)) == digests)
    #expect(digests[0] != digests[1] && digests[0] != TableDigest())
    #expect(try first.recountedDigests() == digests)
    #expect(try first.lend { reading throws(TablesError) in try reading.row(of: [1] as [UInt8], in: 0) } == Row([2]))
  }
}

@Suite struct `A file of records` {
  private let scratch = Scratch()

  @Test func `a record that an existing one forbids is not appended`() throws {
    let records = Records("records", in: scratch.path)
    for content in [[1], [2], [3]] as [[UInt8]] { #expect(try records.append(content)) }
    var seen: [[UInt8]] = []
    let isAdded = try records.append([4]) { record in
      seen.append(Array(record))
      return record.first == 2
    }
    #expect(!isAdded && seen == [[1], [2]])
    #expect(try records.append([5]) { $0.first == 4 })
    seen = []
    #expect(try !records.forEach { seen.append(Array($0)) })
    #expect(seen == [[1], [2], [3], [5]])
  }

  // What broke: for a directory with the file's name, as many bytes were to be read as its size said, and the process
  // crashed.
  @Test func `a directory with the name of the file is reported`() throws {
    let records = Records("records", in: scratch.path)
    try FileSystem.makeDirectories(scratch.path + "/records")
    #expect(throws: TablesError.self) { try records.forEach { _ in } }
    #expect(throws: TablesError.self) { try records.append([1]) }
  }

  @Test func `a record that is appended while others are removed is not lost`() throws {
    let path = scratch.path
    for number in 0..<20 as Range<UInt8> { try Records("records", in: path).append([0, number]) }
    let ended = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      #expect(throws: Never.self) {
        for number in 0..<100 as Range<UInt8> { try Records("records", in: path).append([1, number]) }
      }
      ended.signal()
    }
    let records = Records("records", in: path)
    while ended.wait(timeout: .now()) == .timedOut { try records.keep { $0[0] == 1 } }
    var kept: [[UInt8]] = []
    _ = try Records("records", in: path).forEach { kept.append(Array($0)) }
    #expect(kept == (0..<100).map { [1, $0] })
  }
}
