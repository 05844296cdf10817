// A view: what it is called, which tables it keeps, and how it folds an event into them.
public import EventLog
public import Tables

/// A fold of a log into tables.
///
/// It reads no clock, asks nothing of the outside, and depends on no hash order, so that the same events give the same
/// rows in every process, for ever. What it remembers besides its tables must follow from them: it is made anew
/// whenever others have folded further.
public protocol Projection: SendableMetatype {
  /// What it is called, once in a program.
  static var name: String { get }

  /// Which of its forms this is. Whoever changes what the view makes of any event changes this too: then its tables are
  /// folded anew, beside those of programs that have the old form.
  static var revision: String { get }

  /// What its tables are called, once each.
  static var tableNames: [String] { get }

  /// The view, with its tables as somebody left them.
  init(_ tables: ProjectionTables)

  /// Folds an event.
  ///
  /// An event that it throws at, other than a ``/Tables/TablesError``, is one that it cannot fold: the view stops
  /// there, with what the events before made of its tables.
  mutating func fold(_ event: EventView) throws
}

/// A table of a view, by its name and its rows.
public struct ProjectionTable<Owner: Projection, Row: TableRow>: Sendable {
  /// What the view calls it.
  public let name: String

  /// What it is called in a folder, among those of other projections.
  @usableFromInline internal let fullName: String

  /// The table that a view calls so.
  public init(_ name: String) {
    self.name = name
    fullName = "\(Owner.name).\(name)"
  }
}

/// The tables that a view folds into.
public struct ProjectionTables {
  @usableFromInline internal let tables: LiveTables

  internal init(tables: LiveTables) { self.tables = tables }

  /// A table, which is asked for once.
  @inlinable
  public func callAsFunction<Owner: Projection, Row: TableRow>(_ table: ProjectionTable<Owner, Row>) -> LiveTable<Row> {
    tables.table(named: table.fullName)
  }
}
