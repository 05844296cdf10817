// Exit codes for the errors of maintaining a workspace.
internal import Errors
internal import EventLog
internal import EventLogLMDB
internal import Verbatim
internal import Projections

extension Failure {
  init(_ error: MaintenanceError) {
    switch error {
    case .opening(.log(let error)): self.init(error)
    case .log(let error): self.init(error)
    case .opening(.projections(let error)), .projections(let error): self.init(care: error)
    case .erasing(let error): self.init(error)
    case .damaged, .unknownUser, .erasedToday, .notErasable: self.init(.refused, error.description)
    case .notADirectory, .erasableBackup, .notYet: self.init(.misused, error.description)
    case .opening(.otherApplication), .opening(.erasableOnServer), .opening(.keys), .compacting, .taken, .inUse,
      .outdatedInUse, .unexpectedFile, .storage:
      self.init(.unable, error.description)
    }
  }

  /// Creates the failure for a projection error: tables that differ from their checkpoint, or are of another log, are
  /// refused.
  init(care error: ProjectionError) {
    switch error {
    case .differs, .otherLog: self.init(.refused, error.description)
    case .log(let error): self.init(error)
    case .tables, .beyondEnd, .noSuchTable, .closed, .stopped, .outdated: self.init(.unable, error.description)
    }
  }
}

/// Runs a closure and rethrows its maintenance error as a failure of the command.
func cared<R>(_ body: () throws(MaintenanceError) -> R) throws(Failure) -> R {
  try rethrow(body(), as: { (error: MaintenanceError) in Failure(error) })
}

extension Context {
  /// Writes the report of a command, and flushes it.
  func report(_ text: String, ofCheck isOfCheck: Bool = false) throws(Failure) {
    var output = Output(output, ofCheck: isOfCheck)
    try output.write(text)
    try output.flush()
  }
}

/// The progress lines of copying and checking.
struct MaintenanceProgress {
  private let events: ProgressLine
  private let blobs: ProgressLine

  init(in context: Context) {
    (events, blobs) = (ProgressLine("events checked", in: context), ProgressLine("blobs copied", in: context))
  }

  func reach(_ step: WorkspaceFiles.Step) {
    switch step {
    case .checked(let position): events.reach(position.rawValue, of: nil)
    case .copied(let done, let all): blobs.reach(UInt64(done), of: UInt64(all))
    }
  }

  func end() {
    events.end()
    blobs.end()
  }
}
