// `verbatim init`: creates an empty workspace.
internal import Errors
internal import EventLog
internal import EventLogLMDB
internal import JSONLines
internal import Verbatim

/// The command that creates a workspace in a directory.
struct InitCommand: Command {
  static let name = "init"
  static let summary = "Creates an empty workspace."
  static let details = """
    The directory is created if needed; its parent must exist. If it has a workspace or another log already,
    nothing is changed, and the exit code is 1.

    --json: path, log (the id of the log), created.
    """
  static let examples = ["verbatim init chat", "verbatim init chat --json"]

  static var parameters: [Parameter<Self>] {
    [
      .positional("DIR", "The directory of the new workspace, or an address on a server.", \.path),
      .flag("json", "Shows the result as one line of JSON.", \.isJSON),
    ]
  }

  var path = ""
  var isJSON = false

  func run(in context: Context) throws(Failure) -> ExitCode {
    try needsNothing(in: context)
    let workspace = try rethrow(
      Workspace.open(at: path, configuration: context.configuration), as: Failure.init(asking:))
    defer { workspace.closeBlocking() }
    let genesis = workspace.store.log.genesis
    var output = Output(context.output)
    try output.write(isJSON ? json(genesis) : text(in: context))
    try output.flush()
    return .done
  }

  /// Throws if a log or a workspace already exists at the path.
  private func needsNothing(in context: Context) throws(Failure) {
    let log: any Log
    do throws(OpenError) { log = try openedLog(path, in: context) } catch {
      if case .missing = error { return }
      throw Failure(error)
    }
    let isWorkspace = log.genesis.application != nil
    log.close()
    throw Failure(
      .refused, "There is a \(isWorkspace ? "workspace" : "log") at \(path) already: give another directory.")
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
