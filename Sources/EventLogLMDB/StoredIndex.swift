// The index of a log on disk: streams and append ids in tables beside it.
internal import EventLog
internal import Locks
internal import Tables

/// Finds streams and appends through tables in the folder `index/`, which are written behind the log.
///
/// What was folded and not yet written is held in working tables; the folder may be written by any process of the log.
/// When it stands further than this process has folded, this process goes on from there.
internal final class StoredIndex: LogIndex, Sendable {
  private let log: LMDBLog
  private let folder: Folder
  private let tables: WriteBehind<IndexState>

  init(of log: LMDBLog) throws(LogError) {
    self.log = log
    do throws(TablesError) {
      folder = try Folder(at: LMDBLog.indexPath(log.path), tables: IndexState.tableNames) { anchor in
        log.head(at: anchor) != nil
      }
    } catch {
      throw LogError(error)
    }
    log.indexFolder.withLock { [folder] in $0.folder = folder }
    let genesis = Head(of: log.genesis)
    tables = WriteBehind(IndexState(folder: folder, applied: genesis, streamCount: 0), in: folder)
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
    folder.close()
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
  private func anchorAndStreamCount() throws(LogError) -> (Anchor, UInt64)? {
    while true {
      do throws(TablesError) {
        guard let anchor = try folder.anchor() else { return nil }
        return (anchor, UInt64(try folder.rowCount(of: 2, upTo: anchor.position)))
      } catch .ahead {
        continue
      } catch {
        throw LogError(error)
      }
    }
  }
}

extension LMDBLog {
  /// The head at an anchor, if the anchor lies on this chain.
  fileprivate func head(at anchor: Anchor) -> Head? {
    guard let head = try? head(at: Position(rawValue: anchor.position)), head.hash == anchor.hash else { return nil }
    return head
  }
}
