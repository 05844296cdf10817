// The decoded rows of a table that a process works with.
public import Bytes

/// A row of a table, decoded.
public protocol BinaryRow {
  /// Decodes a stored row; nil when it is malformed.
  init?(decoding bytes: RawSpan)
  /// Decodes the stored row with a key; for rows that keep parts of their key in memory.
  init?(decoding bytes: RawSpan, of key: RawSpan)
  /// Encodes the row for storage.
  func encode(into writer: inout ByteWriter)
  /// Whether folds write each row of this type once and do not read it again; false by default.
  ///
  /// Such rows are evicted as soon as they are stored.
  static var isWrittenOnce: Bool { get }
}

extension BinaryRow {
  /// Whether folds write each row of this type once and do not read it again: false.
  public static var isWrittenOnce: Bool { false }

  /// Decodes a stored row without its key.
  @inlinable
  public init?(decoding bytes: RawSpan, of key: RawSpan) { self.init(decoding: bytes) }
}

/// The decoded rows of a table that were read or changed, each with a number.
///
/// It overlays a table between two writes: a row here overrides the stored one, and so does one known to be absent.
/// Changed rows stay until they are written; others can be evicted with ``forgetUnchanged()``, which reassigns all
/// numbers.
public struct WorkingTable<Row: BinaryRow> {
  @usableFromInline internal var keys = ByteMap()
  @usableFromInline internal var rows: [Row?] = []
  @usableFromInline internal var isChanged: [Bool] = []
  @usableFromInline internal var changed: [Int] = []

  /// Creates an empty table.
  public init() {}

  /// The number of rows in memory, present or known to be absent.
  @inlinable public var count: Int { rows.count }

  /// The number of rows that changed since they were written.
  @inlinable public var changedCount: Int { changed.count }

  /// Returns the number of the row with a key, if it is in memory.
  @inlinable
  public func number(of key: UnsafeRawBufferPointer) -> Int? { keys.number(of: key) }

  /// Returns the number of the row with a key and its hash, if it is in memory; faster where the table is stored in
  /// mutable memory.
  @inlinable
  internal mutating func find(_ key: UnsafeRawBufferPointer, hash: UInt64) -> Int? { keys.find(key, hash: hash) }

  /// Adds a row as read from the table store, nil when it is absent; returns its number.
  @inlinable
  public mutating func hold(_ row: Row?, for key: UnsafeRawBufferPointer) -> Int {
    hold(row, for: key, hash: ByteMap.hash(of: key))
  }

  @inlinable
  internal mutating func hold(_ row: Row?, for key: UnsafeRawBufferPointer, hash: UInt64) -> Int {
    let (number, isNew) = keys.insert(key, hash: hash)
    precondition(isNew, "a row is in memory twice")
    rows.append(row)
    isChanged.append(false)
    return number
  }

  /// Adds a new row; returns its number.
  @inlinable
  public mutating func insert(_ row: Row, for key: UnsafeRawBufferPointer) -> Int {
    let number = hold(row, for: key)
    markChanged(number)
    return number
  }

  /// Returns the row with a number, nil when it is known to be absent.
  @inlinable
  public func row(_ number: Int) -> Row? { rows[number] }

  /// The row with a number, which must be present; ``change(_:_:)`` changes it.
  @inlinable
  public subscript(number: Int) -> Row {
    guard let row = rows[number] else { preconditionFailure("row \(number) does not exist") }
    return row
  }

  /// Changes the row with a number, which must be present.
  @inlinable
  public mutating func change(_ number: Int, _ body: (inout Row) -> Void) {
    precondition(rows[number] != nil, "row \(number) does not exist")
    body(&rows[number]!)
    markChanged(number)
  }

  /// Changes, inserts or removes the row with a number.
  @inlinable
  public mutating func replace<R>(_ number: Int, _ body: (inout Row?) -> R) -> R {
    markChanged(number)
    return body(&rows[number])
  }

  /// The row with a number, nil when it is known to be absent; it is modified in place.
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

  /// Returns the changed rows in the order of their keys, and marks them as unchanged.
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

  /// Calls the closure with all rows that are in memory and present, changed or not, with their keys.
  @inlinable
  public func forEach(_ body: (UnsafeRawBufferPointer, Row) -> Void) {
    for (number, row) in rows.enumerated() {
      if let row { keys.withKey(number) { body($0, row) } }
    }
  }

  /// Marks rows as changed again after a failed write.
  @inlinable
  public mutating func restoreChanges(_ changes: ChangedRows) {
    changes.forEachKey { key in
      if let number = keys.number(of: key) { markChanged(number) }
    }
  }

  /// Evicts all unchanged rows; the others get new numbers.
  @inlinable
  public mutating func forgetUnchanged() {
    var kept = WorkingTable()
    for number in changed {
      keys.withKey(number) { kept.markChanged(kept.hold(rows[number], for: $0)) }
    }
    self = kept
  }
}

extension Optional where Wrapped: BinaryRow {
  /// Encodes the row without copying it, if it is present; returns whether it is.
  @inlinable
  internal func encodeIfThere(into writer: inout ByteWriter) -> Bool {
    guard case .some(let row) = self else { return false }
    row.encode(into: &writer)
    return true
  }
}
