// `verbatim verify`: checks that a workspace's log is whole and always folds to the same tables.
internal import ChatReplay
internal import EventLog
internal import JSONLines

/// The command that verifies a workspace.
struct VerifyWorkspaceCommand: Command {
  static let name = "verify"
  static let summary =
    "Verifies that the log of a workspace is undamaged and its fold deterministic, or shows the differences."
  static let details = """
    It checks the log (chain, lengths, gaps) and its index; decodes and encodes each event; runs several
    replays with different hash seeds, time zones, languages and batch sizes, each folding each stretch
    several times, and two that fold it once, one of them from the newest snapshot; and compares their
    results with each other, with the checkpoints of the first fold, and with the stored tables and
    snapshots, row by row. For a difference it shows the first event after which it occurs, and the table,
    key and fields.

    Seals (`verbatim seal`) show a log that was rewritten with all its hashes, which the other checks cannot.

    A file of expected digests, kept beside the code of an app, detects a code change that alters the fold
    of old events: create it with --write-expected, and compare with --expect.
    """

  static let examples = [
    "verbatim verify chat", "verbatim verify chat --write-expected Tests/chat.digests",
    "verbatim verify chat --expect Tests/chat.digests", "verbatim verify chat --against ./verbatim-1.4 --json",
    "verbatim verify chat --seals chat/seals --public-key seal.key.pub",
  ]

  static var parameters: [Parameter<Self>] {
    [
      .positional("DIR", "The directory of the workspace, or its address on a server.", \.path),
      .option("programs", "N", "The number of programs that fold each stretch several times; default 2.", \.count),
      .option("expect", "FILE", "Compares with the digests in this file, too.", \.expected),
      .option("write-expected", "FILE", "Writes this file of digests, if there are no findings.", \.written),
      .option("against", "PROGRAM", "Compares with another build of this program, too.", \.other),
      .flag("json", "Reports one line of JSON.", \.isJSON),
      .flag("progress", "Reports the progress on standard error, too, as lines of JSON.", \.reportsProgress),
    ] + SealChecks.parameters.map { $0.of(\.seals) }
  }

  var path = ""
  var count: Int?
  var expected: String?
  var written: String?
  var other: String?
  var isJSON = false
  var reportsProgress = false
  var seals = SealChecks()

  func contradiction() -> String? {
    if let defect = unusable(count, of: "programs", max: 100) { return defect }
    if expected != nil, written != nil { return "--expect and --write-expected cannot be combined: leave one out." }
    return seals.contradiction()
  }

  func run(in context: Context) throws(Failure) -> ExitCode {
    guard let executable = context.executable else {
      throw Failure(.unable, "The verification starts programs: start `\(context.command("verify"))` as a program.")
    }
    var context = context
    context.reportsProgress = reportsProgress
    var verifier = Verifier(path, by: executable, in: context)
    verifier.count = count ?? 2
    verifier.other = other
    verifier.seals = seals
    verifier.expected = try expected.map { name throws(Failure) in try ExpectedFile(readFrom: name) }
    try verifier.verify()
    if let written, verifier.report.holds { try verifier.writeExpected(written) }
    let report = verifier.report
    var output = Output(context.output, ofCheck: true)
    try output.write(styled: isJSON ? report.json : report.text(path, on: TextLayout(of: context.output)))
    try output.flush()
    return report.holds ? .done : .refused
  }
}
