// The tables that lie in a directory of views, whatever program they belong to.
public import EventLog
internal import Tables

/// Tables of a set of views in one form, as they lie in a directory.
public struct TablesOnDisk: Hashable, Sendable {
  /// Names the views in their form; their folder is called by it.
  public let fingerprint: String
  /// The names of the views, as the last checkpoint of these tables has them; empty where there is none.
  public let projections: [String]
  /// What their file says.
  public let standing: Standing

  /// What the file of stored tables says; a reason follows “they”.
  public enum Standing: Hashable, Sendable {
    /// They are on the chain of the log, or nothing was ever written.
    case sound
    /// They were in use when the system last went down: the next opening makes them again.
    case stale
    /// This user cannot read the file.
    case unreadable(String)
    /// The file is damaged: the next opening makes them again.
    case damaged(String)
    /// They are ahead of the log, or of another log: the log may have lost its newest events.
    case offChain(String)
  }
}

extension TablesOnDisk: CustomStringConvertible {
  /// The views, if they are known, and the folder.
  public var description: String {
    projections.isEmpty
      ? "projections/\(fingerprint)" : "\(projections.joined(separator: ", ")) (projections/\(fingerprint))"
  }
}

extension ProjectionStore {
  /// All tables in a directory of views, in the order of their folders; whether they stand on the chain of a log is
  /// read from their files, and nothing is opened or changed.
  public static func storedTables(in directory: String, of log: any Log) throws(ProjectionError) -> [TablesOnDisk] {
    let checkpoints = try checkpoints(in: directory)
    return TableStore.tableStores(in: directory).map { name in
      var projections: [String] = []
      if let last = checkpoints.last(where: { $0.fingerprint == name }) {
        for digest in last.digests where !projections.contains(digest.projection) {
          projections.append(digest.projection)
        }
      }
      return TablesOnDisk(
        fingerprint: name, projections: projections,
        standing: standing(of: TableStore.standing(at: "\(directory)/\(name)"), log))
    }
  }

  private static func standing(of stored: TableStoreStatus, _ log: any Log) -> TablesOnDisk.Standing {
    switch stored {
    case .empty: return .sound
    case .stale: return .stale
    case .unreadable(let reason): return .unreadable(reason)
    case .damaged(let reason): return .damaged("are damaged (\(reason))")
    case .at(let anchor):
      do throws(LogError) {
        let end = try log.head().position
        if anchor.position > end.rawValue {
          return .offChain("are at position \(anchor.position), and the log ends at \(end)")
        }
        let isOnChain = try log.head(at: Position(rawValue: anchor.position))?.hash == anchor.hash
        return isOnChain ? .sound : .offChain("are at position \(anchor.position) of another log")
      } catch {
        return .offChain("cannot be compared with the log (\(error))")
      }
    }
  }
}
