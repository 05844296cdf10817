// The log of all checkpoints of an event log's projections.
internal import Errors
internal import EventLog
internal import Locks
internal import Tables

/// The append-only log of all checkpoints of an event log's tables, by any program.
///
/// It is a file of this machine. Where the event log is on a server, checkpoints are stored there, too, so that each
/// machine's folds are compared with those of all others.
internal struct CheckpointLog: Sendable {
  private let records: Records
  /// A cache of the last checkpoint position of each fingerprint, as of a state of the file.
  private let last = Locked((identity: String?.none, positions: [String: Position]()))

  let path: String
  /// The event log, if it stores the checkpoints of all machines.
  private let shared: (any CheckpointStore)?

  init(in directory: String, of log: (any Log)? = nil) {
    records = Records("checkpoints", in: directory)
    path = directory + "/checkpoints"
    shared = log as? any CheckpointStore
  }

  /// Creates the directory, if it is missing.
  func makeDirectory() throws(ProjectionError) {
    try rethrow(records.makeDirectory(), as: ProjectionError.tables)
  }

  /// Returns the last position of a checkpoint in the file, of any projections; 0 without one.
  func lastPosition() throws(ProjectionError) -> Position {
    var last = Position.zero
    try rethrow(
      records.forEach { last = max(last, Checkpoint.position(ofStored: $0.bytes) ?? .zero) },
      as: ProjectionError.tables)
    return last
  }

  /// Removes the checkpoints that are not of a log: those past its end, and those of events that it lost.
  func discard(notOf log: any Log) throws(ProjectionError) {
    var failure: LogError?
    try keep { checkpoint in
      do throws(LogError) { return try log.head(at: checkpoint.position, checkpoint.hash) != nil } catch {
        failure = error
        return true
      }
    }
    if let failure { throw .log(failure) }
  }

  /// Removes the checkpoints that the closure does not accept, and what is none.
  func keep(where accepts: (Checkpoint) -> Bool) throws(ProjectionError) {
    try rethrow(
      records.keep { Checkpoint(stored: $0.bytes).map(accepts) ?? false }, as: ProjectionError.tables)
  }

  /// Returns all checkpoints: those of this machine in the order of recording, then those of others in ascending order
  /// of position, without those of events that the server lost.
  func all() throws(ProjectionError) -> [Checkpoint] {
    var all = try own()
    let known = Set(all)
    for checkpoint in try others() where !known.contains(checkpoint) {
      let head = try rethrow(shared?.head(at: checkpoint.position, checkpoint.hash), as: ProjectionError.log)
      if head != nil { all.append(checkpoint) }
    }
    return all
  }

  /// Returns whether the file has bytes that are no checkpoint.
  func hasUnreadable() throws(ProjectionError) -> Bool {
    var isUnreadable = false
    let hasOther = try rethrow(
      records.forEach { if Checkpoint(stored: $0.bytes) == nil { isUnreadable = true } }, as: ProjectionError.tables)
    return hasOther || isUnreadable
  }

  /// Returns the checkpoints that the event log stores, or those at a position. Some may be of events that its server
  /// lost.
  func others(at position: Position? = nil) throws(ProjectionError) -> [Checkpoint] {
    guard let shared else { return [] }
    let range = position.map { $0...$0 } ?? .zero...Position(rawValue: .max)
    return try rethrow(shared.checkpoints(at: range), as: ProjectionError.log)
      .compactMap { Checkpoint(stored: $0.span.bytes) }
  }

  /// Returns the checkpoints of this machine, or those at a position.
  func own(at position: Position? = nil) throws(ProjectionError) -> [Checkpoint] {
    var checkpoints: [Checkpoint] = []
    try rethrow(
      records.forEach { record in
        if let position, Checkpoint.position(ofStored: record.bytes) != position { return }
        if let checkpoint = Checkpoint(stored: record.bytes) { checkpoints.append(checkpoint) }
      }, as: ProjectionError.tables)
    return checkpoints
  }

  /// Returns the last checkpoint position of a fingerprint on this machine; nil without one.
  ///
  /// The file is reread only when it has changed: it is long and seldom grows.
  func lastPosition(of fingerprint: Fingerprint) throws(ProjectionError) -> Position? {
    let identity = records.identity
    let known = last.withLock { $0.identity == identity ? $0.positions : nil }
    if let known { return known[fingerprint.text] }
    var positions: [String: Position] = [:]
    for checkpoint in try own() {
      positions[checkpoint.fingerprint] = max(positions[checkpoint.fingerprint] ?? .zero, checkpoint.position)
    }
    last.withLock { $0 = (identity, positions) }
    return positions[fingerprint.text]
  }

  /// Throws when a recorded checkpoint contradicts this one.
  func compare(_ checkpoint: Checkpoint) throws(ProjectionError) {
    let others = try others(at: checkpoint.position).filter { $0.hash == checkpoint.hash }
    for recorded in try own(at: checkpoint.position) + others {
      if let contradiction = checkpoint.contradiction(to: recorded) { throw contradiction }
    }
  }

  /// Records a checkpoint, durably, unless it exists; throws, and records nothing, when another contradicts it.
  func add(_ checkpoint: Checkpoint) throws(ProjectionError) {
    if let shared {
      try compare(checkpoint)
      try rethrow(shared.addCheckpoint(checkpoint.stored, at: checkpoint.position), as: ProjectionError.log)
      // Of two machines that add different ones at once, at least one finds the other's.
      try compare(checkpoint)
    }
    var contradiction: ProjectionError?
    var isThere = false
    try rethrow(
      records.append(checkpoint.stored) { record in
        guard Checkpoint.position(ofStored: record.bytes) == checkpoint.position,
          let recorded = Checkpoint(stored: record.bytes)
        else { return false }
        contradiction = contradiction ?? checkpoint.contradiction(to: recorded)
        if recorded == checkpoint { isThere = true }
        return contradiction != nil || isThere
      }, as: ProjectionError.tables)
    if let contradiction { throw contradiction }
  }
}
