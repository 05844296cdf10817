// Collecting the statistics of a workspace.
internal import Errors
internal import EventLog
internal import EventLogLMDB
internal import Files
internal import Locks
public import Projections

extension Workspace {
  /// Returns the statistics of this moment.
  ///
  /// It takes some ten microseconds and waits for no lock holder, fold or write. Each figure is of its own moment, so
  /// two of them may differ by what happens in between. The head of a log on a server is the last one that this process
  /// has seen.
  public func statistics() throws(ProjectionError) -> Statistics {
    let state = try projections.statistics()
    let others = try self.others?.statistics()
    let log = try rethrow(store.diskLog?.statistics(), as: ProjectionError.log)
    let head = if let log { log.head } else { try rethrow(store.log.lastSeenHead(), as: ProjectionError.log) }
    return Statistics(
      log: Statistics.Log(
        head: head, file: Statistics.File(log?.files.log, since: sizesAtOpening.log),
        index: Statistics.File(LogFiles.index(of: store), since: sizesAtOpening.index)),
      state: Statistics.Tables(state, behind: head, since: sizesAtOpening.state),
      others: others.map { Statistics.Tables($0, behind: head, since: sizesAtOpening.others) },
      queue: Statistics.Queue(
        waiting: submitQueue.waiting, inLine: submitQueue.admissionLimiter.inLine,
        taken: submitQueue.admissionLimiter.taken,
        capacity: submitQueue.admissionLimiter.size),
      submits: submitQueue.counts.withLock { $0 },
      writerLock: Statistics.WriterLock(log),
      freeByteCount: log.map { $0.files.freeByteCount } ?? FileSystem.freeByteCount(at: path))
  }
}

/// The used sizes of the files when the workspace was opened.
internal struct FileSizes: Sendable {
  let log: Int
  let index: Int
  let state: Int
  let others: Int

  init(_ store: EventStore, _ state: ProjectionStore, _ others: ProjectionStore?) {
    let files = try? store.diskLog?.files()
    (log, index) = (files?.log.usedByteCount ?? 0, LogFiles.index(of: store)?.usedByteCount ?? 0)
    (self.state, self.others) = (state.usedByteCount, others?.usedByteCount ?? 0)
  }
}

extension EventStore {
  /// The log in a directory; nil for a log on a server.
  fileprivate var diskLog: LMDBLog? { log as? LMDBLog }
}

extension Statistics.File {
  fileprivate init(_ file: LogFiles.File?, since size: Int) {
    (used, onDisk) = (file?.usedByteCount ?? 0, file?.fileByteCount ?? 0)
    growth = used - size
    readers = Statistics.Readers(used: file?.readersUsed ?? 0, max: file?.readersMax ?? 0, lag: file?.readerLag ?? 0)
  }
}

extension Statistics.Tables {
  fileprivate init(_ projections: ProjectionStatistics, behind head: Head, since size: Int) {
    (folded, written) = (projections.applied, projections.written)
    // The head was read last; it is before the folded position only if the log was replaced under this process.
    lag = Int(head.position.rawValue - min(projections.applied, head.position).rawValue)
    (foldedEvents, foldingTime) = (projections.foldedEvents, projections.foldingTime)
    file = Statistics.File(
      used: projections.usedByteCount, onDisk: projections.fileByteCount, growth: projections.usedByteCount - size,
      readers: Statistics.Readers(
        used: projections.readersUsed, max: projections.readersMax, lag: projections.readerLag))
    (lastCheckpoint, lastSnapshot) = (projections.lastCheckpoint, projections.lastSnapshot)
    snapshotFailure = projections.snapshotFailure
  }
}

extension Statistics.WriterLock {
  fileprivate init(_ log: LogStatistics?) {
    holder = log?.writerLockHolder.map { Holder(process: log?.writerLockProcess, description: $0) }
  }
}
