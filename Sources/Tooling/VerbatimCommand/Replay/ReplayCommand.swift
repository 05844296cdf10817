// `verbatim replay`: folds a workspace's log again.
internal import Chat
internal import ChatReplay
internal import EventLog
internal import JSONLines
internal import Verbatim

/// The command that folds the log of a workspace again.
struct ReplayCommand: Command {
  static let name = "replay"
  static let summary = "Folds the log of a workspace again, and says how quickly, and the digest of each table."
  static let details = """
    The tables that lie in the workspace are left alone: it folds into a folder of its own, which goes
    afterwards, or into one that stays (--into). With --json each thing it finds is a line, as the page
    “What a replay tells” has them; `verbatim verify` starts others of its kind with that, and compares.
    """

  static let examples = [
    "verbatim replay chat", "verbatim replay chat --to 1000 --json",
    "verbatim replay chat --at 2026-01-31T12:00:00Z --from-snapshot", "verbatim replay chat --changes 47",
  ]

  static var parameters: [Parameter<Self>] {
    [
      .positional("DIR", "The directory of the workspace.", \.path),
      .option("to", "P", "Stops behind this position; at the end unless told.", \.end),
      .option("at", "TIME", "Stops behind the last event recorded then or before, as 2026-01-31T12:00:00Z.", \.instant),
      .flag("from-zero", "Begins with nothing, as it does unless told.", \.startsWithNothing),
      .flag("from-snapshot", "Begins with the newest snapshot.", \.startsWithSnapshot),
      .option("digests-every", "N", "Tells the digests each N events, not only at the end.", \.digestDistance),
      .flag("testified", "Tells them, too, wherever there is a checkpoint or a snapshot.", \.includesCheckpoints),
      .option("batch", "N", "Writes rows each N events; 100000 unless told.", \.batch),
      .option("times", "N", "Folds each batch so many times, and tells what comes out in two ways.", \.times),
      .flag("forgetful", "Begins each batch with nothing but what was written.", \.isForgetful),
      .option("events-from", "P", "Tells what each event from here on changes, as a digest.", \.firstTold),
      .option("changes", "P", "Tells which rows this event changes, and stops.", \.explained),
      .flag("recode", "Decodes each event and encodes it again, and tells which come out otherwise.", \.recodes),
      .flag("check-tables", "Holds the tables and snapshots that lie there against what it folds.", \.checksTables),
      .option("into", "TO", "Leaves the tables in this directory, which has none yet.", \.destination),
      .flag("json", "Tells each thing as a line of JSON.", \.isJSON),
    ]
  }

  var path = ""
  var end: Position?
  var instant: Instant?
  var startsWithNothing = false
  var startsWithSnapshot = false
  var digestDistance: Int?
  var includesCheckpoints = false
  var batch: Int?
  var times: Int?
  var isForgetful = false
  var firstTold: Position?
  var explained: Position?
  var recodes = false
  var checksTables = false
  var destination: String?
  var isJSON = false

  func contradiction() -> String? {
    if end != nil, instant != nil { return "--to and --at both say where to stop: leave one out." }
    if startsWithNothing, startsWithSnapshot { return "It begins with nothing or with a snapshot: leave one out." }
    for (name, count) in [("digests-every", digestDistance), ("batch", batch), ("times", times)] where count == 0 {
      return "--\(name) is 0 and must be 1 or more."
    }
    return nil
  }

  func run(in context: Context) throws(Failure) -> ExitCode {
    // Not guarded: an app's projections may crash too.
    let store = try openStore(path, in: context, isGuarded: false)
    defer { store.close() }
    var output = ReplayOutput(context.output, isJSON: isJSON)
    let progress = ProgressLine("events", in: context)
    var options = options(of: context)
    options.progress = { progress.reach($0.rawValue, of: $1.rawValue) }
    do throws(ReplayError) {
      try Replay(of: store.log, at: path, options: options).run { output.tell($0) }
    } catch {
      progress.end()
      throw Failure(error)
    }
    progress.end()
    try output.finish()
    return output.holds ? .done : .refused
  }

  private func options(of context: Context) -> ReplayOptions {
    var options = ReplayOptions()
    options.projections = context.configuration.projectionSets
    options.end = end
    options.instant = instant.map { Timestamp(rawValue: $0.rawValue) }
    if let batch { options.batch = UInt64(batch) }
    options.times = times ?? 1
    options.isForgetful = isForgetful || options.times > 1
    options.usesSnapshots = startsWithSnapshot
    options.digestDistance = digestDistance.map { UInt64($0) }
    options.includesCheckpoints = includesCheckpoints
    options.toldEvents = firstTold.map { $0...(end ?? Position(rawValue: .max)) }
    options.explained = explained
    options.recodes = recodes
    options.checksTables = checksTables
    options.destination = destination
    return options
  }
}

extension Failure {
  /// Creates the failure for a replay that did not finish.
  init(_ error: ReplayError) {
    switch error {
    case .log(let error): self.init(error)
    case .failed(let sentence): self.init(.unable, sentence)
    }
  }
}
