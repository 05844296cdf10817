// `verbatim readers`: lists the readers of a log, and those whose processes died.
internal import Errors
internal import EventLog
internal import EventLogLMDB
internal import JSONLines

/// The command that lists the readers of a log.
struct ReadersCommand: Command {
  static let name = "readers"
  static let summary = "Shows the readers of a workspace or a log, and their transactions."
  static let details = """
    Each reading process has slots in the reader table. During a read, pages freed since then cannot be
    reused: `behind` is the number of such transactions. The slots of a process that died are stale; the
    next opening of the log frees them, and --reap does at once. If the log's directory is not writable,
    the readers are unknown, and the exit code is 3.
    """

  static let examples = ["verbatim readers chat", "verbatim readers chat --reap"]

  static var parameters: [Parameter<Self>] {
    [
      .positional("DIR", "The directory of the workspace or the log.", \.path),
      .flag("reap", "Frees the slots of dead processes.", \.reaps),
      .flag("json", "Reports one line of JSON.", \.isJSON),
    ]
  }

  var path = ""
  var reaps = false
  var isJSON = false

  func run(in context: Context) throws(Failure) -> ExitCode {
    try requireDirectory(path, orElse: "its readers are in pg_stat_activity of the server")
    DamageGuard.install(for: path, in: context)
    let readers = try rethrow(
      LMDBLog.readers(ofLogAt: path, reaps: reaps), as: { (error: OpenError) in Failure(error) })
    let table = ReaderTable(
      slots: readers.slots, max: readers.max, last: readers.lastTransaction, reaped: readers.reaped)
    try context.report(isJSON ? table.json : table.text)
    return .done
  }
}

/// The reader table of a log at one moment.
private struct ReaderTable {
  let slots: [LogStatistics.ReaderSlot]
  /// The number of slots.
  let max: Int
  /// The last transaction.
  let last: Int
  /// The number of freed slots; nil when none were to be freed.
  let reaped: Int?

  private func behind(_ slot: LogStatistics.ReaderSlot) -> Int? { slot.transaction.map { Swift.max(0, last - $0) } }

  var text: String {
    var lines = slots.map { slot in
      let process = "process \(slot)"
      let reading =
        slot.transaction.map { "reads transaction \($0), \(Swift.max(0, last - $0)) behind" } ?? "not reading"
      return "\(process)  \(slot.isStale ? "died; \(reading)" : reading)"
    }
    if slots.isEmpty { lines.append("There are no readers.") }
    if slots.count >= max { lines.append("All \(max) slots are taken: no other reader can begin until one is freed.") }
    if let reaped { lines.append("\(counted(reaped, "slot")) freed.") }
    return lines.map { $0 + "\n" }.joined()
  }

  var json: String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("transaction", last)
      writer.member("max", max)
      writer.key("readers")
      writer.array { writer in
        for slot in slots {
          writer.object { writer in
            writer.member("process", slot.process)
            writer.member("description", slot.description)
            writer.member("transaction", slot.transaction)
            writer.member("behind", behind(slot))
            writer.key("stale")
            writer.bool(slot.isStale)
          }
        }
      }
      writer.member("reaped", reaped)
    }
    return writer.text + "\n"
  }
}
