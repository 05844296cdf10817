// The lines that a replay reports.
public import Digests
public import EventLog
public import Tables
public import Projections

/// A line that a replay reports, in the order of folding.
public enum ReplayLine: Hashable, Sendable {
  /// The replay began.
  case began(ReplayBeginning)
  /// The digests of the tables at a position.
  case digests(ReplayedDigests)
  /// The digest of the rows that an event changes.
  case event(ReplayedEvent)
  /// A row that an event changes.
  case change(Position, ExplainedRow)
  /// Folding the same events gave two results.
  case unstable(ExplainedDifference)
  /// A stored table or snapshot differs from the folded rows.
  case mismatched(ExplainedDifference)
  /// A projection could not fold an event.
  case stopped(ProjectionStop)
  /// An event cannot be decoded, or is not encoded to the stored bytes.
  case unreadable(Position, String)
  /// The replay ended.
  case ended(ReplayEnd)
}

/// The first line of a replay.
public struct ReplayBeginning: Hashable, Sendable {
  /// The hash of the log's genesis.
  public let log: ChainHash
  /// The last position to fold.
  public let end: Position
  /// The position of the tables at the start.
  public let start: Position
  /// The fingerprint of each projection set.
  public let fingerprints: [String]
}

/// The digests of all tables at a position.
public struct ReplayedDigests: Hashable, Sendable {
  /// The position.
  public let position: Position
  /// The hash of the block that contains the position.
  public let hash: ChainHash
  /// The digest of each table, by its full name.
  public let tables: [Table]

  internal init(position: Position, hash: ChainHash, tables: [Table]) {
    (self.position, self.hash, self.tables) = (position, hash, tables)
  }

  /// The digest of a table.
  public struct Table: Hashable, Sendable {
    /// The table's name, prefixed with the name of its projection.
    public let name: String
    /// The revision of its projection; digests of different revisions cannot be compared.
    public let revision: String
    /// The digest as text.
    public let digest: String
  }

  /// Returns the tables whose digests differ at the same position and revision.
  public func tables(differingFrom other: ReplayedDigests) -> [String] {
    let theirs = Dictionary(other.tables.map { ($0.name, $0) }) { one, _ in one }
    return tables.compactMap { table in
      guard let other = theirs[table.name], other.revision == table.revision, other.digest != table.digest else {
        return nil
      }
      return table.name
    }
  }

  /// Returns the number of tables that both have at the same revision.
  public func comparableCount(with other: ReplayedDigests) -> Int {
    let theirs = Set(other.tables.map { "\($0.name) \($0.revision)" })
    return tables.count { theirs.contains("\($0.name) \($0.revision)") }
  }
}

/// The digest of the rows that an event changes.
public struct ReplayedEvent: Hashable, Sendable {
  /// The position of the event.
  public let position: Position
  /// The sum of the digests of all tables.
  public let digest: TableDigest
  /// The digest of the changes in each table, by its full name, without unchanged tables; nil where the program reports
  /// only the sum.
  public let tables: [String: TableDigest]?
}

/// The last line of a replay.
public struct ReplayEnd: Hashable, Sendable {
  /// The position of the tables.
  public let position: Position
  /// The number of folded events, each counted once.
  public let events: UInt64
  /// The duration in milliseconds.
  public let milliseconds: UInt64
  /// The number of events that were decoded and encoded again.
  public let recoded: UInt64
  /// The stored tables and snapshots that were compared with the folded rows.
  public let compared: [String]
  /// The stored tables and snapshots that were not compared, each a sentence with the reason.
  public let skipped: [String]

  /// The number of events folded per second.
  public var eventsPerSecond: Double { Double(events) * 1_000 / Double(max(milliseconds, 1)) }
}

/// A row as readable fields, in two or three cases.
public struct ExplainedRow: Hashable, Sendable {
  /// The table, prefixed with the name of its projection.
  public let table: String
  /// The row's key.
  public let key: [UInt8]
  /// The fields of the row in each case; nil where there is no row.
  public let cases: [Case]

  /// The fields of a row in one case.
  public struct Case: Hashable, Sendable {
    /// The name of the case: before, after, here, there.
    public let name: String
    /// The fields in order; nil where there is no row.
    public let fields: [RowField]?

    /// Whether the row exists but is damaged.
    public var isDamaged: Bool { fields == Case.damaged }

    internal static let damaged = [RowField(name: "row", text: "damaged")]

    /// Returns the text of a field; nil where there is no such field.
    public func text(of field: String) -> String? { fields?.first { $0.name == field }?.text }
  }

  /// The names of the fields that differ between cases, in order.
  public var differingFields: [String] {
    cases.flatMap { $0.fields ?? [] }.map(\.name).firstOfEach.filter { name in
      Set(cases.map { $0.text(of: name) }).count > 1
    }
  }
}

/// A difference between two results that should be equal.
public struct ExplainedDifference: Hashable, Sendable {
  /// A short description of what differs from what.
  public let what: String
  /// The first event after which they differ; nil when only the stretch is known.
  public let position: Position?
  /// The last position at which they were equal, and the first at which they are known to differ.
  public let stretch: ClosedRange<Position>
  /// The tables that differ.
  public let tables: [String]
  /// The first of the rows that differ.
  public let rows: [ExplainedRow]

  /// Creates a difference; the tables default to those of its rows.
  public init(
    what: String, position: Position?, stretch: ClosedRange<Position>, tables: [String]? = nil, rows: [ExplainedRow]
  ) {
    (self.what, self.position, self.stretch) = (what, position, stretch)
    (self.tables, self.rows) = (tables ?? rows.map(\.table).firstOfEach, rows)
  }
}

extension Sequence where Element: Hashable {
  /// The distinct elements, in the order of their first occurrence.
  internal var firstOfEach: [Element] {
    var known: Set<Element> = []
    return filter { known.insert($0).inserted }
  }
}
