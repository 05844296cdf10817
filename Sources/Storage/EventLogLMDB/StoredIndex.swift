// The index of a log on disk: streams and append ids in tables beside it.
internal import EventLog
internal import LMDB
internal import Locks
internal import Tables

/// Finds streams and appends through tables in the folder `index/`, which are written behind the log.
///
/// What was folded and not yet written is held in working tables; the folder may be written by any process of the log.
/// When it stands further than this process has folded, this process goes on from there.
internal final class StoredIndex: LogIndex, Sendable {
  private let log: LMDBLog
  private let tableStore: TableStore
  private let tables: WriteBehind<IndexState>

  /// Opens the index of a log; in another directory for a log that is only read.
  ///
  /// An index that is ahead of the log is evidence of events that the log lost: it is kept, and the log is not opened
  /// with it, unless the lost blocks are still in the log's file.
  init(of log: LMDBLog) throws(LogError) {
    self.log = log
    let path = LMDBLog.indexPath(log.derivedPath)
    var missing: MissingTail?
    do throws(TablesError) {
      tableStore = try TableStore(at: path, tables: IndexState.tableNames) { anchor in
        if log.head(at: anchor) != nil { return true }
        missing = log.missingEnd(before: anchor, inIndexAt: path)
        return missing != nil || log.head(at: anchor) != nil
      }
    } catch {
      throw LogError(error)
    }
    log.indexStore.withLock { [tableStore] in $0.tableStore = tableStore }
    let genesis = Head(of: log.genesis)
    tables = WriteBehind(IndexState(tableStore: tableStore, applied: genesis, streamCount: 0), in: tableStore)
    if let missing {
      tableStore.close()
      throw .endMissing(missing)
    }
    try tables.use { index throws(LogError) in try restart(&index) }
  }

  var applied: Head { tables.use { $0.applied } }

  func fold(_ block: BlockView) throws(LogError) {
    try tables.fold { index throws(LogError) in
      try retrying(&index) { index throws(IndexFault) in try index.fold(block) }
    }
  }

  func version(of stream: UnsafeRawBufferPointer) throws(LogError) -> StreamVersion {
    try use { index throws(IndexFault) in StreamVersion(rawValue: try index.version(of: stream)) }
  }

  func positions(
    of stream: UnsafeRawBufferPointer, versions: ClosedRange<StreamVersion>
  ) throws(LogError) -> [Position] {
    let range = versions.lowerBound.rawValue...versions.upperBound.rawValue
    let positions = try use { index throws(IndexFault) in try index.positions(of: stream, versions: range) }
    guard positions.count == Int(range.upperBound - range.lowerBound) + 1 else {
      throw .indexDiffers(at: applied.position)
    }
    return positions
  }

  func append(_ id: AppendID) throws(LogError) -> Position? {
    try use { index throws(IndexFault) in try index.append(id) }
  }

  func streams(withPrefix prefix: [UInt8], after: [UInt8]?, limit: Int) throws(LogError) -> [StreamSummary] {
    try use { index throws(IndexFault) in try index.streams(withPrefix: prefix, after: after, limit: limit) }
  }

  /// Writes what waits and closes the folder.
  func close() {
    _ = try? tables.flush()
    tableStore.close()
  }

  private func use<R>(_ body: (inout IndexState) throws(IndexFault) -> R) throws(LogError) -> R {
    try tables.use { index throws(LogError) in try retrying(&index, body) }
  }

  /// Runs the closure; once more, from where the folder stands, as long as others write it further.
  private func retrying<R>(
    _ index: inout IndexState, _ body: (inout IndexState) throws(IndexFault) -> R
  ) throws(LogError) -> R {
    while true {
      do throws(IndexFault) {
        return try body(&index)
      } catch {
        // Nothing of a block that was folded in part may be written, also if going on from the folder fails.
        index.restart(at: Head(of: log.genesis), streamCount: 0)
        try restart(&index)
        if case .log(let error) = error { throw error }
      }
    }
  }

  /// Gives up what is held and goes on from where the folder stands.
  private func restart(_ index: inout IndexState) throws(LogError) {
    guard let (anchor, streamCount) = try anchorAndStreamCount() else {
      index.restart(at: Head(of: log.genesis), streamCount: 0)
      return
    }
    guard let head = log.head(at: anchor) else { throw .indexDiffers(at: Position(rawValue: anchor.position)) }
    index.restart(at: head, streamCount: streamCount)
  }

  /// Where the folder stands, and how many streams it has there.
  private func anchorAndStreamCount() throws(LogError) -> (LogPoint, UInt64)? {
    while true {
      do throws(TablesError) {
        guard let anchor = try tableStore.anchor() else { return nil }
        return (anchor, UInt64(try tableStore.rowCount(of: 2, upTo: anchor.position)))
      } catch .ahead {
        continue
      } catch {
        throw LogError(error)
      }
    }
  }
}

extension LMDBLog {
  /// The evidence of an index that is ahead of this log; nil when it is not, or is another log's, or when the blocks
  /// were found in unused pages and appended again.
  fileprivate func missingEnd(before anchor: LogPoint, inIndexAt path: String) -> MissingTail? {
    let position = Position(rawValue: anchor.position)
    guard let end = try? head().position, position > end else { return nil }
    if !isReadOnly, (try? completeTail()) == true, head(at: anchor) != nil { return nil }
    guard let file = try? DataFile(path: path + "/data.mdb"), let meta = try? file.newestMeta(),
      IndexState.holds(try? lastAppend(), in: file, meta)
    else { return nil }
    return MissingTail(path: path, position: position, end: (try? head().position) ?? end)
  }

  /// The last append of the log, and the position of its first event; nil for a log that has none.
  private func lastAppend() throws(LogError) -> (AppendID, Position)? {
    var last: (AppendID, Position)?
    try blocks(from: head().position, .backward, checks: .full) { block in
      block.forEachAppend { last = ($0.id, block.first.advanced(by: $0.firstIndex)) }
      return .stop
    }
    return last
  }

  /// The head at an anchor, if the anchor lies on this chain.
  fileprivate func head(at anchor: LogPoint) -> Head? {
    guard let head = try? head(at: Position(rawValue: anchor.position)), head.hash == anchor.hash else { return nil }
    return head
  }
}

extension IndexState {
  /// Whether an index in a file has an append in its place; true where there is none to look for.
  ///
  /// It tells the index of a later state of a log from that of another log, which may be longer by chance.
  static func holds(_ append: (id: AppendID, position: Position)?, in file: DataFile, _ meta: MetaPage) -> Bool {
    guard let append else { return true }
    var position: Position?
    try? file.forEach(in: tableNames[0], of: meta) { key, value, _ in
      guard append.id.withBytes({ $0.elementsEqual(key) }) else { return true }
      // Behind a row is its checksum.
      position = AppendRow(decoding: value.bytes.extracting(droppingLast: min(4, value.count)))?.position
      return false
    }
    return position == append.position
  }
}
