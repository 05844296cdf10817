// `verbatim replay`: folds a workspace's log again.
internal import Chat
internal import ChatReplay
internal import Errors
internal import EventLog
internal import Files
internal import JSONLines
internal import Verbatim

/// The command that folds the log of a workspace again.
struct ReplayCommand: Command {
  static let name = "replay"
  static let summary = "Replays the log of a workspace, and shows the speed and the digest of each table."
  static let details = """
    The tables of the workspace stay unchanged: it folds into a temporary directory, or into a given one
    (--into). With --json each result is a line, as described on the page “The output of a replay”;
    `verbatim verify` runs several replays and compares their lines.
    """

  static let examples = [
    "verbatim replay chat", "verbatim replay chat --to 1000 --json",
    "verbatim replay chat --at 2026-01-31T12:00:00Z --from-snapshot", "verbatim replay chat --changes 47",
  ]

  static var parameters: [Parameter<Self>] {
    [
      .positional("DIR", "The directory of the workspace, or its address on a server.", \.path),
      .option("to", "P", "Stops after this position; default the end.", \.end),
      .option(
        "at", "POINT", "Stops after this point: \(LogPoint.forms).", \.point),
      .flag("from-zero", "Begins with empty tables; the default.", \.startsWithNothing),
      .flag("from-snapshot", "Begins with the newest snapshot.", \.startsWithSnapshot),
      .option("digests-every", "N", "Shows the digests every N events, not only at the end.", \.digestDistance),
      .flag("testified", "Shows the digests also at each checkpoint and snapshot.", \.includesCheckpoints),
      .option("batch", "N", "Writes rows every N events; default 100000.", \.batch),
      .option("times", "N", "Folds each batch this number of times, and reports different results.", \.times),
      .flag("forgetful", "Begins each batch with the written rows only, without cached ones.", \.isForgetful),
      .option("events-from", "P", "Shows a digest of the changes of each event from this position on.", \.firstTold),
      .option("changes", "P", "Shows the rows that this event changes, and stops.", \.explained),
      .flag("recode", "Decodes and encodes each event, and reports those whose bytes differ.", \.recodes),
      .flag(
        "check-tables", "Compares the stored tables and snapshots with the fold, and names those not compared.",
        \.checksTables),
      .option("into", "TO", "Keeps the tables in this directory, which must have none yet.", \.destination),
      .flag("json", "Shows each result as a line of JSON.", \.isJSON),
    ]
  }

  var path = ""
  var end: Position?
  var point: LogPoint?
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
    if end != nil, point != nil { return "--to and --at both set the end: leave one out." }
    if startsWithNothing, startsWithSnapshot {
      return "--from-zero and --from-snapshot cannot be combined: leave one out."
    }
    if let defect = unusable(digestDistance, of: "digests-every") ?? unusable(batch, of: "batch")
      ?? unusable(times, of: "times", max: 1_000)
    {
      return defect
    }
    if explained != nil, end != nil || point != nil {
      return "--changes sets the end, as --to and --at do: leave one out."
    }
    if let firstTold, let end, firstTold > end {
      return "--events-from is \(firstTold), after the end that --to sets: give an earlier position."
    }
    if destination != nil, startsWithSnapshot {
      return "--into keeps tables that were folded from the first event on: leave --from-snapshot out."
    }
    return nil
  }

  func run(in context: Context) throws(Failure) -> ExitCode {
    // Not guarded: an app's projections may crash too.
    let store = try openEvents(path, in: context, isGuarded: false)
    defer { store.close() }
    if let destination {
      try rethrow(FileSystem.makeDirectory(destination)) { (error: FileError) in
        Failure(.unable, "The directory \(destination) cannot be created (\(error)): check its parent.")
      }
    }
    var output = ReplayOutput(context.output, isJSON: isJSON, checksTables: checksTables)
    let progress = ProgressLine("events", in: context)
    var options = options(of: context)
    if let point {
      let now = Timestamp(rawValue: context.configuration.clock().rawValue)
      options.end = try point.resolved(in: store, at: path, nil, now: now).position
    }
    options.progress = { progress.reach($0.rawValue, of: $1.rawValue) }
    do throws(ReplayError) {
      try Replay(of: store, at: tablesPath(path, of: store), options: options).run { output.tell($0) }
    } catch {
      progress.end()
      // The findings before the error; a failure to write them would hide it.
      try? output.finish()
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
