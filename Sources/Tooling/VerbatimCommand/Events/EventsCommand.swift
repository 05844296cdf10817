// `verbatim events` and `verbatim tail`: prints the events of a workspace, decoded for people.
internal import EventLog
internal import JSONLines

/// The command that prints decoded events.
struct EventsCommand: Command {
  static let name = "events"
  static let summary = "Shows the events of a workspace, one readable line each."
  static let details = """
    A line has the position, time, stream, type and actor of an event, and a short description. An event
    that cannot be read is shown with its number of bytes. A terminal of less than 100 columns shows the
    time without the day.

    --json shows an event as `verbatim log read` does, with its decoded form in place of the payload:
    event, an object with its subject, by kind, and its change, by name, as {"message":{…},"sent":{…}}.
    An event of a composer has sincePrevious, the microseconds since the composer's previous event. An
    event that cannot be read has its payload, and unreadable, one sentence.
    """
  static let examples = [
    "verbatim events chat", "verbatim events chat --actor ada --type messageSent --type messageEdited",
    "verbatim events chat --stream channel/general --backward --limit 20",
    "verbatim events chat --from 100 --to 200 --json",
  ]

  static var parameters: [Parameter<Self>] {
    [
      .positional("DIR", "The directory of the workspace, or its address on a server.", \.path),
      .option("from", "P", "Leaves out events before this position.", \.from),
      .option("to", "P", "Leaves out events after this position.", \.to),
    ] + EventFilter.parameters.map { $0.of(\.filter) } + [
      .option("limit", "N", "Shows at most this number of events.", \.limit),
      .flag("backward", "Shows the newest first.", \.isBackward),
      .option("time-zone", "ZONE", "The time zone of shown times, as Europe/Berlin; default this machine's.", \.zone),
      .flag("json", "Shows each event as a line of JSON.", \.isJSON),
    ]
  }

  var path = ""
  var from: Position?
  var to: Position?
  var filter = EventFilter()
  var limit: Int?
  var isBackward = false
  var zone: Zone?
  var isJSON = false

  func contradiction() -> String? {
    guard let from, let to, from > to else { return nil }
    return "--from \(from) is after --to \(to): swap them."
  }

  func run(in context: Context) throws(Failure) -> ExitCode {
    let store = try openEvents(path, in: context)
    defer { store.close() }
    var output = try DecodedOutput(store, zone, isJSON, in: context)
    var rest = limit ?? .max
    try forEachChunk(of: store) { events throws(Failure) in
      let range = (from ?? .first)...(to ?? Position(rawValue: .max))
      let wanted = events.filter { range.contains($0.position) && filter.wants($0) }.prefix(rest)
      try output.write(Array(wanted))
      rest -= wanted.count
      return rest > 0
    }
    try output.flush()
    return .done
  }

  /// Calls the closure with chunks that contain the selected events, until it returns false.
  private func forEachChunk(
    of store: EventStore, _ body: ([RecordedEvent]) throws(Failure) -> Bool
  ) throws(Failure) {
    let direction: Direction = isBackward ? .backward : .forward
    if let stream = filter.stream {
      var chunks = try StreamChunks(store, stream, from: .first, limit: nil, direction)
      while let events = try chunks.next(), try body(events) {}
    } else {
      let last = Position(rawValue: .max)
      var chunks = try EventChunks(store.log, from: from ?? .first, to: to ?? last, direction)
      while let events = try chunks.next(), try body(events) {}
    }
  }
}

/// The command that prints the newest events, and follows new ones.
struct TailEventsCommand: Command {
  static let name = "tail"
  static let summary = "Shows the newest events of a workspace, and new ones as they are appended."
  static let details = """
    The lines are those of `verbatim events`. With --follow it shows the events appended by any process
    until it is interrupted or its output is closed.
    """
  static let examples = [
    "verbatim tail chat --lines 20", "verbatim tail chat --follow --type messageSent",
    "verbatim tail chat --follow --json",
  ]

  static var parameters: [Parameter<Self>] {
    [
      .positional("DIR", "The directory of the workspace, or its address on a server.", \.path),
      .option("lines", "N", "Begins this number of matching events before the end; default 10.", \.lines),
      .option("from", "P", "Begins at this position.", \.from),
      .flag("follow", "Shows each event as it is appended, by any process.", \.follows),
    ] + EventFilter.parameters.map { $0.of(\.filter) } + [
      .option("time-zone", "ZONE", "The time zone of shown times, as Europe/Berlin; default this machine's.", \.zone),
      .flag("json", "Shows each event as a line of JSON.", \.isJSON),
    ]
  }

  var path = ""
  var lines: Int?
  var from: Position?
  var follows = false
  var filter = EventFilter()
  var zone: Zone?
  var isJSON = false

  func contradiction() -> String? {
    lines != nil && from != nil ? "--lines and --from both set the start: leave one out." : nil
  }

  func run(in context: Context) throws(Failure) -> ExitCode {
    let store = try openEvents(path, in: context)
    defer { store.close() }
    let wanted = filter.isNarrow ? filter.wants : nil
    let start = try store.start(from, orLast: lines ?? 10, where: wanted)
    var output = try DecodedOutput(store, zone, isJSON, in: context)
    try EventTail(store, from: start, follows: follows).run(in: context) { events throws(Failure) in
      try output.write(events.filter(filter.wants))
      try output.flush()
    }
    return .done
  }
}

/// A writer of decoded events to a descriptor.
struct DecodedOutput {
  private var output: Output
  private var writer = JSONWriter()
  private var lines: EventLines
  private var pauses: ComposerPauses
  private let isJSON: Bool

  init(_ store: EventStore, _ zone: Zone?, _ isJSON: Bool, in context: Context) throws(Failure) {
    let head = try asked { () throws(LogError) in try store.head().position }
    lines = EventLines(upTo: head, Times(zone), on: context.output)
    pauses = ComposerPauses(store)
    (output, self.isJSON) = (Output(context.output), isJSON)
  }

  mutating func write(_ events: [RecordedEvent]) throws(Failure) {
    if !isJSON { lines = lines.fitting(events) }
    for event in events { try write(event) }
  }

  private mutating func write(_ event: RecordedEvent) throws(Failure) {
    guard isJSON else { return try output.write(styled: lines.line(event) + "\n") }
    try write(event, without: nil)
  }

  /// Writes an event as a line of JSON, from which content is left out.
  mutating func write(_ event: RecordedEvent, without content: OmittedContent?) throws(Failure) {
    writer.removeAll()
    writer.decoded(event, sincePrevious: try pauses.pause(before: event), without: content)
    writer.endLine()
    try output.write(writer.bytes)
  }

  mutating func flush() throws(Failure) { try output.flush() }
}
