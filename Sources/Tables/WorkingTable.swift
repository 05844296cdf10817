// The rows of a table that a process works with, decoded.
public import Bytes

/// A row of a table, as a program uses it.
public protocol TableRow {
  /// Reads the stored form; nil when it is none.
  init?(decoding bytes: RawSpan)
  /// Writes the stored form.
  func encode(into writer: inout ByteWriter)
}

/// The rows of a table that were asked for or changed, decoded, each with a number.
///
/// It is what a process sees of a table between two writes: a row that is here overrides the one in the folder. Rows
/// that changed stay until they are written; others may be forgotten with ``forgetUnchanged()``, which changes all
/// numbers.
public struct WorkingTable<Row: TableRow> {
  @usableFromInline internal var keys = ByteMap()
  @usableFromInline internal var rows: [Row] = []
  @usableFromInline internal var isChanged: [Bool] = []
  @usableFromInline internal var changed: [Int] = []

  /// A table without rows.
  public init() {}

  /// How many rows are held.
  @inlinable public var count: Int { rows.count }

  /// How many of them changed since they were written.
  @inlinable public var changedCount: Int { changed.count }

  /// The number of the row with a key, if it is held.
  @inlinable
  public func number(of key: UnsafeRawBufferPointer) -> Int? { keys.number(of: key) }

  /// Holds a row as it was read from the folder; answers its number.
  @inlinable
  public mutating func hold(_ row: Row, for key: UnsafeRawBufferPointer) -> Int {
    let (number, isNew) = keys.insert(key)
    precondition(isNew, "a row is held twice")
    rows.append(row)
    isChanged.append(false)
    return number
  }

  /// Holds a new row; answers its number.
  @inlinable
  public mutating func insert(_ row: Row, for key: UnsafeRawBufferPointer) -> Int {
    let number = hold(row, for: key)
    markChanged(number)
    return number
  }

  /// The row with a number; ``change(_:_:)`` changes it.
  @inlinable
  public subscript(number: Int) -> Row { rows[number] }

  /// Changes the row with a number.
  @inlinable
  public mutating func change(_ number: Int, _ body: (inout Row) -> Void) {
    body(&rows[number])
    markChanged(number)
  }

  @inlinable
  internal mutating func markChanged(_ number: Int) {
    if isChanged[number] { return }
    isChanged[number] = true
    changed.append(number)
  }

  /// The changed rows in the order of their keys; they count as unchanged from now on.
  @inlinable
  public mutating func takeChanges() -> ChangedRows {
    var changes = ChangedRows()
    var value = ByteWriter()
    for number in changed {
      value.removeAll()
      rows[number].encode(into: &value)
      value.withBytes { value in keys.withKey(number) { changes.add(key: $0, value: value) } }
      isChanged[number] = false
    }
    changes.sort()
    changed.removeAll(keepingCapacity: true)
    return changes
  }

  /// Lends all rows that are held, changed or not, with their keys.
  @inlinable
  public func forEach(_ body: (UnsafeRawBufferPointer, Row) -> Void) {
    for number in rows.indices { keys.withKey(number) { body($0, rows[number]) } }
  }

  /// Marks rows as changed again, whose writing did not come to pass.
  @inlinable
  public mutating func restoreChanges(_ changes: ChangedRows) {
    changes.forEachKey { key in
      if let number = keys.number(of: key) { markChanged(number) }
    }
  }

  /// Forgets all rows that did not change; the others get new numbers.
  @inlinable
  public mutating func forgetUnchanged() {
    var kept = WorkingTable()
    for number in changed {
      keys.withKey(number) { _ = kept.insert(rows[number], for: $0) }
    }
    self = kept
  }
}
