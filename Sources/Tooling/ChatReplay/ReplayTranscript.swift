// The collected lines of a replay, and their comparison with other digests.
public import EventLog
internal import ChatProjections
internal import Errors
internal import Projections

/// The collected lines of a replay.
public struct ReplayTranscript: Sendable {
  /// A short name of the replay's program.
  public let name: String
  /// The first line; nil before it is added.
  public private(set) var beginning: ReplayBeginning?
  /// The digests, in ascending order of position.
  public private(set) var digests: [ReplayedDigests] = []
  /// The digest of the rows that each event changes.
  public private(set) var events: [ReplayedEvent] = []
  /// The rows that an event changes.
  public private(set) var changes: [ExplainedRow] = []
  /// The stretches in which folding the same events gave two results.
  public private(set) var unstable: [ExplainedDifference] = []
  /// The stored tables and snapshots that differ from the folded rows.
  public private(set) var mismatched: [ExplainedDifference] = []
  /// Other faults, one sentence each.
  public private(set) var faults: [String] = []
  /// The last line; nil when the replay did not end.
  public private(set) var end: ReplayEnd?

  /// Creates an empty transcript.
  public init(of name: String) { self.name = name }

  /// Adds a line.
  public mutating func add(_ line: ReplayLine) {
    switch line {
    case .began(let beginning): self.beginning = beginning
    case .digests(let replayed): digests.append(replayed)
    case .event(let event): events.append(event)
    case .change(_, let row): changes.append(row)
    case .unstable(let difference): unstable.append(difference)
    case .mismatched(let difference): mismatched.append(difference)
    case .stopped(let stop): faults.append("\(stop)")
    case .unreadable(let position, let reason): faults.append("The event at position \(position): \(reason)")
    case .ended(let end): self.end = end
    }
  }
}

/// The result of comparing digests.
public struct DigestComparison: Hashable, Sendable {
  /// The number of positions at which digests were compared.
  public internal(set) var compared = 0
  /// The number of positions that only have digests of other projection revisions.
  public internal(set) var passedOver = 0
  /// The last position before the first difference at which all compared digests were equal.
  public internal(set) var lastSame = Position.zero
  /// The first position with a difference; nil when there is none.
  public internal(set) var firstDifferent: Position?
  /// The tables that differ there; empty when the logs differ.
  public internal(set) var tables: [String] = []
  /// The tables that both have at the same revision, at positions that both have.
  public internal(set) var common: Set<String> = []
  /// The tables that only the others have, in order.
  public internal(set) var missing: [String] = []
  /// The tables that the others do not have, in order.
  public internal(set) var additional: [String] = []
  /// The tables of which the others have other revisions only, in order.
  public internal(set) var revised: [String] = []

  /// Whether every table of either is compared.
  public var isComplete: Bool { missing.isEmpty && additional.isEmpty && revised.isEmpty }
  /// The positions after the last one without a difference, up to the first with one; nil when there is none.
  public var stretch: ClosedRange<Position>? { firstDifferent.map { min(lastSame.next, $0)...$0 } }
}

extension DigestComparison {
  /// Creates a comparison that only knows the tables of both.
  fileprivate init(of digests: [ReplayedDigests], with others: [ReplayedDigests]) {
    let (here, there) = (digests.flatMap(\.tables), others.flatMap(\.tables))
    let (ours, theirs) = (Set(here.map(\.name)), Set(there.map(\.name)))
    let revisions = Set(there.map { [$0.name, $0.revision] })
    common = Set(here.filter { revisions.contains([$0.name, $0.revision]) }.map(\.name))
    missing = theirs.subtracting(ours).sorted()
    additional = ours.subtracting(theirs).sorted()
    revised = ours.intersection(theirs).subtracting(common).sorted()
  }
}

extension ReplayTranscript {
  /// Compares the digests with others in ascending order of position, up to the first difference.
  public func compare(with others: [ReplayedDigests]) -> DigestComparison {
    let own = Dictionary(digests.map { ($0.position, $0) }) { one, _ in one }
    // One position may have several entries, of different tables.
    let pairs = others.sorted { $0.position < $1.position }
      .compactMap { other in own[other.position].map { mine in (mine, other) } }
    var comparison = DigestComparison(of: pairs.map(\.0), with: pairs.map(\.1))
    var same = Position.zero
    for (mine, other) in pairs {
      let tables = mine.tables(differingFrom: other)
      if other.position > same { comparison.lastSame = same }
      if mine.hash != other.hash || !tables.isEmpty {
        comparison.compared += 1
        (comparison.firstDifferent, comparison.tables) = (other.position, mine.hash == other.hash ? tables : [])
        return comparison
      }
      if mine.comparableCount(with: other) == 0 {
        comparison.passedOver += 1
      } else {
        comparison.compared += 1
        same = other.position
      }
    }
    comparison.lastSame = same
    return comparison
  }

  /// Returns the first event that changes other rows of some tables, or of any when they are nil, than in another
  /// transcript; nil when there is none, and when a transcript has no digest of each table.
  public func firstEvent(differingFrom other: ReplayTranscript, in tables: Set<String>? = nil) -> Position? {
    let theirs = Dictionary(other.events.map { ($0.position, $0) }) { one, _ in one }
    return events.first { mine in
      guard let their = theirs[mine.position] else { return false }
      guard let tables else { return mine.digest != their.digest }
      guard let mine = mine.tables, let their = their.tables else { return false }
      return mine.filter { tables.contains($0.key) } != their.filter { tables.contains($0.key) }
    }?.position
  }

  /// Returns the rows that an event changes differently in two transcripts: before the event, and after it in each.
  public func rows(differingFrom other: ReplayTranscript) -> [ExplainedRow] {
    var rows: [ExplainedRow] = []
    let (mine, theirs) = (Self.byRowID(changes), Self.byRowID(other.changes))
    for id in (changes + other.changes).map(RowID.init) where !rows.contains(where: { RowID($0) == id }) {
      let (one, two) = (mine[id], theirs[id])
      guard let row = one ?? two else { continue }
      let before = row.cases.first?.fields
      // A transcript without a change of the row has the row as it was before.
      let (here, there) = (one.map { $0.cases.last?.fields } ?? before, two.map { $0.cases.last?.fields } ?? before)
      if here == there { continue }
      rows.append(
        ExplainedRow(
          table: row.table, key: row.key,
          cases: [
            .init(name: "before", fields: before), .init(name: name, fields: here),
            .init(name: other.name, fields: there),
          ]))
    }
    return rows
  }

  private struct RowID: Hashable {
    let table: String
    let key: [UInt8]

    init(_ row: ExplainedRow) { (table, key) = (row.table, row.key) }
  }

  private static func byRowID(_ rows: [ExplainedRow]) -> [RowID: ExplainedRow] {
    Dictionary(rows.map { (RowID($0), $0) }) { one, _ in one }
  }
}

extension ReplayedDigests {
  /// Returns the checkpoints recorded in a workspace when its tables were first folded, and those that its log stores,
  /// in ascending order of position.
  public static func recorded(
    inWorkspaceAt path: String, of log: any Log
  ) throws(ReplayError) -> [ReplayedDigests] {
    let checkpoints = try rethrow(
      ProjectionStore.checkpoints(in: ProjectionSets.directory(ofWorkspaceAt: path), of: log), as: ReplayError.init)
    return checkpoints.map { checkpoint in
      ReplayedDigests(
        position: checkpoint.position, hash: checkpoint.hash,
        tables: checkpoint.digests.map { .init(name: $0.table, revision: $0.revision, digest: "\($0.digest)") })
    }
  }
}
