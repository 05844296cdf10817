// Checkpoints that are stored with a log, for all machines that fold it.

/// A log that stores the checkpoints of its projections.
package protocol CheckpointStore: Log {
  /// Stores the bytes of a checkpoint at a position, durably, unless they are stored.
  func addCheckpoint(_ bytes: [UInt8], at position: Position) throws(LogError)

  /// Returns the stored checkpoints at positions in ascending order.
  func checkpoints(at positions: ClosedRange<Position>) throws(LogError) -> [[UInt8]]
}
