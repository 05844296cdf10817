// Exit codes for the errors of the log.
internal import Errors
internal import EventLog
internal import EventLogLMDB

extension Failure {
  init(_ error: OpenError) {
    switch error {
    case .damaged, .tailMissing: self.init(.refused, error.description)
    case .missing, .notALog, .newerFormat, .noSpace, .storage: self.init(.unable, error.description)
    }
  }

  init(_ error: LogError) {
    switch error {
    case .damaged(_, .otherFormat): self.init(.unable, error.description)
    case .damaged, .fileDamaged, .indexDiffers, .tailMissing: self.init(.refused, error.description)
    case .clock: self.init(.unable, error.description + " Commands that append accept it with --accept-clock.")
    case .headMoved, .writerLockHeld, .noSpace, .outcomeUnknown, .replaced, .readOnly, .storage:
      self.init(.unable, error.description)
    }
  }

  init(_ error: AppendError) {
    switch error {
    case .conflict, .idReused, .unknownCause: self.init(.refused, error.description)
    case .empty, .eventTooLarge, .appendTooLarge, .contradiction: self.init(.misused, error.description)
    case .log(let error): self.init(error)
    }
  }
}

/// Runs a closure and rethrows its log error as a failure of the command.
func asked<R>(_ body: () throws(LogError) -> R) throws(Failure) -> R {
  try rethrow(body(), as: { (error: LogError) in Failure(error) })
}

extension LMDBLog.Options {
  /// The options of commands that only read: a log that is not writable is opened read-only.
  static var reading: LMDBLog.Options {
    var options = LMDBLog.Options()
    options.allowsReadOnly = true
    options.cacheDirectory = Context.cacheDirectory
    return options
  }
}

/// Opens a log for a command; with `isGuarded`, a crash is reported as damage of the file, since nothing else can
/// crash.
func openStore(
  _ path: String, _ options: LMDBLog.Options = .reading, in context: Context, isGuarded: Bool = true,
  configuration: EventStore.Configuration = EventStore.Configuration()
) throws(Failure) -> EventStore {
  if isGuarded { DamageGuard.install(for: path, in: context) }
  return try rethrow(
    EventStore.open(at: path, options: options, configuration: configuration),
    as: { (error: OpenError) in Failure(error) })
}

/// Opens a log for a command, without its index.
func openLog(_ path: String, _ options: LMDBLog.Options) throws(Failure) -> LMDBLog {
  try rethrow(LMDBLog.open(at: path, options: options), as: { (error: OpenError) in Failure(error) })
}

/// Returns the log on disk that a store uses.
func diskLog(_ store: EventStore) -> LMDBLog {
  guard let log = store.log as? LMDBLog else { preconditionFailure("a log of another kind: \(store.log)") }
  return log
}

/// Throws if a log already exists at the path.
func requireNoLog(at path: String) throws(Failure) {
  do throws(OpenError) {
    _ = try LMDBLog.open(at: path)
  } catch .missing {
    return
  } catch {
    throw Failure(error)
  }
  throw Failure(.unable, "There is a log at \(path) already: name a new directory.")
}
