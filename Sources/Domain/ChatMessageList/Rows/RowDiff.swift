// How the rows of a list differ from those before.

/// How rows differ from those before: by what they are called, and where they are now.
public struct RowDiff: Hashable, Sendable {
  /// Rows that are there no more.
  public var removed: [MessageRow.ID] = []
  /// Rows that are there now, from the top down, each with its place among all.
  public var inserted: [Inserted] = []
  /// Rows that stand elsewhere among those that stayed, from the top down.
  public var moved: [Moved] = []
  /// Rows that show something else.
  public var updated: [MessageRow] = []

  /// A row that is there now.
  public struct Inserted: Hashable, Sendable {
    /// Its place among all rows.
    public let index: Int
    /// The row.
    public let row: MessageRow
  }

  /// A row that stands elsewhere.
  public struct Moved: Hashable, Sendable {
    /// Its place among all rows.
    public let index: Int
    /// Which row.
    public let id: MessageRow.ID
  }

  /// No row differs.
  public init() {}

  /// Whether nothing differs.
  public var isEmpty: Bool { removed.isEmpty && inserted.isEmpty && moved.isEmpty && updated.isEmpty }

  /// The rows that become of those before.
  ///
  /// First goes what is removed or moved, then comes from the top down what is inserted or moved, each to its place;
  /// what is updated is put where it is.
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

// MARK: Finding it

/// A row with its place among all rows.
struct PositionedRow {
  let index: Int
  let row: MessageRow
  /// Whether it is the row of a message that the change did not name: these stay in their order.
  let isFixed: Bool
}

extension RowDiff {
  /// How some rows differ from what they were: those that a change could have touched, from the top down.
  init(from old: [MessageRow], to new: [PositionedRow]) {
    let before = Dictionary(uniqueKeysWithValues: old.enumerated().map { ($1.id, $0) })
    let after = Set(new.map(\.row.id))
    removed = old.map(\.id).filter { !after.contains($0) }
    var stayed: [StayedRow] = []
    for placed in new {
      guard let place = before[placed.row.id] else {
        inserted.append(Inserted(index: placed.index, row: placed.row))
        continue
      }
      stayed.append(StayedRow(placed: placed, before: place))
      if old[place] != placed.row { updated.append(placed.row) }
    }
    for row in movedRows(among: stayed) { moved.append(Moved(index: row.placed.index, id: row.placed.row.id)) }
  }
}

/// A row that was there before.
private struct StayedRow {
  let placed: PositionedRow
  /// Its place before, among those that the change could have touched.
  let before: Int
}

/// The rows that have moved: the fewest, but none of those that are fixed.
private func movedRows(among rows: [StayedRow]) -> [StayedRow] {
  // Most often all stand in the order in which they stood.
  if zip(rows, rows.dropFirst()).allSatisfy({ $0.before < $1.before }) { return [] }
  // What has left the room between two fixed rows has moved; the others may have kept their order, all of them or some.
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

/// The places of the longest sequence within numbers that only rises.
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
