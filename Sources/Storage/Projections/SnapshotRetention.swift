// The retention policy of snapshots.

/// The policy that decides which snapshots to keep, by their positions.
internal enum SnapshotRetention {
  /// Returns the newest position, and one for each doubling of the distance from it.
  ///
  /// Of those within a doubling the oldest is kept: it is the next to move into the following one. If it were the
  /// newest, each would be replaced before it moves there, and nothing old would remain.
  static func kept(_ positions: some Sequence<UInt64>) -> Set<UInt64> {
    guard let newest = positions.max() else { return [] }
    var oldest: [Int: UInt64] = [:]
    for position in positions where position < newest {
      let doubling = (newest - position).leadingZeroBitCount
      oldest[doubling] = min(oldest[doubling] ?? .max, position)
    }
    return Set(oldest.values).union([newest])
  }

  /// Returns whether a snapshot past a multiple of the distance will still be kept at the end of the log.
  ///
  /// Otherwise a rebuild of a long log would copy all its tables with every step, and delete nearly all copies on the
  /// way.
  static func isWorthTaking(at position: UInt64, distance: UInt64, end: UInt64) -> Bool {
    let steps = max(position, end) / distance - position / distance
    return steps & (steps &- 1) == 0
  }
}
