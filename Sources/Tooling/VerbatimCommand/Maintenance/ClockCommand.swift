// `verbatim clock`: finds recorded times that are later than the clock, and corrects the log.
internal import EventLog
internal import EventLogLMDB
internal import JSONLines
internal import Verbatim

/// The command that compares the times of a log with this machine's clock, and corrects the log.
struct ClockCommand: Command {
  static let name = "clock"
  static let summary = "Compares the times of a workspace or log with this machine's clock, and corrects them."
  static let details = """
    The time of a block is never before that of its predecessor. So after an append by a machine whose
    clock is ahead, all later events have that time, until the clocks reach it. --correct appends one
    event that marks the times before it as wrong, with the time of this machine's clock; later events
    follow that time. Recorded events are not changed. Set the clock of this machine first.

    The exit code is 1 if the last block is more than a day later than the clock.

    --json: clock, recorded (of the last block), late (whether that is later), first (the position of the
    first event that is later than the clock), corrected (the position of the correction, if one was made).
    """
  static let examples = ["verbatim clock chat", "verbatim clock chat --correct"]

  static var parameters: [Parameter<Self>] {
    [
      .positional("DIR", "The directory of the workspace or the log, or its address on a server.", \.path),
      .flag("correct", "Appends a correction, if times later than this machine's clock were recorded.", \.corrects),
      .flag("json", "Reports one line of JSON.", \.isJSON),
    ]
  }

  var path = ""
  var corrects = false
  var isJSON = false

  func run(in context: Context) throws(Failure) -> ExitCode {
    let configuration = EventStore.Configuration(context.configuration)
    let store = try openStore(path, in: context, configuration: configuration)
    defer { store.close() }
    let (state, first, correction) = try asked { () throws(LogError) in
      let state = ClockState(of: try store.head(), at: configuration.clock())
      let first = state.isLate ? try store.last(recordedBy: state.clock).next : nil
      return (state, first, corrects ? try store.correctClock() : nil)
    }
    try context.report(isJSON ? json(state, first, correction) : text(state, first, correction), ofCheck: true)
    return correction == nil && state.isAbsurd ? .refused : .done
  }

  private func text(_ state: ClockState, _ first: Position?, _ correction: RecordedEvent?) -> String {
    var lines = ["clock       \(state.clock)", "last block  \(state.recorded)"]
    if let first { lines.append("The events from position \(first) on have times later than the clock.") }
    switch (correction, first) {
    case (let correction?, _):
      lines.append("The event at position \(correction.position) corrects this; later events follow its time.")
    case (nil, nil): lines.append("No time is later than the clock: there is nothing to correct.")
    case (nil, _): lines.append(state.advice(path) ?? "The difference is less than a day: no correction is needed.")
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private func json(_ state: ClockState, _ first: Position?, _ correction: RecordedEvent?) -> String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("clock", state.clock.description)
      writer.member("recorded", state.recorded.description)
      writer.key("late")
      writer.bool(state.isLate)
      writer.member("first", first?.rawValue)
      writer.member("corrected", correction?.position.rawValue)
    }
    return writer.text + "\n"
  }
}

/// The time of a log's last block compared with a clock.
struct ClockState {
  /// The time of the clock.
  let clock: Timestamp
  /// The time of the last block; the creation time of a log without blocks.
  let recorded: Timestamp

  init(of head: Head, at clock: Timestamp) { (self.clock, recorded) = (clock, head.recorded) }

  /// Whether the last block is later than the clock.
  var isLate: Bool { recorded > clock }

  /// Whether the last block is more than a day later, which exceeds the difference between two clocks that are set.
  var isAbsurd: Bool {
    let (day, isPast) = clock.rawValue.addingReportingOverflow(86_400_000_000)
    return !isPast && recorded.rawValue > day
  }

  /// Returns the remedy; nil where none is needed.
  func advice(_ path: String) -> String? {
    guard isAbsurd else { return nil }
    return
      "The last block was recorded at \(recorded), and this machine's clock is at \(clock): all later events get the "
      + "time of the last block. If the clock is right, correct the log with `verbatim clock \(path) --correct`."
  }
}
