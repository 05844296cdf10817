// `verbatim generate`: creates a workspace with a generated conversation.
internal import Chat
internal import Errors
internal import EventLog
internal import EventLogPostgres
internal import JSONLines
internal import RandomNumbers
internal import Synchronization
internal import Verbatim

/// The command that creates a workspace from a seed.
struct GenerateCommand: Command {
  static let name = "generate"
  static let summary = "Creates a workspace with a random conversation from a seed."
  static let details = """
    Users join, write in several languages, reply in threads, quote, attach, mention, react, edit, delete,
    pin, mute, ban, read, leave drafts, and leave. With --keystrokes each character is recorded in its
    composer at its own time, about fifty events per message: with pauses between keys, words and
    sentences, and with errors that are noticed and corrected. Nothing waits: the times are those of the
    events.

    The same seed and numbers give the same events, in the same blocks, with the same chain hash, which is
    shown at the end; also in another version of the program, unless its notes say otherwise. Times begin
    with 2026. An interrupted run leaves the part generated so far.
    """

  static let examples = [
    "verbatim generate chat", "verbatim generate chat --seed 7 --messages 20000 --keystrokes",
  ]

  static var parameters: [Parameter<Self>] {
    [
      .positional("DIR", "The directory of the workspace, or an address on a server; it must not exist yet.", \.path),
      .option("seed", "S", "The seed, a number; default 1.", \.seed),
      .option("users", "N", "The number of users; default 20.", \.users),
      .option("channels", "N", "The number of channels; default 5.", \.channels),
      .option("messages", "N", "The number of messages; default 1000.", \.messages),
      .flag("keystrokes", "Records each keystroke.", \.keystrokes),
      .flag("erasable", "Encrypts what people write, so that it can be erased, with keys from the seed.", \.isErasable),
      .flag("json", "Reports one line of JSON.", \.isJSON),
      .option("ahead", "N", "The number of steps generated before each submit.", \.ahead).hidden,
    ]
  }

  var path = ""
  var seed: Int?
  var users: Int?
  var channels: Int?
  var messages: Int?
  var keystrokes = false
  var isErasable = false
  var isJSON = false
  var ahead: Int?

  func contradiction() -> String? {
    if isErasable, PostgresAddress.isAddress(path) { return "--erasable is for a workspace in a directory." }
    return unusable(users, of: "users", max: 1_000_000) ?? unusable(channels, of: "channels", max: 1_000_000)
  }

  func run(in context: Context) throws(Failure) -> ExitCode {
    try requireNoLog(at: path, in: context)
    InterruptFlag.install(in: context)
    let size = ConversationSize(
      users: users ?? 20, channels: channels ?? 5, messages: messages ?? 1000, keystrokes: keystrokes)
    var conversation = ConversationGenerator(seed: UInt64(seed ?? 1), size: size)
    var generated = try GeneratedWorkspace(at: path, of: conversation, isErasable: isErasable, in: context)
    defer { generated.close() }
    let isWhole = try generated.fill(with: &conversation, ahead: max(1, ahead ?? 64))
    let head = generated.head
    var output = Output(context.output)
    try output.write(isJSON ? json(head) : text(head, size))
    try output.flush()
    if !isWhole { throw Failure(.unable, "The run was interrupted: the part generated so far is in \(path).") }
    return .done
  }

  private func text(_ head: Head, _ size: ConversationSize) -> String {
    let parts = [
      "\(counted(Int(head.position.rawValue), "event")) in \(counted(head.blocks, "block"))",
      "\(counted(size.users, "user")), \(counted(size.channels, "channel"))",
    ]
    return "The workspace at \(path) has \(parts.joined(separator: "; ")).\nchain hash \(head.hash)\n"
  }

  private func json(_ head: Head) -> String {
    var writer = JSONWriter()
    writer.object { $0.members(of: head) }
    return writer.text + "\n"
  }
}
