// `verbatim diff`: the first difference between two workspaces, or the changes between two positions of one.
internal import ChatReplay
internal import Errors
internal import EventLog
internal import JSONLines
internal import Verbatim

/// The command that compares two workspaces, or two positions of one.
struct DiffCommand: Command {
  static let name = "diff"
  static let summary =
    "Shows the first difference between two workspaces, or what changed between two positions of one."
  static let details = """
    A position of a workspace is written DIR@P; P can also be an instant or a span, as in --at of `verbatim
    show`. Two positions of a workspace are compared by their folded tables: each differing row, by table
    and key, with the fields that differ. Two workspaces are compared by their logs: events, blocks and
    genesis. The exit code is 1 if there is a difference.

    --json: same, position; of an event, one and other; differs (event, blocks or genesis).
    """
  static let examples = [
    "verbatim diff chat copy", "verbatim diff chat@100 chat@120", "verbatim diff chat@-1d chat@-1h",
    "verbatim diff chat copy --json",
  ]

  static var parameters: [Parameter<Self>] {
    [
      .positional("A", "A workspace, or a position of it.", \.one),
      .positional("B", "Another workspace, or another position of the first.", \.other),
      .flag("json", "Shows it as lines of JSON.", \.isJSON),
    ]
  }

  var one = Side(path: "", point: nil)
  var other = Side(path: "", point: nil)
  var isJSON = false

  /// A workspace, or a point of its log.
  struct Side: ArgumentValue {
    let path: String
    let point: LogPoint?

    init(path: String, point: LogPoint?) { (self.path, self.point) = (path, point) }

    init(argument text: String) throws(ValueDefect) {
      guard let end = text.lastIndex(of: "@"),
        let point = try? LogPoint(argument: String(text[text.index(after: end)...]))
      else {
        self.init(path: text, point: nil)
        return
      }
      self.init(path: String(text[..<end]), point: point)
    }
  }

  func contradiction() -> String? {
    if (one.point == nil) != (other.point == nil) {
      let without = one.point == nil ? one : other
      return "\(without.path) has no position, as the other argument has: write DIR@P twice, with P as "
        + "\(LogPoint.forms), or leave the positions out."
    }
    if one.point != nil, one.path != other.path {
      return "Positions can be compared within one workspace only: write the same directory twice."
    }
    return nil
  }

  func run(in context: Context) throws(Failure) -> ExitCode {
    let store = try openEvents(one.path, in: context, isGuarded: false)
    defer { store.close() }
    var output = Output(context.output, ofCheck: true)
    let isSame: Bool
    if let start = one.point, let end = other.point {
      let now = Timestamp(rawValue: context.configuration.clock().rawValue)
      let start = try start.resolved(in: store, at: one.path, nil, now: now).position
      let end = try end.resolved(in: store, at: one.path, nil, now: now).position
      isSame = try compare(min(start, end), max(start, end), in: store, context, &output)
    } else {
      let otherStore = try openEvents(other.path, in: context, isGuarded: false)
      defer { otherStore.close() }
      isSame = try compare(store, otherStore, TextLayout(of: context.output), &output)
    }
    try output.flush()
    return isSame ? .done : .refused
  }

  // MARK: Two positions

  private func compare(
    _ start: Position, _ end: Position, in store: EventStore, _ context: Context, _ output: inout Output
  ) throws(Failure) -> Bool {
    let head = try asked { () throws(LogError) in try store.head().position }
    guard end <= head else {
      throw Failure(
        .unable, "The log at \(one.path) ends at position \(head), before \(end): give positions of the log.")
    }
    var options = ReplayOptions()
    options.projections = context.configuration.projectionSets
    options.usesSnapshots = true
    let rows = try rethrow(
      Replay(of: store, at: tablesPath(one.path, of: store), options: options).rows(changedFrom: start, to: end),
      as: { (error: ReplayError) in Failure(error) })
    let paper = TextLayout(of: context.output)
    for row in rows { try output.write(styled: isJSON ? json(row) : paper.lines(row).map { $0 + "\n" }.joined()) }
    if !isJSON { try output.write("\(counted(rows.count, "row")) of \(start)…\(end) differ.\n") }
    return rows.isEmpty
  }

  private func json(_ row: ExplainedRow) -> String {
    var writer = JSONWriter()
    writer.object { row.write(to: &$0) }
    writer.endLine()
    return writer.text
  }

  // MARK: Two workspaces

  private func compare(
    _ store: EventStore, _ otherStore: EventStore, _ paper: TextLayout, _ output: inout Output
  ) throws(Failure) -> Bool {
    let divergence = try asked { () throws(LogError) in try LogDivergence.between(store.log, otherStore.log) }
    let head = try asked { () throws(LogError) in try store.head() }
    if isJSON {
      try output.write(json(divergence, head))
    } else {
      for line in lines(divergence, head, paper) { try output.write(styled: line + "\n") }
    }
    return divergence == nil
  }

  private func lines(_ divergence: LogDivergence?, _ head: Head, _ paper: TextLayout) -> [String] {
    switch divergence {
    case .event(let position, let event, let otherEvent):
      let sides = [(one.path, event), (other.path, otherEvent)].map { path, event in
        "  \(path.inOneLine): \(event.map { paper.line($0) } ?? "ends before position \(position)")"
      }
      return ["The first event that differs is at position \(position):"] + sides
    case .blocks(let position):
      return ["The events are the same and were committed in different blocks from position \(position) on."]
    case .genesis(let end):
      return ["The \(end) events are the same; the logs were created separately, so their chains differ."]
    case nil: return ["They are equal, up to position \(head.position) and hash \(head.hash)."]
    }
  }

  private func json(_ divergence: LogDivergence?, _ head: Head) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.key("same")
      writer.bool(divergence == nil)
      writer.member("position", (divergence?.position ?? head.position).rawValue)
      if case .event(_, let event, let otherEvent) = divergence {
        for (key, event) in [("one", event), ("other", otherEvent)] {
          guard let event else { continue }
          writer.key(key)
          writer.decoded(event)
        }
      }
      writer.member("differs", divergence?.kind)
    }
    writer.endLine()
    return writer.bytes
  }
}

extension LogDivergence {
  /// The kind of difference, in one word.
  fileprivate var kind: String {
    switch self {
    case .event: "event"
    case .blocks: "blocks"
    case .genesis: "genesis"
    }
  }
}
