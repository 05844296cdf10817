// All checkpoints of a log's views, in the file that holds them.
internal import EventLog
internal import Locks
internal import Tables

/// What was ever testified of a log's tables, by whatever program.
internal struct CheckpointLog: Sendable {
  private let records: Records
  /// Where each form of views was last testified, as of a state of the file.
  private let last = Locked((identity: String?.none, positions: [String: Position]()))

  private let path: String

  init(in directory: String) {
    records = Records("checkpoints", in: directory)
    path = directory + "/checkpoints"
  }

  /// Makes the directory, if it is not there.
  func makeDirectory() throws(ProjectionError) {
    do throws(TablesError) { try records.makeDirectory() } catch { throw .tables(error) }
  }

  /// Throws when a checkpoint was taken behind the end of the log: the log has lost its last events since.
  func requireEnd(_ end: () throws(ProjectionError) -> Position) throws(ProjectionError) {
    var last = Position.zero
    do throws(TablesError) {
      _ = try records.forEach { last = max(last, Checkpoint.position(ofStored: $0.bytes) ?? .zero) }
    } catch {
      throw .tables(error)
    }
    let end = try end()
    if last > end { throw .log(.endMissing(MissingTail(path: path, position: last, end: end))) }
  }

  /// Removes the checkpoints of positions behind the end of a log.
  func discard(behind end: Position) throws(ProjectionError) {
    do throws(TablesError) {
      try records.keep { (Checkpoint.position(ofStored: $0.bytes) ?? .zero) <= end }
    } catch {
      throw .tables(error)
    }
  }

  /// All of it, or what was testified at a position, in the order in which it was given.
  func all(at position: Position? = nil) throws(ProjectionError) -> [Checkpoint] {
    var checkpoints: [Checkpoint] = []
    do throws(TablesError) {
      _ = try records.forEach { record in
        if let position, Checkpoint.position(ofStored: record.bytes) != position { return }
        if let checkpoint = Checkpoint(stored: record.bytes) { checkpoints.append(checkpoint) }
      }
    } catch {
      throw .tables(error)
    }
    return checkpoints
  }

  /// The last position at which views in a form were testified; nil when they were nowhere.
  ///
  /// The file is read when it has changed, and not before: there is little to add, and much to read.
  func lastPosition(of fingerprint: Fingerprint) throws(ProjectionError) -> Position? {
    let identity = records.identity
    let known = last.withLock { $0.identity == identity ? $0.positions : nil }
    if let known { return known[fingerprint.text] }
    var positions: [String: Position] = [:]
    for checkpoint in try all() {
      positions[checkpoint.fingerprint] = max(positions[checkpoint.fingerprint] ?? .zero, checkpoint.position)
    }
    last.withLock { $0 = (identity, positions) }
    return positions[fingerprint.text]
  }

  /// Throws when something testified says otherwise.
  func compare(_ checkpoint: Checkpoint) throws(ProjectionError) {
    for recorded in try all(at: checkpoint.position) {
      if let contradiction = checkpoint.contradiction(to: recorded) { throw contradiction }
    }
  }

  /// Adds a checkpoint, durably, unless it is there; throws, and adds nothing, when something testified says otherwise.
  func add(_ checkpoint: Checkpoint) throws(ProjectionError) {
    var contradiction: ProjectionError?
    var isThere = false
    do throws(TablesError) {
      try records.append(checkpoint.stored) { record in
        guard Checkpoint.position(ofStored: record.bytes) == checkpoint.position,
          let recorded = Checkpoint(stored: record.bytes)
        else { return false }
        contradiction = contradiction ?? checkpoint.contradiction(to: recorded)
        if recorded == checkpoint { isThere = true }
        return contradiction != nil || isThere
      }
    } catch {
      throw .tables(error)
    }
    if let contradiction { throw contradiction }
  }
}
