// `verbatim log backup`: copies a log, which may be in use.
internal import EventLog
internal import EventLogLMDB
internal import JSONLines

/// The command that copies a log.
struct BackupCommand: Command {
  static let name = "backup"
  static let summary = "Copies a log, even while in use, into a new directory."
  static let details = """
    The copy is a consistent log with the same events at the same positions.

    --json: log, copy, and position, up to which the copy reaches at least.
    """
  static let examples = [
    "verbatim log backup log copy",
    "verbatim log backup log copy --json",
  ]

  static var parameters: [Parameter<Self>] {
    [
      .positional("DIR", "The directory of the log.", \.path),
      .positional("TO", "The directory of the copy; it must not exist yet.", \.destination),
      .flag("json", "Reports one line of JSON.", \.isJSON),
    ]
  }

  var path = ""
  var destination = ""
  var isJSON = false

  func run(in context: Context) throws(Failure) -> ExitCode {
    for path in [path, destination] {
      try requireDirectory(path, orElse: "copy with `verbatim mirror FROM TO --once`")
    }
    let store = try openStore(path, in: context)
    defer { store.close() }
    guard let log = store.log as? LMDBLog else { preconditionFailure("a directory has a log of another kind") }
    let head = try asked { () throws(LogError) in
      // Everything appended before the backup began is in the copy.
      let head = try store.head()
      try log.backUp(to: destination)
      return head
    }
    var output = Output(context.output)
    try output.write(isJSON ? json(head) : text(head))
    try output.flush()
    return .done
  }

  private func text(_ head: Head) -> String {
    "The log at \(path) was copied to \(destination), up to position \(head.position) at least.\n"
  }

  private func json(_ head: Head) -> String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("log", path)
      writer.member("copy", destination)
      writer.member("position", head.position.rawValue)
    }
    return writer.text + "\n"
  }
}
