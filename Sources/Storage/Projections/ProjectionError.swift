// Why views could not be folded or read.
public import Digests
public import EventLog
public import Tables

/// Why views could not be folded or read.
public enum ProjectionError: Error, Sendable {
  /// Their tables.
  case tables(TablesError)
  /// The log.
  case log(LogError)
  /// A table is not what was testified of it, where it was folded before from the same events: the view was changed and
  /// kept its revision, or it takes something from outside the events, or one of the two was damaged unseen.
  case differs(table: String, position: Position, recorded: TableDigest, found: TableDigest)
  /// What was testified at a position is of another log.
  case otherLog(position: Position)

  /// The log does not reach so far.
  case beyondEnd(Position, end: Position)
  /// Other views, which are named by their fingerprint, have no such table in the same directory.
  case noSuchTable(String, of: String)
  /// Views that stood at a position were closed.
  case closed(Position)
  /// A view that was to be decided on could not fold an event.
  case stopped(ProjectionStop)

  /// Whether the disk has no room for the tables.
  package var isNoSpace: Bool {
    if case .tables(.noSpace) = self { true } else { false }
  }

  internal init(_ error: LogError) {
    if case .storage(let failure) = error, let own = failure.underlying as? ProjectionError {
      self = own
    } else {
      self = .log(error)
    }
  }

  /// The error as those have it who go through a log.
  internal var asLogError: LogError {
    if case .log(let error) = self { return error }
    return .storage(StorageFailure(description, underlying: self))
  }
}

extension ProjectionError: CustomStringConvertible {
  /// One sentence: what happened, to what, what to do.
  public var description: String {
    switch self {
    case .tables(let error): error.description
    case .log(let error): error.description
    case .differs(let table, let position, let recorded, let found):
      "The table \(table) has the digest \(found) at position \(position), where \(recorded) was recorded: give the "
        + "projection another revision if it was changed; if not, find what it takes from outside the events, and "
        + "delete the directories of its tables and snapshots, which are then rebuilt."
    case .otherLog(let position):
      "The checkpoint at position \(position) was taken of another log: keep the projections of each log in a "
        + "directory of its own."
    case .beyondEnd(let position, let end):
      "The log ends at position \(end), and was to be looked at as it stood at \(position): ask for a position that it "
        + "has."
    case .noSuchTable(let table, let fingerprint):
      "There is no table \(table) in the folder \(fingerprint): ask for a folder that is there and has it."
    case .closed(let position):
      "The projections at position \(position) were closed: read them before, or open them again."
    case .stopped(let stop): stop.description
    }
  }
}
