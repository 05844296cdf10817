// `verbatim snapshot`: takes, lists and checks snapshots of the tables.
internal import Chat
internal import Errors
internal import EventLog
internal import EventLogLMDB
internal import JSONLines
internal import Verbatim
internal import Projections

/// The command that takes, lists or checks snapshots.
struct SnapshotCommand: Command {
  static let name = "snapshot"
  static let summary = "Takes a snapshot of the tables of a workspace, or lists or verifies the snapshots."
  static let details = """
    Snapshots are copies of the tables at a position. Lost tables are folded from there instead of from the
    first event. The newest two are kept; all can be deleted safely.

    --check reads each completely, and the history from which the past is read; the exit code is 1 if one is
    damaged, and 3 if one is not readable by this user.
    """

  static let examples = [
    "verbatim snapshot chat", "verbatim snapshot chat --list", "verbatim snapshot chat --check --json",
  ]

  static var parameters: [Parameter<Self>] {
    [
      .positional("DIR", "The directory of the workspace, or its address on a server.", \.path),
      .flag("list", "Lists the positions of the snapshots, and takes none.", \.lists),
      .flag("check", "Verifies the snapshots, and takes none.", \.checks),
      .flag("json", "Reports one line of JSON.", \.isJSON),
    ]
  }

  var path = ""
  var lists = false
  var checks = false
  var isJSON = false

  func contradiction() -> String? {
    lists && checks ? "--list and --check cannot be combined: leave one out." : nil
  }

  func run(in context: Context) throws(Failure) -> ExitCode {
    let progress = ProgressLine("events", in: context)
    var configuration = lists || checks ? context.readingConfiguration : context.configuration
    configuration.progress = { progress.reach($0.position.rawValue, of: $0.end.rawValue) }
    let workspace = try openWorkspace(path, configuration, in: context)
    defer { workspace.closeBlocking() }
    if checks { return try check(workspace, in: context) }
    if !lists { try take(of: workspace, progress, in: context) }
    if lists || isJSON { try context.report(list(workspace)) }
    return .done
  }

  private func take(of workspace: Workspace, _ progress: ProgressLine, in context: Context) throws(Failure) {
    let taken: Position?
    do throws(ProjectionError) {
      defer { progress.end() }
      taken = try workspace.takeSnapshot()
    } catch {
      throw Failure(care: error)
    }
    if isJSON { return }
    let text = taken.map { "A snapshot was taken at position \($0)." } ?? "The log is empty, so no snapshot was taken."
    try context.report(text + "\n")
  }

  private func list(_ workspace: Workspace) -> String {
    let positions = workspace.snapshots
    if isJSON {
      var writer = JSONWriter()
      writer.object { writer in
        writer.key("snapshots")
        writer.array { for position in positions { $0.integer(position.rawValue) } }
      }
      return writer.text + "\n"
    }
    return positions.isEmpty ? "There are no snapshots.\n" : positions.map { "\($0)\n" }.joined()
  }

  private func check(_ workspace: Workspace, in context: Context) throws(Failure) -> ExitCode {
    let reports = workspace.checkSnapshots()
    let histories = try rethrow(workspace.checkHistory(), as: { (error: ProjectionError) in Failure(care: error) })
    if isJSON {
      var writer = JSONWriter()
      writer.object { writer in
        writer.key("snapshots")
        writer.array { for report in reports { report.write(to: &$0) } }
        writer.key("histories")
        writer.array { for report in histories { report.write(to: &$0) } }
      }
      try context.report(writer.text + "\n", ofCheck: true)
    } else {
      let lines = reports.isEmpty ? "There are no snapshots.\n" : reports.map { "\($0)\n" }.joined()
      try context.report(lines + histories.map { "\($0)\n" }.joined(), ofCheck: true)
    }
    if reports.contains(where: { $0.damage != nil }) || histories.contains(where: { $0.damage != nil }) {
      return .refused
    }
    return reports.contains { $0.denial != nil } ? .unable : .done
  }
}

extension SnapshotReport {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("position", position.rawValue)
      writer.member("path", path)
      writer.member("damage", damage)
      writer.member("denial", denial)
    }
  }
}

extension HistoryReport {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("position", position.rawValue)
      writer.member("path", path)
      writer.member("damage", damage)
    }
  }
}

/// Opens an existing workspace.
func openWorkspace(
  _ path: String, _ configuration: Configuration, in context: Context
) throws(Failure) -> Workspace {
  DamageGuard.install(for: path, in: context)
  return try rethrow(
    Workspace.open(at: path, creates: false, configuration: configuration),
    as: { (error: WorkspaceError) in Failure(MaintenanceError.opening(error)) })
}
