// `verbatim log tail`: prints the newest events, and follows new ones.
internal import EventLog

/// The command that prints the end of a log.
struct TailCommand: Command {
  static let name = "tail"
  static let summary = "Shows the newest events of a log, and new ones as they are appended."
  static let details = """
    The lines are those of `verbatim log read`. With --follow it shows the events appended by any process
    until it is interrupted or its output is closed.
    """
  static let examples = [
    "verbatim log tail log --lines 20",
    "verbatim log tail log --follow",
  ]

  static var parameters: [Parameter<Self>] {
    [
      .positional("DIR", "The directory of the log, or its address on a server.", \.path),
      .option("lines", "N", "Begins this number of events before the end; default 10.", \.lines),
      .option("from", "P", "Begins at this position.", \.from),
      .flag("follow", "Shows each event as it is appended, by any process.", \.follows),
    ]
  }

  var path = ""
  var lines: Int?
  var from: Position?
  var follows = false

  func contradiction() -> String? {
    lines != nil && from != nil ? "--lines and --from both set the start: leave one out." : nil
  }

  func run(in context: Context) throws(Failure) -> ExitCode {
    let store = try openStore(path, in: context)
    defer { store.close() }
    let start = try store.start(from, orLast: lines ?? 10)
    var output = EventOutput(context.output)
    try EventTail(store, from: start, follows: follows).run(in: context) { events throws(Failure) in
      try output.write(events)
      try output.flush()
    }
    return .done
  }
}
