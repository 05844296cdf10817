// The rows of a table that a process works with, decoded.
public import Bytes

/// A row of a table, as a program uses it.
public protocol TableRow {
  /// Reads the stored form; nil when it is none.
  init?(decoding bytes: RawSpan)
  /// Reads the stored form of the row with a key; for rows that keep in memory what their key says.
  init?(decoding bytes: RawSpan, of key: RawSpan)
  /// Writes the stored form.
  func encode(into writer: inout ByteWriter)
}

extension TableRow {
  /// Reads the stored form alone.
  @inlinable
  public init?(decoding bytes: RawSpan, of key: RawSpan) { self.init(decoding: bytes) }
}

/// The rows of a table that were asked for or changed, decoded, each with a number.
///
/// It is what a process sees of a table between two writes: a row that is here overrides the one in the folder, and so
/// does one that is known not to be there. Rows that changed stay until they are written; others may be forgotten with
/// ``forgetUnchanged()``, which changes all numbers.
public struct WorkingTable<Row: TableRow> {
  @usableFromInline internal var keys = ByteMap()
  @usableFromInline internal var rows: [Row?] = []
  @usableFromInline internal var isChanged: [Bool] = []
  @usableFromInline internal var changed: [Int] = []

  /// A table without rows.
  public init() {}

  /// How many rows are held, there or known not to be.
  @inlinable public var count: Int { rows.count }

  /// How many of them changed since they were written.
  @inlinable public var changedCount: Int { changed.count }

  /// The number of the row with a key, if it is held.
  @inlinable
  public func number(of key: UnsafeRawBufferPointer) -> Int? { keys.number(of: key) }

  /// The number of the row with a key of this hash, if it is held; quicker where the table lies in memory that may
  /// change.
  @inlinable
  internal mutating func find(_ key: UnsafeRawBufferPointer, hash: UInt64) -> Int? { keys.find(key, hash: hash) }

  /// Holds a row as it was read from the folder, nil when there was none; answers its number.
  @inlinable
  public mutating func hold(_ row: Row?, for key: UnsafeRawBufferPointer) -> Int {
    hold(row, for: key, hash: ByteMap.hash(of: key))
  }

  @inlinable
  internal mutating func hold(_ row: Row?, for key: UnsafeRawBufferPointer, hash: UInt64) -> Int {
    let (number, isNew) = keys.insert(key, hash: hash)
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

  /// The row with a number, nil when it is known not to be there.
  @inlinable
  public func row(_ number: Int) -> Row? { rows[number] }

  /// The row with a number, which is there; ``change(_:_:)`` changes it.
  @inlinable
  public subscript(number: Int) -> Row {
    guard let row = rows[number] else { preconditionFailure("row \(number) is not there") }
    return row
  }

  /// Changes the row with a number, which is there.
  @inlinable
  public mutating func change(_ number: Int, _ body: (inout Row) -> Void) {
    precondition(rows[number] != nil, "row \(number) is not there")
    body(&rows[number]!)
    markChanged(number)
  }

  /// Changes the row with a number, makes it or takes it away.
  @inlinable
  public mutating func replace<R>(_ number: Int, _ body: (inout Row?) -> R) -> R {
    markChanged(number)
    return body(&rows[number])
  }

  /// The row with a number, nil when it is known not to be there; it is changed where it lies.
  @inlinable
  @inline(__always)
  internal subscript(changing number: Int) -> Row? {
    get { rows[number] }
    _modify {
      markChanged(number)
      yield &rows[number]
    }
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
      isChanged[number] = false
      value.removeAll()
      guard rows[number].encodeIfThere(into: &value) else {
        keys.withKey(number) { changes.add(key: $0, value: nil) }
        continue
      }
      value.withBytes { value in keys.withKey(number) { changes.add(key: $0, value: value) } }
    }
    changes.sort()
    changed.removeAll(keepingCapacity: true)
    return changes
  }

  /// Lends all rows that are held and there, changed or not, with their keys.
  @inlinable
  public func forEach(_ body: (UnsafeRawBufferPointer, Row) -> Void) {
    for (number, row) in rows.enumerated() {
      if let row { keys.withKey(number) { body($0, row) } }
    }
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
      keys.withKey(number) { kept.markChanged(kept.hold(rows[number], for: $0)) }
    }
    self = kept
  }
}

extension Optional where Wrapped: TableRow {
  /// Writes the stored form of a row that is there, where it lies; answers whether it is.
  @inlinable
  internal func encodeIfThere(into writer: inout ByteWriter) -> Bool {
    guard case .some(let row) = self else { return false }
    row.encode(into: &writer)
    return true
  }
}
