// Tables from before an erasure: finding and removing them.
internal import Errors
public import EventLog
internal import Tables

/// The tables in a directory of projections from before the newest erasure of a log, of any program, and everything
/// else that was derived with them.
public struct OutdatedTables: Sendable {
  private let directory: String
  private let erasures: Int
  /// The scratch directories that were in use at the beginning: their tables may be from before the erasure.
  private var scratch: Set<String>

  /// Finds the outdated tables in a directory, with the erasures that were read of a log.
  public init(in directory: String, of log: any Log) throws(ProjectionError) {
    self.directory = TableStore.resolvedDirectory(of: directory)
    erasures = log.content.erasureCount
    scratch = try rethrow(ScratchDirectory.used(in: self.directory + "/past"), as: ProjectionError.tables)
  }

  /// Removes, durably, what no process uses; returns whether nothing is left.
  public mutating func remove() throws(ProjectionError) -> Bool { try remove(afterTables: {}) }

  /// Removes what no process uses; the closure is called when the tables are removed, before the snapshots are.
  internal mutating func remove(afterTables isReached: () -> Void) throws(ProjectionError) -> Bool {
    if erasures == 0 { return true }
    let erasures = erasures
    var isRemoved: Bool
    do throws(TablesError) {
      isRemoved = try removeTables()
      // A process takes snapshots while it has the tables open, and one that opens new tables begins with a snapshot.
      if isRemoved {
        isReached()
        isRemoved = try removeAll(in: directory + "/snapshots")
        isRemoved = try removeTables() && isRemoved
      }
      scratch = try ScratchDirectory.used(in: directory + "/past").intersection(scratch)
    } catch {
      throw .tables(error)
    }
    guard isRemoved, scratch.isEmpty else { return false }
    try CheckpointLog(in: directory).keep { Fingerprint.erasures(in: $0.fingerprint) ?? 0 >= erasures }
    return true
  }

  private func removeTables() throws(TablesError) -> Bool {
    let isRemoved = try removeAll(in: directory)
    return try removeAll(in: directory + "/history") && isRemoved
  }

  private func removeAll(in parent: String) throws(TablesError) -> Bool {
    try TableStore.removeAll(in: parent) { name in Fingerprint.erasures(in: name).map { $0 < erasures } ?? false }
  }
}

extension ProjectionStore {
  /// The number of erasures that the tables depend on.
  package var erasureCount: Int { fingerprint.erasures }

  /// Whether an erasure was requested since the tables were opened, so that others must take their place.
  package func isOutdated() throws(ProjectionError) -> Bool {
    try rethrow(store.readErasures(), as: ProjectionError.log)
    return isKnownOutdated
  }

  /// Whether an erasure is known that was requested since the tables were opened.
  ///
  /// A fold does not look for others: a thread that decides folds while it holds the log's index.
  package var isKnownOutdated: Bool { store.log.content.erasureCount != fingerprint.erasures }
}
