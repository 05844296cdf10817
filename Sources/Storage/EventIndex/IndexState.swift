// The working tables of a log's index, and how a block is folded into them.
internal import Bytes
internal import Errors
package import EventLog
internal import LMDB
package import Tables

/// The working tables of the index, at one head of the log.
///
///     appends    id (16)                                    -> position of its first event
///     positions  stream number (4) and chunk number (4)     -> positions of 256 versions, as differences
///     streams    name                                       -> stream number, version
///
/// Streams are numbered in the order of their first events, from 0. Chunk 0 holds versions 1 to 256, and so on, so that
/// the location of any version is known without a search.
package struct IndexState {
  package static let tableNames = ["appends", "positions", "streams"]
  static let versionsPerChunk: UInt64 = 256
  /// The number of held rows above which unchanged ones are evicted.
  static let heldMax = 100_000

  let tableStore: TableStore
  /// The head up to which blocks were folded.
  package private(set) var applied: Head
  /// The number of folded events that are not yet written.
  package private(set) var unwritten = 0
  /// The number of times that the working tables were discarded in favor of the table store.
  private(set) var epoch = 0

  private var appends = WorkingTable<AppendRow>()
  private var chunks = WorkingTable<ChunkRow>()
  private var streams = WorkingTable<StreamRow>()
  /// The number of the chunk row that holds a stream's last position; -1 when it is not held.
  private var tails: [Int] = []
  private var streamCount: UInt64

  // The rows of a block's names in the working tables, and its events; kept to allocate once.
  private var rowNumbers: [Int] = []
  private var folding: [(name: Int, version: UInt64)] = []

  /// Creates the state at the table store's position, whose head is given.
  package init(tableStore: TableStore, applied: Head, streamCount: UInt64) {
    self.tableStore = tableStore
    self.applied = applied
    self.streamCount = streamCount
  }

  /// Discards the working tables in favor of the table store.
  mutating func restart(at head: Head, streamCount: UInt64) {
    let epoch = self.epoch
    self = IndexState(tableStore: tableStore, applied: head, streamCount: streamCount)
    self.epoch = epoch + 1
  }
}

extension IndexState {
  /// Folds the block that follows ``applied``; throws before anything is changed if rows cannot be read.
  package mutating func fold(_ block: BlockView) throws(IndexFault) {
    guard block.first == applied.position.next else { return }
    try findRows(block)
    for (index, event) in folding.enumerated() {
      try fold(block, event.name, event.version, at: block.first.advanced(by: index))
    }
    block.forEachAppend { append in
      append.id.withBytes { key in
        guard appends.number(of: key) == nil else { return }
        _ = appends.insert(AppendRow(position: block.first.advanced(by: append.firstIndex)), for: key)
      }
    }
    applied = block.head
    unwritten += block.count
  }

  /// Finds the row of each stream of a block and its last chunk, and collects the events.
  private mutating func findRows(_ block: BlockView) throws(IndexFault) {
    rowNumbers.removeAll(keepingCapacity: true)
    folding.removeAll(keepingCapacity: true)
    var newStreams: UInt64 = 0
    for index in 0..<block.count {
      let (name, version) = block.version(at: index)
      while rowNumbers.count <= name { rowNumbers.append(-1) }
      if rowNumbers[name] == -1 {
        if let rowNumber = try streamRow(block.stream(name)) {
          rowNumbers[name] = rowNumber
          try holdTail(of: rowNumber)
        } else if version == 1 {
          newStreams += 1
          // After the loss of a stream's row its number would be assigned again.
          try requireNoChunk(of: streamCount + newStreams - 1, holding: 1)
          rowNumbers[name] = -2
        }
      }
      folding.append((name, version))
    }
  }

  private mutating func fold(
    _ block: BlockView, _ name: Int, _ version: UInt64, at position: Position
  ) throws(IndexFault) {
    if rowNumbers[name] < 0 {
      rowNumbers[name] = block.stream(name).withUnsafeBytes { key in
        // A canonical block has no two numbers of one name; otherwise the second finds the first's row.
        streams.number(of: key) ?? streams.insert(StreamRow(number: streamCount, version: 0), for: key)
      }
      if streams.count > tails.count {
        tails.append(-1)
        streamCount += 1
      }
    }
    let rowNumber = rowNumbers[name]
    let row = streams[rowNumber]
    guard version == row.version + 1 else { throw .log(.indexDiffers(at: position)) }
    if row.version % Self.versionsPerChunk == 0 {
      let key = Self.chunkKey(row.number, holding: version)
      tails[rowNumber] = key.withKeyBytes { chunks.insert(ChunkRow(), for: $0) }
    }
    chunks.change(tails[rowNumber]) { $0.append(position.rawValue) }
    streams.change(rowNumber) { $0.version = version }
  }

  private static func chunkKey(_ stream: UInt64, holding version: UInt64) -> UInt64 {
    stream << 32 | (version - 1) / versionsPerChunk
  }
}

extension IndexState {
  /// Returns the number of events in a stream.
  mutating func version(of stream: UnsafeRawBufferPointer) throws(IndexFault) -> UInt64 {
    try streamRow(stream.bytes).map { streams[$0].version } ?? 0
  }

  /// Returns the positions of a stream's events, as far as the tables have them.
  mutating func positions(
    of stream: UnsafeRawBufferPointer, versions: ClosedRange<UInt64>
  ) throws(IndexFault) -> [Position] {
    guard let rowNumber = try streamRow(stream.bytes) else { return [] }
    var positions: [Position] = []
    var next = versions.lowerBound
    while next <= versions.upperBound, let chunk = try chunk(of: streams[rowNumber].number, holding: next) {
      let first = (next - 1) % Self.versionsPerChunk
      let count = min(versions.upperBound - next + 1, Self.versionsPerChunk - first)
      positions += chunk.positions(from: Int(first), count: Int(count))
      next += count
    }
    return positions
  }

  private func chunk(of stream: UInt64, holding version: UInt64) throws(IndexFault) -> ChunkRow? {
    let key = Self.chunkKey(stream, holding: version)
    if let held = key.withKeyBytes({ chunks.number(of: $0) }) { return chunks[held] }
    return try read(key, from: 1)
  }

  /// Returns the position of the first event of the append with an id.
  mutating func append(_ id: AppendID) throws(IndexFault) -> Position? {
    if let held = id.withBytes({ appends.number(of: $0) }) { return appends[held].position }
    let key = id.withBytes { Array($0) }
    let row: AppendRow? = try read(key, from: 0)
    return row?.position
  }

  /// Returns the streams whose names begin with a prefix and follow another name.
  func streams(withPrefix prefix: [UInt8], after: [UInt8]?, limit: Int) throws(IndexFault) -> [StreamSummary] {
    var found: [Name: StreamVersion] = [:]
    let behind = after.map { $0 + [0] } ?? []
    let from = behind.lexicographicallyPrecedes(prefix) ? prefix : behind
    var isReadable = true
    try access { tableStore, position throws(TablesError) in
      try tableStore.lend(upTo: position) { reading throws(TablesError) in
        try reading.forEachRow(of: 2, from: from) { (key, row: StreamRow) in
          guard found.count < limit, key.starts(with: prefix) else { return false }
          guard let name = Name(bytes: key) else {
            isReadable = false
            return false
          }
          found[name] = StreamVersion(rawValue: row.version)
          return true
        }
      }
    }
    guard isReadable else { throw .unreadable(tableStore, table: 2) }
    streams.forEach { key, row in
      guard key.starts(with: prefix), !key.lexicographicallyPrecedes(from), let name = Name(bytes: key) else { return }
      found[name] = StreamVersion(rawValue: row.version)
    }
    return found.keys.sorted().prefix(limit).map { StreamSummary(name: $0, version: found[$0] ?? .zero) }
  }
}

extension IndexState {
  /// Returns the number of a stream's row, which is read if it is not held; nil for a stream without events.
  private mutating func streamRow(_ name: RawSpan) throws(IndexFault) -> Int? {
    let held = name.withUnsafeBytes { streams.number(of: $0) }
    if let held { return held }
    let key = name.withUnsafeBytes { Array($0) }
    guard let row: StreamRow = try read(key, from: 2) else { return nil }
    tails.append(-1)
    let rowNumber = key.withUnsafeBytes { streams.hold(row, for: $0) }
    // Checked before the version is used: an append would write a wrong one into the log permanently.
    try holdTail(of: rowNumber)
    return rowNumber
  }

  /// Loads the chunk of a stream's last version, if it has one, and checks it against the stream's row.
  private mutating func holdTail(of rowNumber: Int) throws(IndexFault) {
    let row = streams[rowNumber]
    guard tails[rowNumber] == -1, row.version > 0 else { return }
    if row.version % Self.versionsPerChunk == 0 {
      // For a row that was set back, the next version would begin a chunk that already exists.
      try requireNoChunk(of: row.number, holding: row.version + 1)
    }
    let key = Self.chunkKey(row.number, holding: row.version)
    if let held = key.withKeyBytes({ chunks.number(of: $0) }) {
      tails[rowNumber] = held
      return
    }
    guard let chunk: ChunkRow = try read(key, from: 1),
      chunk.count == (row.version - 1) % Self.versionsPerChunk + 1, chunk.last <= applied.position.rawValue
    else { throw .unreadable(tableStore, table: 1) }
    tails[rowNumber] = key.withKeyBytes { chunks.hold(chunk, for: $0) }
  }

  private func requireNoChunk(of stream: UInt64, holding version: UInt64) throws(IndexFault) {
    let key = Self.chunkKey(stream, holding: version)
    let isHeld = key.withKeyBytes { chunks.number(of: $0) } != nil
    let chunk: ChunkRow? = isHeld ? nil : try read(key, from: 1)
    if isHeld || chunk != nil { throw .unreadable(tableStore, table: 1) }
  }

  /// Reads a row of the table store.
  private func read<Row: BinaryRow>(_ key: some TableKey, from table: Int) throws(IndexFault) -> Row? {
    try access { tableStore, position throws(TablesError) in
      try tableStore.row(of: key, in: table, upTo: position)
    }
  }

  private func access<R>(_ body: (TableStore, UInt64) throws(TablesError) -> R) throws(IndexFault) -> R {
    try rethrow(body(tableStore, applied.position.rawValue), as: IndexFault.init)
  }
}

extension IndexState: FoldBuffer {
  /// Returns the dirty rows to be written.
  package mutating func takeUnwritten() -> DirtyTables {
    defer { unwritten = 0 }
    return DirtyTables(
      changes: [appends.takeChanges(), chunks.takeChanges(), streams.takeChanges()],
      logPoint: LogPoint(position: applied.position.rawValue, hash: applied.hash), events: unwritten, epoch: epoch)
  }

  /// Restores rows that could not be written.
  package mutating func restore(_ batch: DirtyTables) {
    guard batch.epoch == epoch else { return }
    appends.restoreChanges(batch.changes[0])
    chunks.restoreChanges(batch.changes[1])
    streams.restoreChanges(batch.changes[2])
    unwritten += batch.events
  }

  /// Evicts unchanged rows, when many are held.
  package mutating func trim() {
    guard appends.count + chunks.count + streams.count > Self.heldMax else { return }
    appends.forgetUnchanged()
    chunks.forgetUnchanged()
    streams.forgetUnchanged()
    tails = Array(repeating: -1, count: streams.count)
  }
}

/// A failure of the index.
package enum IndexFault: Error {
  /// Another process advanced the table store past what this one has folded.
  case tableStoreIsAhead
  case log(LogError)

  init(_ error: TablesError) {
    if case .ahead = error { self = .tableStoreIsAhead } else { self = .log(LogError(error)) }
  }

  static func unreadable(_ tableStore: TableStore, table: Int) -> IndexFault {
    .log(LogError(.malformed(path: tableStore.path, table: IndexState.tableNames[table])))
  }
}

extension LogError {
  /// Creates the error of the tables that are derived from a log.
  package init(_ error: TablesError) {
    let failure = StorageFailure(of: error)
    if case .noSpace = error { self = .noSpace(failure) } else { self = .storage(failure) }
  }
}

extension Name {
  /// Creates a name from bytes; nil when they are invalid.
  fileprivate init?(bytes: UnsafeRawBufferPointer) {
    guard let text = String(validating: bytes, as: UTF8.self), let name = try? Name(text) else { return nil }
    self = name
  }
}
