// `verbatim mirror`: copies a log to another of either kind, block for block, and follows it.
internal import EventLog
internal import EventLogLMDB
internal import Errors
internal import JSONLines
internal import Verbatim

/// The command that keeps a copy of a log up to date.
struct MirrorCommand: Command {
  static let name = "mirror"
  static let summary = "Copies a workspace or a log, block for block, and keeps the copy up to date."
  static let details = """
    Either can be a directory or the address of a server. The copy has the same blocks and the same chain
    hash; it is created if it is missing, and continued otherwise. A copy that has other events, because
    another program appended to it, is refused and left as it is. Each block is checked before it is
    written.

    Contents of the attachments that a block names are copied before it. The exit code is 1 if some are
    missing or damaged: they are named at the end, and copied by the next run that finds them. A run that
    copies no block looks for those that the copy lacks and the source has; `verify` names all that are
    missing.

    It follows the log until it is interrupted; --once ends at the log's end, and fails if it is
    interrupted before.

    --json: events, blocks, hash, attachments (the number of copied ones), missing (sentences), at the end.
    """
  static let examples = ["verbatim mirror chat 'postgres://db/chat?log=copy'", "verbatim mirror chat copy --once"]

  static var parameters: [Parameter<Self>] {
    [
      .positional("FROM", "The directory or the address of the log.", \.source),
      .positional("TO", "The directory or the address of the copy.", \.copy),
      .flag("once", "Ends when the copy has every event.", \.isOnce),
      .flag("json", "Reports one line of JSON.", \.isJSON),
    ]
  }

  var source = ""
  var copy = ""
  var isOnce = false
  var isJSON = false

  func run(in context: Context) throws(Failure) -> ExitCode {
    DamageGuard.install(for: source, in: context)
    let log = try openLog(source, .reading, in: context)
    defer { log.close() }
    let copied = try openLog(copy, LMDBLog.Options(creates: true, genesis: log.genesis), in: context)
    defer { copied.close() }
    InterruptFlag.install(in: context)
    let progress = ProgressLine("events copied", in: context)
    defer { progress.end() }
    var copying = try begin(log, copied)
    var blobs = BlobCopies(of: log, at: source, to: copied, at: copy)
    let hasAll = try asked { () throws(LogError) in
      try blobs?.copyBlobs(namedThrough: copying.end.position) { !InterruptFlag.hasHappened } ?? true
    }
    while true {
      let total = try asked { () throws(LogError) in try log.head().position.rawValue }
      try asked { () throws(LogError) in
        try copying.copyBlocks(
          preparing: { block throws(LogError) in try blobs?.copyBlobs(namedIn: block) },
          { position in
            progress.reach(position.rawValue, of: total)
            return !InterruptFlag.hasHappened
          })
      }
      if isOnce, InterruptFlag.hasHappened, !hasAll || copying.end.position.rawValue < total {
        let attachments = hasAll ? "" : ", and may lack attachments"
        throw Failure(
          .unable,
          "The mirror was interrupted: \(copy) has \(copying.end.position) of \(total) events\(attachments); mirror "
            + "again.")
      }
      if isOnce || InterruptFlag.hasHappened { break }
      // A failure here is reported by `head`, which goes on trying for longer.
      while !InterruptFlag.hasHappened,
        (try? log.wait(beyond: copying.end.position, until: .now + .milliseconds(100))) == false
      {}
    }
    try context.report(isJSON ? json(copying.end, blobs) : text(copying.end, blobs), ofCheck: true)
    return blobs?.failures.isEmpty != false ? .done : .refused
  }

  /// Returns the copying; throws unless the copy is the beginning of the log.
  private func begin(_ log: any Log, _ copied: any Log) throws(Failure) -> LogCopy {
    if let copying = try asked({ () throws(LogError) in try LogCopy(of: log, in: copied) }) { return copying }
    let end = try asked { () throws(LogError) in try copied.head() }
    throw Failure(
      .refused,
      "\(copy), which ends at position \(end.position) with the hash \(end.hash), is not the beginning of \(source): "
        + "name another copy.")
  }

  private func text(_ end: Head, _ blobs: BlobCopies?) -> String {
    var lines = [
      "\(copy) has \(counted(Int(end.position.rawValue), "event")) in \(counted(end.blocks, "block")).",
      "chain hash \(end.hash)",
    ]
    if let blobs, blobs.count > 0 { lines.append("\(counted(blobs.count, "attachment")) copied") }
    return (lines + (blobs?.failures ?? [])).map { $0 + "\n" }.joined()
  }

  private func json(_ end: Head, _ blobs: BlobCopies?) -> String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.members(of: end)
      writer.members(attachments: blobs?.count ?? 0, missing: blobs?.failures ?? [])
    }
    return writer.text + "\n"
  }
}
