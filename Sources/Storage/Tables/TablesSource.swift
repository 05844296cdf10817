// What rows are read from: a table store, or a history of its rows at one position.
public import Bytes

/// Tables at one log point, whose rows can be read.
public protocol TablesSource: Sendable {
  /// The names of the tables; a table's index here is its number.
  var tableNames: [String] { get }

  /// Returns the log point of the tables; nil when nothing was ever written.
  func logPoint() throws(TablesError) -> LogPoint?

  /// Runs the closure on one state of the tables; throws ``TablesError/ahead(_:)`` when it is past a position.
  func lend<R>(
    upTo position: UInt64, _ body: (TableStoreReader) throws(TablesError) -> R
  ) throws(TablesError) -> R
}

extension TablesSource {
  /// Returns the row with a key in the newest state; as ``lend(upTo:_:)`` and ``TableStoreReader/row(of:in:)``.
  public func row<Row: BinaryRow>(
    of key: some TableKey, in table: Int, upTo position: UInt64 = .max
  ) throws(TablesError) -> Row? {
    try lend(upTo: position) { reading throws(TablesError) in try reading.row(of: key, in: table) }
  }
}
