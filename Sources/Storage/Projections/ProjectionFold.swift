// The projections at one position of the log, folding the next block.
internal import Bytes
public import EventLog
internal import Errors
internal import Tables

/// All projections of a store with their working tables; used by one thread at a time.
internal struct ProjectionFold {
  static let stopsTable = "stops"
  /// The number of rows in memory above which unchanged ones are evicted.
  static let heldMax = 100_000

  /// The head that has been folded.
  private(set) var applied: Head
  private(set) var unwritten = 0
  private(set) var stops: [ProjectionStop?]
  private let types: [any Projection.Type]
  private let genesis: Head
  private let content: LogContent
  private var projections: [any Projection]
  private var tables: LiveTables
  private var stopRows: LiveTable<StopRow>
  private var epoch = 0
  /// The events at which a projection is known to throw, by the projection's number: it is stopped before them.
  private var poison: [(position: Position, reason: String)?]

  static func tableNames(of types: [any Projection.Type]) -> [String] {
    [stopsTable] + types.flatMap { type in type.tableNames.map { "\(type.name).\($0)" } }
  }

  /// Creates projections that have folded nothing; their tables are not read before ``startOver(at:)``.
  init(_ types: [any Projection.Type], in source: any TablesSource, of log: any Log) {
    self.types = types
    (genesis, content) = (Head(of: log.genesis), log.content)
    applied = genesis
    (projections, tables, stopRows) = Self.projections(types, source, genesis)
    stops = Array(repeating: nil, count: types.count)
    poison = Array(repeating: nil, count: types.count)
  }

  private static func projections(
    _ types: [any Projection.Type], _ source: any TablesSource, _ head: Head
  ) -> ([any Projection], LiveTables, LiveTable<StopRow>) {
    let tables = LiveTables(of: source, at: head.position.rawValue)
    let stops: LiveTable<StopRow> = tables.table(named: stopsTable)
    return (types.map { $0.init(ProjectionTables(tables: tables)) }, tables, stops)
  }

  /// Replaces the working tables with what they are read from, at a head; when it throws, with empty ones.
  mutating func startOver(at head: Head) throws(TablesError) {
    clear(to: genesis)
    let found = try Self.stops(types, tables.source, head)
    clear(to: head)
    stops = found
  }

  /// Replaces the working tables with empty ones, at the beginning of the log.
  mutating func discard() { clear(to: genesis) }

  private mutating func clear(to head: Head) {
    applied = head
    unwritten = 0
    epoch += 1
    stops = Array(repeating: nil, count: types.count)
    (projections, tables, stopRows) = Self.projections(types, tables.source, head)
  }

  private static func stops(
    _ types: [any Projection.Type], _ source: any TablesSource, _ head: Head
  ) throws(TablesError) -> [ProjectionStop?] {
    let tables = LiveTables(of: source, at: head.position.rawValue)
    let rows: LiveTable<StopRow> = tables.table(named: stopsTable)
    var stops: [ProjectionStop?] = []
    for type in types {
      let row = try rows.row(of: Array(type.name.utf8))
      stops.append(row.map { ProjectionStop(projection: type.name, position: $0.position, reason: $0.reason) })
    }
    withExtendedLifetime(tables) {}
    return stops
  }

  /// Folds the block after ``applied``, or the rest of it, up to a position. When it throws, the tables are unusable
  /// until they start over.
  mutating func fold(_ block: BlockView, through last: Position) throws(FoldFailure) {
    let start = Int(max(block.first, applied.position.next).rawValue - block.first.rawValue)
    let count = Int(min(block.last, last).rawValue - block.first.rawValue) + 1
    var decryption = EventDecryption(with: content.cipher)
    for index in start..<count {
      let event = block.event(at: index)
      if event.encrypted != nil, !types.contains(where: { $0.readsPayloads(ofType: event.type) }) {
        try foldIntoAll(event)
      } else {
        try decryption.withDecrypted(event, as: FoldFailure.content) { event throws(FoldFailure) in
          try foldIntoAll(event)
        }
      }
    }
    applied = block.head(through: last)
    tables.position = applied.position.rawValue
    unwritten += count - start
  }

  /// Folds a number of events, up to a head, with a closure that changes the only projection. When it throws, the
  /// tables are unusable until they start over.
  mutating func fold<Kind: Projection>(_ count: Int, to head: Head, _ body: (inout Kind) throws -> Void) throws {
    guard var projection = projections[0] as? Kind, projections.count == 1 else {
      preconditionFailure("the only projection is not a \(Kind.self)")
    }
    try body(&projection)
    projections[0] = projection
    applied = head
    tables.position = head.position.rawValue
    unwritten += count
  }

  /// Folds the blocks of a log up to a position with a closure; after an event that a projection cannot fold, starts
  /// over at the head of the tables, to stop the projection before it.
  mutating func fold(
    _ log: any Log, through last: Position, orRestartAt head: Head,
    _ body: (inout ProjectionFold, BlockView) throws(FoldFailure) -> Void
  ) throws(ProjectionError) {
    while applied.position < last {
      var isPoisoned = false
      try log.blocks(from: applied.position.next, .forward, as: ProjectionError.log) { block throws(ProjectionError) in
        do throws(FoldFailure) { try body(&self, block) } catch {
          switch error {
          case .tables(let error): throw .tables(error)
          case .content(let error): throw .log(error)
          case .poison: isPoisoned = true
          }
        }
        return !isPoisoned && block.last < last ? .next : .stop
      }
      if isPoisoned {
        try rethrow(startOver(at: head), as: ProjectionError.tables)
      } else if applied.position < last {
        throw .beyondEnd(last, end: applied.position)
      }
    }
  }

  /// Returns the fields of a row; nil when it is malformed.
  func fields(of value: [UInt8], key: [UInt8], inTable number: Int) -> [RowField]? {
    tables.fields(of: value, key: key, inTable: number)
  }

  /// Returns the stop of a projection, if it stopped.
  func stop(of kind: any Projection.Type) -> ProjectionStop? {
    stops.lazy.compactMap { $0 }.first { $0.projection == kind.name }
  }

  /// Runs the closure with a projection and its head.
  func withProjection<Kind: Projection, R>(
    _ kind: Kind.Type, _ body: (Kind, Head) throws(ProjectionError) -> R
  ) throws(ProjectionError) -> R {
    for case let projection as Kind in projections { return try body(projection, applied) }
    preconditionFailure("no open projection is a \(kind)")
  }

  @inline(__always)
  private mutating func foldIntoAll(_ event: EventView) throws(FoldFailure) {
    for number in projections.indices where stops[number] == nil { try fold(event, into: number) }
  }

  private mutating func fold(_ event: EventView, into number: Int) throws(FoldFailure) {
    if let poison = poison[number], poison.position == event.position {
      return try stop(number, at: event.position, poison.reason)
    }
    do {
      try projections[number].fold(event)
    } catch let error as TablesError {
      throw .tables(error)
    } catch {
      poison[number] = (event.position, "\(error)")
      throw .poison
    }
  }

  private mutating func stop(_ number: Int, at position: Position, _ reason: String) throws(FoldFailure) {
    let name = types[number].name
    try rethrow(
      stopRows.set(StopRow(position: position, reason: reason), for: Array(name.utf8)), as: FoldFailure.tables)
    stops[number] = ProjectionStop(projection: name, position: position, reason: reason)
  }
}

extension ProjectionFold: FoldBuffer {
  mutating func takeUnwritten() -> DirtyTables {
    defer { unwritten = 0 }
    return DirtyTables(changes: tables.takeChanges(), logPoint: applied.logPoint, events: unwritten, epoch: epoch)
  }

  mutating func restore(_ batch: DirtyTables) {
    guard batch.epoch == epoch else { return }
    tables.restoreChanges(batch.changes)
    unwritten += batch.events
  }

  mutating func trim() {
    tables.trim(heldMax: Self.heldMax)
  }
}

/// An error of folding a block.
internal enum FoldFailure: Error {
  /// A projection threw at an event, and is stopped before it when the block is folded again.
  case poison
  case tables(TablesError)
  /// The content of an event cannot be decrypted.
  case content(LogError)
}

/// The stop of a projection that could not fold an event.
public struct ProjectionStop: Hashable, Sendable {
  /// The name of the projection.
  public let projection: String
  /// The position of the event; the projection is at the one before.
  public let position: Position
  /// The projection's error.
  public let reason: String

  /// Creates a stop.
  public init(projection: String, position: Position, reason: String) {
    (self.projection, self.position, self.reason) = (projection, position, reason)
  }
}

extension ProjectionStop: CustomStringConvertible {
  /// One sentence: what failed, on what, what to do.
  public var description: String {
    "The projection \(projection) stopped before position \(position) (\(reason)): open the log with a program "
      + "that can fold it."
  }
}

/// The stored row of a projection's stop.
private struct StopRow: BinaryRow {
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

extension BlockView {
  /// The head after the block's events up to a position; within a block, the log has none.
  internal func head(through last: Position) -> Head {
    Head(position: min(self.last, last), hash: hash, blocks: ordinal, recorded: recorded)
  }
}
