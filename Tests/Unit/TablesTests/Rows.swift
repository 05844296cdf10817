// Rows of plain bytes for the tests of tables, in table stores that are removed with the test.
import Bytes
import Digests
import Foundation
import Files
import Tables

/// A row whose stored form is its bytes; those that start with 0xFF are malformed.
struct Row: BinaryRow, Equatable {
  var bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  init?(decoding bytes: RawSpan) {
    self.bytes = bytes.withUnsafeBytes { Array($0) }
    if self.bytes.first == 0xFF { return nil }
  }

  func encode(into writer: inout ByteWriter) { bytes.withUnsafeBytes { writer.bytes($0) } }
}

/// A row that is written once.
struct OnceRow: BinaryRow {
  static let isWrittenOnce = true

  let row: Row

  init(_ row: Row) { self.row = row }

  init?(decoding bytes: RawSpan) {
    guard let row = Row(decoding: bytes) else { return nil }
    self.row = row
  }

  func encode(into writer: inout ByteWriter) { row.encode(into: &writer) }
}

/// A dictionary of rows by their keys.
typealias Rows = [[UInt8]: [UInt8]]

/// The rows as changes.
func changes(_ rows: Rows) -> ChangedRows {
  var table = WorkingTable<Row>()
  for (key, value) in rows { key.withUnsafeBytes { _ = table.insert(Row(value), for: $0) } }
  return table.takeChanges()
}

/// Returns a log point whose hash depends on its position and a chain.
func logPoint(_ position: UInt64, chain: UInt8 = 0) -> LogPoint {
  let hash = [UInt8(truncatingIfNeeded: position), chain].withUnsafeBytes { ChainHash(of: $0, after: nil) }
  return LogPoint(position: position, hash: hash)
}

/// A path at which no file exists yet; it is removed with this object.
final class Scratch: Sendable {
  let path = FileManager.default.temporaryDirectory.path + "/tables-tests-\(UUID().uuidString)"

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Opens a table store with two tables, on whose chain all log points are unless the closure decides otherwise.
  func open(_ isOnChain: (LogPoint) -> Bool = { _ in true }) throws -> TableStore {
    try TableStore(at: path, tables: ["one", "other"], isOnChain: isOnChain)
  }

  var dirtyMark: String? { (try? FileSystem.contents(of: path + "/dirty")) ?? nil }

  /// The content of a synced dirty mark of this boot.
  var presentMark: String { get throws { try FileSystem.bootAndDevice(of: path) + "durable\n" } }
}

extension TableStore {
  /// Writes rows into its two tables.
  func write(_ one: Rows, _ other: Rows = [:], at logPoint: LogPoint) throws -> WriteOutcome {
    try write([changes(one), changes(other)], logPoint: logPoint)
  }

  /// The rows of both tables.
  func rows(upTo position: UInt64 = .max) throws -> [Rows] {
    try tableNames.indices.map { try rows(of: $0, upTo: position) }
  }

  func recountedDigests() throws -> [TableDigest] {
    try lend { reading throws(TablesError) in try reading.recountedDigests() }
  }
}

extension TablesSource {
  /// The rows of a table.
  func rows(of table: Int, upTo position: UInt64 = .max) throws -> Rows {
    var rows: Rows = [:]
    try lend(upTo: position) { reading throws(TablesError) in
      try reading.forEachRow(of: table) { (key, row: Row) in
        rows[Array(key)] = row.bytes
        return true
      }
    }
    return rows
  }
}
