// The checkpoints of all machines, beside the blocks.
internal import Digests
package import EventLog

extension PostgresLog: CheckpointStore {
  /// Stores the bytes of a checkpoint at a position, durably, unless they are stored; a log that cannot be appended to
  /// gets none.
  package func addCheckpoint(_ bytes: [UInt8], at position: Position) throws(LogError) {
    if isReadOnly { return }
    let digest = bytes.withUnsafeBytes { ChainHash(of: $0, after: nil) }.withBytes { Array($0) }
    try run { connection, _ throws(PostgresError) in
      try digest.withBytes { digest throws(PostgresError) in
        try bytes.withBytes { bytes throws(PostgresError) in
          _ = try connection.execute(Schema.addCheckpoint, [id, Int64(clamping: position.rawValue)], [digest, bytes])
        }
      }
    }
  }

  /// Returns the stored checkpoints at positions in ascending order.
  package func checkpoints(at positions: ClosedRange<Position>) throws(LogError) -> [[UInt8]] {
    let (first, last) = (positions.lowerBound.rawValue, positions.upperBound.rawValue)
    return try run { connection, _ throws(PostgresError) in
      let rows = try connection.execute(
        Schema.checkpoints, [id, Int64(clamping: first), Int64(clamping: last)])
      return (0..<rows.count).map { Array(rows.bytes($0, 0)) }
    }
  }
}
