// What a replay tells, line by line.
public import Digests
public import EventLog
public import Tables
public import Projections

/// What a replay tells, in the order in which it comes about.
public enum ReplayLine: Hashable, Sendable {
  /// It began.
  case began(ReplayBeginning)
  /// What the tables are at a position.
  case digests(ReplayedDigests)
  /// What an event changes, as a digest of the rows.
  case event(Position, TableDigest)
  /// A row that an event changes.
  case change(Position, ExplainedRow)
  /// The same events came out in two ways.
  case unstable(ExplainedDifference)
  /// A table or a snapshot that lies there is not what the events come to.
  case mismatched(ExplainedDifference)
  /// A view could not fold an event.
  case stopped(ProjectionStop)
  /// An event that cannot be decoded, or that does not encode to the bytes that are stored.
  case unreadable(Position, String)
  /// It came to its end.
  case ended(ReplayEnd)
}

/// What a replay began with.
public struct ReplayBeginning: Hashable, Sendable {
  /// The hash of what the log was born with.
  public let log: ChainHash
  /// Where it goes to.
  public let end: Position
  /// Where the tables stood that it began with.
  public let start: Position
  /// How many positions have something testified that these views can be held against.
  public let fingerprints: [String]
}

/// The digests of all tables at a position.
public struct ReplayedDigests: Hashable, Sendable {
  /// The position.
  public let position: Position
  /// The hash of the block that holds it.
  public let hash: ChainHash
  /// The digest of each table, by its full name.
  public let tables: [Table]

  internal init(position: Position, hash: ChainHash, tables: [Table]) {
    (self.position, self.hash, self.tables) = (position, hash, tables)
  }

  /// The digest of a table.
  public struct Table: Hashable, Sendable {
    /// What it is called, with the name of its view.
    public let name: String
    /// The form of its view: digests of other forms cannot be compared.
    public let revision: String
    /// Its digest, as text.
    public let digest: String
  }

  /// The tables of which another has other digests at the same position, in the same form.
  public func tables(differingFrom other: ReplayedDigests) -> [String] {
    let theirs = Dictionary(other.tables.map { ($0.name, $0) }) { one, _ in one }
    return tables.compactMap { table in
      guard let other = theirs[table.name], other.revision == table.revision, other.digest != table.digest else {
        return nil
      }
      return table.name
    }
  }

  /// How many tables both have in the same form.
  public func comparableCount(with other: ReplayedDigests) -> Int {
    let theirs = Set(other.tables.map { "\($0.name) \($0.revision)" })
    return tables.count { theirs.contains("\($0.name) \($0.revision)") }
  }
}

/// What a replay did.
public struct ReplayEnd: Hashable, Sendable {
  /// Where the tables stand.
  public let position: Position
  /// How many events were folded, each counted once.
  public let events: UInt64
  /// How long it took, in milliseconds.
  public let milliseconds: UInt64
  /// How many events were decoded and encoded again.
  public let recoded: UInt64
  /// Which tables and snapshots that lie there were held against what was folded.
  public let compared: [String]

  /// How many events were folded in a second.
  public var eventsPerSecond: Double { Double(events) * 1_000 / Double(max(milliseconds, 1)) }
}

/// A row in words, as it is in two or three cases.
public struct ExplainedRow: Hashable, Sendable {
  /// The table, with the name of its view.
  public let table: String
  /// The row's key.
  public let key: [UInt8]
  /// What it says in each case; nil where there is no row.
  public let cases: [Case]

  /// What a row says in a case.
  public struct Case: Hashable, Sendable {
    /// Which case: before, after, here, there.
    public let name: String
    /// Field by field; nil where there is no row.
    public let fields: [RowField]?

    /// Whether there is a row that is not as it was written.
    public var isDamaged: Bool { fields == Case.damaged }

    internal static let damaged = [RowField(name: "row", text: "damaged")]

    /// What a field says; nil where there is no such field.
    public func text(of field: String) -> String? { fields?.first { $0.name == field }?.text }
  }

  /// The fields in which cases differ, in order.
  public var differingFields: [String] {
    cases.flatMap { $0.fields ?? [] }.map(\.name).firstOfEach.filter { name in
      Set(cases.map { $0.text(of: name) }).count > 1
    }
  }
}

/// Where two things that should be the same are not.
public struct ExplainedDifference: Hashable, Sendable {
  /// What differs from what, in a few words.
  public let what: String
  /// The first event after which they differ; nil when no more is known than the stretch.
  public let position: Position?
  /// The last position at which they were the same, and the first at which they are known not to be.
  public let stretch: ClosedRange<Position>
  /// The tables in which they differ.
  public let tables: [String]
  /// The rows, the first of them.
  public let rows: [ExplainedRow]

  /// A difference with its parts; in the tables of its rows unless told.
  public init(
    what: String, position: Position?, stretch: ClosedRange<Position>, tables: [String]? = nil, rows: [ExplainedRow]
  ) {
    (self.what, self.position, self.stretch) = (what, position, stretch)
    (self.tables, self.rows) = (tables ?? rows.map(\.table).firstOfEach, rows)
  }
}

extension Sequence where Element: Hashable {
  /// Each element once, where it first stands.
  internal var firstOfEach: [Element] {
    var known: Set<Element> = []
    return filter { known.insert($0).inserted }
  }
}
