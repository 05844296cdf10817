// Reports of nondeterministic folds, down to the event and the rows.
public import EventLog
internal import Errors
internal import Tables

/// A row that an event changed, or that differs between two positions.
public struct RowChange: Hashable, Sendable {
  /// The table's full name, with that of its projection.
  public let table: String
  /// The row's key.
  public let key: [UInt8]
  /// The encoded row before; nil when there was none.
  public let before: [UInt8]?
  /// The encoded row after; nil when there is none.
  public let after: [UInt8]?
}

/// A row that the same events folded to two different values.
public struct NondeterministicRow: Hashable, Sendable {
  /// The table's full name, with that of its projection.
  public let table: String
  /// The row's key.
  public let key: [UInt8]
  /// The encoded row before; nil when there was none.
  public let before: [UInt8]?
  /// The encoded row of the first fold; nil when there was none.
  public let one: [UInt8]?
  /// The encoded row of another fold; nil when there was none.
  public let other: [UInt8]?
}

/// A nondeterministic fold: the same events, folded twice from the same tables, gave different rows.
public struct NondeterminismReport: Hashable, Sendable {
  /// The positions of the folded events.
  public let stretch: ClosedRange<Position>
  /// The first event that gave different rows; nil when that did not recur, event by event.
  public let position: Position?
  /// The rows that differ.
  public let rows: [NondeterministicRow]
}

extension ProjectionReplay {
  /// The number of times that a stretch is folded event by event, to find the first nondeterministic event.
  private static var narrowingTimes: Int { 24 }

  /// Returns a report on the first nondeterministic event of a stretch; nil when the difference does not recur.
  internal func narrowed(_ stretch: ClosedRange<Position>) throws(ProjectionError) -> NondeterminismReport? {
    try discardUnwritten()
    let first = try foldEach(through: stretch.upperBound)
    var found: (index: Int, changes: [ChangedRows])?
    for _ in 0..<Self.narrowingTimes {
      try discardUnwritten()
      perturbAllocations()
      let again = try foldEach(through: found.map { first[$0.index].position } ?? stretch.upperBound)
      let index = zip(first, again).enumerated().first { _, pair in
        !zip(pair.0.changes, pair.1.changes).allSatisfy { $0.isSame(as: $1) }
      }?.offset
      if let index, index < found?.index ?? .max { found = (index, again[index].changes) }
    }
    guard let found else { return nil }
    let rows = try differences(
      between: first[found.index].changes, and: found.changes, after: first[..<found.index])
    return NondeterminismReport(stretch: stretch, position: first[found.index].position, rows: rows ?? [])
  }

  /// Returns a row as earlier events of a stretch left it, or as it was written when none of them changed it; nil when
  /// there is none.
  private func before(
    _ key: [UInt8], inTable number: Int, _ earlier: EventChanges
  ) throws(ProjectionError) -> [UInt8]? {
    for event in earlier.reversed() {
      if let last = event.changes[number].all.last(where: { $0.key == key }) { return last.value }
    }
    return try rethrow(
      tableStore.lend { reading throws(TablesError) in try reading.storedRow(of: key, in: number) },
      as: ProjectionError.tables)
  }

  /// Returns the rows in which two folds, each after the same earlier events of the stretch, differ; nil when they do
  /// not.
  internal func differences(
    between one: [ChangedRows], and other: [ChangedRows], after earlier: EventChanges = []
  ) throws(ProjectionError) -> [NondeterministicRow]? {
    var rows: [NondeterministicRow] = []
    for (number, table) in tableStore.tableNames.enumerated() where !one[number].isSame(as: other[number]) {
      let (mine, theirs) = (Self.byKey(one[number]), Self.byKey(other[number]))
      for key in Set(mine.keys).union(theirs.keys).sorted(by: { $0.lexicographicallyPrecedes($1) }) {
        let before = try before(key, inTable: number, earlier)
        // A row that only one of them changed is as before in the other.
        let (left, right) = (mine[key] ?? before, theirs[key] ?? before)
        if left != right {
          rows.append(NondeterministicRow(table: table, key: key, before: before, one: left, other: right))
        }
      }
    }
    return rows.isEmpty ? nil : rows
  }

  /// The events of a stretch with the changes of each.
  internal typealias EventChanges = ArraySlice<(position: Position, changes: [ChangedRows])>

  /// Returns the rows that differ from the written ones, or from those after earlier events of the stretch.
  internal func rowChanges(_ changes: [ChangedRows], after earlier: EventChanges = []) throws(ProjectionError)
    -> [RowChange]
  {
    var rows: [RowChange] = []
    for (number, table) in tableStore.tableNames.enumerated() {
      for (key, value) in changes[number].all {
        let before = try before(key, inTable: number, earlier)
        if before != value { rows.append(RowChange(table: table, key: key, before: before, after: value)) }
      }
    }
    return rows
  }

  private static func byKey(_ rows: ChangedRows) -> [[UInt8]: [UInt8]?] {
    Dictionary(rows.all.map { ($0.key, $0.value) }) { $1 }
  }
}
