// `verbatim export`: writes a log as lines of JSON for other programs.
internal import JSONLines
internal import EventLog
internal import EventLogLMDB

/// The command that exports a whole log, from which `verbatim import` recreates the same log.
struct ExportCommand: Command {
  static let name = "export"
  static let summary = "Writes a workspace or a log as CloudEvents, one to a line."
  static let details = """
    Each event is a line of JSON in the format of CloudEvents 1.0. The first line identifies the log, the
    last has the chain hash. `verbatim import` creates a log with the same blocks and chain hash. The
    page ExportedEvents of the documentation describes each attribute.

    Events appended during the export are not written. The contents of attachments stay in `blobs/`.
    """

  static let examples = [
    "verbatim export chat chat.jsonl", "verbatim export chat --from 100 --to 200",
  ]

  static var parameters: [Parameter<Self>] {
    [
      .positional("DIR", "The directory of the workspace or the log, or its address on a server.", \.path),
      .positional("FILE", "The file to create; default, or -, standard output.", \.file).optional,
      .option("from", "P", "Leaves out events before this position; the export can then not be imported.", \.from),
      .option("to", "P", "Leaves out events after this position.", \.to),
    ]
  }

  var path = ""
  var file = "-"
  var from: Position?
  var to: Position?

  func contradiction() -> String? {
    guard let from, let to, from > to else { return nil }
    return "--from \(from) is after --to \(to): swap them."
  }

  func run(in context: Context) throws(Failure) -> ExitCode {
    DamageGuard.install(for: path, in: context)
    let log = try openLog(path, .reading, in: context)
    defer { log.close() }
    InterruptFlag.install(in: context)
    if file == "-" {
      try export(log, to: context.output, in: context)
    } else {
      var made = try NewFile(at: file)
      try export(log, to: made.descriptor, in: context)
      try made.finish()
    }
    return .done
  }

  private func export(_ log: any Log, to descriptor: Int32, in context: Context) throws(Failure) {
    var lines = ExportedLines(of: log, to: descriptor)
    let progress = ProgressLine("events", in: context, besides: descriptor)
    defer { progress.end() }
    let end = try asked { () throws(LogError) in try log.head() }
    try lines.write(from: from ?? .first, through: to ?? end.position, of: end) { position in
      progress.reach(position.rawValue, of: end.position.rawValue)
    }
  }
}

/// A writer of a log's lines to a descriptor.
private struct ExportedLines {
  private let log: any Log
  private var output: Output
  private var writer = JSONWriter()
  /// The end of the last block of which events were written.
  private var last: Head
  private var isCut = false

  /// The byte count of blocks that is read at once; no transaction is open while the output blocks.
  private static let byteCountMin = 1 << 20

  init(of log: any Log, to descriptor: Int32) {
    self.log = log
    output = Output(descriptor)
    last = Head(of: log.genesis)
  }

  mutating func write(
    from start: Position, through requested: Position, of head: Head, _ tell: (Position) -> Void
  ) throws(Failure) {
    writer.began(log.genesis, from: start)
    try send()
    let end = min(requested, head.position)
    var next = max(start, .first)
    while next <= end {
      if InterruptFlag.hasHappened {
        throw Failure(.unable, "The export was interrupted and lacks its last line: export again.")
      }
      next = try writeSome(from: next, through: end)
      tell(Position(rawValue: next.rawValue - 1))
    }
    if start > head.position { last = head }
    writer.ended(log.genesis, to: end, at: isCut ? try cutHead(at: end) : last, isCut: isCut)
    try send()
    try output.flush()
  }

  /// Writes the events of some blocks; returns the next position.
  private mutating func writeSome(from start: Position, through end: Position) throws(Failure) -> Position {
    var blocks: [(head: Head, events: [RecordedEvent])] = []
    var byteCount = 0
    try asked { () throws(LogError) in
      try log.blocks(from: start, .forward, checks: .full) { block in
        let first = max(start, block.first)
        let past = min(end, block.last).next
        blocks.append(
          (
            block.head,
            block.events(
              Int(first.rawValue - block.first.rawValue)..<Int(past.rawValue - block.first.rawValue))
          ))
        byteCount += block.bytes.byteCount
        return byteCount < Self.byteCountMin && block.last < end ? .next : .stop
      }
    }
    guard let head = blocks.last?.head else {
      throw Failure(.refused, "The log has no event at position \(start), which is before its end: verify the log.")
    }
    for (head, events) in blocks {
      for event in events {
        writer.exported(event, ofBlock: head.blocks, log.genesis)
        try send()
      }
    }
    (last, isCut) = (head, head.position > end)
    return min(head.position, end).next
  }

  /// Returns the head of a chain whose last block is the log's block at a position without its later events.
  private func cutHead(at end: Position) throws(Failure) -> Head {
    var before = Head(of: log.genesis)
    var events: [RecordedEvent] = []
    try asked { () throws(LogError) in
      try log.blocks(from: end, .backward, checks: .full) { block in
        guard events.isEmpty else {
          before = block.head
          return .stop
        }
        events = block.events(0..<Int(end.rawValue - block.first.rawValue) + 1)
        return .next
      }
    }
    guard let recorded = events.first?.recorded else {
      throw Failure(.refused, "The log has no event at position \(end), which is before its end: verify the log.")
    }
    var given = CopiedBlock()
    given.add(events)
    return given.withBlock(after: before, at: recorded) { $0.head }
  }

  private mutating func send() throws(Failure) {
    try output.write(writer.bytes)
    writer.removeAll()
  }
}
