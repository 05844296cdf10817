// Exit codes for the errors of the log.
internal import ContentKeys
internal import Errors
internal import EventLog
internal import EventLogLMDB
internal import EventLogPostgres
internal import Verbatim

extension Failure {
  init(_ error: OpenError) {
    switch error {
    case .damaged, .tailMissing: self.init(.refused, error.description)
    case .missing, .notALog, .newerFormat, .olderTables, .noSpace, .storage: self.init(.unable, error.description)
    }
  }

  init(_ error: LogError) {
    switch error {
    case .damaged(_, .otherFormat): self.init(.unable, error.description)
    case .damaged, .fileDamaged, .indexDiffers, .tailMissing: self.init(.refused, error.description)
    case .clock: self.init(.unable, error.description + " Commands that append accept it with --accept-clock.")
    case .headMoved, .writerLockHeld, .noSpace, .outcomeUnknown, .replaced, .readOnly, .keysMissing, .storage:
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
  if let address = PostgresAddress(path) {
    return try rethrow(
      EventStore.open(at: address, options: PostgresLog.Options(options, in: context), configuration: configuration),
      as: { (error: OpenError) in Failure(error) })
  }
  if isGuarded { DamageGuard.install(for: path, in: context) }
  return try rethrow(
    EventStore.open(at: path, options: options, configuration: configuration),
    as: { (error: OpenError) in Failure(error) })
}

/// Opens the log of a workspace for a command that reads its events, with the keys of an erasable one.
func openEvents(
  _ path: String, _ options: LMDBLog.Options = .reading, in context: Context, isGuarded: Bool = true,
  configuration: EventStore.Configuration = EventStore.Configuration()
) throws(Failure) -> EventStore {
  let store = try openStore(path, options, in: context, isGuarded: isGuarded, configuration: configuration)
  do throws(KeyError) {
    _ = try ContentKeys.attach(to: store, in: path, context.configuration)
    return store
  } catch {
    store.close()
    throw Failure(.unable, error.description)
  }
}

/// Opens a log for a command, without its index.
func openLog(_ path: String, _ options: LMDBLog.Options, in context: Context) throws(Failure) -> any Log {
  try rethrow(openedLog(path, options, in: context), as: { (error: OpenError) in Failure(error) })
}

/// Opens the log in a directory or at the address of a server, without its index.
func openedLog(
  _ path: String, _ options: LMDBLog.Options = LMDBLog.Options(), in context: Context
) throws(OpenError) -> any Log {
  if let address = PostgresAddress(path) {
    return try PostgresLog.open(at: address, options: PostgresLog.Options(options, in: context))
  }
  return try LMDBLog.open(at: path, options: options)
}

extension PostgresLog.Options {
  /// The options of a log on a server that correspond to those of one in a directory.
  init(_ options: LMDBLog.Options, in context: Context) {
    self.init(creates: options.creates, genesis: options.genesis)
    cacheDirectory = context.configuration.cacheDirectory
  }
}

/// Throws if a path is the address of a server, which has no files here; the error says what to do instead.
func requireDirectory(_ path: String, orElse advice: String) throws(Failure) {
  guard let address = PostgresAddress(path) else { return }
  throw Failure(.misused, "\(address) is a log on a server, and this command works on files: \(advice).")
}

/// Returns the directory of tables and snapshots of a workspace: its own, or what this machine derives from the log on
/// a server.
func tablesPath(_ path: String, of store: EventStore) -> String {
  PostgresAddress.isAddress(path) ? store.derivedPath ?? path : path
}

/// Throws if a log already exists at the path.
func requireNoLog(at path: String, in context: Context) throws(Failure) {
  do throws(OpenError) { try openedLog(path, in: context).close() } catch .missing {
    return
  } catch {
    throw Failure(error)
  }
  throw Failure(.unable, "There is a log at \(path) already: name a new one.")
}
