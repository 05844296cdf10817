// A directory for a test, and shorthands for operations on an environment in it.
import Bytes
import Foundation
import LMDB
import Testing

/// An empty directory that is removed with this object.
final class Scratch: Sendable {
  let path: String

  init() {
    path = FileManager.default.temporaryDirectory.path + "/lmdb-tests-\(UUID().uuidString)"
    try! FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Creates an environment in this directory.
  func open(tablesMax: Int = 4, isSynced: Bool = false) throws -> Environment {
    try Environment(path: path, options: .init(creates: true, tablesMax: tablesMax, isSynced: isSynced))
  }
}

/// The error that a test throws and expects to be rethrown.
let refusal = LMDBError(rawValue: 4711)

/// Expects an error within a transaction's closure, whose typed throws `#expect(throws:)` does not take.
func expectThrown(
  _ expected: LMDBError, _ location: SourceLocation = #_sourceLocation, by body: () throws(LMDBError) -> Void
) {
  do throws(LMDBError) {
    try body()
    Issue.record("nothing was thrown", sourceLocation: location)
  } catch {
    #expect(error == expected, sourceLocation: location)
  }
}

/// A key with its value.
struct Pair: Equatable {
  let key: [UInt8]
  let value: [UInt8]
  init(_ key: [UInt8], _ value: [UInt8]) { (self.key, self.value) = (key, value) }
}

extension Environment {
  /// Sets one key in a transaction of its own.
  func set(_ key: some TableKey, _ value: [UInt8], in table: Table) throws {
    try write { transaction throws(LMDBError) in try transaction.set(key, value, in: table) }
  }

  /// Returns the value of a key in a transaction of its own.
  func value(of key: some TableKey, in table: Table) throws -> [UInt8]? {
    try read { transaction throws(LMDBError) in try transaction.copy(of: key, in: table) }
  }

  /// Returns all keys with their values, by moving a cursor from the first to the last.
  func pairs(in table: Table) throws -> [Pair] {
    try read { transaction throws(LMDBError) in
      try transaction.withCursor(over: table) { cursor throws(LMDBError) in
        var pairs: [Pair] = []
        while try cursor.moveToNext() { pairs.append(cursor.pair) }
        return pairs
      }
    }
  }
}

extension ReadTransaction {
  func copy(of key: some TableKey, in table: Table) throws(LMDBError) -> [UInt8]? {
    guard let value = try value(of: key, in: table) else { return nil }
    return value.copy
  }
}

extension WriteTransaction {
  func copy(of key: some TableKey, in table: Table) throws(LMDBError) -> [UInt8]? {
    guard let value = try value(of: key, in: table) else { return nil }
    return value.copy
  }

  mutating func set(_ key: some TableKey, _ value: [UInt8], in table: Table) throws(LMDBError) {
    try value.span.bytes.withUnsafeBytes { bytes throws(LMDBError) in try put(bytes, for: key, in: table) }
  }

  mutating func add(_ key: some TableKey, _ value: [UInt8], in table: Table) throws(LMDBError) {
    try value.span.bytes.withUnsafeBytes { bytes throws(LMDBError) in try append(bytes, for: key, in: table) }
  }
}

extension Cursor {
  var pair: Pair { Pair(key.copy, value.copy) }

  mutating func set(_ key: [UInt8], _ value: [UInt8]) throws(LMDBError) {
    try value.span.bytes.withUnsafeBytes { bytes throws(LMDBError) in try put(bytes, for: key) }
  }

  mutating func add(_ key: [UInt8], _ value: [UInt8]) throws(LMDBError) {
    try value.span.bytes.withUnsafeBytes { bytes throws(LMDBError) in try append(bytes, for: key) }
  }
}

extension RawSpan {
  var copy: [UInt8] { withUnsafeBytes { Array($0) } }
}
