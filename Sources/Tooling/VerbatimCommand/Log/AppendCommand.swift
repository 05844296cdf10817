// `verbatim log append`: appends lines of JSON as events.
internal import JSONLines
internal import EventLog
internal import EventLogLMDB
internal import Verbatim

/// The command that appends the events on standard input.
struct AppendCommand: Command {
  static let name = "append"
  static let summary = "Appends the events of standard input, one JSON object per line."
  static let details = """
    Each line is one atomic append; its receipt is printed once it is durable:
      {"stream":"a","type":"said","payload":"text"}
      {"stream":"a","type":"said","payload64":"AP8=","actor":"me","device":"here","cause":7}
      {"id":"UUID","correlation":"c","expect":[{"stream":"a","version":2},{"stream":"b","is":"none"}],
       "events":[{"stream":"a","type":"said","payload":"x"},{"stream":"b","type":"said","payload":"y"}]}
    (The last is one line.) "is" can be any, none or exists. id, correlation and expect are also allowed
    in a line with one event. An unknown or repeated key is an error. With an id, a retry of the same line
    appends nothing and prints the first receipt.

    The first refused line ends the command; earlier appends stay. Lines without an expectation share
    commits with their neighbours if they arrive quickly; a line with an expectation is committed alone.

    A clock implausibly far ahead of the log is refused; --accept-clock is for a log without an append
    for more than 400 days.
    """
  static let examples = [
    "verbatim log append log --create < lines.jsonl",
    "verbatim log append copy --create --from-read < events.jsonl",
  ]

  static var parameters: [Parameter<Self>] {
    [
      .positional("DIR", "The directory of the log, or its address on a server.", \.path),
      .flag("create", "Creates the log if there is none.", \.creates),
      .flag("together", "Appends all lines in one append.", \.joins),
      .flag("accept-clock", "Accepts this machine's clock, however far it is ahead of the log.", \.acceptsClock),
      .flag(
        "from-read", "Reads lines of `verbatim log read`, with their append ids.", \.isRecorded),
    ]
  }

  var path = ""
  var creates = false
  var joins = false
  var isRecorded = false
  var acceptsClock = false

  func contradiction() -> String? {
    joins && isRecorded ? "--together and --from-read both define the appends: leave one out." : nil
  }

  func run(in context: Context) throws(Failure) -> ExitCode {
    var configuration = EventStore.Configuration(context.configuration)
    if acceptsClock { configuration.clockLimits = nil }
    let genesis = creates ? Genesis.new(at: configuration.clock()) : nil
    let options = LMDBLog.Options(creates: creates, genesis: genesis)
    let store = try openStore(path, options, in: context, configuration: configuration)
    defer { store.close() }
    try requireRaw(store)
    let source = AppendSource(context.input, isRecorded ? .recorded : .proposed)
    var appending = AppendSession(store, source, EventOutput(context.output))
    try joins ? appending.appendTogether() : appending.appendEach()
    return .done
  }

  private func requireRaw(_ store: EventStore) throws(Failure) {
    guard let application = store.log.genesis.application else { return }
    throw Failure(
      .refused, "The log at \(path) belongs to a chat workspace (\(application)): append through that.")
  }
}

/// The appending of input lines to a log.
struct AppendSession {
  private let store: EventStore
  private var source: AppendSource
  private var output: EventOutput
  private var queue: AppendQueue
  /// The last line whose events are in the log.
  private var lastLine = 0

  init(_ store: EventStore, _ source: AppendSource, _ output: EventOutput) {
    self.store = store
    self.source = source
    self.output = output
    queue = AppendQueue(store)
  }

  mutating func appendTogether() throws(Failure) {
    queue.submit([try source.joined()])
    try settle()
  }

  /// Appends run after run; while one run is written to disk, the next is read.
  mutating func appendEach() throws(Failure) {
    var run = source.run(waits: true)
    while true {
      var rest = run.appends[...]
      while !rest.isEmpty {
        let count = try asked { () throws(LogError) in try self.countOfUnconditional(rest) }
        queue.submit(rest.prefix(count))
        rest = rest.dropFirst(count)
        if !rest.isEmpty { try settle() }
      }
      guard case .more = run.ending else { break }
      run = source.run(waits: false)
      try settle()
      if run.appends.isEmpty, case .more = run.ending { run = source.run(waits: true) }
    }
    try settle()
    if case .failed(let failure) = run.ending { throw failure.saying(after: " " + whatStays) }
  }

  /// Returns the number of appends, at least one, that nothing in the log can refuse, so that none is appended behind
  /// one that was refused. No append may be pending.
  private func countOfUnconditional(_ appends: ArraySlice<NumberedAppend>) throws(LogError) -> Int {
    let head = try store.head().position
    var ids: Set<AppendID> = []
    var count = 0
    for numbered in appends {
      let append = numbered.append
      var isFree = append.expectations.allSatisfy { $0.state == .any }
      isFree = isFree && append.events.allSatisfy { $0.cause.map { $0 <= head } ?? true }
      if isFree, let id = append.id {
        isFree = try ids.insert(id).inserted ? store.receipt(of: id) == nil : false
      }
      guard isFree else { break }
      count += 1
    }
    return max(1, count)
  }

  /// Waits for the pending appends and writes their receipts; throws for the first that was refused.
  private mutating func settle() throws(Failure) {
    var refusal: (numbered: NumberedAppend, error: AppendError)?
    var behind = 0
    var closing: Failure?
    for (numbered, outcome) in queue.settle() {
      switch outcome {
      case .success(let receipt):
        if refusal == nil { lastLine = numbered.lines.upperBound } else { behind += 1 }
        do throws(Failure) { try output.write(receipt) } catch { closing = closing ?? error }
      case .failure(let error): refusal = refusal ?? (numbered, error)
      }
    }
    do throws(Failure) { try output.flush() } catch { closing = closing ?? error }
    if let refusal { throw failure(refusal.numbered, refusal.error, behind) }
    if let closing { throw unheard(closing) }
  }

  private func failure(_ numbered: NumberedAppend, _ error: AppendError, _ behind: Int) -> Failure {
    let lines = numbered.lines
    let (first, last) = (lines.lowerBound, lines.upperBound)
    let lineLabel = first == last ? "Line \(first): " : "Lines \(first) to \(last): "
    let more = behind == 0 ? "" : " \(behind) later appends were in progress and stay, too, as their receipts say."
    // The outcome of such an append is unknown: “nothing was appended” could be false.
    if case .log(.outcomeUnknown) = error {
      let before = lastLine == 0 ? "" : " " + whatStays
      return Failure(error).saying(before: lineLabel, after: before + more)
    }
    return Failure(error).saying(before: lineLabel, after: " " + whatStays + more)
  }

  /// The receipts cannot be written any more: unlike a reader, a writer must learn that not everything was appended.
  private func unheard(_ failure: Failure) -> Failure {
    let message = failure.message ?? "The output was closed."
    return Failure(.unable, message + " " + whatStays)
  }

  private var whatStays: String {
    switch lastLine {
    case 0: "Nothing was appended."
    case 1: "Line 1 was appended and stays."
    default: "Lines 1 to \(lastLine) were appended and stay."
    }
  }
}
