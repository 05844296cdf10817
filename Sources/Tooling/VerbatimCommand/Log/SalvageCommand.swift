// `verbatim log salvage`: saves the undamaged blocks of a log.
internal import Errors
internal import EventLog
internal import EventLogLMDB

/// The command that prints or copies every event of every undamaged block.
struct SalvageCommand: Command {
  static let name = "salvage"
  static let summary = "Shows every event of every undamaged block, or appends it to a new log."
  static let details = """
    The lines are those of `verbatim log read`; missing positions are reported on standard error. With
    --into the events are appended to a new log, with their append ids and times. Events after missing ones
    get lower positions and versions in the new log; causes are adjusted, and a missing cause is left
    out. The exit code is 0 if nothing is missing, and 1 otherwise.
    """
  static let examples = [
    "verbatim log salvage log > whole.jsonl",
    "verbatim log salvage log --into new",
  ]

  static var parameters: [Parameter<Self>] {
    [
      .positional("DIR", "The directory of the log.", \.path),
      .option("into", "NEWDIR", "Appends the events to a new log in this directory.", \.destination),
    ]
  }

  var path = ""
  var destination: String?

  func run(in context: Context) throws(Failure) -> ExitCode {
    try requireDirectory(path)
    DamageGuard.install(for: path, in: context)
    guard let destination else { return try show(in: context) }
    return try save(to: destination, in: context)
  }

  private func show(in context: Context) throws(Failure) -> ExitCode {
    var output = EventOutput(context.output)
    do throws(Failure) {
      let report = try salvage().forEachBlock { block throws(Failure) in try output.write(block.allEvents()) }
      try output.flush()
      context.note(report.summary)
      return report.isComplete ? .done : .refused
    } catch {
      throw error.message != nil
        ? error : Failure(.unable, "The output was closed before all events were salvaged: salvage again.")
    }
  }

  private func save(to destination: String, in context: Context) throws(Failure) -> ExitCode {
    try requireNoLog(at: destination, in: context)
    let salvage = try salvage()
    var copy = SalvagedCopy(at: destination, application: salvage.genesis?.application, in: context)
    let report = try salvage.forEachBlock { block throws(Failure) in try copy.add(block) }
    try copy.finish()
    context.note(report.summary + "\n" + copy.summary)
    return report.isComplete ? .done : .refused
  }

  private func salvage() throws(Failure) -> Salvage {
    try rethrow(Salvage(logAt: path), as: { (error: OpenError) in Failure(error) })
  }
}

extension Salvage.Report {
  fileprivate var isComplete: Bool { gaps.isEmpty && head != nil }

  /// The salvaged and the missing events, one finding per line.
  fileprivate var summary: String {
    let found = "Salvaged \(counted(events, "event")) of \(counted(blocks, "block"))."
    let lost = gaps.map { gap in
      gap.lowerBound == gap.upperBound
        ? "Position \(gap.lowerBound) is missing."
        : "Positions \(gap.lowerBound) to \(gap.upperBound) are missing."
    }
    let end: String? =
      head == nil
      ? "The end of the log is unknown: more events may be missing there."
      : gaps.isEmpty ? "Nothing is missing." : nil
    return ([found] + lost + [end].compactMap { $0 }).joined(separator: "\n")
  }
}
