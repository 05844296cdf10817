// The tables of a folder as they are while somebody folds into them.
public import Bytes

/// The working tables of a folder, at one position of what they are folded from.
///
/// They are used by one thread at a time; whoever holds them holds what ``WriteBehind`` writes.
public final class LiveTables {
  /// Where rows come from that are not held.
  public let folder: Folder
  /// Up to where has been folded; what stands further in the folder is not read.
  public var position: UInt64
  /// Counts how often places changed their meaning: what was remembered of them before is of no use.
  public private(set) var generation = 0
  private var tables: [(any HeldRows)?]

  /// The tables of a folder, with nothing held.
  public init(of folder: Folder, at position: UInt64) {
    self.folder = folder
    self.position = position
    tables = Array(repeating: nil, count: folder.tableNames.count)
  }

  /// The table with a name, which is asked for once.
  public func table<Row: TableRow>(named name: String, of rows: Row.Type = Row.self) -> LiveTable<Row> {
    guard let number = folder.tableNames.firstIndex(of: name), tables[number] == nil else {
      preconditionFailure("the folder has no table \(name), or it was asked for already")
    }
    let table = LiveTable<Row>(number, of: self)
    tables[number] = table
    return table
  }

  /// How many rows are held, in all tables.
  public var heldCount: Int { tables.reduce(0) { $0 + ($1?.count ?? 0) } }

  /// The rows that changed since they were last taken, for each table of the folder.
  public func takeChanges() -> [ChangedRows] { tables.map { $0?.takeChanges() ?? ChangedRows() } }

  /// Marks rows as changed again, whose writing did not come to pass.
  public func restoreChanges(_ changes: [ChangedRows]) {
    for (table, changes) in zip(tables, changes) { table?.restoreChanges(changes) }
  }

  /// Forgets all rows that did not change; places change their meaning.
  public func forgetUnchanged() {
    generation += 1
    for table in tables { table?.forgetUnchanged() }
  }
}

/// A table while it is folded into: rows that were asked for or changed are held, others come from the folder.
///
/// A row's *place* is a number by which it is found again at once, as long as ``generation`` is the same.
public final class LiveTable<Row: TableRow> {
  @usableFromInline internal unowned let tables: LiveTables
  @usableFromInline internal let number: Int
  @usableFromInline internal var working = WorkingTable<Row>()
  /// Counts how often places changed their meaning.
  public private(set) var generation = 0

  internal init(_ number: Int, of tables: LiveTables) { (self.number, self.tables) = (number, tables) }

  /// The place of a key, whether or not there is a row.
  @inlinable
  public func place(of key: some TableKey) throws(TablesError) -> Int {
    if let place = key.withKeyBytes({ working.number(of: $0) }) { return place }
    let row: Row? = try tables.folder.row(of: key, in: number, upTo: tables.position)
    return key.withKeyBytes { working.hold(row, for: $0) }
  }

  /// The row at a place; nil when there is none. It is changed where it lies, without a copy.
  @inlinable
  public subscript(place: Int) -> Row? {
    get { working.row(place) }
    _modify { yield &working[changing: place] }
  }

  /// Changes the row at a place, makes it or takes it away.
  @inlinable
  public func change<R>(_ place: Int, _ body: (inout Row?) -> R) -> R { working.replace(place, body) }

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

/// What a folder's owner does with any of its tables.
private protocol HeldRows {
  var count: Int { get }
  func takeChanges() -> ChangedRows
  func restoreChanges(_ changes: ChangedRows)
  func forgetUnchanged()
}

extension LiveTable: HeldRows {
  fileprivate var count: Int { working.count }
  fileprivate func takeChanges() -> ChangedRows { working.takeChanges() }
  fileprivate func restoreChanges(_ changes: ChangedRows) { working.restoreChanges(changes) }
  fileprivate func forgetUnchanged() {
    generation += 1
    working.forgetUnchanged()
  }
}
