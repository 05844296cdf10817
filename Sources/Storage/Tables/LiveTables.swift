// The working tables of a table store during a fold.
public import Bytes

/// The working tables of a table store, at one position of the log.
///
/// They are used by one thread at a time; their owner holds the rows that ``WriteBehind`` writes.
public final class LiveTables {
  /// The tables that are read for rows not in memory.
  public let source: any TablesSource
  /// The position of the fold; a table store past it is not read.
  public var position: UInt64
  /// The number of times that row indexes were reassigned: indexes from an earlier generation are invalid.
  public private(set) var generation = 0
  private var tables: [TableOperations?]
  /// Whether the table store was empty at the start.
  @usableFromInline internal let isNew: Bool

  /// Creates working tables with no rows in memory.
  public init(of source: any TablesSource, at position: UInt64) {
    self.source = source
    self.position = position
    tables = Array(repeating: nil, count: source.tableNames.count)
    isNew = position == 0 && source.isNew
  }

  /// Returns the table with a name; can be called once for each name.
  @inlinable
  public func table<Row: BinaryRow>(named name: String, of rows: Row.Type = Row.self) -> LiveTable<Row> {
    let table = LiveTable<Row>(number(ofTable: name), of: self)
    add(table.heldRows, as: table.number)
    return table
  }

  @usableFromInline
  internal func number(ofTable name: String) -> Int {
    guard let number = source.tableNames.firstIndex(of: name), tables[number] == nil else {
      preconditionFailure("the folder has no table \(name), or it was opened already")
    }
    return number
  }

  @usableFromInline
  internal func add(_ rows: TableOperations, as number: Int) { tables[number] = rows }

  /// The number of rows in memory, in all tables.
  public var heldCount: Int { tables.reduce(0) { $0 + ($1?.count() ?? 0) } }

  /// Returns the rows that changed since the last call, for each table of the table store.
  public func takeChanges() -> [ChangedRows] { tables.map { $0?.takeChanges() ?? ChangedRows() } }

  /// Marks rows as changed again after a failed write.
  public func restoreChanges(_ changes: [ChangedRows]) {
    for (table, changes) in zip(tables, changes) { table?.restoreChanges(changes) }
  }

  /// Returns the fields of a row; nil when it is malformed.
  package func fields(of value: [UInt8], key: [UInt8], inTable number: Int) -> [RowField]? {
    tables[number]?.fields(value, key)
  }

  /// Removes unchanged rows from memory; row indexes are reassigned.
  public func forgetUnchanged() {
    generation += 1
    for table in tables { table?.forgetUnchanged() }
  }

  /// Removes unchanged rows from memory: all if there are more rows than `heldMax`, else those that are written once.
  public func trim(heldMax: Int) {
    if heldCount > heldMax { return forgetUnchanged() }
    for case let table? in tables where table.isWrittenOnce { table.forgetUnchanged() }
  }
}

extension TablesSource {
  /// Whether nothing was ever written to the tables.
  fileprivate var isNew: Bool {
    (try? logPoint() == nil) ?? false
  }
}

/// A working table during a fold: rows that were read or changed are in memory, others are read from the table store.
///
/// The *index* of a row is a number for direct access to it, valid as long as ``generation`` is the same.
public final class LiveTable<Row: BinaryRow> {
  @usableFromInline internal unowned let tables: LiveTables
  @usableFromInline internal let number: Int
  // They are used by one thread at a time; in a stored property, each access would be checked for exclusivity.
  @usableFromInline internal let held: UnsafeMutablePointer<Held>

  /// The rows of a table in memory.
  @usableFromInline
  internal struct Held {
    @usableFromInline var rows = WorkingTable<Row>()
    @usableFromInline var generation = 0
    /// The keys that the table store can have; nil when that is unknown.
    @usableFromInline var keys: KeyFilter?
    /// The keys in memory in order; empty until a range is requested.
    @usableFromInline var order = KeyOrder()

    @usableFromInline
    init(keys: KeyFilter?) { self.keys = keys }
  }

  @inlinable
  internal init(_ number: Int, of tables: LiveTables) {
    (self.number, self.tables) = (number, tables)
    held = .allocate(capacity: 1)
    held.initialize(to: Held(keys: tables.isNew ? KeyFilter() : nil))
  }

  @inlinable
  deinit {
    held.deinitialize(count: 1)
    held.deallocate()
  }

  /// The number of times that row indexes were reassigned: indexes from an earlier generation are invalid.
  @inlinable public var generation: Int { held.pointee.generation }

  /// Returns the row index of a key, whether or not there is a row.
  @inlinable
  public func index(of key: some TableKey) throws(TablesError) -> Int {
    let index = key.withKeyBytes { key -> Int? in
      let hash = ByteMap.hash(of: key)
      if let index = held.pointee.rows.find(key, hash: hash) { return index }
      // A table store that was empty has no key that was never looked up.
      return held.pointee.keys?.insert(hash) == true ? held.pointee.rows.hold(nil, for: key, hash: hash) : nil
    }
    if let index { return index }
    return try readIndex(of: key)
  }

  @inlinable
  internal func readIndex(of key: some TableKey) throws(TablesError) -> Int {
    let row: Row? = try tables.source.row(of: key, in: number, upTo: tables.position)
    return key.withKeyBytes { held.pointee.rows.hold(row, for: $0) }
  }

  /// The row at an index; nil when there is none. It is modified without a copy.
  @inlinable
  @inline(__always)
  public subscript(index: Int) -> Row? {
    get { held.pointee.rows.row(index) }
    _modify { yield &held.pointee.rows[changing: index] }
  }

  /// Calls the closure with the row at an index for reading only: changes made by the closure would not be written.
  ///
  /// The row is passed inout to avoid a copy: reading an optional row otherwise copies all of it.
  @inlinable
  @inline(__always)
  package func look<R>(at index: Int, _ body: (inout Row?) -> R) -> R { body(&held.pointee.rows.rows[index]) }

  /// Changes, inserts or removes the row at an index.
  @inlinable
  public func change<R>(_ index: Int, _ body: (inout Row?) -> R) -> R { held.pointee.rows.replace(index, body) }

  /// Returns the row with a key; nil when there is none.
  public func row(of key: some TableKey) throws(TablesError) -> Row? { self[try index(of: key)] }

  /// Sets the row with a key; nil removes it.
  public func set(_ row: Row?, for key: some TableKey) throws(TablesError) {
    let index = try index(of: key)
    self[index] = row
  }

  /// Changes, inserts or removes the row with a key.
  public func change<R>(_ key: some TableKey, _ body: (inout Row?) -> R) throws(TablesError) -> R {
    change(try index(of: key), body)
  }
}

/// The operations on a table of any row type, as closures that are compiled for its rows.
@usableFromInline
internal struct TableOperations {
  let isWrittenOnce: Bool
  let count: () -> Int
  let takeChanges: () -> ChangedRows
  let restoreChanges: (ChangedRows) -> Void
  let forgetUnchanged: () -> Void
  let fields: (_ value: [UInt8], _ key: [UInt8]) -> [RowField]?

  @usableFromInline
  init(
    isWrittenOnce: Bool, count: @escaping () -> Int, takeChanges: @escaping () -> ChangedRows,
    restoreChanges: @escaping (ChangedRows) -> Void, forgetUnchanged: @escaping () -> Void,
    fields: @escaping ([UInt8], [UInt8]) -> [RowField]?
  ) {
    (self.isWrittenOnce, self.count, self.takeChanges) = (isWrittenOnce, count, takeChanges)
    (self.restoreChanges, self.forgetUnchanged) = (restoreChanges, forgetUnchanged)
    self.fields = fields
  }
}

extension LiveTable {
  @inlinable
  internal var heldRows: TableOperations {
    TableOperations(
      isWrittenOnce: Row.isWrittenOnce, count: { self.held.pointee.rows.count },
      takeChanges: { self.held.pointee.rows.takeChanges() },
      restoreChanges: { self.held.pointee.rows.restoreChanges($0) },
      forgetUnchanged: {
        self.held.pointee.generation += 1
        self.held.pointee.order = KeyOrder()
        self.held.pointee.rows.forgetUnchanged()
      }, fields: { value, key in Row.fields(of: value, key: key) })
  }
}
