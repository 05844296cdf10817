// Checkpoints of a store: taken, held against what was testified, listed.
internal import Digests
internal import EventLog
internal import Tables

extension ProjectionStore {
  /// Testifies, durably, what the tables are at the present end of the log; nil when it has no event.
  ///
  /// Throws ``ProjectionError/differs(table:position:recorded:found:)`` when something else was testified of a table.
  public func checkpoint() throws(ProjectionError) -> Checkpoint? {
    try catchUp()
    do throws(ProjectionError) { return try takeCheckpoint(ifAt: nil) } catch {
      refuse(for: error)
      throw error
    }
  }

  /// All that was ever testified, in the order in which it was, by whatever program.
  public func checkpoints() throws(ProjectionError) -> [Checkpoint] { try checkpointLog.all() }

  /// All that was ever testified in a directory of views.
  public static func checkpoints(in directory: String) throws(ProjectionError) -> [Checkpoint] {
    try CheckpointLog(in: TableStore.resolvedDirectory(of: directory)).all()
  }

  /// Testifies what the tables are, if they stand at a position.
  @discardableResult
  internal func takeCheckpoint(ifAt position: Position?) throws(ProjectionError) -> Checkpoint? {
    try flush()
    guard let checkpoint = try present(ifAt: position) else { return nil }
    try checkpointLog.add(checkpoint)
    return checkpoint
  }

  /// What the tables are as they are written; nil when they stand nowhere, or not at the given position.
  internal func present(ifAt position: Position?) throws(ProjectionError) -> Checkpoint? {
    do throws(TablesError) {
      return try engine.tableStore.lend { reading throws(TablesError) -> Checkpoint? in
        guard let anchor = reading.anchor else { return nil }
        guard position == nil || position?.rawValue == anchor.position else { return nil }
        return Checkpoint(
          position: Position(rawValue: anchor.position), hash: anchor.hash, fingerprint: fingerprint.text,
          digests: Checkpoint.Digest.named(try reading.digests(), of: types))
      }
    } catch {
      throw .tables(error)
    }
  }
}
