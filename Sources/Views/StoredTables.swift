// The tables that lie in a directory of views, whatever program they belong to.
public import EventLog
internal import Tables

/// Tables of a set of views in one form, as they lie in a directory.
public struct StoredTables: Hashable, Sendable {
  /// Names the views in their form; their folder is called by it.
  public let fingerprint: String
  /// The names of the views, as the last checkpoint of these tables has them; empty where there is none.
  public let views: [String]
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

extension StoredTables: CustomStringConvertible {
  /// The views, if they are known, and the folder.
  public var description: String {
    views.isEmpty ? "views/\(fingerprint)" : "\(views.joined(separator: ", ")) (views/\(fingerprint))"
  }
}

extension ViewStore {
  /// All tables in a directory of views, in the order of their folders; whether they stand on the chain of a log is
  /// read from their files, and nothing is opened or changed.
  public static func storedTables(in directory: String, of log: any Log) throws(ViewError) -> [StoredTables] {
    let checkpoints = try checkpoints(in: directory)
    return Folder.folders(in: directory).map { name in
      var views: [String] = []
      if let last = checkpoints.last(where: { $0.fingerprint == name }) {
        for digest in last.digests where !views.contains(digest.view) { views.append(digest.view) }
      }
      return StoredTables(
        fingerprint: name, views: views, standing: standing(of: Folder.standing(at: "\(directory)/\(name)"), log))
    }
  }

  private static func standing(of stored: StoredStanding, _ log: any Log) -> StoredTables.Standing {
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
