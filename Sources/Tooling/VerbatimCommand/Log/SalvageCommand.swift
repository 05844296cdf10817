// `verbatim log salvage`: saves the undamaged blocks of a log.
internal import Errors
internal import EventLog
internal import EventLogLMDB
internal import EventLogPostgres

/// The command that prints or copies every event of every undamaged block.
struct SalvageCommand: Command {
  static let name = "salvage"
  static let summary = "Shows every event of every undamaged block, or appends it to a new log."
  static let details = """
    The lines are those of `verbatim log read`; missing positions are reported on standard error. With
    --into the events are appended to a new log, with their append ids and times. Events after missing ones
    get lower positions and versions in the new log; causes are adjusted, and a missing cause is left
    out; a missing correction of the clock is made anew. The exit code is 0 if nothing is missing, and 1
    otherwise.

    With the address of a server, the events are those that this machine appended lately and that the server
    has lost: it was restored from an older backup, or promoted without its last commits.
    """
  static let examples = [
    "verbatim log salvage log > whole.jsonl",
    "verbatim log salvage log --into new",
  ]

  static var parameters: [Parameter<Self>] {
    [
      .positional("DIR", "The directory of the log, or its address on a server.", \.path),
      .option("into", "NEWDIR", "Appends the events to a new log in this directory.", \.destination),
    ]
  }

  var path = ""
  var destination: String?

  func run(in context: Context) throws(Failure) -> ExitCode {
    DamageGuard.install(for: path, in: context)
    let source = try source(in: context)
    guard let destination else { return try show(source, in: context) }
    return try save(source, to: destination, in: context)
  }

  private func show(_ source: any SalvageSource, in context: Context) throws(Failure) -> ExitCode {
    var output = EventOutput(context.output)
    do throws(Failure) {
      let outcome = try source.salvage { block throws(Failure) in try output.write(block.allEvents()) }
      try output.flush()
      context.note(outcome.summary)
      return outcome.isComplete ? .done : .refused
    } catch {
      throw error.message != nil
        ? error : Failure(.unable, "The output was closed before all events were salvaged: salvage again.")
    }
  }

  private func save(
    _ source: any SalvageSource, to destination: String, in context: Context
  ) throws(Failure) -> ExitCode {
    try requireNoLog(at: destination, in: context)
    var copy = SalvagedCopy(at: destination, of: source.origin, in: context)
    let outcome = try source.salvage { block throws(Failure) in try copy.add(block) }
    try copy.finish()
    context.note(outcome.summary + "\n" + copy.summary)
    return outcome.isComplete ? .done : .refused
  }

  private func source(in context: Context) throws(Failure) -> any SalvageSource {
    do throws(OpenError) {
      guard let address = PostgresAddress(path) else { return try Salvage(logAt: path) }
      return try LostBlocks(of: address, options: PostgresLog.Options(.reading, in: context))
    } catch {
      throw Failure(error)
    }
  }
}

/// A log whose undamaged blocks can be read.
private protocol SalvageSource {
  /// The genesis of the log, if it is known.
  var origin: Genesis? { get }

  /// Passes each block to the closure, in the order of positions.
  func salvage(_ body: (BlockView) throws(Failure) -> Void) throws(Failure) -> SalvageOutcome
}

/// The salvaged and the missing events.
private struct SalvageOutcome {
  /// One finding per line.
  let summary: String
  /// Whether nothing is missing.
  let isComplete: Bool

  init(_ blocks: Int, _ events: Int, missing gaps: [ClosedRange<Position>], endIsKnown: Bool = true) {
    let found = "Salvaged \(counted(events, "event")) of \(counted(blocks, "block"))."
    let lost = gaps.map { gap in
      gap.lowerBound == gap.upperBound
        ? "Position \(gap.lowerBound) is missing."
        : "Positions \(gap.lowerBound) to \(gap.upperBound) are missing."
    }
    let end: String? =
      !endIsKnown
      ? "The end of the log is unknown: more events may be missing there."
      : gaps.isEmpty ? "Nothing is missing." : nil
    summary = ([found] + lost + [end].compactMap { $0 }).joined(separator: "\n")
    isComplete = gaps.isEmpty && endIsKnown
  }
}

extension Salvage: SalvageSource {
  fileprivate var origin: Genesis? { genesis }

  fileprivate func salvage(_ body: (BlockView) throws(Failure) -> Void) throws(Failure) -> SalvageOutcome {
    let report = try forEachBlock(body)
    return SalvageOutcome(report.blocks, report.events, missing: report.gaps, endIsKnown: report.head != nil)
  }
}

extension LostBlocks: SalvageSource {
  fileprivate var origin: Genesis? { genesis }

  fileprivate func salvage(_ body: (BlockView) throws(Failure) -> Void) throws(Failure) -> SalvageOutcome {
    var events = 0
    try forEach { block throws(Failure) in
      events += block.count
      try body(block)
    }
    return SalvageOutcome(count, events, missing: missing)
  }
}
