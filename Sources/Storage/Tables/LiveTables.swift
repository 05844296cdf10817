// The tables of a folder as they are while somebody folds into them.
public import Bytes

/// The working tables of a folder, at one position of what they are folded from.
///
/// They are used by one thread at a time; whoever holds them holds what ``WriteBehind`` writes.
public final class LiveTables {
  /// Where rows come from that are not held.
  public let tableStore: TableStore
  /// Up to where has been folded; what stands further in the folder is not read.
  public var position: UInt64
  /// Counts how often places changed their meaning: what was remembered of them before is of no use.
  public private(set) var generation = 0
  private var tables: [TableOperations?]
  /// Whether nothing was in the folder when they began.
  @usableFromInline internal let isNew: Bool

  /// The tables of a folder, with nothing held.
  public init(of tableStore: TableStore, at position: UInt64) {
    self.tableStore = tableStore
    self.position = position
    tables = Array(repeating: nil, count: tableStore.tableNames.count)
    isNew = position == 0 && tableStore.isNew
  }

  /// The table with a name, which is asked for once.
  @inlinable
  public func table<Row: TableRow>(named name: String, of rows: Row.Type = Row.self) -> LiveTable<Row> {
    let table = LiveTable<Row>(number(ofTable: name), of: self)
    add(table.heldRows, as: table.number)
    return table
  }

  @usableFromInline
  internal func number(ofTable name: String) -> Int {
    guard let number = tableStore.tableNames.firstIndex(of: name), tables[number] == nil else {
      preconditionFailure("the folder has no table \(name), or it was asked for already")
    }
    return number
  }

  @usableFromInline
  internal func add(_ rows: TableOperations, as number: Int) { tables[number] = rows }

  /// How many rows are held, in all tables.
  public var heldCount: Int { tables.reduce(0) { $0 + ($1?.count() ?? 0) } }

  /// The rows that changed since they were last taken, for each table of the folder.
  public func takeChanges() -> [ChangedRows] { tables.map { $0?.takeChanges() ?? ChangedRows() } }

  /// Marks rows as changed again, whose writing did not come to pass.
  public func restoreChanges(_ changes: [ChangedRows]) {
    for (table, changes) in zip(tables, changes) { table?.restoreChanges(changes) }
  }

  /// What a row says, field by field; nil when it is none of the table.
  package func fields(of value: [UInt8], key: [UInt8], inTable number: Int) -> [RowField]? {
    tables[number]?.fields(value, key)
  }

  /// Forgets all rows that did not change; places change their meaning.
  public func forgetUnchanged() {
    generation += 1
    for table in tables { table?.forgetUnchanged() }
  }
}

extension TableStore {
  /// Whether nothing was ever written to it.
  fileprivate var isNew: Bool {
    do throws(TablesError) { return try anchor() == nil } catch { return false }
  }
}

/// A table while it is folded into: rows that were asked for or changed are held, others come from the folder.
///
/// A row's *place* is a number by which it is found again at once, as long as ``generation`` is the same.
public final class LiveTable<Row: TableRow> {
  @usableFromInline internal unowned let tables: LiveTables
  @usableFromInline internal let number: Int
  // They are used by one thread at a time, who holds the table; in a property, each access would be checked for that.
  @usableFromInline internal let held: UnsafeMutablePointer<Held>

  /// What is known of a table.
  @usableFromInline
  internal struct Held {
    @usableFromInline var rows = WorkingTable<Row>()
    @usableFromInline var generation = 0
    /// The keys that the folder can have; nil when that is not known.
    @usableFromInline var keys: KeyFilter?
    /// The held keys in order; empty until a range is asked for.
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

  /// Counts how often places changed their meaning.
  @inlinable public var generation: Int { held.pointee.generation }

  /// The place of a key, whether or not there is a row.
  @inlinable
  public func place(of key: some TableKey) throws(TablesError) -> Int {
    let place = key.withKeyBytes { key -> Int? in
      let hash = ByteMap.hash(of: key)
      if let place = held.pointee.rows.find(key, hash: hash) { return place }
      // A folder that was new has none that was never asked for.
      return held.pointee.keys?.insert(hash) == true ? held.pointee.rows.hold(nil, for: key, hash: hash) : nil
    }
    if let place { return place }
    return try readPlace(of: key)
  }

  @inlinable
  internal func readPlace(of key: some TableKey) throws(TablesError) -> Int {
    let row: Row? = try tables.tableStore.row(of: key, in: number, upTo: tables.position)
    return key.withKeyBytes { held.pointee.rows.hold(row, for: $0) }
  }

  /// The row at a place; nil when there is none. It is changed where it lies, without a copy.
  @inlinable
  @inline(__always)
  public subscript(place: Int) -> Row? {
    get { held.pointee.rows.row(place) }
    _modify { yield &held.pointee.rows[changing: place] }
  }

  /// Lends the row at a place to be looked at, and not to be changed: what the body changed would never be written.
  ///
  /// It is lent as if it were to be changed because then the body looks at it where it lies; what is merely read of an
  /// optional row is copied first, all of it.
  @inlinable
  @inline(__always)
  package func look<R>(at place: Int, _ body: (inout Row?) -> R) -> R { body(&held.pointee.rows.rows[place]) }

  /// Changes the row at a place, makes it or takes it away.
  @inlinable
  public func change<R>(_ place: Int, _ body: (inout Row?) -> R) -> R { held.pointee.rows.replace(place, body) }

  /// The row with a key; nil when there is none.
  public func row(of key: some TableKey) throws(TablesError) -> Row? { self[try place(of: key)] }

  /// Sets the row with a key, or takes it away.
  public func set(_ row: Row?, for key: some TableKey) throws(TablesError) {
    let place = try place(of: key)
    self[place] = row
  }

  /// Changes the row with a key, makes it or takes it away.
  public func change<R>(_ key: some TableKey, _ body: (inout Row?) -> R) throws(TablesError) -> R {
    change(try place(of: key), body)
  }
}

/// What a folder's owner does with any of its tables: closures, which are compiled for the rows of each.
@usableFromInline
internal struct TableOperations {
  let count: () -> Int
  let takeChanges: () -> ChangedRows
  let restoreChanges: (ChangedRows) -> Void
  let forgetUnchanged: () -> Void
  let fields: (_ value: [UInt8], _ key: [UInt8]) -> [RowField]?

  @usableFromInline
  init(
    count: @escaping () -> Int, takeChanges: @escaping () -> ChangedRows,
    restoreChanges: @escaping (ChangedRows) -> Void, forgetUnchanged: @escaping () -> Void,
    fields: @escaping ([UInt8], [UInt8]) -> [RowField]?
  ) {
    (self.count, self.takeChanges) = (count, takeChanges)
    (self.restoreChanges, self.forgetUnchanged) = (restoreChanges, forgetUnchanged)
    self.fields = fields
  }
}

extension LiveTable {
  @inlinable
  internal var heldRows: TableOperations {
    TableOperations(
      count: { self.held.pointee.rows.count }, takeChanges: { self.held.pointee.rows.takeChanges() },
      restoreChanges: { self.held.pointee.rows.restoreChanges($0) },
      forgetUnchanged: {
        self.held.pointee.generation += 1
        self.held.pointee.order = KeyOrder()
        self.held.pointee.rows.forgetUnchanged()
      }, fields: { value, key in Row.fields(of: value, key: key) })
  }
}
