// The index of a log: streams and append ids in a table store on this machine.
internal import Errors
package import EventLog
package import LMDBPages
internal import Locks
package import Tables

/// An index of streams and appends in a table store, written behind the log.
///
/// Folded rows that are not yet written are held in working tables; any process of the log may write the table store.
/// When it is ahead of what this process has folded, this process restarts from there.
package final class StoredIndex: LogIndex, Sendable {
  /// The table store of the index.
  package let tableStore: TableStore
  private let log: any Log
  private let tables: WriteBehind<IndexState>

  /// Opens the index of a log in a directory, which is created if it is missing.
  ///
  /// An index that is ahead of the log is evidence of lost events: it is kept, and opening throws, unless
  /// `completesLog` finds the lost blocks and appends them again.
  package init(of log: any Log, at path: String, completesLog: () -> Bool = { false }) throws(LogError) {
    self.log = log
    var missing: MissingTail?
    var failure: LogError?
    tableStore = try rethrow(
      TableStore(at: path, tables: IndexState.tableNames) { logPoint in
        do throws(LogError) {
          if try log.head(at: logPoint) != nil { return true }
          missing = try log.missingEnd(before: logPoint, inIndexAt: path, completesLog)
          if missing != nil { return true }
          return try log.head(at: logPoint) != nil
        } catch {
          // The index of a damaged log is rebuilt up to the damage.
          if case .damaged = error { return false }
          failure = error
          return true
        }
      }, as: LogError.init)
    let genesis = Head(of: log.genesis)
    tables = WriteBehind(IndexState(tableStore: tableStore, applied: genesis, streamCount: 0), in: tableStore)
    if let error = failure ?? missing.map({ log.error(of: $0) }) {
      tableStore.close()
      throw error
    }
    try tables.use { index throws(LogError) in try restart(&index) }
  }

  package var applied: Head { tables.use { $0.applied } }

  package func fold(_ block: BlockView) throws(LogError) {
    try tables.fold { index throws(LogError) in
      try retrying(&index) { index throws(IndexFault) in try index.fold(block) }
    }
  }

  package func version(of stream: UnsafeRawBufferPointer) throws(LogError) -> StreamVersion {
    try use { index throws(IndexFault) in StreamVersion(rawValue: try index.version(of: stream)) }
  }

  package func readVersions(of streams: [Name], into versions: inout [UInt64]) throws(LogError) {
    let count = versions.count
    try use { index throws(IndexFault) in
      // The closure may run again.
      versions.removeSubrange(count...)
      for stream in streams {
        let version = stream.withBytes { bytes in
          Result { () throws(IndexFault) in try index.version(of: bytes) }
        }
        versions.append(try version.get())
      }
    }
  }

  package func positions(
    of stream: UnsafeRawBufferPointer, versions: ClosedRange<StreamVersion>
  ) throws(LogError) -> [Position] {
    let range = versions.lowerBound.rawValue...versions.upperBound.rawValue
    let positions = try use { index throws(IndexFault) in try index.positions(of: stream, versions: range) }
    guard positions.count == Int(range.upperBound - range.lowerBound) + 1 else {
      throw .indexDiffers(at: applied.position)
    }
    return positions
  }

  package func append(_ id: AppendID) throws(LogError) -> Position? {
    try use { index throws(IndexFault) in try index.append(id) }
  }

  package func streams(withPrefix prefix: [UInt8], after: [UInt8]?, limit: Int) throws(LogError) -> [StreamSummary] {
    try use { index throws(IndexFault) in try index.streams(withPrefix: prefix, after: after, limit: limit) }
  }

  /// Flushes the dirty rows and closes the table store.
  package func close() {
    _ = try? tables.flush()
    tableStore.close()
  }

  private func use<R>(_ body: (inout IndexState) throws(IndexFault) -> R) throws(LogError) -> R {
    try tables.use { index throws(LogError) in try retrying(&index, body) }
  }

  /// Runs the closure; retries from the table store's position as long as other processes advance it.
  private func retrying<R>(
    _ index: inout IndexState, _ body: (inout IndexState) throws(IndexFault) -> R
  ) throws(LogError) -> R {
    while true {
      do throws(IndexFault) {
        return try body(&index)
      } catch {
        // Nothing of a partly folded block may be written, even if the restart from the table store fails.
        index.restart(at: Head(of: log.genesis), streamCount: 0)
        try restart(&index)
        if case .log(let error) = error { throw error }
      }
    }
  }

  /// Discards the working tables and restarts from the table store's position.
  private func restart(_ index: inout IndexState) throws(LogError) {
    guard let (logPoint, streamCount) = try anchorAndStreamCount() else {
      index.restart(at: Head(of: log.genesis), streamCount: 0)
      return
    }
    guard let head = try log.head(at: logPoint) else { throw .indexDiffers(at: Position(rawValue: logPoint.position)) }
    index.restart(at: head, streamCount: streamCount)
  }

  /// Returns the log point of the table store and its number of streams.
  private func anchorAndStreamCount() throws(LogError) -> (LogPoint, UInt64)? {
    while true {
      do throws(TablesError) {
        guard let logPoint = try tableStore.logPoint() else { return nil }
        return (logPoint, UInt64(try tableStore.rowCount(of: 2, upTo: logPoint.position)))
      } catch .ahead {
        continue
      } catch {
        throw LogError(error)
      }
    }
  }
}

extension Log {
  /// Returns the evidence of an index that is ahead of this log; nil when it is not ahead, or belongs to another log,
  /// or when the blocks were found and appended again.
  fileprivate func missingEnd(
    before logPoint: LogPoint, inIndexAt path: String, _ completesLog: () -> Bool
  ) throws(LogError) -> MissingTail? {
    let position = Position(rawValue: logPoint.position)
    guard position > (try head().position) else { return nil }
    if completesLog(), try head(at: logPoint) != nil { return nil }
    guard let file = try? DataFile(path: path + "/data.mdb"), let meta = try? file.newestMeta(),
      IndexState.holds(try lastAppend(), in: file, meta)
    else { return nil }
    return MissingTail(path: path, position: position, end: try head().position)
  }

  /// Returns the last append of the log with the position of its first event; nil for a log without appends.
  private func lastAppend() throws(LogError) -> (AppendID, Position)? {
    var last: (AppendID, Position)?
    try blocks(from: head().position, .backward, checks: .full) { block in
      block.forEachAppend { last = ($0.id, block.first.advanced(by: $0.firstIndex)) }
      return .stop
    }
    return last
  }

  /// Returns the head at a log point, if the point is on this chain.
  fileprivate func head(at logPoint: LogPoint) throws(LogError) -> Head? {
    try head(at: Position(rawValue: logPoint.position), logPoint.hash)
  }
}

extension IndexState {
  /// Returns whether an index file has an append at its position; true without an append to search for.
  ///
  /// It distinguishes the index of a later state of a log from that of another log, which may be longer by chance.
  package static func holds(_ append: (id: AppendID, position: Position)?, in file: DataFile, _ meta: MetaPage) -> Bool
  {
    guard let append else { return true }
    var position: Position?
    try? file.forEach(in: tableNames[0], of: meta) { key, value, _ in
      guard append.id.withBytes({ $0.elementsEqual(key) }) else { return true }
      // The last four bytes of a row are its checksum.
      position = AppendRow(decoding: value.bytes.extracting(droppingLast: min(4, value.count)))?.position
      return false
    }
    return position == append.position
  }
}
