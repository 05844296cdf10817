// Reading the tables of views, all at one position.
public import Bytes
public import EventLog
public import Tables

/// The tables of all views at one position, unchanged for as long as it is lent.
public struct ViewReading: ~Escapable {
  /// Where they stand: everything up to here is in them, and nothing behind.
  public let position: Position
  private let reading: FolderReading
  private let numbers: [String: Int]

  @_lifetime(copy reading)
  internal init(_ reading: FolderReading, _ numbers: [String: Int]) {
    self.reading = reading
    self.numbers = numbers
    position = Position(rawValue: reading.anchor?.position ?? 0)
  }

  /// The row with a key; nil when there is none.
  public func row<Owner: View, Row: TableRow>(
    of key: some TableKey, in table: ViewTable<Owner, Row>
  ) throws(ViewError) -> Row? {
    let number = number(of: table)
    do throws(TablesError) { return try reading.row(of: key, in: number) } catch { throw .tables(error) }
  }

  /// Lends the rows of a table in an order of their keys until the body answers false.
  ///
  /// Upwards they begin with the first key that is not less than the given one, downwards with the last that is less.
  public func forEachRow<Owner: View, Row: TableRow>(
    of table: ViewTable<Owner, Row>, from key: some TableKey = [UInt8](), _ order: RowOrder = .upwards,
    _ body: (_ key: UnsafeRawBufferPointer, Row) throws(ViewError) -> Bool
  ) throws(ViewError) {
    let number = number(of: table)
    var failure: ViewError?
    do throws(TablesError) {
      try reading.forEachRow(of: number, from: key, order) { key, row in
        do throws(ViewError) { return try body(key, row) } catch {
          failure = error
          return false
        }
      }
    } catch {
      throw .tables(error)
    }
    if let failure { throw failure }
  }

  private func number<Owner: View, Row: TableRow>(of table: ViewTable<Owner, Row>) -> Int {
    guard let number = numbers[table.fullName] else {
      preconditionFailure("no view that was opened has a table \(table.fullName)")
    }
    return number
  }
}
