// The program: parses arguments, runs a command, returns an exit code.

public import ChatComposer
public import ChatRendering
internal import EventLogPostgres
internal import Terminal
public import Verbatim

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// One run of the program.
public struct Invocation: Sendable {
  private let arguments: [String]
  private var context: Context

  /// Creates a run with arguments, without the program's name.
  public init(_ arguments: [String], in context: Context) {
    self.arguments = arguments
    self.context = context
    self.context.arguments = arguments
    self.context.configuration.cacheDirectory = context.configuration.cacheDirectory ?? Context.cacheDirectory
  }

  /// Runs the command that this process was started for, and exits.
  ///
  /// An app with additional projections or slash commands builds its own program on this function, which includes them.
  public static func main(
    _ configuration: Configuration = Configuration(), composer: ComposerOptions = ComposerOptions(),
    words: RenderingWords = RenderingWords()
  ) -> Never {
    var context = Context()
    context.executable = ownExecutable()
    context.configuration = configuration
    (context.composer, context.words) = (composer, words)
    context.program = programName(of: CommandLine.arguments.first) ?? context.program
    let arguments: [String]
    do throws(Failure) { arguments = try decoded(ownArguments()) } catch {
      context.note(error)
      exit(error.code.rawValue)
    }
    exit(Invocation(arguments, in: context).run().rawValue)
  }

  /// Decodes arguments; throws for one that is not UTF-8: with its bytes replaced it would name another file.
  static func decoded(_ arguments: [[UInt8]]) throws(Failure) -> [String] {
    var texts: [String] = []
    for (number, bytes) in arguments.enumerated() {
      guard let text = String(validating: bytes, as: UTF8.self) else {
        throw Failure(
          .misused,
          "Argument \(number + 1), “\(String(decoding: bytes, as: UTF8.self))”, is not UTF-8: give the file or "
            + "directory a UTF-8 name.")
      }
      texts.append(text)
    }
    return texts
  }

  /// Returns the last component of the path by which the program was started; nil without a path.
  static func programName(of path: String?) -> String? {
    path?.split(separator: "/").last.map { String($0).visible(inOneLine: true) }
  }

  /// Runs the command that the arguments name, and returns the exit code.
  public func run() -> ExitCode {
    // A reader that goes away, or a limit of the size of files, must surface as an error of the write, not end the
    // process.
    for number in [SIGPIPE, SIGXFSZ] { signal(number, SIG_IGN) }
    do throws(Failure) {
      var invocation = self
      if context.ownsProcess { invocation = try takingPasswords() }
      return try invocation.perform(try invocation.request())
    } catch {
      context.note(error)
      return error.code
    }
  }

  /// Returns the run with the passwords of its addresses in the environment instead of the arguments, which messages
  /// repeat and child processes show.
  private func takingPasswords() throws(Failure) -> Invocation {
    var passwords: Set<String> = []
    let arguments = arguments.map { argument in
      let (address, password) = PostgresAddress.withoutPassword(argument)
      if let password { passwords.insert(password) }
      return address
    }
    if passwords.count > 1 {
      throw Failure(
        .misused, "The addresses have different passwords: give those in a password file of PostgreSQL (~/.pgpass).")
    }
    if let password = passwords.first { setenv("PGPASSWORD", password, 1) }
    return Invocation(arguments, in: context)
  }

  private func request() throws(Failure) -> Request {
    var group = CommandGroup.verbatim
    group.name = context.program
    return try group.parse(arguments)
  }

  private func perform(_ request: Request) throws(Failure) -> ExitCode {
    switch request {
    case .run(let command): return try command.run(in: context)
    case .help(let text):
      var output = Output(context.output)
      try output.write(text)
      try output.flush()
      return .done
    }
  }
}

extension CommandGroup {
  /// The root group: all commands of the program.
  static var verbatim: CommandGroup {
    CommandGroup(
      name: "verbatim", summary: "Chats in workspaces and works with logs of events, from the command line.",
      details: ExitCode.details,
      members: [
        .command(DemoCommand.self), .command(StudioCommand.self),
        .command(InitCommand.self), .command(StatusCommand.self), .command(ConsumersCommand.self),
        .command(DeliverCommand.self),
        .command(GenerateCommand.self),
        .command(ComposeCommand.self), .command(SubmitCommand.self), .command(ShowCommand.self), .group(.query),
        .command(EventsCommand.self), .command(EventCommand.self), .command(Query<BiographyQuestion>.self),
        .command(TailEventsCommand.self),
        .command(RunCommand.self),
        .command(ReplayCommand.self), .command(VerifyWorkspaceCommand.self), .command(DiffCommand.self),
        .command(ExportCommand.self), .command(ImportCommand.self), .command(MirrorCommand.self),
        .command(ExportPersonCommand.self),
        .command(BackupWorkspaceCommand.self), .command(RestoreCommand.self), .command(RebuildCommand.self),
        .command(EraseCommand.self), .command(ExpireCommand.self), .command(RotateKeyCommand.self),
        .command(SnapshotCommand.self), .command(ReadersCommand.self), .command(CompactCommand.self),
        .command(ClockCommand.self),
        .command(SealCommand.self), .command(SealKeyCommand.self), .command(WitnessCommand.self),
        .group(.log),
        .command(CompletionsCommand.self),
      ])
  }

  private static var log: CommandGroup {
    CommandGroup(
      name: "log", summary: "Appends to a log, reads, verifies, salvages and copies it.",
      details: ExitCode.details,
      members: [
        .command(AppendCommand.self), .command(ReadCommand.self), .command(TailCommand.self),
        .command(VerifyCommand.self), .command(SalvageCommand.self), .command(BackupCommand.self),
        .command(StatsCommand.self),
      ])
  }
}
