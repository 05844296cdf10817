// `verbatim init`: creates an empty workspace.
internal import Errors
internal import EventLog
internal import EventLogLMDB
internal import EventLogPostgres
internal import Files
internal import JSONLines
internal import Verbatim

/// The command that creates a workspace in a directory.
struct InitCommand: Command {
  static let name = "init"
  static let summary = "Creates an empty workspace."
  static let details = """
    The directory is created if needed; its parent must exist. If it has a workspace or another log already,
    nothing is changed, and the exit code is 1.

    On a server, the tables are created if the database has none, and brought up to date if those of an
    earlier program are there. Contents of attachments are stored in the database, or, with --blobs, in a
    directory that every machine has under the same path.

    With --erasable, what people write is encrypted with keys of their own. Later, their content is erased by
    destroying the keys. The keys are in the file keys of the directory, encrypted with the master key: 64
    hexadecimal digits in the environment variable VERBATIM_MASTER_KEY, or else in the file master-key of the
    directory, which is created.

    --json: path, log (the id of the log), created.
    """
  static let examples = [
    "verbatim init chat", "verbatim init chat --erasable",
    "verbatim init 'postgres://db/chat?log=main' --blobs /mnt/chat",
  ]

  static var parameters: [Parameter<Self>] {
    [
      .positional("DIR", "The directory of the new workspace, or an address on a server.", \.path),
      .flag("erasable", "Encrypts what people write, so that it can be erased.", \.isErasable),
      .option("blobs", "SHARED", "The directory for contents of attachments of a log on a server.", \.blobs),
      .flag("json", "Shows the result as one line of JSON.", \.isJSON),
    ]
  }

  var path = ""
  var isErasable = false
  var blobs: String?
  var isJSON = false

  func contradiction() -> String? {
    if isErasable, PostgresAddress.isAddress(path) { return "--erasable is for a workspace in a directory." }
    return Self.contradiction(blobs, path)
  }

  /// Returns the reason for which a directory for attachments cannot be combined with the path of a workspace.
  static func contradiction(_ blobs: String?, _ path: String) -> String? {
    guard blobs != nil, !PostgresAddress.isAddress(path) else { return nil }
    return "--blobs is for a log on a server: a workspace in a directory has its attachments there."
  }

  func run(in context: Context) throws(Failure) -> ExitCode {
    let (existing, isUpgraded) = try existingLog(in: context)
    if let log = existing {
      defer { log.close() }
      guard isUpgraded else { throw taken(by: log) }
      return try report(isJSON ? json(log.genesis) : "The tables of \(path) are up to date now.\n", in: context)
    }
    var configuration = context.configuration
    configuration.blobDirectory = blobs.map { FileSystem.resolved($0) }
    configuration.isErasable = isErasable
    let workspace = try rethrow(Workspace.open(at: path, configuration: configuration), as: Failure.init(asking:))
    defer { workspace.closeBlocking() }
    return try report(isJSON ? json(workspace.store.log.genesis) : text(in: context), in: context)
  }

  private func report(_ text: String, in context: Context) throws(Failure) -> ExitCode {
    var output = Output(context.output)
    try output.write(text)
    try output.flush()
    return .done
  }

  /// Returns the log at the path, opened, nil when there is none; and whether the tables of an earlier program on a
  /// server were brought up to date for it.
  private func existingLog(in context: Context) throws(Failure) -> (log: (any Log)?, isUpgraded: Bool) {
    do throws(OpenError) { return (try openedLog(path, in: context), false) } catch {
      if case .missing = error { return (nil, false) }
      guard case .olderTables = error, let address = PostgresAddress(path) else { throw Failure(error) }
      try rethrow(PostgresLog.upgrade(at: address), as: { (error: OpenError) in Failure(error) })
      return (try existingLog(in: context).log, true)
    }
  }

  private func taken(by log: any Log) -> Failure {
    let isWorkspace = log.genesis.application != nil
    return Failure(
      .unable, "There is a \(isWorkspace ? "workspace" : "log") at \(path) already: name a new one.")
  }

  private func text(in context: Context) -> String {
    """
    An empty workspace was created at \(path). Chat in it with:
      \(context.command("compose", path)) --as ada --create

    """
  }

  private func json(_ genesis: Genesis) -> String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("path", path)
      writer.member("log", genesis.id.description)
      writer.member("created", genesis.created.description)
    }
    return writer.text + "\n"
  }
}
