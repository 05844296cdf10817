// Errors of folding or reading projections.
public import Digests
public import EventLog
public import Tables

/// An error of folding or reading projections.
public enum ProjectionError: Error, Sendable {
  /// Their tables could not be opened, read or written.
  case tables(TablesError)
  /// The log could not be read.
  case log(LogError)
  /// The digest of a table differs from that of a checkpoint, recorded when the same events were folded before: the
  /// projection was changed without a new revision, or it is nondeterministic, or one of the two was damaged unnoticed.
  case differs(table: String, position: Position, recorded: TableDigest, found: TableDigest)
  /// The checkpoint at a position is of another log.
  case otherLog(position: Position)

  /// The position is past the end of the log.
  case beyondEnd(Position, end: Position)
  /// The projections with another fingerprint have no such table in the same directory.
  case noSuchTable(String, of: String)
  /// The past projections at a position were closed.
  case closed(Position)
  /// The projection that a decision needs could not fold an event.
  case stopped(ProjectionStop)
  /// The tables are from before an erasure that is in progress, and content of them was to be recorded again.
  case outdated

  /// Whether the disk has no space for the tables.
  package var isNoSpace: Bool {
    if case .tables(.noSpace) = self { true } else { false }
  }
}

extension ProjectionError: CustomStringConvertible {
  /// One sentence: what failed, on what, what to do.
  public var description: String {
    switch self {
    case .tables(let error): error.description
    case .log(let error): error.description
    case .differs(let table, let position, let recorded, let found):
      "The table \(table) has the digest \(found) at position \(position), where \(recorded) was recorded: give the "
        + "projection another revision if it was changed; otherwise find its input other than events, and "
        + "delete the directories of its tables and snapshots, which are then rebuilt."
    case .otherLog(let position):
      "The checkpoint at position \(position) belongs to another log: keep the projections of each log in a "
        + "separate directory."
    case .beyondEnd(let position, let end):
      "The log ends at position \(end), before the requested position \(position): give an earlier position."
    case .noSuchTable(let table, let fingerprint):
      "There is no table \(table) in the directory \(fingerprint): name an existing directory and table."
    case .closed(let position):
      "The projections at position \(position) were closed: read them before, or open them again."
    case .stopped(let stop): stop.description
    case .outdated:
      "An erasure is in progress, and the tables here still have what it erases: try again when they are replaced."
    }
  }
}
