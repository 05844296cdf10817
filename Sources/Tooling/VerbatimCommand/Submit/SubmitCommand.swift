// `verbatim submit`: writes into a workspace from a script.
internal import Chat
internal import Errors
internal import EventLog
internal import JSONLines
internal import Scenarios
internal import Verbatim

/// The command that submits intents: those of a verb, or those of the lines of standard input.
struct SubmitCommand: Command {
  static let name = "submit"
  static let summary = "Writes into a workspace from a script: one verb, or lines of JSON on standard input."
  static var details: String {
    """
    `send CHANNEL TEXT` sends a message. Other verbs are those of a scenario line, each with its value and
    further keys as KEY=VALUE; other processes may have the workspace open. Without a verb, each line of
    standard input is submitted as it arrives:
      {"message":{"channel":"general"},"send":{"text":"Hello"}}
      {"id":"UUID","intents":[{"channel":"lunch","create":{"name":"Lunch"}},{…}]}
    A line has one intent, or several that are recorded together or not at all. With an id, a repeated
    line is recorded once, by any process, and has the same receipt.

    For each line one line of JSON is printed once it is durable: positions and ids, or error, an object
    with code, values and sentence. The first refused line ends the command; earlier ones stay recorded.
    The page Submitting of VerbatimCommand lists the intents, and ScenarioFormat of Scenarios the keys of
    the verbs.

    verbs:
    \(verbLines.joined(separator: "\n"))
    """
  }
  static let examples = [
    "verbatim submit chat --as ada send general 'Hello, Ben'",
    "verbatim submit chat --as ada@phone react like to=m1 in=general",
    "verbatim submit chat --system user zoe name=Zoe role=admin",
    "verbatim submit chat --as bot --keep-going < lines.jsonl",
  ]

  static var parameters: [Parameter<Self>] {
    [
      .positional("DIR", "The directory of the workspace, or its address on a server.", \.path),
      .positionals("WORD", "A verb, its value, and its keys as KEY=VALUE; default lines of JSON.", \.words).optional,
      .option(
        "as", "USER[@DEVICE]", "The user who acts; a user whose id has an @ is written with one behind it.", \.user),
      .flag("system", "Acts as the app itself.", \.isSystem),
      .option("id", "UUID", "Records a verb once, however often it is repeated with this id.", \.id),
      .flag("keep-going", "Continues after a line that is refused.", \.keepsGoing),
      .flag("accept-clock", "Accepts this machine's clock, however far it is ahead of the log.", \.acceptsClock),
    ]
  }

  var path = ""
  var words: [String] = []
  var user: UserOnDevice?
  var isSystem = false
  var id: AppendID?
  var keepsGoing = false
  var acceptsClock = false

  private static var verbLines: [String] {
    VerbWords.groups.flatMap { title, verbs in
      var lines = ["  " + title.lowercased() + ":"]
      for verb in verbs {
        if lines[lines.count - 1].count + verb.count + 1 > 96 { lines.append("   ") }
        lines[lines.count - 1] += " " + verb
      }
      return lines
    }
  }

  func contradiction() -> String? {
    switch (user, isSystem) {
    case (nil, false): "--as is missing: name the user who acts, as in --as ada, or give --system for the app."
    case (.some, true): "--as and --system both name the author: leave one out."
    case _ where words.isEmpty && id != nil: "--id is for a verb: write “id” into the lines of standard input."
    case _ where !words.isEmpty && keepsGoing: "--keep-going is for lines of standard input: leave it out."
    default: nil
    }
  }

  func run(in context: Context) throws(Failure) -> ExitCode {
    let verb = try words.isEmpty ? nil : rethrow(VerbWords(words), as: { (defect: InputDefect) in Failure(defect) })
    DamageGuard.install(for: path, in: context)
    var configuration = context.configuration
    if acceptsClock { configuration.clockLimits = nil }
    let workspace = try rethrow(
      Workspace.open(at: path, creates: false, configuration: configuration), as: Failure.init(asking:))
    defer { workspace.closeBlocking() }
    let author = user.map { Author.user($0.user, on: $0.device) } ?? .system
    var session = SubmitSession(workspace, author, Output(context.output))
    if let verb { return try session.submit(verb, id: id) }
    return try session.submitLines(of: LineReader(context.input), keepsGoing: keepsGoing)
  }
}

extension Failure {
  fileprivate init(_ defect: InputDefect) { self.init(.misused, defect.description) }
}

/// A user and one of their devices, as `ada@phone`.
struct UserOnDevice: ArgumentValue, Sendable {
  let user: User.ID
  let device: Device.ID?

  init(argument text: String) throws(ValueDefect) {
    let at = text.lastIndex(of: "@")
    let (name, rest) = at.map { (String(text[..<$0]), String(text[text.index(after: $0)...])) } ?? (text, "")
    guard let user = User.ID(rawValue: name), rest.isEmpty || Device.ID(rawValue: rest) != nil else {
      throw ValueDefect(expected: "a user, as ada, or a user on a device, as ada@phone")
    }
    (self.user, device) = (user, Device.ID(rawValue: rest))
  }
}

extension AppendID: ArgumentValue {
  init(argument text: String) throws(ValueDefect) {
    guard let id = AppendID(text) else { throw ValueDefect(expected: "a UUID") }
    self = id
  }
}
