// Tables of Codable rows under typed keys.
internal import Bytes
public import Tables

/// A table of a projection with a typed key and a `Codable` row.
///
/// A key is a number, a text, an id, or a value of several of them, which sorts by its first field, then by the second,
/// and so on; two texts are one key only if their UTF-8 bytes are equal. A row is stored as JSON in which members, sets
/// and dictionaries are sorted, so that equal values have equal bytes in every process.
///
/// A change to the stored form of a key or a row requires a new revision of the projection.
public struct CodableTable<Owner: Projection, Key: Codable & Sendable, Row: Codable & Sendable>: Sendable {
  internal let table: ProjectionTable<Owner, CodableRow<Row>>

  /// Creates a table with its name within the projection.
  public init(_ name: String) { table = ProjectionTable(name) }
}

/// A declared table, of any key and row.
public protocol DeclaredTable: Sendable {
  /// The name within the projection.
  var name: String { get }

  /// Opens the table among the tables of its projection.
  func open(in tables: ProjectionTables) -> ProjectionRows.Opened
}

extension CodableTable: DeclaredTable {
  /// The name within the projection.
  public var name: String { table.name }

  /// Opens the table among the tables of its projection.
  public func open(in tables: ProjectionTables) -> ProjectionRows.Opened {
    ProjectionRows.Opened(name: table.fullName, rows: tables(table))
  }
}

/// A `Codable` value as the row of a table.
internal struct CodableRow<Value: Codable & Sendable>: BinaryRow, CustomReflectable {
  let value: Value
  private let bytes: [UInt8]

  init(_ value: Value) throws { (self.value, bytes) = (value, try encodeRow(value)) }

  init?(decoding bytes: RawSpan) {
    let bytes = bytes.withUnsafeBytes { Array($0) }
    guard let value = try? decodeRow(Value.self, from: bytes) else { return nil }
    (self.value, self.bytes) = (value, bytes)
  }

  func encode(into writer: inout ByteWriter) { bytes.withUnsafeBytes { writer.bytes($0) } }

  /// The fields of the value, to show differences.
  var customMirror: Mirror { Mirror(reflecting: value) }
}

/// The rows of a projection's declared tables during a fold.
///
/// Its errors, thrown on, stop the projection before the event: a key or a row cannot be encoded, or a table cannot be
/// read.
public struct ProjectionRows {
  private let tables: [String: AnyObject]

  /// An opened table.
  public struct Opened {
    internal let name: String
    internal let rows: AnyObject
  }

  /// Opens the declared tables of a projection.
  public init(of tables: ProjectionTables, declared: [any DeclaredTable]) {
    self.tables = Dictionary(declared.map { $0.open(in: tables) }.map { ($0.name, $0.rows) }) { $1 }
  }

  /// Returns the row with a key; nil when there is none.
  public func row<Owner, Key, Row>(of key: Key, in table: CodableTable<Owner, Key, Row>) throws -> Row? {
    try live(table).row(of: encodeKey(key))?.value
  }

  /// Sets the row with a key.
  public func set<Owner, Key, Row>(_ row: Row, for key: Key, in table: CodableTable<Owner, Key, Row>) throws {
    try live(table).set(CodableRow(row), for: encodeKey(key))
  }

  /// Removes the row with a key, if there is one.
  public func removeRow<Owner, Key, Row>(of key: Key, in table: CodableTable<Owner, Key, Row>) throws {
    try live(table).set(nil, for: encodeKey(key))
  }

  /// Changes the row with a key, or a default row when there is none.
  public func update<Owner, Key, Row, R>(
    _ key: Key, in table: CodableTable<Owner, Key, Row>, default row: @autoclosure () -> Row,
    _ body: (inout Row) throws -> R
  ) throws -> R {
    let (live, key) = (live(table), try encodeKey(key))
    let index = try live.index(of: key)
    var row = live[index]?.value ?? row()
    let result = try body(&row)
    live[index] = try CodableRow(row)
    return result
  }

  /// Returns the rows of a table in the order of their keys.
  public func rows<Owner, Key, Row>(in table: CodableTable<Owner, Key, Row>) throws -> [(key: Key, row: Row)] {
    try rows(in: table, underEncoded: [])
  }

  /// Returns the rows of a table whose keys begin with some fields, in the order of their keys.
  public func rows<Owner, Key, Row>(
    in table: CodableTable<Owner, Key, Row>, under prefix: some Encodable
  ) throws -> [(key: Key, row: Row)] { try rows(in: table, underEncoded: encodeKey(prefix)) }

  private func rows<Owner, Key, Row>(
    in table: CodableTable<Owner, Key, Row>, underEncoded prefix: [UInt8]
  ) throws -> [(key: Key, row: Row)] {
    try live(table).rows(under: prefix).filter { $0.key.isUnder(prefix) }
      .map { (try decodeKey(Key.self, from: $0.key), $0.row.value) }
  }

  private func live<Owner, Key, Row>(_ table: CodableTable<Owner, Key, Row>) -> LiveTable<CodableRow<Row>> {
    guard let rows = tables[table.table.fullName] else {
      preconditionFailure("the projection \(Owner.name) does not declare its table \(table.name)")
    }
    return unsafeDowncast(rows, to: LiveTable<CodableRow<Row>>.self)
  }
}

// MARK: Reading

extension ProjectionReader {
  /// Returns the row with a key; nil when there is none.
  public func row<Owner, Key, Row>(
    of key: Key, in table: CodableTable<Owner, Key, Row>
  ) throws(ProjectionError) -> Row? {
    // A key that cannot be encoded has no row.
    guard let key = try? encodeKey(key) else { return nil }
    return try row(of: key, in: table.table)?.value
  }

  /// Returns rows of a table in an order of their keys, at most `limit`.
  public func rows<Owner, Key, Row>(
    in table: CodableTable<Owner, Key, Row>, _ order: RowOrder = .upwards, limit: Int = .max
  ) throws(ProjectionError) -> [(key: Key, row: Row)] {
    try rows(in: table, from: order == .upwards ? [] : [UInt8](repeating: 0xFF, count: 8), under: [], order, limit)
  }

  /// Returns the rows of a table whose keys begin with some fields, in an order of their keys, at most `limit`.
  public func rows<Owner, Key, Row>(
    in table: CodableTable<Owner, Key, Row>, under prefix: some Encodable, _ order: RowOrder = .upwards,
    limit: Int = .max
  ) throws(ProjectionError) -> [(key: Key, row: Row)] {
    guard let prefix = try? encodeKey(prefix) else { return [] }
    // No component begins with the byte 255.
    return try rows(in: table, from: order == .upwards ? prefix : prefix + [0xFF], under: prefix, order, limit)
  }

  private func rows<Owner, Key, Row>(
    in table: CodableTable<Owner, Key, Row>, from start: [UInt8], under prefix: [UInt8], _ order: RowOrder,
    _ limit: Int
  ) throws(ProjectionError) -> [(key: Key, row: Row)] {
    var found: [(key: Key, row: Row)] = []
    var malformed = false
    try forEachRow(of: table.table, from: start, order) { key, row in
      guard found.count < limit, key.isUnder(prefix) else { return false }
      guard let key = try? decodeKey(Key.self, from: Array(key)) else {
        malformed = true
        return false
      }
      found.append((key, row.value))
      return true
    }
    if malformed { throw .tables(reading.malformed(in: number(of: table.table.fullName))) }
    return found
  }
}

extension Collection<UInt8> {
  /// Returns whether an encoded key begins with some fields: a byte of 255 behind them continues their last text.
  fileprivate func isUnder(_ prefix: [UInt8]) -> Bool { starts(with: prefix) && dropFirst(prefix.count).first != 0xFF }
}
