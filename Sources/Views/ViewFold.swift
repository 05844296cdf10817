// Views at one state of the log, as they fold the next block.
internal import Bytes
public import EventLog
internal import Tables

/// All views of a store with their working tables; used by one thread at a time.
internal struct ViewFold {
  static let stopsTable = "stops"
  /// How many rows may be held before those that did not change are forgotten.
  static let heldMax = 100_000

  /// The end of what has been folded.
  private(set) var applied: Head
  private(set) var unwritten = 0
  private(set) var stops: [ViewStop?]
  private let types: [any View.Type]
  private let genesis: Head
  private var views: [any View]
  private var tables: LiveTables
  private var stopRows: LiveTable<StopRow>
  private var epoch = 0
  /// The events that a view is known to throw at, by the view's number: it is stopped before them.
  private var poison: [(position: Position, reason: String)?]

  static func tableNames(of types: [any View.Type]) -> [String] {
    [stopsTable] + types.flatMap { type in type.tableNames.map { "\(type.name).\($0)" } }
  }

  /// Views that have folded nothing; their folder is not read before they ``startOver(at:)``.
  init(_ types: [any View.Type], in folder: Folder, of genesis: Head) {
    self.types = types
    self.genesis = genesis
    applied = genesis
    (views, tables, stopRows) = Self.views(types, folder, genesis)
    stops = Array(repeating: nil, count: types.count)
    poison = Array(repeating: nil, count: types.count)
  }

  private static func views(
    _ types: [any View.Type], _ folder: Folder, _ head: Head
  ) -> ([any View], LiveTables, LiveTable<StopRow>) {
    let tables = LiveTables(of: folder, at: head.position.rawValue)
    let stops: LiveTable<StopRow> = tables.table(named: stopsTable)
    return (types.map { $0.init(ViewTables(tables: tables)) }, tables, stops)
  }

  /// Gives up the working tables for what the folder holds at a head; when it throws, for nothing.
  mutating func startOver(at head: Head) throws(TablesError) {
    clear(to: genesis)
    let found = try Self.stops(types, tables.folder, head)
    clear(to: head)
    stops = found
  }

  private mutating func clear(to head: Head) {
    applied = head
    unwritten = 0
    epoch += 1
    stops = Array(repeating: nil, count: types.count)
    (views, tables, stopRows) = Self.views(types, tables.folder, head)
  }

  private static func stops(
    _ types: [any View.Type], _ folder: Folder, _ head: Head
  ) throws(TablesError) -> [ViewStop?] {
    let tables = LiveTables(of: folder, at: head.position.rawValue)
    let rows: LiveTable<StopRow> = tables.table(named: stopsTable)
    var stops: [ViewStop?] = []
    for type in types {
      let row = try rows.row(of: Array(type.name.utf8))
      stops.append(row.map { ViewStop(view: type.name, position: $0.position, reason: $0.reason) })
    }
    withExtendedLifetime(tables) {}
    return stops
  }

  /// Adds the block that follows ``applied``, or what was not yet folded of it, up to a position. When it throws, the
  /// tables are of no use until they start over.
  mutating func fold(_ block: BlockView, through last: Position) throws(FoldFault) {
    let isWhole = block.last <= last
    let start = Int(max(block.first, applied.position.next).rawValue - block.first.rawValue)
    let count = isWhole ? block.count : Int(last.rawValue - block.first.rawValue) + 1
    for index in start..<count {
      let event = block.event(at: index)
      for number in views.indices where stops[number] == nil { try fold(event, into: number) }
    }
    // Within a block there is no head of the log: what is folded so far goes no further.
    applied =
      isWhole ? block.head : Head(position: last, hash: block.hash, blocks: block.ordinal, recorded: block.recorded)
    tables.position = applied.position.rawValue
    unwritten += count - start
  }

  /// What a row says, field by field; nil when it is none of the table.
  func fields(of value: [UInt8], key: [UInt8], inTable number: Int) -> [RowField]? {
    tables.fields(of: value, key: key, inTable: number)
  }

  /// Where a view stopped, if it did.
  func stop(of kind: any View.Type) -> ViewStop? { stops.lazy.compactMap { $0 }.first { $0.view == kind.name } }

  /// Lends a view with where it stands.
  func withView<Kind: View, R>(
    _ kind: Kind.Type, _ body: (Kind, Head) -> R
  ) -> R {
    for case let view as Kind in views { return body(view, applied) }
    preconditionFailure("no view that was opened is a \(kind)")
  }

  private mutating func fold(_ event: EventView, into number: Int) throws(FoldFault) {
    if let poison = poison[number], poison.position == event.position {
      return try stop(number, at: event.position, poison.reason)
    }
    do {
      try views[number].fold(event)
    } catch let error as TablesError {
      throw .tables(error)
    } catch {
      poison[number] = (event.position, "\(error)")
      throw .poison
    }
  }

  private mutating func stop(_ number: Int, at position: Position, _ reason: String) throws(FoldFault) {
    let name = types[number].name
    do throws(TablesError) {
      try stopRows.set(StopRow(position: position, reason: reason), for: Array(name.utf8))
    } catch {
      throw .tables(error)
    }
    stops[number] = ViewStop(view: name, position: position, reason: reason)
  }
}

extension ViewFold: FoldedTables {
  mutating func takeUnwritten() -> UnwrittenTables {
    defer { unwritten = 0 }
    let anchor = Anchor(position: applied.position.rawValue, hash: applied.hash)
    return UnwrittenTables(changes: tables.takeChanges(), anchor: anchor, events: unwritten, epoch: epoch)
  }

  mutating func restore(_ batch: UnwrittenTables) {
    guard batch.epoch == epoch else { return }
    tables.restoreChanges(batch.changes)
    unwritten += batch.events
  }

  mutating func trim() {
    if tables.heldCount > Self.heldMax { tables.forgetUnchanged() }
  }
}

/// Why a block could not be folded.
internal enum FoldFault: Error {
  /// A view threw at an event, and is stopped before it when the block is folded again.
  case poison
  case tables(TablesError)
}

/// A view that could not fold an event.
public struct ViewStop: Hashable, Sendable {
  /// What the view is called.
  public let view: String
  /// The event; the view stands before it.
  public let position: Position
  /// What the view said.
  public let reason: String

  /// A stop with its parts.
  public init(view: String, position: Position, reason: String) {
    (self.view, self.position, self.reason) = (view, position, reason)
  }
}

extension ViewStop: CustomStringConvertible {
  /// One sentence: what happened, to what, what to do.
  public var description: String {
    "The view \(view) stopped before position \(position) (\(reason)): open the log with a program that can fold it."
  }
}

/// Where a view stopped.
private struct StopRow: TableRow {
  let position: Position
  let reason: String

  init(position: Position, reason: String) { (self.position, self.reason) = (position, reason) }

  init?(decoding bytes: RawSpan) {
    var reader = ByteReader(bytes)
    guard let position = reader.varint() else { return nil }
    self.position = Position(rawValue: position)
    let text = bytes.extracting(reader.offset..<bytes.byteCount).withUnsafeBytes {
      String(validating: $0, as: UTF8.self)
    }
    guard let text else { return nil }
    reason = text
  }

  func encode(into writer: inout ByteWriter) {
    writer.varint(position.rawValue)
    var reason = reason
    reason.withUTF8 { writer.bytes(UnsafeRawBufferPointer($0)) }
  }
}
