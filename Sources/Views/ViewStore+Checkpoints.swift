// Checkpoints of a store: taken, held against what was testified, listed.
internal import Digests
internal import EventLog
internal import Tables

extension ViewStore {
  /// Testifies, durably, what the tables are at the present end of the log; nil when it has no event.
  ///
  /// Throws ``ViewError/differs(table:position:testified:found:)`` when something else was testified of a table.
  public func checkpoint() throws(ViewError) -> Checkpoint? {
    try bringToEnd()
    do throws(ViewError) { return try takeCheckpoint(ifAt: nil) } catch {
      refuse(for: error)
      throw error
    }
  }

  /// All that was ever testified, in the order in which it was, by whatever program.
  public func checkpoints() throws(ViewError) -> [Checkpoint] { try testimony.all() }

  /// All that was ever testified in a directory of views.
  public static func checkpoints(in directory: String) throws(ViewError) -> [Checkpoint] {
    try Testimony(in: Folder.resolvedDirectory(of: directory)).all()
  }

  /// Testifies what the tables are, if they stand at a position.
  @discardableResult
  internal func takeCheckpoint(ifAt position: Position?) throws(ViewError) -> Checkpoint? {
    try flush()
    guard let checkpoint = try present(ifAt: position) else { return nil }
    try testimony.add(checkpoint)
    return checkpoint
  }

  /// What the tables are as they are written; nil when they stand nowhere, or not at the given position.
  internal func present(ifAt position: Position?) throws(ViewError) -> Checkpoint? {
    do throws(TablesError) {
      return try views.folder.lend { reading throws(TablesError) -> Checkpoint? in
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
