// The errors of maintaining a workspace.
public import EventLog
public import EventLogLMDB
public import Projections

/// The error of a backup, restore, rebuild or compaction of a workspace. Nothing is lost by it that is not rebuilt from
/// the log.
public enum MaintenanceError: Error, Sendable {
  /// The workspace could not be opened.
  case opening(WorkspaceError)
  /// The log could not be read.
  case log(LogError)
  /// The tables could not be folded, or differ from their checkpoints.
  case projections(ProjectionError)
  /// The log's file could not be replaced by the compacted one.
  case compacting(CompactError)
  /// The target directory, or log on a server, exists and is not empty.
  case taken(path: String)
  /// The path is the address of a server, and the operation works on the files of a directory.
  case notADirectory(path: String)
  /// Another process has the workspace open.
  case inUse(path: String)
  /// A part of the workspace or of the path to it is a symbolic link, or not of the expected file type; a sentence.
  case unexpectedFile(String)
  /// The backup of an erasable workspace was to be restored to a server, which has no keys.
  case erasableBackup(path: String)
  /// The content of the workspace is not encrypted, so that it cannot be erased.
  case notErasable(path: String)
  /// The user whose content is to be erased does not exist.
  case unknownUser(String)
  /// The time up to which content is to be erased is later than the end of the present day, in UTC.
  case notYet(Timestamp)
  /// The content of the present day was erased before; what was written since can be erased from a time on.
  case erasedToday(Timestamp)
  /// Another process did not close the tables of before an erasure.
  case outdatedInUse(path: String)
  /// The steps of an erasure could not be recorded.
  case erasing(AppendError)
  /// The workspace or the backup is damaged.
  case damaged(path: String, reason: String)
  /// The disk or the system failed.
  case storage(path: String, reason: String)
}

extension MaintenanceError: CustomStringConvertible {
  /// One sentence: what failed, on what, what to do.
  public var description: String {
    switch self {
    case .opening(let error): error.description
    case .log(let error): error.description
    case .projections(let error): error.description
    case .compacting(let error): error.description
    case .taken(let path): "\(path) exists already and is not empty: name a new one."
    case .notADirectory(let path):
      "\(path) is a log on a server, and this works on the files of a directory: give a directory."
    case .inUse(let path): "The tables of \(path) are open in another process: end it, then try again."
    case .unexpectedFile(let sentence): sentence
    case .erasableBackup(let path):
      "The backup at \(path) is of an erasable workspace, which a server cannot have, since it has no keys: restore it "
        + "into a directory."
    case .notErasable(let path):
      "The content of \(path) is not encrypted, and there are no keys: export it, and import it into a workspace that "
        + "is created as an erasable one."
    case .unknownUser(let user): "There is no user \(user): give the id of one who has been in the workspace."
    case .notYet(let end):
      "Content of days to come cannot be erased: give a time that is not later than \(end), the end of today in UTC."
    case .erasedToday(let end):
      "Content of today was erased before, and what was written since can be erased from \(end) on: erase it then."
    case .outdatedInUse(let path):
      "The keys were destroyed, and another process still has the tables of \(path) from before the erasure open: end "
        + "it, then resume the erasure."
    case .erasing(let error): error.description
    case .damaged(let path, let reason): "The workspace at \(path) is damaged: \(reason)"
    case .storage(let path, let reason):
      "\(path) cannot be read or written (\(reason)): check its directory, the free space and the permissions."
    }
  }
}
