// A process that submits to a workspace, reads and follows it, as requested by its arguments.
import ChatSamples
import ChildProcess
import SeededRandom
package import Verbatim

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The arguments are the command, the workspace, the worker's number and the seed; each step is reported by a line on
/// standard output.
@main package enum Worker {
  package static func main() async throws {
    let arguments = CommandLine.arguments
    let workspace = try Worker.open(arguments[2]) { configuration in
      configuration.draftMessagesEnabled = arguments.last == "on"
      configuration.isErasable = arguments.last == "erasable"
    }
    switch arguments[1] {
    case "submit":
      let random = SeededRandom(seed: UInt64(arguments[4])!)
      try await submit(workspace, Submitter(workspace, number: Int(arguments[3])!, random), count: Int(arguments[5])!)
    case "read": try await read(workspace)
    case "consume": try await consume(in: workspace)
    case "send-due": try await workspace.deliverContinuously()
    case "write": try await write(in: workspace, arguments[3], SeededRandom(seed: UInt64(arguments[4])!))
    case "erase":
      say("ready")
      awaitLine()
      _ = try await workspace.erase(.user(Name(arguments[3])))
      say("done")
    case "hang": try await hang(in: workspace)
    case "draft":
      let thread = arguments[4] == "-" ? nil : Message.ID(stringLiteral: arguments[4])
      try await takeAndDie(DraftStep(rawValue: arguments[3])!, thread: thread, in: workspace)
    case "device":
      let thread = arguments[4] == "-" ? nil : Message.ID(stringLiteral: arguments[4])
      try await sit(at: DraftDevice(workspace, ID(stringLiteral: arguments[3]), thread: thread))
    case "deliver":
      let (user, device) = (User.ID(stringLiteral: arguments[4]), Device.ID(stringLiteral: arguments[5]))
      try await deliver(arguments[3], of: user, on: device, to: workspace)
    case "store": try await store(arguments[3], in: workspace)
    case "add-blob": try await addBlob(arguments[3], to: workspace.blobs)
    case "add-blob-as-nobody": await addBlobAsNobody(arguments[3], to: workspace.blobs)
    default:
      try await goOn(workspace, Script(device: arguments[3]), from: Int(arguments[4])!, tasks: Int(arguments[5])!)
    }
    await workspace.close()
    if arguments[1] == "store" { say("ack close") }
  }

  /// Opens a workspace by the rules of all workers, with frequent checkpoints and snapshots.
  package static func open(
    _ path: String, _ choose: (inout Configuration) -> Void = { _ in }
  ) throws -> Workspace {
    var configuration = Configuration()
    // A busy machine is not a failure.
    configuration.writerLockTimeout = .seconds(120)
    configuration.rules = .tight
    (configuration.rules.limits.compositionByteCountMax, configuration.rules.limits.lineByteCountMax) = (1 << 20, 4096)
    (configuration.checkpointDistance, configuration.snapshotDistance) = (100, 1000)
    // The directory of the machine, where the log is on a server.
    configuration.cacheDirectory = getenv("VERBATIM_CACHE_DIR").map { String(cString: $0) }
    choose(&configuration)
    return try Workspace.open(at: path, configuration: configuration)
  }

  /// Creates the users of the workers, their common channel, and a small world of other users.
  package static func populate(_ workspace: Workspace, _ count: Int) async throws -> [Submitted] {
    let (workers, others) = ((0..<count).map { user($0) }, (0..<6).map { User.ID(stringLiteral: "u\($0)") })
    var done: [Submitted] = []
    for user in workers + others {
      done.append(try await workspace.submit(.user(user, .create(User.Profile(name: "Somebody"))), by: .system))
    }
    for channel in [meeting, "c0", "c1", "c2"] {
      let create = ChatIntent.channel(channel, .create("team", Channel.Profile(), ChannelConfig(), members: []))
      let joining = (channel == meeting ? workers : others).map { user in
        ChatIntent.member(Member.Key(channel, user), .add(user == "u0" ? .owner : .member))
      }
      done.append(try await workspace.submit([create] + joining, by: .system))
    }
    return done
  }

  /// The channel in which all workers are members.
  package static let meeting: Channel.ID = "meeting"

  /// Returns the user of a worker.
  package static func user(_ number: Int) -> User.ID { ID(stringLiteral: "w\(number)") }

  /// Returns the digests of the tables at the end of the log, in one line.
  package static func digests(_ workspace: Workspace) throws -> String {
    guard let checkpoint = try workspace.projections.checkpoint() else { return "nothing" }
    let digests = checkpoint.digests.map { "\($0.table) \($0.digest)" }
    return "\(checkpoint.position) \(checkpoint.hash) " + digests.joined(separator: " ")
  }
}

extension Worker {
  /// Submits after a line of input, reports completion, and after another line prints the results and the digests.
  private static func submit(_ workspace: Workspace, _ submitter: Submitter, count: Int) async throws {
    var submitter = submitter
    say("ready")
    awaitLine()
    try await submitter.run(count)
    say("done")
    awaitLine()
    for line in submitter.lines { say(line) }
    say("digests " + (try digests(workspace)))
  }
}

/// Waits for a line on standard input; ends the process at the end of the input.
@discardableResult
func awaitLine() -> String {
  guard let line = readLine() else { exit(0) }
  return line
}
