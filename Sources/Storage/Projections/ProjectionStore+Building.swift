// Catching up with the log: directly, or, for new tables, with a comparison at every recorded checkpoint.
internal import Errors
public import EventLog
internal import Tables

extension ProjectionStore {
  /// The progress of a fold.
  public struct Progress: Sendable {
    /// The position that has been folded.
    public let position: Position
    /// The head of the log when the fold began.
    public let end: Position
    /// The number of events folded per second, since the fold began.
    public let eventsPerSecond: Double

    /// The estimated time for the remaining events at this rate.
    public var timeLeft: Duration {
      let events = end.rawValue - min(position, end).rawValue
      return events == 0 ? .zero : .seconds(Double(events) / max(eventsPerSecond, 1))
    }
  }
}

extension ProjectionStore {
  /// Catches up with the head of the log, or with the last seen one; the caller holds the fold state.
  internal func foldToEnd(_ foldState: inout FoldState, toLastSeen: Bool) throws(ProjectionError) {
    let all = Position(rawValue: .max)
    if foldState.isComplete, options.progress == nil { return try fold(through: all, toLastSeen: toLastSeen) }
    let pace = Pace(from: applied.position, to: try head(toLastSeen: toLastSeen).position)
    if foldState.isComplete {
      // A short fold is not worth a report, and its caller may hold the writer lock.
      let count = pace.end.rawValue - min(applied.position, pace.end).rawValue
      if count <= UInt64(max(1, options.progressDistance)) { return try fold(through: all, toLastSeen: toLastSeen) }
      return try foldInSteps(through: pace.end, pace)
    }
    for position in try checkpointPositions(upTo: pace.end) where position > applied.position {
      try foldInSteps(through: position, pace)
      try flush()
      // When another process has written further, it has compared the tables.
      if let present = try present(ifAt: position), !isKnownOutdated { try checkpointLog.compare(present) }
    }
    try foldInSteps(through: pace.end, pace)
    try fold(through: all)
    try flush()
    try rethrow(engine.tableStore.markComplete(), as: ProjectionError.tables)
    foldState.isComplete = true
    engine.isBuilding = false
  }

  /// Returns the positions of the checkpoints, in ascending order; throws when one of this machine is of another log.
  private func checkpointPositions(upTo end: Position) throws(ProjectionError) -> [Position] {
    var positions: Set<Position> = []
    for checkpoint in try checkpointLog.own() where checkpoint.position <= end {
      guard try isOnChain(checkpoint) else { throw .otherLog(position: checkpoint.position) }
      positions.insert(checkpoint.position)
    }
    for checkpoint in try checkpointLog.others() where checkpoint.position <= end {
      if positions.contains(checkpoint.position) { continue }
      if try isOnChain(checkpoint) { positions.insert(checkpoint.position) }
    }
    return positions.sorted()
  }

  private func isOnChain(_ checkpoint: Checkpoint) throws(ProjectionError) -> Bool {
    try rethrow(store.log.head(at: checkpoint.position, checkpoint.hash), as: ProjectionError.log) != nil
  }

  private func foldInSteps(through last: Position, _ pace: Pace) throws(ProjectionError) {
    while applied.position < last {
      try fold(through: min(last, applied.position.advanced(by: max(1, options.progressDistance))))
      options.progress?(pace.progress(at: applied.position))
    }
  }

  internal func fold(through last: Position, toLastSeen: Bool = false) throws(ProjectionError) {
    try store.log.catchUp(
      self, through: last, toLastSeen: toLastSeen, triesMax: 8 + 2 * types.count, as: ProjectionError.log)
  }

  internal func head(toLastSeen: Bool = false) throws(ProjectionError) -> Head {
    try rethrow(toLastSeen ? store.log.lastSeenHead() : store.head(), as: ProjectionError.log)
  }
}

/// The start and the time of a fold. The clock affects nothing but the reports.
internal struct Pace {
  let start: Position
  let end: Position
  let began = ContinuousClock.now

  init(from start: Position, to end: Position) { (self.start, self.end) = (start, end) }

  func progress(at position: Position) -> ProjectionStore.Progress {
    let seconds = began.duration(to: .now) / .seconds(1)
    let events = position.rawValue - min(start, position).rawValue
    return ProjectionStore.Progress(
      position: position, end: end, eventsPerSecond: seconds > 0 ? Double(events) / seconds : 0)
  }
}

extension ProjectionStore {
  /// Removes the tables and snapshots of other sets of projections in a directory that no process has open or opened
  /// for some time; returns their fingerprints. Their checkpoints are kept.
  @discardableResult
  public static func removeUnused(
    at directory: String, keeping kept: [Fingerprint], unusedFor time: Duration = .seconds(7 * 24 * 3600)
  ) -> [String] {
    let directory = TableStore.resolvedDirectory(of: directory)
    let kept = Set(kept.map(\.text))
    return TableStore.tableStores(in: directory).filter { name in
      guard !kept.contains(name), TableStore.removeIfUnused("\(directory)/\(name)", for: Int(time.components.seconds))
      else { return false }
      SnapshotDirectory(in: "\(directory)/snapshots/\(name)", tables: [], seededBy: .name).removeAll()
      _ = ProjectionHistory.remove(name, in: directory)
      return true
    }
  }

  /// Removes the tables and snapshots of a set of projections, if no process has them open: the next opening rebuilds
  /// them from the first event. Returns whether all are gone; their checkpoints are kept.
  public static func removeTables(
    of types: [any Projection.Type], at directory: String, of log: any Log
  ) -> Bool {
    let directory = TableStore.resolvedDirectory(of: directory)
    let name = Fingerprint(of: types, erasures: log.content.erasureCount).text
    if TableStore.tableStores(in: directory).contains(name) {
      guard TableStore.removeIfUnused("\(directory)/\(name)", for: 0) else { return false }
    }
    SnapshotDirectory(in: "\(directory)/snapshots/\(name)", tables: [], seededBy: .name).removeAll()
    return ProjectionHistory.remove(name, in: directory)
  }

  /// Removes all tables and snapshots in a directory, and the checkpoints that are not of a log: those past its end,
  /// and those of events that it lost; returns false when some tables are in use.
  public static func discard(notOf log: any Log, at directory: String) throws(ProjectionError) -> Bool {
    removeUnused(at: directory, keeping: [], unusedFor: .zero)
    guard TableStore.tableStores(in: directory).isEmpty else { return false }
    SnapshotDirectory.removeAll(in: directory + "/snapshots")
    guard ProjectionHistory.removeAll(in: directory) else { return false }
    try CheckpointLog(in: directory).discard(notOf: log)
    return true
  }

  /// Returns the number of checkpoints, at positions that the log has, of any table of these projections at their
  /// revisions.
  public func checkpointCount() throws(ProjectionError) -> Int {
    let end = try head().position
    return try checkpointLog.all().count { checkpoint in
      checkpoint.position <= end
        && checkpoint.digests.contains { digest in
          types.contains {
            $0.name == digest.projection && $0.revision(after: fingerprint.erasures) == digest.revision
          }
        }
    }
  }
}
