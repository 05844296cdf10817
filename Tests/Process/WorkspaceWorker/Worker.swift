// A process that submits to a workspace, reads and follows it, as the tests that started it say.
import ChatSamples
import ChildProcess
import SeededRandom
package import Verbatim

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The first argument says what to do, the second in which workspace, the others who it is and from which seed; a line
/// on standard output says what came of each step.
@main package enum Worker {
  package static func main() async throws {
    let arguments = CommandLine.arguments
    let workspace = try Worker.open(arguments[2]) { configuration in
      if arguments[1] == "hang" {
        configuration.composer.commands = DefaultCommandsConfig(
          instantCommands: [HangingCommand { say("hangs") }])
      }
      configuration.draftMessagesEnabled = arguments.last == "on"
    }
    switch arguments[1] {
    case "submit":
      let random = SeededRandom(seed: UInt64(arguments[4])!)
      try await submit(workspace, Submitter(workspace, number: Int(arguments[3])!, random), count: Int(arguments[5])!)
    case "read": try await read(workspace)
    case "write": try await write(in: workspace, arguments[3], SeededRandom(seed: UInt64(arguments[4])!))
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

  /// Opens a workspace by the rules of all workers, with checkpoints and snapshots that come often.
  package static func open(
    _ path: String, _ choose: (inout Configuration) -> Void = { _ in }
  ) throws -> Workspace {
    var configuration = Configuration()
    // A machine that is busy with other things is no failure.
    configuration.writerLockTimeout = .seconds(120)
    configuration.rules = .tight
    configuration.rules.limits.compositionByteCountMax = 1 << 20
    (configuration.checkpointDistance, configuration.snapshotDistance) = (100, 1000)
    choose(&configuration)
    return try Workspace.open(at: path, configuration: configuration)
  }

  /// Makes the users that workers are, the channel in which they meet, and a small world of others.
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

  /// The channel in which all workers are.
  package static let meeting: Channel.ID = "meeting"

  /// The user that a worker is.
  package static func user(_ number: Int) -> User.ID { ID(stringLiteral: "w\(number)") }

  /// What tables hold at the end of the log, in one line.
  package static func digests(_ workspace: Workspace) throws -> String {
    guard let checkpoint = try workspace.projections.checkpoint() else { return "nothing" }
    let digests = checkpoint.digests.map { "\($0.table) \($0.digest)" }
    return "\(checkpoint.position) \(checkpoint.hash) " + digests.joined(separator: " ")
  }
}

extension Worker {
  /// Submits at a sign, says that it is done, and at another sign what came of it and what the tables hold.
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

/// Waits for a line on standard input; ends the process when there is none any more.
@discardableResult
func awaitLine() -> String {
  guard let line = readLine() else { exit(0) }
  return line
}
