// Why a workspace could not be looked after.
public import EventLog
public import EventLogLMDB
public import Projections

/// Why a workspace could not be saved, put back, folded anew or made smaller. Nothing is lost by it
/// that is not made anew from the log.
public enum MaintenanceError: Error, Sendable {
  /// It could not be opened.
  case opening(WorkspaceError)
  /// Its log could not be read.
  case log(LogError)
  /// Its tables could not be folded, or are not what they were.
  case projections(ProjectionError)
  /// Its log's file could not be exchanged.
  case compacting(CompactError)
  /// Something lies where something new was to be made.
  case taken(path: String)
  /// Somebody has it open.
  case inUse(path: String)
  /// Something in it, or on the way to it, is a symbolic link, or not the file or directory that it should be: a
  /// sentence.
  case unexpectedFile(String)
  /// It is not whole.
  case damaged(path: String, reason: String)
  /// The disk or the system refused.
  case storage(path: String, reason: String)
}

extension MaintenanceError: CustomStringConvertible {
  /// One sentence: what happened, to what, what to do.
  public var description: String {
    switch self {
    case .opening(let error): error.description
    case .log(let error): error.description
    case .projections(let error): error.description
    case .compacting(let error): error.description
    case .taken(let path): "\(path) is there already and not empty: name a directory that is new."
    case .inUse(let path): "The tables of \(path) are open in another process: end it, then try again."
    case .unexpectedFile(let sentence): sentence
    case .damaged(let path, let reason): "What lies at \(path) is damaged: \(reason)"
    case .storage(let path, let reason):
      "\(path) cannot be read or written (\(reason)): check that there is room, and that you may read and write there."
    }
  }
}
