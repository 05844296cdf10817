// `verbatim status`: prints the contents, the size and the health of a workspace.
internal import Errors
internal import EventLog
internal import EventLogPostgres
internal import JSONLines
internal import Verbatim
internal import Projections

/// The command that prints the status of a workspace.
struct StatusCommand: Command {
  static let name = "status"
  static let summary = "Shows the contents, size and health of a workspace, with advice on problems."
  static let details = """
    Users, channels and messages are counted if the tables are near the end of the log. It checks both
    meta pages and the length of the log's file, the last block, and that index and tables are on the
    log's chain. It does not read the other blocks and rows: `verbatim verify` does.

    The exit code is 1 if there is a problem: a damaged file, an index or tables that are not on the chain,
    in which case nothing is opened or changed; stopped projections, too little space, a stopped process
    that holds the writer lock, a reader that prevents the reuse of pages.

    In an erasable workspace, it warns of ids of users that look like e-mail addresses or telephone numbers,
    since an erasure does not remove ids.

    --json: path, log, created, events, blocks, recorded, users, channels, messages, idsOfPersons; bytes (log, index,
    projections, snapshots, checkpoints, blobs, outbox, other); state and others (folded, written, lag,
    lastCheckpoint, lastSnapshot), snapshots and checkpoints (positions), stops (projection, position, reason),
    writerLock (process, description), readers (log, index, state, others, each with used, max and lag),
    freeByteCount, advice, a sentence for each problem, and checked and notChecked, the parts that were read and
    those that were not.
    """
  static let examples = ["verbatim status chat", "verbatim status chat --json"]

  static var parameters: [Parameter<Self>] {
    [
      .positional("DIR", "The directory of the workspace, or its address on a server.", \.path),
      .option("time-zone", "ZONE", "The time zone of shown times, as Europe/Berlin; default this machine's.", \.zone),
      .flag("json", "Shows one line of JSON.", \.isJSON),
    ]
  }

  var path = ""
  var zone: Zone?
  var isJSON = false

  func run(in context: Context) throws(Failure) -> ExitCode {
    DamageGuard.install(for: path, in: context)
    let stored = try StoredState(at: path, in: context)
    try stored.requireSound(in: context)
    let workspace = try rethrow(
      Workspace.open(at: path, creates: false, configuration: context.readingConfiguration),
      as: Failure.init(asking:))
    defer { workspace.closeBlocking() }
    let status = try rethrow(
      WorkspaceStatus(of: workspace, at: path, besides: stored),
      as: { (error: ProjectionError) in Failure(.unable, error.description) })
    var output = Output(context.output, ofCheck: true)
    let text = Answer.Text.list(status.list(Times(zone))).lines(for: context.output)
    try output.write(
      styled: isJSON ? status.json + "\n" : (text + status.closing(in: context)).map { $0 + "\n" }.joined())
    try output.flush()
    return status.advice.isEmpty ? .done : .refused
  }
}

extension WorkspaceStatus {
  /// Returns the properties that are always printed.
  func list(_ times: Times) -> PropertyList {
    let (log, tables) = (statistics.log, [statistics.state, statistics.others].compactMap(\.self))
    var list = PropertyList()
    list.add("workspace", path)
    list.add("since", times(genesis.created))
    list.add("events", "\(log.head.position) in \(counted(log.head.blocks, "block"))")
    list.add("last append", log.head.blocks == 0 ? "none" : times(log.head.recorded))
    list.add("users", counts.map { "\($0.users)" } ?? uncounted)
    list.add("channels", counts.map { "\($0.channels)" } ?? uncounted)
    list.add("messages", counts.map { "\($0.messages)" } ?? uncounted)
    for part in sizes where part.bytes > 0 { list.add(part.name, part.bytes.sized) }
    list.add("snapshots at", snapshots.isEmpty ? "none" : snapshots.map { "\($0)" }.joined(separator: ", "))
    list.add("checkpoints at", checkpoints.isEmpty ? "none" : checkpoints.map { "\($0)" }.joined(separator: ", "))
    for (name, tables) in zip(["state", "others"], tables) {
      list.add(name, tables.lag == 0 ? "folded to the end" : "\(counted(tables.lag, "event")) not folded yet")
    }
    list.add("writer lock", statistics.writerLock.holder.map { "held by process \($0.description)" } ?? "free")
    list.add("readers", readers.map { "\($0.name) \($0.readers.used) of \($0.readers.max)" }.joined(separator: ", "))
    list.add("free space", statistics.freeByteCount.map { $0.sized } ?? "unknown")
    return list
  }

  private var uncounted: String {
    let lag = max(statistics.state.lag, statistics.others?.lag ?? 0)
    return "not counted: \(counted(lag, "event")) must be folded first"
  }

  /// Returns the advice, one line each, or that the checks found nothing wrong; then what was not checked.
  func closing(in context: Context) -> [String] {
    let verdict =
      advice.isEmpty
      ? ["The checks found no problem: \(checked.joined(separator: ", "))."]
      : ["Problems:"] + advice.map { "  " + $0.inOneLine }
    let unread = "Not checked: \(notChecked.joined(separator: ", ")); `\(context.command("verify", path))` checks them."
    let strange = "Not checked: the tables of other programs: \(unknown.map { "\($0)" }.joined(separator: "; "))."
    return [""] + verdict + idsOfPersons + (notChecked.isEmpty ? [] : [unread.inOneLine])
      + (unknown.isEmpty ? [] : [strange.inOneLine])
  }

  /// A warning about ids that name persons, if there are any.
  private var idsOfPersons: [String] {
    guard let ids = counts?.idsOfPersons, let first = ids.first else { return [] }
    let number = ids.count < Counts.idsOfPersonsMax ? "\(ids.count)" : "\(ids.count) or more"
    let verb = ids.count == 1 ? "user has an id that looks" : "users have ids that look"
    return [
      "Warning: \(number) \(verb) like an e-mail address or a telephone number, such as \(first): ids are not erased."
        .inOneLine
    ]
  }

  /// The parts that are checked on every run.
  private var checked: [String] {
    let log =
      PostgresAddress.isAddress(path)
      ? "the log's head, what it acknowledged to this machine, the server's settings"
      : "the log's length, its meta pages, its last block"
    return [log, "the positions of index and tables"]
  }

  /// The existing parts that are not read.
  private var notChecked: [String] {
    [
      statistics.log.head.blocks > 1 ? "the blocks before the last" : nil,
      statistics.log.head.blocks > 0 ? "the rows of index, tables and snapshots" : nil,
    ].compactMap(\.self)
  }

  /// The status as one line of JSON.
  var json: String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("path", path)
      writer.member("log", genesis.id.description)
      writer.member("created", genesis.created.description)
      writer.member("events", statistics.log.head.position.rawValue)
      writer.member("blocks", statistics.log.head.blocks)
      writer.member("recorded", statistics.log.head.recorded.description)
      writer.member("users", counts?.users)
      writer.member("channels", counts?.channels)
      writer.member("messages", counts?.messages)
      writer.member("idsOfPersons", JSON(of: counts?.idsOfPersons ?? []))
      writer.key("bytes")
      writer.object { writer in for part in sizes { writer.member(part.name, part.bytes) } }
      for (key, tables) in [("state", statistics.state), ("others", statistics.others)] {
        if let tables { writer.tables(key, tables) }
      }
      writer.member("snapshots", JSON(of: snapshots))
      writer.member("checkpoints", JSON(of: checkpoints))
      writer.member("stops", JSON(of: stops))
      if let holder = statistics.writerLock.holder { writer.member("writerLock", JSON(of: holder)) }
      writer.key("readers")
      writer.object { writer in for file in readers { writer.member(file.name, JSON(of: file.readers)) } }
      writer.member("freeByteCount", statistics.freeByteCount)
      writer.member("advice", JSON(of: advice))
      writer.member("checked", JSON(of: checked))
      writer.member("notChecked", JSON(of: notChecked + unknown.map { "tables of another program: \($0)" }))
    }
    return writer.text
  }
}

extension JSONWriter {
  fileprivate mutating func tables(_ key: String, _ tables: Statistics.Tables) {
    self.key(key)
    object { writer in
      writer.member("folded", tables.folded.rawValue)
      writer.member("written", tables.written.rawValue)
      writer.member("lag", tables.lag)
      writer.member("lastCheckpoint", tables.lastCheckpoint?.rawValue)
      writer.member("lastSnapshot", tables.lastSnapshot?.rawValue)
    }
  }
}

extension Int {
  /// The byte count as text: 512 bytes, 1.5 MB.
  fileprivate var sized: String {
    var (value, unit) = (Double(self), 0)
    let units = ["bytes", "KB", "MB", "GB", "TB"]
    while value >= 1000, unit < units.count - 1 { (value, unit) = (value / 1000, unit + 1) }
    if unit == 0 { return counted(self, "byte") }
    let tenths = Int((value * 10).rounded())
    return "\(tenths / 10).\(tenths % 10) \(units[unit])"
  }
}
