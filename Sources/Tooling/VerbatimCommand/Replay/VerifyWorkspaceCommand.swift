// `verbatim verify`: checks that a workspace's log is whole and always folds to the same tables.
internal import ChatReplay
internal import EventLog
internal import JSONLines

/// The command that verifies a workspace.
struct VerifyWorkspaceCommand: Command {
  static let name = "verify"
  static let summary =
    "Proves that the log of a workspace is whole and always folds to the same, or shows what differs."
  static let details = """
    It looks at the log (chain, lengths, gaps) and its index; decodes each event and encodes it again;
    starts itself several times, with other hash seeds, time zones, languages and sizes of batches, each
    folding each stretch several times, and compares what they come to with each other, with the
    checkpoints that were recorded where the tables were first folded, and with the tables and
    snapshots that lie there, row by row. Where something differs it shows the first event after which
    it does, and the table, key and fields.

    A file of expected digests, kept beside the code of an app, catches a change of code that alters
    history: make it with --write-expected, and have --expect hold the workspace against it.
    """

  static let examples = [
    "verbatim verify chat", "verbatim verify chat --write-expected Tests/chat.digests",
    "verbatim verify chat --expect Tests/chat.digests", "verbatim verify chat --against ./verbatim-1.4 --json",
  ]

  static var parameters: [Parameter<Self>] {
    [
      .positional("DIR", "The directory of the workspace.", \.path),
      .option("programs", "N", "Starts so many programs that fold; 2 unless told.", \.count),
      .option("expect", "FILE", "Compares with the digests in this file, too.", \.expected),
      .option("write-expected", "FILE", "Writes that file, if all holds.", \.written),
      .option("against", "PROGRAM", "Compares with another build of this program, too.", \.other),
      .flag("json", "Reports as one line of JSON.", \.isJSON),
    ]
  }

  var path = ""
  var count: Int?
  var expected: String?
  var written: String?
  var other: String?
  var isJSON = false

  func contradiction() -> String? {
    if count == 0 { return "--programs is 0 and must be 1 or more." }
    if expected != nil, written != nil { return "--expect reads a file and --write-expected makes one: leave one out." }
    return nil
  }

  func run(in context: Context) throws(Failure) -> ExitCode {
    guard let executable = context.executable else {
      throw Failure(.unable, "Programs are started to compare them: start `\(context.command("verify"))` as a program.")
    }
    var verifier = Verifier(path, by: executable, in: context)
    verifier.count = count ?? 2
    verifier.other = other
    try verifier.verify()
    if let expected { try verifier.hold(against: expected) }
    if let written, verifier.report.holds { try verifier.writeExpected(written) }
    let report = verifier.report
    var output = Output(context.output)
    try output.write(styled: isJSON ? report.json : report.text(path, on: TextLayout(of: context.output)))
    try output.flush()
    return report.holds ? .done : .refused
  }
}
