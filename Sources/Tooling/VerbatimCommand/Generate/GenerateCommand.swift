// `verbatim generate`: creates a workspace with a generated conversation.
internal import Chat
internal import Errors
internal import EventLog
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
    composer, about forty events per message: 25,000 messages give a million events.

    The same seed and numbers give the same events, in the same blocks, with the same chain hash, which is
    shown at the end; also in another version of the program, unless its notes say otherwise. Times begin
    with 2026. An interrupted run leaves the part generated so far.
    """

  static let examples = [
    "verbatim generate chat", "verbatim generate chat --seed 7 --messages 20000 --keystrokes",
  ]

  static var parameters: [Parameter<Self>] {
    [
      .positional("DIR", "The directory of the workspace; it must not exist yet.", \.path),
      .option("seed", "S", "The seed, a number; default 1.", \.seed),
      .option("users", "N", "The number of users; default 20.", \.users),
      .option("channels", "N", "The number of channels; default 5.", \.channels),
      .option("messages", "N", "The number of messages; default 1000.", \.messages),
      .flag("keystrokes", "Records each keystroke.", \.keystrokes),
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
  var isJSON = false
  var ahead: Int?

  func contradiction() -> String? {
    if users == 0 { return "--users is 0 and must be 1 or more." }
    if channels == 0 { return "--channels is 0 and must be 1 or more." }
    return nil
  }

  func run(in context: Context) throws(Failure) -> ExitCode {
    try requireNoLog(at: path)
    InterruptFlag.install(in: context)
    let size = ConversationSize(
      users: users ?? 20, channels: channels ?? 5, messages: messages ?? 1000, keystrokes: keystrokes)
    let conversation = ConversationGenerator(seed: UInt64(seed ?? 1), size: size)
    let generated = try GeneratedWorkspace(at: path, seed: UInt64(seed ?? 1), in: context)
    defer { generated.close() }
    let isWhole = try generated.fill(with: conversation, ahead: max(1, ahead ?? 64))
    let head = try asked { () throws(LogError) in try generated.head() }
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
    writer.object { writer in
      writer.member("events", head.position.rawValue)
      writer.member("blocks", head.blocks)
      writer.member("hash", "\(head.hash)")
    }
    return writer.text + "\n"
  }
}

/// A workspace that is being generated, whose clock is that of the conversation.
private struct GeneratedWorkspace {
  /// The clock and the random bits of ids: nothing is taken from the machine.
  private final class World: Sendable {
    let now = Atomic<Int64>(0)
    let random: Mutex<SplitMix64>

    init(seed: UInt64) { random = Mutex(SplitMix64(seed: ~seed)) }
  }

  private let world: World
  private let workspace: Workspace
  private let progress: ProgressLine

  init(at path: String, seed: UInt64, in context: Context) throws(Failure) {
    let world = World(seed: seed)
    world.now.store(ConversationGenerator.start.rawValue, ordering: .relaxed)
    var configuration = context.configuration
    configuration.clock = { Timestamp(rawValue: world.now.load(ordering: .relaxed)) }
    configuration.randomBits = { world.random.withLock { $0.next() } }
    configuration.searchesMessages = false
    configuration.draftMessagesEnabled = true
    workspace = try rethrow(
      Workspace.open(at: path, configuration: configuration),
      as: { (error: WorkspaceError) in Failure(.unable, error.description) })
    self.world = world
    progress = ProgressLine("messages", in: context)
  }

  /// Submits moment after moment; returns whether the conversation is complete.
  func fill(with conversation: ConversationGenerator, ahead: Int) throws(Failure) -> Bool {
    var conversation = conversation
    defer { progress.end() }
    while !InterruptFlag.hasHappened {
      var monotonicClock: [Moment] = []
      while monotonicClock.count < ahead, let moment = conversation.next() { monotonicClock.append(moment) }
      if monotonicClock.isEmpty { return true }
      for moment in monotonicClock { try submit(moment) }
      progress.reach(UInt64(conversation.sentCount), of: UInt64(conversation.size.messages))
    }
    return false
  }

  private func submit(_ moment: Moment) throws(Failure) {
    world.now.store(moment.instant.rawValue, ordering: .relaxed)
    for outcome in workspace.submit(each: moment.submissions) {
      if case .failure(let error) = outcome { throw Failure(.unable, "\(error)") }
    }
  }

  func head() throws(LogError) -> Head { try workspace.store.head() }

  func close() { workspace.closeBlocking() }
}
