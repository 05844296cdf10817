// What a command is: a value whose properties are its arguments, and a table that says which argument is which.

/// A command of a program, parsed from arguments and then run.
///
/// Its properties hold what the arguments said; its table of parameters names them. A property that no argument set
/// keeps the value it begins with.
protocol Command {
  /// What it is called on the command line.
  static var name: String { get }
  /// What it does, in one sentence.
  static var summary: String { get }
  /// What else one must know to use it; may be empty.
  static var details: String { get }
  /// How it may be used, each as one types it.
  static var examples: [String] { get }
  /// Its arguments, in the order of the help text; positional ones in their order.
  static var parameters: [Parameter<Self>] { get }

  /// The command before any argument was read.
  init()

  /// Says what is wrong with arguments that are right each for itself; nil for nothing.
  func contradiction() -> String?

  /// Does it; answers with what code the program ends.
  func run(in context: Context) throws(Failure) -> ExitCode
}

extension Command {
  static var details: String { "" }
  static var examples: [String] { [] }
  func contradiction() -> String? { nil }
}

/// Commands that share a word.
struct CommandGroup {
  /// The word; the program's name for the outermost.
  var name: String
  /// What its commands are for, in one sentence.
  let summary: String
  /// What holds for all of them.
  let details: String
  /// The commands, in the order of the help text.
  let members: [Member]

  /// A command, or a group within the group.
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
