// All that a replay told, held against what others told.
public import EventLog
internal import ChatProjections
internal import Projections

/// What a replay told.
public struct ReplayTranscript: Sendable {
  /// Who told it, in a few words.
  public let name: String
  /// What it began with; nil before it did.
  public private(set) var beginning: ReplayBeginning?
  /// The digests, from the first position on.
  public private(set) var digests: [ReplayedDigests] = []
  /// What each event changes.
  public private(set) var events: [(position: Position, digest: String)] = []
  /// The rows that an event changes.
  public private(set) var changes: [ExplainedRow] = []
  /// The same events that came out in two ways.
  public private(set) var unstable: [ExplainedDifference] = []
  /// Tables and snapshots that lie there and are not what the events come to.
  public private(set) var mismatched: [ExplainedDifference] = []
  /// What it found besides, a sentence each.
  public private(set) var faults: [String] = []
  /// How it ended; nil when it did not.
  public private(set) var end: ReplayEnd?

  /// Nothing was told yet.
  public init(of name: String) { self.name = name }

  /// Takes a line.
  public mutating func add(_ line: ReplayLine) {
    switch line {
    case .began(let beginning): self.beginning = beginning
    case .digests(let told): digests.append(told)
    case .event(let position, let digest): events.append((position, "\(digest)"))
    case .change(_, let row): changes.append(row)
    case .unstable(let difference): unstable.append(difference)
    case .mismatched(let difference): mismatched.append(difference)
    case .stopped(let stop): faults.append("\(stop)")
    case .unreadable(let position, let reason): faults.append("The event at position \(position): \(reason)")
    case .ended(let end): self.end = end
    }
  }
}

/// What holding digests against others came to.
public struct DigestComparison: Hashable, Sendable {
  /// At how many positions there was something to compare.
  public internal(set) var compared = 0
  /// At how many there were digests, but of other forms of the views alone.
  public internal(set) var passedOver = 0
  /// The last position before the first difference at which all was the same.
  public internal(set) var lastSame = Position.zero
  /// The first position at which something differs; nil when nothing does.
  public internal(set) var firstDifferent: Position?
  /// The tables that differ there; none when the logs do.
  public internal(set) var tables: [String] = []
}

extension ReplayTranscript {
  /// Holds the digests against others, from the first position on, to the first difference.
  public func compare(with others: [ReplayedDigests]) -> DigestComparison {
    var comparison = DigestComparison()
    let own = Dictionary(digests.map { ($0.position, $0) }) { one, _ in one }
    // At one position there may be several, of different tables.
    var same = Position.zero
    for other in others.sorted(by: { $0.position < $1.position }) {
      guard let mine = own[other.position] else { continue }
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

  /// The first event that changes other rows than it does in another transcript; nil when each changes the same.
  public func firstEvent(differingFrom other: ReplayTranscript) -> Position? {
    let theirs = Dictionary(other.events.map { ($0.position, $0.digest) }) { one, _ in one }
    return events.first { theirs[$0.position] != nil && theirs[$0.position] != $0.digest }?.position
  }

  /// The rows that an event changes in one way here and in another there, as they were before and are in both.
  public func rows(differingFrom other: ReplayTranscript) -> [ExplainedRow] {
    var rows: [ExplainedRow] = []
    let (mine, theirs) = (Self.byPlace(changes), Self.byPlace(other.changes))
    for place in (changes + other.changes).map(Place.init) where !rows.contains(where: { Place($0) == place }) {
      let (one, two) = (mine[place], theirs[place])
      guard let row = one ?? two else { continue }
      let before = row.cases.first?.fields
      // Where one does not change a row, it is there as it was before.
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

  private struct Place: Hashable {
    let table: String
    let key: [UInt8]

    init(_ row: ExplainedRow) { (table, key) = (row.table, row.key) }
  }

  private static func byPlace(_ rows: [ExplainedRow]) -> [Place: ExplainedRow] {
    Dictionary(rows.map { (Place($0), $0) }) { one, _ in one }
  }
}

extension ReplayedDigests {
  /// What was testified in a workspace where its tables were first folded, from the first position on.
  public static func recorded(inWorkspaceAt path: String) throws(ReplayError) -> [ReplayedDigests] {
    do throws(ProjectionError) {
      return try ProjectionStore.checkpoints(in: ProjectionSets.directory(ofWorkspaceAt: path)).map { checkpoint in
        ReplayedDigests(
          position: checkpoint.position, hash: checkpoint.hash,
          tables: checkpoint.digests.map { .init(name: $0.table, revision: $0.revision, digest: "\($0.digest)") })
      }
    } catch {
      throw ReplayError(error)
    }
  }
}
