// The protocol of projections, and the tables that they fold events into.
public import EventLog
public import Tables

/// A projection: a fold of a log into tables.
///
/// It must be deterministic: it reads no clock, uses no input but the events, and depends on no hash order, so that the
/// same events give the same rows in every process, forever. Any state besides its tables must follow from them: the
/// projection is recreated whenever another process has folded further.
public protocol Projection: SendableMetatype {
  /// The name of the projection, unique in a program.
  static var name: String { get }

  /// The revision of the fold. A change to the rows that any event produces requires a new revision: its tables are
  /// then rebuilt, beside those of programs with the old one.
  static var revision: String { get }

  /// The names of its tables, each unique in the projection.
  static var tableNames: [String] { get }

  /// Creates the projection over its tables as they were last written.
  init(_ tables: ProjectionTables)

  /// Folds an event.
  ///
  /// When it throws an error other than a ``/Tables/TablesError``, it cannot fold the event: the projection stops
  /// there, with its tables as of the event before.
  mutating func fold(_ event: EventView) throws

  /// Returns whether the projection reads the payloads of events of a type. Encrypted content is decrypted only for the
  /// projections that read it; the default is that all do.
  static func readsPayloads(ofType type: RawSpan) -> Bool
}

extension Projection {
  /// The default: the payloads of all events are read.
  public static func readsPayloads(ofType _: RawSpan) -> Bool { true }
}

/// A table of a projection: its name and the type of its rows.
public struct ProjectionTable<Owner: Projection, Row: BinaryRow>: Sendable {
  /// The name within the projection.
  public let name: String

  /// The name within a table store, among the tables of other projections.
  @usableFromInline internal let fullName: String

  /// Creates a table with its name within the projection.
  public init(_ name: String) {
    self.name = name
    fullName = "\(Owner.name).\(name)"
  }
}

/// The tables that a projection folds into.
public struct ProjectionTables {
  @usableFromInline internal let tables: LiveTables

  internal init(tables: LiveTables) { self.tables = tables }

  /// Returns a table; can be called once for each.
  @inlinable
  public func callAsFunction<Owner: Projection, Row: BinaryRow>(
    _ table: ProjectionTable<Owner, Row>
  ) -> LiveTable<Row> {
    tables.table(named: table.fullName)
  }
}
