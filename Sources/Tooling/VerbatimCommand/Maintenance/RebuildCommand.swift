// `verbatim rebuild`: rebuilds the tables of a workspace from its log.
internal import EventLog
internal import JSONLines
internal import Verbatim
internal import Projections

/// The command that deletes derived data and rebuilds it.
struct RebuildCommand: Command {
  static let name = "rebuild"
  static let summary = "Rebuilds the tables of a workspace from its log."
  static let details = """
    Index, tables and snapshots are removed and rebuilt from the first event on, while no other process has
    the workspace open (with the address of a server: no other process of this machine). The tables are
    compared with each checkpoint: the exit code is 1 if they differ, or if a projection cannot fold an event.
    The log is not changed.

    A log that ends before its derived tables may have lost its last events, and is not opened. If an older
    log was restored on purpose, --discard-ahead removes the tables and checkpoints that are ahead; on a
    server, also this machine's record of the events that the server acknowledged and lost.
    """

  static let examples = ["verbatim rebuild chat"]

  static var parameters: [Parameter<Self>] {
    [
      .positional("DIR", "The directory of the workspace, or its address on a server.", \.path),
      .flag(
        "discard-ahead",
        "Removes tables and checkpoints of events that the log does not have, and accepts the shorter log.",
        \.discardsAhead),
      .flag("json", "Reports one line of JSON.", \.isJSON),
    ]
  }

  var path = ""
  var discardsAhead = false
  var isJSON = false

  func run(in context: Context) throws(Failure) -> ExitCode {
    DamageGuard.install(for: path, in: context)
    let progress = ProgressLine("events", in: context)
    var configuration = context.configuration
    configuration.progress = { progress.reach($0.position.rawValue, of: $0.end.rawValue) }
    let files = WorkspaceFiles(at: path, cacheDirectory: configuration.cacheDirectory)
    let rebuilt = try cared { () throws(MaintenanceError) in
      defer { progress.end() }
      return try files.rebuild(configuration, discardsAhead: discardsAhead)
    }
    try context.report(isJSON ? rebuilt.json : rebuilt.text(path), ofCheck: true)
    return rebuilt.stops.isEmpty ? .done : .refused
  }
}

extension WorkspaceFiles.Rebuilt {
  private var eventsPerSecond: UInt64 { UInt64(Double(events) / max(time / .seconds(1), 0.000_001)) }

  fileprivate func text(_ path: String) -> String {
    let agreement =
      switch checkpoints {
      case 0: "There are no checkpoints to compare with."
      case 1: "They match the only checkpoint."
      default: "They match all \(checkpoints) checkpoints."
      }
    let folded = "\(events.grouped) events, \(eventsPerSecond.grouped) a second"
    return "The tables of \(path) were rebuilt: \(folded).\n\(agreement)\n" + stops.map { $0 + "\n" }.joined()
  }

  fileprivate var json: String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("events", events)
      writer.member("eventsPerSecond", eventsPerSecond)
      writer.member("checkpoints", checkpoints)
      writer.key("stops")
      writer.array { for stop in stops { $0.string(stop) } }
    }
    return writer.text + "\n"
  }
}
