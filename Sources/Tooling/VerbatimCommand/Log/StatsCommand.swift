// `verbatim log stats`: prints the size of a log, and the processes that use it.
internal import JSONLines
internal import EventLog
internal import EventLogLMDB

/// The command that prints statistics available without reading the log.
struct StatsCommand: Command {
  static let name = "stats"
  static let summary = "Shows the contents, size and users of a log."
  static let examples = [
    "verbatim log stats log",
    "verbatim log stats log --json",
  ]

  static var parameters: [Parameter<Self>] {
    [
      .positional("DIR", "The directory of the log, or its address on a server.", \.path),
      .flag("json", "Shows one line of JSON.", \.isJSON),
    ]
  }

  var path = ""
  var isJSON = false

  func run(in context: Context) throws(Failure) -> ExitCode {
    let store = try openStore(path, in: context)
    defer { store.close() }
    let facts = try asked { () throws(LogError) in
      let files = try (store.log as? LMDBLog)?.statistics()
      let head = if let files { files.head } else { try store.head() }
      return LogFacts(genesis: store.log.genesis, head: head, files: files)
    }
    var output = Output(context.output)
    try output.write(isJSON ? facts.json : facts.text)
    try output.flush()
    return .done
  }
}

/// The contents of a log, and its files if it is in a directory.
private struct LogFacts {
  let genesis: Genesis
  let head: Head
  let files: LogStatistics?

  var text: String {
    let rows: [(String, String)] = [
      ("log", genesis.id.description),
      ("created", genesis.created.description),
      ("application", genesis.application?.text ?? "none"),
      ("events", "\(head.position)"),
      ("blocks", "\(head.blocks)"),
      ("last append", head.blocks == 0 ? "none" : head.recorded.description),
      ("chain hash", "\(head.hash)"),
    ]
    return (rows + (files?.rows ?? [])).map { $0 + String(repeating: " ", count: 13 - $0.count) + $1 + "\n" }.joined()
  }

  var json: String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("log", genesis.id.description)
      writer.member("created", genesis.created.description)
      writer.member("application", genesis.application?.text)
      writer.member("events", head.position.rawValue)
      writer.member("blocks", head.blocks)
      writer.member("recorded", head.recorded.description)
      writer.member("hash", "\(head.hash)")
      files?.write(to: &writer)
    }
    return writer.text + "\n"
  }
}

extension LogStatistics {
  fileprivate var rows: [(String, String)] {
    let readers = readers.map { slot in
      "process \(slot.process)" + (slot.transaction.map { " (transaction \($0))" } ?? "")
    }
    return [
      ("log file", counted(fileByteCount, "byte")),
      ("index", counted(indexByteCount, "byte")),
      ("pages", "\(pages) of \(counted(pageByteCount, "byte"))"),
      ("readers", readers.isEmpty ? "none" : readers.joined(separator: ", ")),
      ("writer lock", writerLockHolder.map { "held by process \($0)" } ?? "free"),
    ]
  }

  fileprivate func write(to writer: inout JSONWriter) {
    writer.member("fileByteCount", fileByteCount)
    writer.member("indexByteCount", indexByteCount)
    writer.member("pages", pages)
    writer.member("pageByteCount", pageByteCount)
    writer.key("readers")
    writer.array { for slot in readers { slot.write(to: &$0) } }
    writer.member("writerLockHolder", writerLockHolder)
  }
}

extension LogStatistics.ReaderSlot {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("process", process)
      writer.member("transaction", transaction)
    }
  }
}
