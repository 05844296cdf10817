// The protocol of commands: a value whose properties are its arguments, and a table of its parameters.

/// A command of a program, parsed from arguments and then run.
///
/// Its properties hold the arguments; its table of parameters names them. A property that no argument sets keeps its
/// initial value.
protocol Command {
  /// The name on the command line.
  static var name: String { get }
  /// The effect of the command, in one sentence.
  static var summary: String { get }
  /// Further help text; may be empty.
  static var details: String { get }
  /// Example command lines.
  static var examples: [String] { get }
  /// The parameters, in the order of the help text; positional ones in their order.
  static var parameters: [Parameter<Self>] { get }

  /// Creates the command with its initial values, before arguments are parsed.
  init()

  /// Returns the error in arguments that are valid one by one but not together; nil if there is none.
  func contradiction() -> String?

  /// Runs the command and returns the exit code.
  func run(in context: Context) throws(Failure) -> ExitCode
}

extension Command {
  static var details: String { "" }
  static var examples: [String] { [] }
  func contradiction() -> String? { nil }
}

/// A group of commands under a common word.
struct CommandGroup {
  /// The word; for the root group the program's name.
  var name: String
  /// The purpose of its commands, in one sentence.
  let summary: String
  /// Further help text that applies to all of its commands.
  let details: String
  /// The commands, in the order of the help text.
  let members: [Member]

  /// A command, or a nested group.
  enum Member {
    case command(any Command.Type)
    case group(CommandGroup)

    var name: String {
      switch self {
      case .command(let type): type.name
      case .group(let group): group.name
      }
    }

    var summary: String {
      switch self {
      case .command(let type): type.summary
      case .group(let group): group.summary
      }
    }
  }
}
