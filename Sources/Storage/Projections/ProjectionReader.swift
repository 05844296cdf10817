// Reads of the tables of projections, all at one position.
public import Bytes
public import EventLog
public import Tables

/// The tables of all projections at one position, valid and unchanged for the duration of a read's closure.
public struct ProjectionReader: ~Escapable {
  /// The position of the tables: they include all events up to it, and none after.
  public let position: Position
  @usableFromInline internal let reading: TableStoreReader
  private let numbers: [String: Int]

  @_lifetime(copy reading)
  internal init(_ reading: TableStoreReader, _ numbers: [String: Int]) {
    self.reading = reading
    self.numbers = numbers
    position = Position(rawValue: reading.logPoint?.position ?? 0)
  }

  /// Returns the row with a key; nil when there is none.
  @inlinable
  public func row<Owner: Projection, Row: BinaryRow>(
    of key: some TableKey, in table: ProjectionTable<Owner, Row>
  ) throws(ProjectionError) -> Row? {
    do throws(TablesError) { return try reading.row(of: key, in: number(of: table.fullName)) } catch {
      throw .tables(error)
    }
  }

  /// Calls the closure with the rows of a table in an order of their keys until it returns false.
  ///
  /// Upwards they start with the first key that is not less than the given one, downwards with the last that is less.
  @inlinable
  public func forEachRow<Owner: Projection, Row: BinaryRow>(
    of table: ProjectionTable<Owner, Row>, from key: some TableKey = [UInt8](), _ order: RowOrder = .upwards,
    _ body: (_ key: UnsafeRawBufferPointer, Row) throws(ProjectionError) -> Bool
  ) throws(ProjectionError) {
    var failure: ProjectionError?
    do throws(TablesError) {
      try reading.forEachRow(of: number(of: table.fullName), from: key, order) { key, row in
        do throws(ProjectionError) { return try body(key, row) } catch {
          failure = error
          return false
        }
      }
    } catch {
      throw .tables(error)
    }
    if let failure { throw failure }
  }

  /// Runs the closure with a cursor over the rows of a table, and one over those of another.
  @inlinable
  public func withRows<Owner: Projection, Row: BinaryRow, Other: BinaryRow>(
    of table: ProjectionTable<Owner, Row>, and other: ProjectionTable<Owner, Other>,
    _ body: (inout RowCursor, inout RowCursor) throws(TablesError) -> Void
  ) throws(ProjectionError) {
    do throws(TablesError) {
      try reading.withRows(of: number(of: table.fullName)) { rows throws(TablesError) in
        try reading.withRows(of: number(of: other.fullName)) { others throws(TablesError) in
          try body(&rows, &others)
        }
      }
    } catch {
      throw .tables(error)
    }
  }

  /// Runs the closure with a cursor over the rows of each of three tables.
  package func withRows<Owner: Projection, Row: BinaryRow, Other: BinaryRow, Third: BinaryRow>(
    of table: ProjectionTable<Owner, Row>, _ other: ProjectionTable<Owner, Other>,
    _ third: ProjectionTable<Owner, Third>,
    _ body: (inout RowCursor, inout RowCursor, inout RowCursor) throws(TablesError) -> Void
  ) throws(ProjectionError) {
    try withRows(of: table, and: other) { rows, others throws(TablesError) in
      try reading.withRows(of: number(of: third.fullName)) { thirds throws(TablesError) in
        try body(&rows, &others, &thirds)
      }
    }
  }

  @usableFromInline
  internal func number(of table: String) -> Int {
    guard let number = numbers[table] else {
      preconditionFailure("no open projection has the table \(table): name its projection in the configuration")
    }
    return number
  }
}
