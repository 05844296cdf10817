// The tables stored in a directory of projections, of any program.
internal import Errors
public import EventLog
internal import Tables

/// The stored tables of a set of projections at their revisions.
public struct TablesOnDisk: Hashable, Sendable {
  /// The fingerprint of the projections, which names their table store.
  public let fingerprint: String
  /// The names of the projections according to the last checkpoint of these tables; empty without one.
  public let projections: [String]
  /// The position according to their file; nil when nothing was written, and when the file has no readable position.
  public let position: Position?
  /// The status according to their file.
  public let status: Status

  /// The status of stored tables; a reason completes a sentence that starts with “they”.
  public enum Status: Hashable, Sendable {
    /// The tables are on the chain of the log, or nothing was ever written.
    case sound
    /// The tables were in use when the system last stopped: the next opening rebuilds them.
    case stale
    /// This user cannot read the file.
    case unreadable(String)
    /// The file is damaged: the next opening rebuilds the tables.
    case damaged(String)
    /// The tables are ahead of the log, or of another log: the log may have lost its newest events.
    case offChain(String)
  }
}

extension TablesOnDisk: CustomStringConvertible {
  /// The projections, if they are known, and the path of the table store.
  public var description: String {
    projections.isEmpty
      ? "projections/\(fingerprint)" : "\(projections.joined(separator: ", ")) (projections/\(fingerprint))"
  }
}

extension ProjectionStore {
  /// Returns the status of all tables in a directory of projections, ordered by fingerprint; it is read from their
  /// files and compared with the log's chain, and nothing is opened or changed.
  public static func storedTables(in directory: String, of log: any Log) throws(ProjectionError) -> [TablesOnDisk] {
    let checkpoints = try checkpoints(in: directory, of: log)
    return TableStore.tableStores(in: directory).map { name in
      var projections: [String] = []
      if let last = checkpoints.last(where: { $0.fingerprint == name }) {
        for digest in last.digests where !projections.contains(digest.projection) {
          projections.append(digest.projection)
        }
      }
      let stored = TableStore.status(at: "\(directory)/\(name)")
      var position: Position?
      if case .at(let logPoint) = stored { position = Position(rawValue: logPoint.position) }
      return TablesOnDisk(
        fingerprint: name, projections: projections, position: position, status: status(of: stored, log))
    }
  }

  /// Returns the evidence in a directory of projections that a log has lost its last events: checkpoints and snapshots,
  /// of any program, past its end. Tables past its end are ``TablesOnDisk/Status/offChain(_:)``.
  public static func missingTails(in directory: String, of log: any Log) throws(ProjectionError) -> [MissingTail] {
    let directory = TableStore.resolvedDirectory(of: directory)
    let checkpoints = CheckpointLog(in: directory)
    var last = [(checkpoints.path, try checkpoints.lastPosition())]
    for snapshots in SnapshotDirectory.all(in: directory + "/snapshots") {
      last.append((snapshots.path, Position(rawValue: snapshots.positions.last ?? 0)))
    }
    // The head is read after the positions, since the log may grow.
    let end = try rethrow(log.head().position, as: ProjectionError.log)
    return last.filter { $0.1 > end }.map { MissingTail(path: $0.0, position: $0.1, end: end) }
  }

  private static func status(of stored: TableStoreStatus, _ log: any Log) -> TablesOnDisk.Status {
    switch stored {
    case .empty: return .sound
    case .stale: return .stale
    case .unreadable(let reason): return .unreadable(reason)
    case .damaged(let reason): return .damaged("are damaged (\(reason))")
    case .at(let logPoint):
      do throws(LogError) {
        let end = try log.head().position
        if logPoint.position > end.rawValue {
          return .offChain("are at position \(logPoint.position), and the log ends at \(end)")
        }
        let isOnChain = try log.head(at: logPoint) != nil
        return isOnChain ? .sound : .offChain("are at position \(logPoint.position) of another log")
      } catch {
        return .offChain("cannot be compared with the log (\(error))")
      }
    }
  }
}
