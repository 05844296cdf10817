// `verbatim log tail`: the newest events, and those that come.
internal import EventLog

/// Shows the end of a log.
struct TailCommand: Command {
  static let name = "tail"
  static let summary = "Shows the newest events of a log and, if asked to, each as it comes."
  static let details = """
    The lines are those of `verbatim log read`. With --follow it goes on until it is interrupted or
    nobody reads its output any more; whatever process appends, its events are shown.
    """

  static var parameters: [Parameter<Self>] {
    [
      .positional("DIR", "The directory of the log.", \.path),
      .option("lines", "N", "Begins so many events before the end; 10 unless told.", \.lines),
      .option("from", "P", "Begins at this position instead.", \.from),
      .flag("follow", "Goes on with each event as it is appended, by whatever process.", \.follows),
    ]
  }

  var path = ""
  var lines: Int?
  var from: Position?
  var follows = false

  func contradiction() -> String? {
    lines != nil && from != nil ? "--lines and --from both say where to begin: leave one out." : nil
  }

  func run(in context: Context) throws(Failure) -> ExitCode {
    let store = try openStore(path, in: context)
    defer { store.close() }
    var output = EventOutput(context.output)
    var next = try start(of: store)
    Interruption.install(in: context)
    while true {
      next = try showEvents(of: store, from: next, &output)
      try output.flush()
      guard follows, try isGoingOn(store, until: next, output) else { return .done }
    }
  }

  private func start(of store: EventStore) throws(Failure) -> Position {
    if let from { return from }
    let head = try asked { () throws(LogError) in try store.head().position }
    let lines = UInt64(lines ?? 10)
    return Position(rawValue: head.rawValue >= lines ? head.rawValue - lines + 1 : 1)
  }

  /// Shows what there is; answers where to go on.
  private func showEvents(
    of store: EventStore, from position: Position, _ output: inout EventOutput
  ) throws(Failure) -> Position {
    var next = position
    var chunks = try EventChunks(store.log, from: position, to: Position(rawValue: .max))
    while !Interruption.hasHappened, let events = try chunks.next() {
      try output.write(events)
      next = events.last?.position.next ?? next
    }
    return next
  }

  /// Waits until there is an event at a position; answers false when it need not be shown any more.
  private func isGoingOn(
    _ store: EventStore, until position: Position, _ output: EventOutput
  ) throws(Failure) -> Bool {
    while !Interruption.hasHappened, !output.isClosed {
      let isThere = try asked { () throws(LogError) in
        try store.log.wait(
          beyond: Position(rawValue: position.rawValue - 1), until: .now + .milliseconds(100))
      }
      if isThere { return true }
    }
    return false
  }
}
