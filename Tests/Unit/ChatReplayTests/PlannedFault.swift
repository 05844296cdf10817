// Injects faults into the files of a workspace that no process has open.
import Digests
import Foundation
import LMDB

extension Workplace {
  /// Flips a bit of each occurrence of a text in the log's file.
  func flipBit(of text: String) throws {
    let url = URL(fileURLWithPath: self("log/data.mdb"))
    var data = try Data(contentsOf: url)
    var start = data.startIndex
    while let found = data.range(of: Data(text.utf8), in: start..<data.endIndex) {
      data[found.lowerBound] ^= 1
      start = found.upperBound
    }
    try data.write(to: url)
  }

  /// Truncates the log's file to less than its pages in use: its last pages may all be free or zeros written ahead, and
  /// then nothing is lost.
  func truncateLog() throws {
    let handle = try FileHandle(forUpdating: URL(fileURLWithPath: self("log/data.mdb")))
    try handle.truncate(atOffset: 16 * 4096)
    try handle.close()
  }

  /// Removes a block from the log; returns the position of its last event.
  func removeBlock(number: Int) throws -> UInt64 {
    let environment = try Environment(path: self("log"))
    let table = try environment.table(nil)
    let key = try environment.key(number, of: table)
    try environment.remove(key, from: table)
    return key.reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Swaps two entries of the index, each with a valid checksum.
  func exchangeAppendsInIndex() throws {
    let environment = try Environment(path: self("index"), options: .ofTables)
    let table = try environment.table("appends")
    let keys = [try environment.key(0, of: table), try environment.key(1, of: table)]
    let values = [try environment.value(of: keys[0], in: table), try environment.value(of: keys[1], in: table)]
    try environment.put(sealed(values[1], keys[0], seed: 0), for: keys[0], in: table)
    try environment.put(sealed(values[0], keys[1], seed: 0), for: keys[1], in: table)
  }

  /// Sets the value of a row, with a valid checksum, in a table store.
  func setRow(_ value: String, ofKey key: String, in table: String, at folder: String) throws {
    let environment = try Environment(path: folder, options: .ofTables)
    let rows = try environment.table(table)
    var name = table
    let seed = name.withUTF8 { quickHash(UnsafeRawBufferPointer($0)) }
    try environment.put(
      sealed(Array(value.utf8) + [0, 0, 0, 0], Array(key.utf8), seed: seed), for: Array(key.utf8), in: rows)
  }

  /// Returns the directory of the table store that contains a table.
  func folder(withTable name: String) throws -> String {
    for fingerprint in try FileManager.default.contentsOfDirectory(atPath: self("projections"))
    where fingerprint.count == 32 {
      let folder = self("projections/\(fingerprint)")
      let environment = try Environment(path: folder, options: .ofTables)
      // The names of tables are the keys of the unnamed table.
      if try !environment.value(of: Array(name.utf8), in: try environment.table(nil)).isEmpty { return folder }
    }
    throw Missing(what: "a folder with \(name)")
  }

  /// Returns the positions of a table store's snapshots in ascending order.
  func snapshots(ofTablesIn folder: String) throws -> [Int] {
    let directory = self("projections/snapshots/" + URL(fileURLWithPath: folder).lastPathComponent)
    return try FileManager.default.contentsOfDirectory(atPath: directory).compactMap { Int($0) }.sorted()
  }

  struct Missing: Error { let what: String }
}

/// Returns a value with the checksum of another row.
private func sealed(_ stored: [UInt8], _ key: [UInt8], seed: UInt64) -> [UInt8] {
  let value = Array(stored.dropLast(4))
  let checksum = key.withUnsafeBytes { key in
    value.withUnsafeBytes { RowHash(key: key, value: $0, seed: seed).checksum }
  }
  return value + (0..<4).map { UInt8(truncatingIfNeeded: checksum >> (8 * $0)) }
}

extension Environment.Options {
  fileprivate static var ofTables: Self { Self(tablesMax: 64, isSynced: false, mapSize: 1 << 37) }
}

extension Environment {
  fileprivate borrowing func key(_ number: Int, of table: Table) throws(LMDBError) -> [UInt8] {
    try read { transaction throws(LMDBError) in
      try transaction.withCursor(over: table) { cursor throws(LMDBError) in
        for _ in 0...number { _ = try cursor.moveToNext() }
        return cursor.key.withUnsafeBytes { Array($0) }
      }
    }
  }

  fileprivate borrowing func value(of key: [UInt8], in table: Table) throws(LMDBError) -> [UInt8] {
    try read { transaction throws(LMDBError) in
      try transaction.value(of: key, in: table)?.withUnsafeBytes { Array($0) } ?? []
    }
  }

  fileprivate borrowing func remove(_ key: [UInt8], from table: Table) throws(LMDBError) {
    try write { transaction throws(LMDBError) in _ = try transaction.remove(key, from: table) }
  }

  fileprivate borrowing func put(_ value: [UInt8], for key: [UInt8], in table: Table) throws(LMDBError) {
    try write { transaction throws(LMDBError) in
      let outcome = value.withUnsafeBytes { value in
        Result { () throws(LMDBError) in try transaction.put(value, for: key, in: table) }
      }
      try outcome.get()
    }
  }
}
