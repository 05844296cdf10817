// `verbatim compact`: rewrites the file of a log without its free pages.
internal import EventLog
internal import EventLogLMDB
internal import JSONLines
internal import Verbatim

/// The command that rewrites the file of a log.
struct CompactCommand: Command {
  static let name = "compact"
  static let summary = "Writes the file of a workspace's log anew, without its free pages."
  static let details = """
    Nobody may have the log open meanwhile: who has is named. The new file is made and checked beside the
    old one, with every block of it, and takes its place in one step; there must be room for both. Events,
    positions and chain hash stay. It is worth it where somebody read for long while much was written.
    """

  static let examples = ["verbatim compact chat"]

  static var parameters: [Parameter<Self>] {
    [
      .positional("DIR", "The directory of the workspace or the log.", \.path),
      .flag("json", "Reports as one line of JSON.", \.isJSON),
    ]
  }

  var path = ""
  var isJSON = false

  func run(in context: Context) throws(Failure) -> ExitCode {
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
    let change = old > new ? "\((old - new).grouped) less" : "as many as before"
    let text = "The log's file of \(path) takes \(new.grouped) bytes now, \(change).\n"
    try context.report(isJSON ? writer.text + "\n" : text)
    return .done
  }
}
