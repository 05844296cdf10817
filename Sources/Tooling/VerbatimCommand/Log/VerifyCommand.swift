// `verbatim log verify`: checks that every block of a log is as it was written.
internal import Errors
internal import JSONLines
internal import EventLog
internal import EventLogLMDB
internal import EventLogPostgres

/// The command that checks a log.
struct VerifyCommand: Command {
  static let name = "verify"
  static let summary = "Verifies that every block of a log is undamaged."
  static let details = """
    The files are read without LMDB's map, in a separate process, so that any damage can be reported.
    Nothing is changed.
    """
  static let examples = [
    "verbatim log verify log",
    "verbatim log verify log --json",
    "verbatim log verify log --seals seals --public-key seal.key.pub",
  ]

  static var parameters: [Parameter<Self>] {
    [
      .positional("DIR", "The directory of the log, or its address on a server.", \.path),
      .flag("json", "Reports one line of JSON.", \.isJSON),
      .flag("in-process", "Checks in this process.", \.staysInProcess).hidden,
    ] + SealChecks.parameters.map { $0.of(\.seals) }
  }

  var path = ""
  var isJSON = false
  var staysInProcess = false
  var seals = SealChecks()

  func contradiction() -> String? { seals.contradiction() }

  func run(in context: Context) throws(Failure) -> ExitCode {
    guard let executable = context.executable, !staysInProcess else { return try check(in: context) }
    let arguments = ["log", "verify", "--in-process"] + (isJSON ? ["--json"] : []) + seals.arguments + ["--", path]
    switch try runAgain(executable, arguments, in: context) {
    case .exited(let code):
      guard let code = ExitCode(rawValue: code) else {
        throw Failure(.unable, "The check failed with exit code \(code): try again.")
      }
      return code
    case .signalled(let number):
      throw Failure(
        .unable,
        "The check was terminated by signal \(number) without a result for the log at \(path): try again, "
          + "and if it happens again salvage the log.")
    }
  }

  private func check(in context: Context) throws(Failure) -> ExitCode {
    var report = try report(in: context)
    try compareSeals(&report, in: context)
    try context.report(isJSON ? report.json : report.text(path, in: context), ofCheck: true)
    return report.holds ? .done : .refused
  }
}

extension VerifyCommand {
  private func compareSeals(_ report: inout LogReport, in context: Context) throws(Failure) {
    if seals.path == nil { return }
    guard report.findings.allSatisfy({ $0.location == .index }) else {
      return report.notes.append("The seals were not compared, since the log is damaged.")
    }
    switch try seals.compare(logAt: path, in: context) {
    case .success(let words): report.notes.append("The log has the events of \(words).")
    case .failure(let finding): report.report(.seal, "\(finding)")
    }
  }

  private func report(in context: Context) throws(Failure) -> LogReport {
    guard let address = PostgresAddress(path) else {
      return try rethrow(LogCheck.verify(logAt: path), as: { (error: OpenError) in Failure(error) })
    }
    let options = PostgresLog.Options(.reading, in: context)
    let log = try rethrow(PostgresLog.open(at: address, options: options), as: { (error: OpenError) in Failure(error) })
    defer { log.close() }
    return try asked { () throws(LogError) in try log.verify() }
  }
}

extension LogReport {
  fileprivate func text(_ path: String, in context: Context) -> String {
    let lines = findings.map(\.description) + notes + [summary(path, in: context)]
    return lines.joined(separator: "\n") + "\n"
  }

  private func summary(_ path: String, in context: Context) -> String {
    let counts = "\(counted(events, "event")) in \(counted(blocks, "block"))"
    if holds { return "The log at \(path) is undamaged: \(counts)." }
    if findings.contains(where: { $0.location == .seal }) {
      return "The log at \(path) is undamaged: \(counts). The comparison with its seals failed."
    }
    if findings.allSatisfy({ $0.location == .index }) {
      let index = PostgresAddress.isAddress(path) ? "the directory of the index" : "\(path)/index"
      return
        "The log at \(path) is undamaged: \(counts). Its index differs from it: delete \(index) "
        + "while no process has the log open, and the next opening rebuilds it."
    }
    if findings.allSatisfy({ $0.location == .index || $0.location == .unforcedCommit }) {
      return "The log at \(path) has \(counts), and an incomplete commit: open it writable, "
        + "for example with `\(context.command("log", "stats", path))`, which completes the commit, then verify again."
    }
    if PostgresAddress.isAddress(path) {
      return "The log at \(path) is damaged: \(counts) are intact. Restore a backup of the server."
    }
    return "The log at \(path) is damaged: \(counts) are intact. Restore a backup, or salvage the intact blocks with "
      + "`\(context.command("log", "salvage", path))`."
  }

  fileprivate var json: String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.key("holds")
      writer.bool(holds)
      writer.member("position", head?.position.rawValue)
      writer.member("hash", head.map { "\($0.hash)" })
      writer.member("blocks", blocks)
      writer.member("events", events)
      writer.key("findings")
      writer.array { for finding in findings { finding.write(to: &$0) } }
      writer.key("notes")
      writer.array { for note in notes { $0.string(note) } }
    }
    return writer.text + "\n"
  }
}

extension LogReport.Finding {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      switch location {
      case .block(let last, let offset):
        writer.member("place", "block")
        writer.member("last", last.rawValue)
        writer.member("offset", offset)
      case .page(let number):
        writer.member("place", "page")
        writer.member("page", number)
      case .log: writer.member("place", "log")
      case .index: writer.member("place", "index")
      case .seal: writer.member("place", "seal")
      case .unforcedCommit: writer.member("place", "unforcedCommit")
      }
      writer.member("description", description)
    }
  }
}

/// Returns a count with its noun: "1 event", "2 events".
func counted(_ count: some BinaryInteger, _ noun: String) -> String {
  "\(count) \(noun)\(count == 1 ? "" : "s")"
}
