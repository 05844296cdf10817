// The difference between two lists of rows.

/// A diff of rows: row ids with their new indices.
public struct RowDiff: Hashable, Sendable {
  /// The ids of removed rows.
  public var removed: [MessageRow.ID] = []
  /// The inserted rows, from top to bottom, each with its index among all rows.
  public var inserted: [Inserted] = []
  /// The rows that moved relative to the remaining rows, from top to bottom.
  public var moved: [Moved] = []
  /// The rows that differ from before, and those whose message was replaced by one that differs.
  public var updated: [MessageRow] = []

  /// An inserted row.
  public struct Inserted: Hashable, Sendable {
    /// The index among all new rows.
    public let index: Int
    /// The row.
    public let row: MessageRow
  }

  /// A moved row.
  public struct Moved: Hashable, Sendable {
    /// The index among all new rows.
    public let index: Int
    /// The id of the row.
    public let id: MessageRow.ID
  }

  /// Creates an empty diff.
  public init() {}

  /// Whether no row and no message of a row differs.
  public var isEmpty: Bool { removed.isEmpty && inserted.isEmpty && moved.isEmpty && updated.isEmpty }

  /// Returns the new rows, given the old ones.
  ///
  /// Removed and moved rows are taken out first; then inserted and moved rows are put in at their indices from top to
  /// bottom; updated rows are replaced in place.
  public func applied(to rows: [MessageRow]) -> [MessageRow] {
    let known = Dictionary(uniqueKeysWithValues: rows.map { ($0.id, $0) })
    let leaving = Set(removed).union(moved.map(\.id))
    let changed = Dictionary(uniqueKeysWithValues: updated.map { ($0.id, $0) })
    var coming = moved.compactMap { moved in known[moved.id].map { Inserted(index: moved.index, row: $0) } }
    coming = (coming + inserted).sorted { $0.index < $1.index }
    var staying = rows.filter { !leaving.contains($0.id) }[...]
    var result: [MessageRow] = []
    result.reserveCapacity(staying.count + coming.count)
    for next in coming {
      let between = staying.prefix(max(0, next.index - result.count))
      staying = staying.dropFirst(between.count)
      result += between
      result.append(next.row)
    }
    result += staying
    return result.map { changed[$0.id] ?? $0 }
  }
}

// MARK: Computing the difference

/// A row with its index among all rows.
struct PositionedRow {
  let index: Int
  let row: MessageRow
  /// Whether it is the row of a message that the change did not name: such rows keep their order.
  let isFixed: Bool
  /// Whether it is the row of a message that the change inserted or replaced: the row can be equal, and its text not.
  var isNamed = false
}

extension RowDiff {
  /// Computes the diff of the rows that a change could have touched, from top to bottom.
  init(from old: [MessageRow], to new: [PositionedRow]) {
    let before = Dictionary(uniqueKeysWithValues: old.enumerated().map { ($1.id, $0) })
    let after = Set(new.map(\.row.id))
    removed = old.map(\.id).filter { !after.contains($0) }
    var stayed: [StayedRow] = []
    for placed in new {
      guard let index = before[placed.row.id] else {
        inserted.append(Inserted(index: placed.index, row: placed.row))
        continue
      }
      stayed.append(StayedRow(placed: placed, before: index))
      if old[index] != placed.row || placed.isNamed { updated.append(placed.row) }
    }
    for row in movedRows(among: stayed) { moved.append(Moved(index: row.placed.index, id: row.placed.row.id)) }
  }
}

/// A row that existed before the change.
private struct StayedRow {
  let placed: PositionedRow
  /// The old index among the rows that the change could have touched.
  let before: Int
}

/// Returns the smallest set of moved rows that contains no fixed row.
private func movedRows(among rows: [StayedRow]) -> [StayedRow] {
  // Usually all rows keep their order.
  if zip(rows, rows.dropFirst()).allSatisfy({ $0.before < $1.before }) { return [] }
  // A row outside the range between its two fixed neighbors has moved; the others can have kept their order in part.
  var ceilings = [Int](repeating: .max, count: rows.count)
  for index in rows.indices.dropLast().reversed() {
    let next = rows[index + 1]
    ceilings[index] = next.placed.isFixed ? next.before : ceilings[index + 1]
  }
  var (floor, kept): (Int, [Int]) = (-1, [])
  for (index, row) in rows.enumerated() {
    if row.placed.isFixed { floor = row.before }
    if row.placed.isFixed || floor < row.before && row.before < ceilings[index] { kept.append(index) }
  }
  let rise = longestRise(in: kept.map { rows[$0].before }).map { kept[$0] }
  let stays = Set(rise)
  return rows.indices.filter { !stays.contains($0) }.map { rows[$0] }
}

/// Returns the indices of a longest increasing subsequence.
private func longestRise(in numbers: [Int]) -> [Int] {
  var ends: [Int] = []
  var before = [Int?](repeating: nil, count: numbers.count)
  for (index, number) in numbers.enumerated() {
    var (low, high) = (0, ends.count)
    while low < high {
      let middle = (low + high) / 2
      if numbers[ends[middle]] < number { low = middle + 1 } else { high = middle }
    }
    before[index] = low > 0 ? ends[low - 1] : nil
    if low == ends.count { ends.append(index) } else { ends[low] = index }
  }
  var rise: [Int] = []
  var next = ends.last
  while let index = next {
    rise.append(index)
    next = before[index]
  }
  return rise
}
