// `verbatim compact`: rewrites the file of a log without its free pages.
internal import EventLog
internal import EventLogLMDB
internal import JSONLines
internal import Verbatim

/// The command that rewrites the file of a log.
struct CompactCommand: Command {
  static let name = "compact"
  static let summary = "Rewrites the file of a workspace's log without its free pages."
  static let details = """
    No process may have the log open meanwhile; processes that do are reported. The new file is written and
    verified beside the old one and replaces it atomically; there must be space for both. Events, positions
    and chain hash stay the same. It is useful if a long read during many writes has grown the file.
    """

  static let examples = ["verbatim compact chat"]

  static var parameters: [Parameter<Self>] {
    [
      .positional("DIR", "The directory of the workspace or the log.", \.path),
      .flag("json", "Reports one line of JSON.", \.isJSON),
    ]
  }

  var path = ""
  var isJSON = false

  func run(in context: Context) throws(Failure) -> ExitCode {
    try requireDirectory(path, orElse: "the server reuses the space of its tables by itself")
    DamageGuard.install(for: path, in: context)
    let progress = MaintenanceProgress(in: context)
    let (before, after) = try cared { () throws(MaintenanceError) in
      defer { progress.end() }
      return try WorkspaceFiles(at: path).compact { progress.reach($0) }
    }
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("before", before)
      writer.member("after", after)
    }
    let (old, new) = (UInt64(before), UInt64(after))
    let change = old > new ? "\((old - new).grouped) fewer" : "as before"
    let text = "The log's file of \(path) takes \(new.grouped) bytes now, \(change).\n"
    try context.report(isJSON ? writer.text + "\n" : text)
    return .done
  }
}
