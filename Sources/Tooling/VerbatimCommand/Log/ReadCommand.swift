// `verbatim log read`: prints events as lines of JSON.
internal import JSONLines
internal import EventLog

/// The command that prints the events of a log.
struct ReadCommand: Command {
  static let name = "read"
  static let summary = "Shows the events of a log, or of a stream, as lines of JSON."
  static let details = """
    The keys come in this order: position, stream, version, recorded, type, actor, device, cause,
    append, correlation, proposal, and payload; actor, device, cause, correlation and proposal only if
    present. A payload that is not UTF-8 is shown as payload64, in base64. `verbatim log append --from-read`
    reads these lines. Events appended meanwhile are not shown.
    """
  static let examples = [
    "verbatim log read log",
    "verbatim log read log --stream a --backward --limit 10",
    "verbatim log read log --streams channel/",
  ]

  static var parameters: [Parameter<Self>] {
    [
      .positional("DIR", "The directory of the log, or its address on a server.", \.path),
      .option("from", "P", "Leaves out events before this position.", \.from),
      .option("to", "P", "Leaves out events after this position.", \.to),
      .option("limit", "N", "Shows at most this number of events.", \.limit),
      .flag("backward", "Shows the newest first.", \.isBackward),
      .option("stream", "S", "Shows the events of this stream only.", \.stream),
      .option("from-version", "V", "Leaves out events before this version of the stream.", \.version),
      .option(
        "streams", "PREFIX", "Shows the streams with this name prefix and their versions, instead of events.",
        \.prefix),
    ]
  }

  var path = ""
  var from: Position?
  var to: Position?
  var limit: Int?
  var isBackward = false
  var stream: Name?
  var version: StreamVersion?
  var prefix: String?

  private var direction: Direction { isBackward ? .backward : .forward }

  func contradiction() -> String? {
    let hasPositions = from != nil || to != nil
    if prefix != nil, hasPositions || isBackward || stream != nil || version != nil {
      return "--streams can be combined with --limit only: leave the other options out."
    }
    if stream != nil, hasPositions { return "--stream cannot be combined with --from or --to: use --from-version." }
    if stream == nil, version != nil { return "--from-version counts within a stream: add --stream." }
    if let from, let to, from > to { return "--from \(from) is after --to \(to): swap them." }
    return nil
  }

  func run(in context: Context) throws(Failure) -> ExitCode {
    let store = try openStore(path, in: context)
    defer { store.close() }
    var output = EventOutput(context.output)
    if let prefix {
      try showStreams(of: store, prefix, &output)
    } else if let stream {
      try show(stream, of: store, &output)
    } else {
      try showEvents(of: store, &output)
    }
    try output.flush()
    return .done
  }

  private func showEvents(of store: EventStore, _ output: inout EventOutput) throws(Failure) {
    let last = Position(rawValue: .max)
    var chunks = try EventChunks(
      store.log, from: from ?? .first, to: to ?? last, limit: limit, direction)
    while let events = try chunks.next() { try output.write(events) }
  }

  private func show(_ stream: Name, of store: EventStore, _ output: inout EventOutput) throws(Failure) {
    var chunks = try StreamChunks(store, stream, from: version ?? .first, limit: limit, direction)
    while let events = try chunks.next() { try output.write(events) }
  }

  private func showStreams(
    of store: EventStore, _ prefix: String, _ output: inout EventOutput
  ) throws(Failure) {
    var rest = limit ?? .max
    var after: Name?
    while rest > 0 {
      let streams = try asked { () throws(LogError) in
        try store.streams(withPrefix: prefix, after: after, limit: min(rest, 1000))
      }
      guard let last = streams.last else { return }
      for stream in streams { try output.write(stream) }
      rest -= streams.count
      after = last.name
    }
  }
}

/// A writer of JSON lines to a descriptor.
struct EventOutput {
  private var output: Output
  private var writer = JSONWriter()

  init(_ descriptor: Int32) { output = Output(descriptor) }

  mutating func write(_ events: [RecordedEvent]) throws(Failure) {
    for event in events { try line { $0.line(event) } }
  }

  mutating func write(_ stream: StreamSummary) throws(Failure) { try line { $0.line(stream) } }

  mutating func write(_ receipt: Receipt) throws(Failure) { try line { $0.line(receipt) } }

  mutating func flush() throws(Failure) { try output.flush() }

  private mutating func line(_ body: (inout JSONWriter) -> Void) throws(Failure) {
    writer.removeAll()
    body(&writer)
    try output.write(writer.bytes)
  }
}
