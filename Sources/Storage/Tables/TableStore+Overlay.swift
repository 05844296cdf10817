// Rows in memory that override those of a table store which one process uses alone.

/// Rows that override those of the tables, and the log point to which they lead, possibly an earlier one.
internal struct Overlay: Sendable {
  /// The rows of each table, in the order of ``TableStore/tableNames``.
  let rows: [ChangedRows]
  let logPoint: LogPoint
}

extension TableStore {
  /// Overrides rows of the tables in memory, and returns the number of rows in memory.
  ///
  /// Reads see them as if they were written; digests and copies do not, before ``writeOverlay()``. Only the single user
  /// of a table store calls it.
  package func override(with batches: [[ChangedRows]], logPoint: LogPoint) -> Int {
    var rows = overlay?.rows ?? Array(repeating: ChangedRows(), count: tableNames.count)
    for number in rows.indices {
      // The batches first: merging with all rows in memory copies these.
      let changes = batches.reduce(ChangedRows()) { $0.overridden(by: $1[number]) }
      if changes.count > 0 { rows[number] = rows[number].overridden(by: changes) }
    }
    overlay = Overlay(rows: rows, logPoint: logPoint)
    return rows.reduce(0) { $0 + $1.count }
  }

  /// Writes the rows in memory to the tables, without regard to the log point there.
  package func writeOverlay() throws(TablesError) {
    guard let overlay else { return }
    beginOverlayWrite()
    try rewrite(overlay.rows, logPoint: overlay.logPoint)
    self.overlay = nil
  }

  /// Returns the rows that have the keys of changed ones, before they are changed.
  package func rows(before changes: [ChangedRows]) throws(TablesError) -> [ChangedRows] {
    try lend { reading throws(TablesError) in
      var before = Array(repeating: ChangedRows(), count: changes.count)
      for number in changes.indices where changes[number].count > 0 {
        try reading.withRows(of: number) { rows throws(TablesError) in
          try changes[number].forEach { key, _ throws(TablesError) in
            if try rows.find(key) {
              rows.value.withUnsafeBytes { before[number].add(key: key, value: $0) }
            } else {
              before[number].add(key: key, value: nil)
            }
          }
        }
      }
      return before
    }
  }
}
